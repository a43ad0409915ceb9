package landing

// SiftAlways lets a judge ask about one path first however few there are, so that
// small histories can prove that it changes no verdict.
func SiftAlways(j *Judge) { j.siftFrom = 0 }

// LimitCandidates lets a judge ask at most n commits of the trunk in one look.
func LimitCandidates(j *Judge, n int) { j.maxCandidates = n }
