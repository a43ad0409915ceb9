package landing

import (
	"context"
	"errors"

	"git-continuity/gitx"
)

// MaxCandidates is how many commits of the trunk one look asks at most whether
// they hold a tip's change.
const MaxCandidates = 2000

// An examination is what is known about one tip's content beside the trunk.
type examination struct {
	// trunk is the position up to which the trunk was examined, and verdict the
	// answer there.
	trunk   gitx.OID
	verdict Verdict

	// work is the tip's change; nil where it cannot be told. The rest is not set
	// then.
	work *work
	// conflict and overflow remember that a commit was in conflict, or was not
	// asked: whatever comes later, the work may have landed there.
	conflict, overflow bool
}

// byContent judges by merging. It starts nothing where neither tip nor trunk
// has moved.
func (j *Judge) byContent(ctx context.Context, tip, trunk gitx.OID) (Verdict, error) {
	if x := j.examined[tip]; x != nil && x.trunk == trunk {
		return x.verdict, nil
	}
	x, err := j.examine(ctx, tip, trunk)
	if err != nil {
		// A failure says nothing about what was known before; it stays.
		return Verdict{}, err
	}
	x.trunk = trunk
	j.examined[tip] = x
	return x.verdict, nil
}

// examine goes on from what is known about the tip, or starts anew.
func (j *Judge) examine(ctx context.Context, tip, trunk gitx.OID) (*examination, error) {
	x, from, err := j.resume(ctx, tip, trunk)
	if err == nil && x == nil {
		x, err = j.study(ctx, tip, trunk)
		if err == nil && x.work != nil {
			from = x.work.base
		}
	}
	if err == nil && x.work != nil {
		err = j.search(ctx, x, from, trunk)
	}
	if err != nil {
		if j.incomplete(err, tip) {
			return &examination{verdict: Verdict{Reason: MissingObject}}, nil
		}
		return nil, err
	}
	return x, nil
}

// resume returns a copy of what is known about a tip, and the position from
// which the trunk is new; nil where that does not hold at this position of the
// trunk, because the trunk was rewritten or has got a part of the tip's history.
func (j *Judge) resume(ctx context.Context, tip, trunk gitx.OID) (*examination, gitx.OID, error) {
	old := j.examined[tip]
	if old == nil || old.work == nil {
		return nil, gitx.OID{}, nil
	}
	kept, err := j.walk(ctx, trunk, old.trunk)
	var missing *gitx.MissingObjectError
	var shallow *gitx.ShallowError
	if errors.As(err, &missing) || errors.As(err, &shallow) || err == nil && !kept {
		return nil, gitx.OID{}, nil
	}
	if err != nil {
		return nil, gitx.OID{}, err
	}
	if !old.verdict.Landed {
		arrived, err := j.repo.Commits(ctx, []gitx.OID{trunk}, []gitx.OID{old.trunk})
		if err != nil {
			return nil, gitx.OID{}, err
		}
		for _, commit := range arrived {
			if old.work.own[commit] {
				return nil, gitx.OID{}, nil
			}
		}
	}
	next := *old
	return &next, old.trunk, nil
}

// search asks the trunk's tip, and then its new commits, whether they hold the
// work, and sets the verdict.
func (j *Judge) search(ctx context.Context, x *examination, from, trunk gitx.OID) error {
	var candidates []gitx.MainlineCommit
	if !x.verdict.Landed {
		mainline, err := j.repo.Mainline(ctx, trunk, from)
		if err != nil {
			return err
		}
		candidates = x.work.candidates(mainline, from)
		if len(x.work.untouched) > 0 {
			x.verdict = x.answer(gitx.OID{})
			return nil
		}
		if len(candidates) > MaxCandidates {
			candidates, x.overflow = candidates[:MaxCandidates], true
		}
	}
	at, err := j.batch.Commit(trunk)
	if err != nil {
		return err
	}
	w := x.work
	questions := []gitx.TreeMerge{
		{Base: w.baseTree, Ours: at.Tree, Theirs: w.tipTree},
		{Base: w.tipTree, Ours: at.Tree, Theirs: w.baseTree},
	}
	for _, c := range candidates {
		questions = append(questions, gitx.TreeMerge{Base: w.baseTree, Ours: c.Tree, Theirs: w.tipTree})
	}
	answers, err := j.batch.MergeTrees(ctx, questions)
	if err != nil {
		return err
	}
	x.weigh(trunk, candidates, questions, answers)
	return nil
}

// weigh makes the verdict of the answers: about the trunk's tip, about the reverse
// of the work in it, and about each candidate.
func (x *examination) weigh(trunk gitx.OID, candidates []gitx.MainlineCommit, questions []gitx.TreeMerge, answers []gitx.MergedTree) {
	holds := func(i int) bool { return answers[i].Clean && answers[i].Tree == questions[i].Ours }
	landedAs := x.verdict.LandedAs
	for i, c := range candidates {
		if holds(2 + i) {
			landedAs = c.OID
			break
		}
		x.conflict = x.conflict || !answers[2+i].Clean
	}
	// A commit that got the change by way of a path that the work does not touch
	// is no candidate.
	if landedAs.IsZero() && holds(0) {
		landedAs = trunk
	}
	x.conflict = x.conflict || !answers[0].Clean
	x.verdict = x.answer(landedAs)
	x.verdict.Undone = x.verdict.Landed && !holds(0) && holds(1)
}

// answer makes the verdict, but for whether the work was undone.
func (x *examination) answer(landedAs gitx.OID) Verdict {
	switch {
	case !landedAs.IsZero():
		return Verdict{Landed: true, Via: Content, LandedAs: landedAs}
	case x.overflow:
		return Verdict{Reason: TooManyCandidates}
	case x.conflict:
		return Verdict{Reason: Conflict}
	}
	return Verdict{Reason: NotInTrunk}
}

// incomplete tells an error that comes of an incomplete clone: there nobody can
// tell. Of the tip itself, that its object is gone is the caller's to know.
func (j *Judge) incomplete(err error, tip gitx.OID) bool {
	var missing *gitx.MissingObjectError
	if errors.As(err, &missing) {
		return missing.Name != tip.String()
	}
	var exit *gitx.ExitError
	return errors.As(err, &exit) && exit.Err == nil && j.repo.Partial()
}
