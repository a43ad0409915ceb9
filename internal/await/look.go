package await

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"git-continuity/gitx"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// An eye is what a watch looks at the repository with: one long-lived git that
// answers from the live ref store, and the judge that reads through it. It works
// through the common directory alone, so it outlives the checkout in which the
// call was made.
type eye struct {
	repo  *gitx.Repo
	batch *gitx.Batch
	judge *landing.Judge
}

func openEye(ctx context.Context, repo *gitx.Repo) (*eye, error) {
	shared := repo.Common()
	batch, err := shared.NewBatch(ctx)
	if err != nil {
		return nil, err
	}
	return &eye{repo: shared, batch: batch, judge: landing.NewJudge(shared, batch)}, nil
}

func (e *eye) close() error { return e.batch.Close() }

// reopen starts the long-lived git anew: it read the configuration once, and
// with it where and in which format the refs are kept.
func (e *eye) reopen(ctx context.Context) error {
	_ = e.batch.Close()
	fresh, err := openEye(ctx, e.repo)
	if err != nil {
		return err
	}
	*e = *fresh
	return nil
}

// A view is the refs of a watch at one moment; an absent ref has no entry.
type view struct {
	trunk gitx.OID
	tips  map[gitx.RefName]gitx.OID
}

// see reads the trunk before and after the branches, in two exchanges, and
// again while it moves in between: a fresh branch read beside an older trunk
// would look like work.
func (e *eye) see(ctx context.Context, trunk gitx.RefName, branches []gitx.RefName) (view, error) {
	refs := append([]gitx.RefName{trunk}, branches...)
	for {
		if err := ctx.Err(); err != nil {
			return view{}, err
		}
		tips, err := e.read(refs)
		if err != nil {
			return view{}, err
		}
		again, err := e.read([]gitx.RefName{trunk})
		if err != nil {
			return view{}, err
		}
		if tips[0] != again[0] {
			continue
		}
		v := view{trunk: tips[0], tips: map[gitx.RefName]gitx.OID{}}
		for i, branch := range branches {
			if tip := tips[i+1]; !tip.IsZero() {
				v.tips[branch] = tip
			}
		}
		return v, nil
	}
}

func (e *eye) read(refs []gitx.RefName) ([]gitx.OID, error) {
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = string(ref)
	}
	infos, err := e.batch.Info(names...)
	if err != nil {
		return nil, err
	}
	tips := make([]gitx.OID, len(refs))
	for i, info := range infos {
		switch {
		case info.Missing && !info.OID.IsZero():
			return nil, fmt.Errorf("read ref %q: %w", refs[i], &gitx.MissingObjectError{Name: info.OID.String()})
		case info.Missing:
		case info.Type != gitx.TypeCommit:
			return nil, fmt.Errorf("ref %q points at a %s, not at a commit", refs[i], info.Type)
		default:
			tips[i] = info.OID
		}
	}
	return tips, nil
}

// look judges every condition that does not hold yet and reports whether
// anything worth storing at once has changed.
func (e *eye) look(ctx context.Context, q *Question) (changed bool, err error) {
	v, err := e.see(ctx, q.Trunk, q.branches())
	if err != nil {
		return false, err
	}
	// A refusal of one condition counts only where the others do not answer
	// without it.
	var refused error
	for i := range q.Conditions {
		c := &q.Conditions[i]
		if c.Met {
			continue
		}
		armed := c.Armed
		if err := e.judgeCondition(ctx, q, c, v); err != nil {
			refused = cmp.Or(refused, err)
		}
		changed = changed || c.Met || c.Armed != armed
	}
	if q.Met() {
		refused = nil
	}
	return changed, refused
}

