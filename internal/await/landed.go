package await

import (
	"context"
	"errors"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// hole returns the reason by which an error of a question about history means
// that this clone cannot answer it, or "".
func hole(err error) Reason {
	var missing *gitx.MissingObjectError
	var shallow *gitx.ShallowError
	switch {
	case errors.As(err, &shallow):
		return Shallow
	case errors.As(err, &missing):
		return MissingObject
	}
	return ""
}

// judgeLanding judges the last armed tip first and the live tip afterwards, so
// that a rebase or a reset after a landing loses nothing.
func (e *eye) judgeLanding(ctx context.Context, q *Question, c *Condition, tip, trunk gitx.OID) error {
	c.Observed.Reason = NotInTrunk
	if !c.Armed.IsZero() {
		if err := e.judgeArmed(ctx, c, tip, trunk); err != nil || c.Met {
			return err
		}
	}
	switch {
	case tip.IsZero():
		return e.judgeGone(ctx, q, c, trunk)
	case tip == c.Armed:
		return nil
	}
	in, err := e.judge.Contains(ctx, trunk, tip)
	if reason := hole(err); reason != "" {
		c.Observed.Reason = reason
		return nil
	}
	switch {
	case err != nil:
		return err
	case !in:
		// Work that was squashed before it was first seen is found at once.
		c.Armed, c.Observed.Reason = tip, NotInTrunk
		return e.judgeArmed(ctx, c, tip, trunk)
	case !c.Armed.IsZero():
		c.Armed, c.Observed.Reason = gitx.OID{}, Abandoned
		return nil
	}
	c.Observed.Reason = NoWorkSeen
	// A name may be used again: a note of it is told, and proves nothing here.
	note, found, err := e.notes.ByName(ctx, c.Branch, trunk, gitx.OID{})
	if err == nil && found {
		c.Observed.cite(note)
	}
	return err
}

// judgeArmed asks for the evidence in the order of what it costs.
func (e *eye) judgeArmed(ctx context.Context, c *Condition, tip, trunk gitx.OID) error {
	in, err := e.judge.Contains(ctx, trunk, c.Armed)
	switch reason := hole(err); {
	case reason != "":
		c.Observed.Reason = reason
		return nil
	case err != nil:
		return err
	case in:
		e.met(ctx, c, string(landing.Ancestor), tip, trunk)
		return nil
	}
	note, found, err := e.notes.ByTip(ctx, c.Armed, trunk)
	if err != nil {
		return err
	}
	if found {
		c.Observed.cite(note)
		e.met(ctx, c, ViaNote, tip, trunk)
		return nil
	}
	if !e.pace.may() {
		return nil
	}
	began := time.Now()
	verdict, err := e.judge.Landed(ctx, c.Armed, trunk)
	e.pace.spent += time.Since(began)
	switch reason := hole(err); {
	case reason != "":
		c.Observed.Reason = reason
	case err != nil:
		return err
	case verdict.Landed:
		c.Observed.LandedAs, c.Observed.Undone = known(verdict.LandedAs), verdict.Undone
		e.met(ctx, c, string(verdict.Via), tip, trunk)
	default:
		c.Observed.Reason = Reason(verdict.Reason)
	}
	return nil
}

// judgeGone answers for a branch that does not exist now.
func (e *eye) judgeGone(ctx context.Context, q *Question, c *Condition, trunk gitx.OID) error {
	note, found, err := e.notes.ByName(ctx, c.Branch, trunk, q.TrunkStart)
	if err != nil {
		return err
	}
	if found {
		c.Observed.cite(note)
		e.met(ctx, c, ViaNote, gitx.OID{}, trunk)
		return nil
	}
	if c.Armed.IsZero() {
		c.Observed.Reason = NeverSeen
		return nil
	}
	return e.refuseLost(c)
}

// refuseLost refuses a watch whose branch is gone and whose armed tip is too:
// nothing that happens later could answer it.
func (e *eye) refuseLost(c *Condition) error {
	infos, err := e.batch.Info(c.Armed.String())
	if err != nil || !infos[0].Missing {
		return err
	}
	return refusal.New(refusal.BaselineLost,
		"the work of %q that was waited for, commit %s, is no longer in the repository: whether it landed cannot be known", c.Branch.Short(), c.Armed.Abbrev()).
		Hint("git log --first-parent, to look for it by eye")
}

// met notes that the work of a condition has landed.
func (e *eye) met(ctx context.Context, c *Condition, via string, tip, trunk gitx.OID) {
	c.Met, c.Observed.Landed, c.Observed.Via, c.Observed.Reason = true, true, via, ""
	c.Observed.Ahead = e.countAhead(ctx, c, tip, trunk)
}

// countAhead tells of a branch that went on after its landing. It is a courtesy
// beside a proven landing: where it cannot be told it is left out.
func (e *eye) countAhead(ctx context.Context, c *Condition, tip, trunk gitx.OID) *int {
	if tip.IsZero() || tip == c.Armed {
		return nil
	}
	n, err := e.repo.CountCommits(ctx, []gitx.OID{tip}, []gitx.OID{trunk})
	if err != nil || n == 0 {
		return nil
	}
	return &n
}

// noted answers a fresh question about a branch that does not exist: by the
// newest landing note of its name.
func (e *eye) noted(ctx context.Context, c *Condition, trunk gitx.OID) (bool, error) {
	note, found, err := e.notes.ByName(ctx, c.Branch, trunk, gitx.OID{})
	if err != nil || !found {
		return false, err
	}
	c.Observed.cite(note)
	e.met(ctx, c, ViaNote, gitx.OID{}, trunk)
	return true, nil
}

func (s *BranchSeen) cite(note landing.Note) {
	s.NoteCommit, s.NoteDate = known(note.Commit), &note.AcceptedAt
}
