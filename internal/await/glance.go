package await

import (
	"context"
	"time"

	"git-continuity/gitx"
)

// fullLook is how often a look is made although the file system says that
// nothing was written: some file systems say so too long.
const fullLook = 30 * time.Second

// A glance is a look that is skipped while the file system proves that there
// is nothing new.
type glance struct {
	eye    *eye
	watch  *Watch
	common string
	// refs are the watched refs and those that they are symbolic names of.
	refs  []gitx.RefName
	last  stamp
	taken time.Time
	// patience is how long to wait before the tree of a checkout, which tells
	// nobody that it changes, is looked at again.
	patience time.Duration
}

// The least and the most patience with a tree that is not clean.
const (
	leastPatience = 2 * time.Second
	mostPatience  = 30 * time.Second
)

// due is how long a look is good for while nothing is written.
func (g *glance) due() time.Duration {
	if g.watch.question.unsettled() {
		return min(max(g.patience, leastPatience), mostPatience)
	}
	return fullLook
}

// look reports whether the watch holds. What it sees is stored at once where
// it must not be lost.
func (g *glance) look(ctx context.Context) (bool, error) {
	now := time.Now()
	current := takeStamp(g.common, g.refs, g.eye.files)
	still := current.proves(g.last, g.taken)
	if still && now.Sub(g.taken) < g.due() && !g.watch.unsaved {
		return false, nil
	}
	if g.patience *= 2; !still {
		g.patience = leastPatience
	}
	if !g.taken.IsZero() && current.config != g.last.config {
		if err := g.eye.reopen(ctx); err != nil {
			return false, err
		}
	}
	changed, err := g.eye.look(ctx, &g.watch.question)
	g.watch.unsaved = g.watch.unsaved || changed
	if err != nil {
		return false, err
	}
	g.last, g.taken = current, now
	if g.watch.question.Met() {
		return true, nil
	}
	if g.watch.unsaved {
		// A store that cannot be written now may be writable at the next look; the
		// end of the call reports it if it never was.
		brief, cancel := context.WithTimeout(ctx, time.Second)
		_ = g.watch.save(brief)
		cancel()
	}
	return false, nil
}