func (e *eye) judgeCondition(ctx context.Context, q *Question, c *Condition, v view) error {
	c.Observed = Observed{TrunkStart: q.TrunkStart, TrunkHead: known(v.trunk)}
	if c.Kind == TrunkMoved {
		return e.judgeTrunk(ctx, q, c, v.trunk)
	}
	tip, exists := v.tips[c.Branch]
	seen := &BranchSeen{Exists: exists}
	c.Observed.BranchSeen = seen
	if c.Kind == Green {
		if err := e.judgeReceipt(ctx, c); err != nil {
			return err
		}
	}
	if v.trunk.IsZero() {
		c.Observed.Reason = TrunkMissing
	} else if err := e.judgeLanding(ctx, c, tip, v.trunk); err != nil {
		return err
	}
	seen.Armed, seen.Tip = !c.Armed.IsZero(), known(c.Armed)
	if !seen.Armed {
		seen.Tip = known(tip)
	}
	return nil
}

func (e *eye) judgeTrunk(ctx context.Context, q *Question, c *Condition, head gitx.OID) error {
	if head == q.TrunkStart {
		c.Observed.Reason = TrunkUnchanged
		return nil
	}
	c.Met, c.Observed.Via = true, ViaTrunk
	if head.IsZero() {
		c.Observed.Rewritten = true
		return nil
	}
	// A start whose object is gone cannot be part of what the trunk is now; where
	// the history is cut off, nothing says that it was rewritten.
	kept, err := e.judge.Contains(ctx, head, q.TrunkStart)
	switch hole(err) {
	case CannotTell:
	case "":
		c.Observed.Rewritten = !kept
		return err
	default:
		c.Observed.Rewritten = true
	}
	return nil
}

// hole returns the reason by which an error of a question about history means
// that this clone cannot answer it, or "".
func hole(err error) Reason {
	var missing *gitx.MissingObjectError
	var shallow *gitx.ShallowError
	switch {
	case errors.As(err, &shallow):
		return CannotTell
	case errors.As(err, &missing):
		return ObjectMissing
	}
	return ""
}

// judgeLanding judges the last armed tip first and the live tip afterwards, so
// that a rebase or a reset after a landing loses nothing.
func (e *eye) judgeLanding(ctx context.Context, c *Condition, tip, trunk gitx.OID) error {
	if !c.Armed.IsZero() {
		landed, err := e.judgeArmed(ctx, c, tip, trunk)
		if err != nil || landed {
			return err
		}
	}
	if c.Observed.Reason == "" {
		c.Observed.Reason = NotInTrunk
	}
	switch {
	case tip.IsZero() && c.Armed.IsZero():
		c.Observed.Reason = NeverSeen
		return nil
	case tip.IsZero() || tip == c.Armed:
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
		c.Armed, c.Observed.Reason = tip, NotInTrunk
	case c.Armed.IsZero():
		c.Observed.Reason = NoWorkSeen
	default:
		c.Armed, c.Observed.Reason = gitx.OID{}, Abandoned
	}
	return nil
}

func (e *eye) judgeArmed(ctx context.Context, c *Condition, tip, trunk gitx.OID) (bool, error) {
	verdict, err := e.judge.Landed(ctx, c.Armed, trunk)
	c.Observed.Reason = hole(err)
	switch {
	case err != nil && c.Observed.Reason == "":
		return false, err
	case verdict.Landed:
		c.Met, c.Observed.Landed, c.Observed.Via = true, true, string(verdict.Via)
		c.Observed.Ahead = e.countAhead(ctx, c, tip, trunk)
		return true, nil
	case !tip.IsZero():
		return false, nil
	}
	return false, e.refuseLost(c)
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

// judgeReceipt finds the checkout that could hold a receipt. Nothing writes
// receipts yet, so a checkout has none.
func (e *eye) judgeReceipt(ctx context.Context, c *Condition) error {
	worktrees, err := e.repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	name, held := worktreeOf(worktrees, c.Branch)
	if !held {
		c.Observed.ReceiptStatus = ReceiptNoWorktree
		return nil
	}
	c.Observed.Worktree, c.Observed.ReceiptStatus = name, ReceiptMissing
	return nil
}

// branches returns the refs that the question follows, each once.
func (q *Question) branches() []gitx.RefName {
	var refs []gitx.RefName
	seen := map[gitx.RefName]bool{"": true}
	for _, c := range q.Conditions {
		if !seen[c.Branch] {
			seen[c.Branch] = true
			refs = append(refs, c.Branch)
		}
	}
	return refs
}
