package await

import (
	"context"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/refusal"
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
	refs []gitx.RefName
	// unstamped is set where stamps prove nothing: every look is made then.
	unstamped bool
	last      stamp
	taken     time.Time
	// patience is how long to wait before the tree of a checkout, which tells
	// nobody that it changes, is looked at again.
	patience time.Duration
	// failing is since when looks have failed; zero after one that did not.
	failing time.Time
}

// endurance is how long looks may go on failing: a configuration that is being
// edited, or refs that are being migrated, are broken for a moment.
const endurance = 30 * time.Second

// The least and the most patience with a tree that is not clean.
const (
	leastPatience = 2 * time.Second
	mostPatience  = 30 * time.Second
)

// endure returns nil while a failure may pass by itself, and has git started
// anew for the next look. A refusal is an answer and does not pass.
func (g *glance) endure(ctx context.Context, err error, now time.Time) error {
	if refusal.CodeOf(err) != "" || ctx.Err() != nil {
		return err
	}
	if g.failing.IsZero() {
		g.failing = now
	}
	if now.Sub(g.failing) > endurance {
		return err
	}
	g.last = stamp{}
	_ = g.eye.reopen(ctx)
	return nil
}

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
	still := !g.unstamped && !g.eye.pace.owed && current.proves(g.last, g.taken)
	if still && now.Sub(g.taken) < g.due() && !g.watch.unsaved && !g.eye.remote.unread() {
		return false, nil
	}
	if g.patience *= 2; !still {
		g.patience = leastPatience
	}
	if !g.taken.IsZero() && current.config != g.last.config {
		if err := g.eye.reopen(ctx); err != nil {
			return false, g.endure(ctx, err, now)
		}
	}
	changed, err := g.eye.look(ctx, &g.watch.question)
	g.watch.unsaved = g.watch.unsaved || changed
	if err != nil {
		return false, g.endure(ctx, err, now)
	}
	g.failing = time.Time{}
	if g.eye.pace.owed {
		time.AfterFunc(time.Until(g.eye.pace.next), g.watch.waker.wake)
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
