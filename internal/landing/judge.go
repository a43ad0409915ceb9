// Package landing judges whether a branch's work has reached the trunk.
//
// It stands apart because the wait, the hooks and the briefing must all give
// the same answer to that question, and because a wrong "landed" is the most
// expensive mistake this suite could make.
package landing

import (
	"context"

	"git-continuity/gitx"
)

// Via names the evidence by which work was found in the trunk.
type Via string

// Ancestor is the evidence of history: the tip is an ancestor of the trunk.
const Ancestor Via = "ancestor"

// A Verdict is the answer about one tip and one position of the trunk.
type Verdict struct {
	Landed bool
	// Via is empty unless Landed.
	Via Via
}

// inProcess is how many commits a look reads by itself before it asks git for a
// walk: landings come as the tip itself or as a merge of it, so the answer lies
// next to the trunk's new tip.
const inProcess = 48

// A Judge answers for one repository. It remembers which positions of the
// trunk do not hold a tip, so that a trunk that moves by k commits costs what
// those k cost. Not safe for concurrent use.
type Judge struct {
	repo  *gitx.Repo
	batch *gitx.Batch
	// absent maps a tip to the newest trunk position known not to hold it.
	absent map[gitx.OID]gitx.OID
	// present maps a tip to the newest trunk position known to hold it.
	present map[gitx.OID]gitx.OID
}

// NewJudge returns a judge that reads through batch and walks with repo.
func NewJudge(repo *gitx.Repo, batch *gitx.Batch) *Judge {
	return &Judge{repo: repo, batch: batch, absent: map[gitx.OID]gitx.OID{}, present: map[gitx.OID]gitx.OID{}}
}

// Landed judges a tip that was seen outside the trunk against a position of
// the trunk. The tip's object being gone is a *gitx.MissingObjectError.
func (j *Judge) Landed(ctx context.Context, tip, trunk gitx.OID) (Verdict, error) {
	in, err := j.Contains(ctx, trunk, tip)
	if err != nil || !in {
		return Verdict{}, err
	}
	return Verdict{Landed: true, Via: Ancestor}, nil
}

// Contains reports whether tip is trunk or one of its ancestors.
func (j *Judge) Contains(ctx context.Context, trunk, tip gitx.OID) (bool, error) {
	if tip == trunk || j.present[tip] == trunk {
		return true, nil
	}
	if j.absent[tip] == trunk {
		return false, nil
	}
	in, err := j.walk(ctx, trunk, tip)
	if err != nil {
		return false, err
	}
	if in {
		j.present[tip] = trunk
	} else {
		j.absent[tip] = trunk
	}
	return in, nil
}

func (j *Judge) walk(ctx context.Context, trunk, tip gitx.OID) (bool, error) {
	var known []gitx.OID
	if old := j.absent[tip]; !old.IsZero() {
		known = append(known, old)
	}
	found, complete, err := j.batch.ReachesWithin(trunk, tip, inProcess, known...)
	if err == nil && (found || complete) {
		return found, nil
	}
	return j.repo.IsAncestor(ctx, tip, trunk)
}
