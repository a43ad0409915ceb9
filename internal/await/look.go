package await

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/landing"
)

// An eye is what a watch looks at the repository with: one long-lived git that
// answers from the live ref store, and the judge that reads through it. It works
// through the common directory alone, so it outlives the checkout in which the
// call was made.
type eye struct {
	repo  *gitx.Repo
	batch *gitx.Batch
	judge *landing.Judge
	notes *landing.NoteBook
	// checkouts are those that a look for a receipt has opened, by git directory,
	// and files what it would have to look at again.
	checkouts map[string]*gitx.Repo
	files     []string
	// pace keeps the question about content, which costs processes, from being
	// asked at every move of a trunk that many push to at once.
	pace pace
	// remote is nil unless the watch is about a remote; here are the local tips
	// that were last seen beside it.
	remote *inquiry
	here   map[gitx.RefName]gitx.OID
}

func openEye(ctx context.Context, repo *gitx.Repo) (*eye, error) {
	shared := repo.Common()
	batch, err := shared.NewBatch(ctx)
	if err != nil {
		return nil, err
	}
	return &eye{
		repo: shared, batch: batch, judge: landing.NewJudge(shared, batch), notes: landing.NewNoteBook(shared, batch),
		checkouts: map[string]*gitx.Repo{},
	}, nil
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
	fresh.remote, fresh.here, fresh.pace = e.remote, e.here, e.pace
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
	e.pace.begin(time.Now())
	defer func() { e.pace.end(time.Now()) }()
	if e.remote != nil {
		// A remote is asked seldom enough, and its answer judged once.
		e.pace.allowed = true
		return e.lookThere(ctx, q)
	}
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
	if v.trunk.IsZero() {
		c.Observed.Reason = TrunkMissing
	} else if err := e.judgeLanding(ctx, q, c, tip, v.trunk); err != nil {
		return err
	}
	if c.Kind == Green && !c.Met {
		if err := e.judgeReceipt(ctx, c, tip); err != nil {
			return err
		}
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
	case Shallow:
	case "":
		c.Observed.Rewritten = !kept
		return err
	default:
		c.Observed.Rewritten = true
	}
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
