package landing

// SiftAlways lets a judge ask about one path first however few there are, so that
// small histories can prove that it changes no verdict.
func SiftAlways(j *Judge) { j.siftFrom = 0 }
