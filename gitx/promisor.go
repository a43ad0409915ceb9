package gitx

// Partial reports whether this is a partial clone: one that was made without some
// of its objects, on the promise of a remote.
func (r *Repo) Partial() bool {
	if _, ok := r.config.Lookup("extensions.partialClone"); ok {
		return true
	}
	for _, name := range r.config.Subsections("remote") {
		// What git cannot read as a boolean it does not take for a promise.
		if promisor, _, err := r.config.Bool("remote." + name + ".promisor"); err == nil && promisor {
			return true
		}
	}
	return false
}
