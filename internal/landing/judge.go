// Package landing judges whether a branch's work has reached the trunk.
//
// It stands apart because the wait, the hooks and the briefing must all give
// the same answer to that question, and because a wrong "landed" is the most
// expensive mistake this suite could make.
package landing

import (
	"context"
	"errors"

	"git-continuity/gitx"
)

// Via names the evidence by which work was found in the trunk.
type Via string

const (
	// Ancestor is the evidence of history: the tip is an ancestor of the trunk.
	Ancestor Via = "ancestor"
	// Content is the proof by merging: a commit of the trunk holds the tip's
	// change, whatever the history says.
	Content Via = "content"
)

// Reason says why a tip is not known to have landed.
type Reason string

// The first two are answers: the work is not there. With the others nobody can
// tell by the means of this package, and it does not count as landed either.
const (
	// NotInTrunk: the trunk was searched, and does not hold the change.
	NotInTrunk Reason = "not_in_trunk"
	// EmptyChange: the tip has the content of its merge base with the trunk, so
	// there is nothing that could be found.
	EmptyChange Reason = "empty_change"
	// Conflict: the change was not found, but a commit of the trunk edited the
	// same lines; a landing whose conflicts were resolved looks like that, too.
	Conflict Reason = "conflict"
	// SeveralBases: tip and trunk were merged into each other crosswise, so it
	// is open what the tip's own change is.
	SeveralBases Reason = "several_bases"
	// NoBase: tip and trunk have no commit in common.
	NoBase Reason = "no_base"
	// TooManyCandidates: more than MaxCandidates commits had to be asked.
	TooManyCandidates Reason = "too_many_candidates"
	// MissingObject: an object that is needed is not in this clone.
	MissingObject Reason = "missing_object"
	// Shallow: the history that would decide it is not in this clone.
	Shallow Reason = "shallow"
)

// A Verdict is the answer about one tip and one position of the trunk.
type Verdict struct {
	Landed bool
	// Via is empty unless Landed.
	Via Via
	// Reason is empty if Landed.
	Reason Reason
	// LandedAs is the commit of the trunk by which the work came. It is zero
	// unless Via is Content: by history the tip itself is the evidence.
	LandedAs gitx.OID
	// Undone reports that the trunk holds the reverse of the change now, as after
	// a revert. It is told only where Via is Content. Lines that others went on
	// to edit, and files that they moved or removed beside others of the change,
	// are not undone.
	Undone bool
}

// inProcess is how many commits a look reads by itself before it asks git for a
// walk: landings come as the tip itself or as a merge of it, so the answer lies
// next to the trunk's new tip.
const inProcess = 48

// A Judge answers for one repository. It remembers which positions of the
// trunk do not hold a tip, and what it read to find that out, so that a trunk
// that moves by k commits costs what those k cost. Not safe for concurrent use.
type Judge struct {
	repo  *gitx.Repo
	batch *gitx.Batch
	// absent maps a tip to the newest trunk position known not to hold it.
	absent map[gitx.OID]gitx.OID
	// present maps a tip to the newest trunk position known to hold it.
	present map[gitx.OID]gitx.OID
	// examined maps a tip to what is known about its content.
	examined map[gitx.OID]*examination
	// siftFrom and maxCandidates are the constants of those names, but for tests.
	siftFrom, maxCandidates int
}

// NewJudge returns a judge that reads through batch and walks with repo.
func NewJudge(repo *gitx.Repo, batch *gitx.Batch) *Judge {
	return &Judge{
		repo: repo, batch: batch,
		absent: map[gitx.OID]gitx.OID{}, present: map[gitx.OID]gitx.OID{},
		examined: map[gitx.OID]*examination{}, siftFrom: siftFrom, maxCandidates: MaxCandidates,
	}
}

// Landed judges a tip that was seen outside the trunk against a position of
// the trunk: by history first, which usually takes no process, and then by
// content. The tip's object being gone is a *gitx.MissingObjectError.
func (j *Judge) Landed(ctx context.Context, tip, trunk gitx.OID) (Verdict, error) {
	in, err := j.Contains(ctx, trunk, tip)
	var shallow *gitx.ShallowError
	if errors.As(err, &shallow) {
		return Verdict{Reason: Shallow}, nil
	}
	if err != nil {
		return Verdict{}, err
	}
	if in {
		return Verdict{Landed: true, Via: Ancestor}, nil
	}
	return j.byContent(ctx, tip, trunk)
}

// Contains reports whether tip is trunk or one of its ancestors. The errors are
// those of gitx.Repo.IsAncestor.
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
