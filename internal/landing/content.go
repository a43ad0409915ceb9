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
	x, arrived, err := j.resume(ctx, tip, trunk)
	if err == nil && x == nil {
		x, err = j.study(ctx, tip, trunk)
		if err == nil && x.work != nil {
			arrived.from = x.work.base
			arrived.mainline, err = j.repo.Mainline(ctx, trunk, arrived.from)
		}
	}
	if err == nil && x.work != nil {
		err = j.search(ctx, x, trunk, arrived)
	}
	if err != nil {
		if j.incomplete(err, tip) {
			return &examination{verdict: Verdict{Reason: MissingObject}}, nil
		}
		return nil, err
	}
	return x, nil
}

// An arrival is what the trunk's mainline got since a commit.
type arrival struct {
	from     gitx.OID
	mainline []gitx.MainlineCommit
}

// follows reports whether the mainline goes on from the commit itself.
func (a arrival) follows() bool {
	return len(a.mainline) > 0 && len(a.mainline[0].Parents) > 0 && a.mainline[0].Parents[0] == a.from
}

// resume returns a copy of what is known about a tip, and what is new since;
// nil where that does not hold at this position of the trunk, because the trunk
// was rewritten or has got a part of the tip's history.
func (j *Judge) resume(ctx context.Context, tip, trunk gitx.OID) (*examination, arrival, error) {
	old := j.examined[tip]
	if old == nil || old.work == nil {
		return nil, arrival{}, nil
	}
	var missing *gitx.MissingObjectError
	var shallow *gitx.ShallowError
	mainline, err := j.repo.Mainline(ctx, trunk, old.trunk)
	since := arrival{old.trunk, mainline}
	kept := since.follows()
	if err == nil && !kept {
		kept, err = j.walk(ctx, trunk, old.trunk)
	}
	if errors.As(err, &missing) || errors.As(err, &shallow) || err == nil && !kept {
		return nil, arrival{}, nil
	}
	if err == nil && !old.verdict.Landed {
		var own bool
		if own, err = j.brought(ctx, old.work, trunk, since); own {
			return nil, arrival{}, nil
		}
	}
	if err != nil {
		return nil, arrival{}, err
	}
	next := *old
	return &next, since, nil
}

// brought reports whether the trunk has got commits of the work itself. A mainline
// without merges is all that it got.
func (j *Judge) brought(ctx context.Context, w *work, trunk gitx.OID, since arrival) (bool, error) {
	linear := since.follows()
	for _, commit := range since.mainline {
		if w.own[commit.OID] {
			return true, nil
		}
		linear = linear && len(commit.Parents) == 1
	}
	if linear {
		return false, nil
	}
	all, err := j.repo.Commits(ctx, []gitx.OID{trunk}, []gitx.OID{since.from})
	for _, commit := range all {
		if w.own[commit] {
			return true, nil
		}
	}
	return false, err
}

// search asks the trunk's new commits and its tip whether they hold the work, and
// sets the verdict.
func (j *Judge) search(ctx context.Context, x *examination, trunk gitx.OID, since arrival) error {
	w := x.work
	var asked []gitx.MainlineCommit
	if !x.verdict.Landed {
		asked = w.candidates(since)
		if len(w.untouched) > 0 {
			x.verdict = x.answer(gitx.OID{})
			return nil
		}
		if len(asked) > j.maxCandidates {
			asked, x.overflow = asked[:j.maxCandidates], true
		}
	}
	tip, err := j.batch.Commit(trunk)
	if err != nil {
		return err
	}
	// The tip holds whatever came by a path that the work does not touch, too.
	if n := len(asked); n == 0 || asked[n-1].OID != trunk {
		asked = append(asked, gitx.MainlineCommit{OID: trunk, Tree: tip.Tree})
	}
	asked, conflict, err := j.sift(ctx, w, asked)
	if err != nil {
		return err
	}
	x.conflict = x.conflict || conflict
	if len(asked) == 0 && !x.verdict.Landed {
		x.verdict = x.answer(gitx.OID{})
		return nil
	}
	// The first question is whether the tip holds the reverse of the work.
	questions := []gitx.TreeMerge{{Base: w.tipTree, Ours: tip.Tree, Theirs: w.baseTree}}
	for _, c := range asked {
		questions = append(questions, gitx.TreeMerge{Base: w.baseTree, Ours: c.Tree, Theirs: w.tipTree})
	}
	answers, err := j.batch.MergeTrees(ctx, questions)
	if err != nil {
		return err
	}
	x.weigh(trunk, asked, questions, answers)
	return nil
}

// weigh makes the verdict of the answers: about the reverse of the work in the
// trunk's tip, and about each commit that was asked.
func (x *examination) weigh(trunk gitx.OID, asked []gitx.MainlineCommit, questions []gitx.TreeMerge, answers []gitx.MergedTree) {
	landedAs, tipHolds := x.verdict.LandedAs, false
	same := func(i int) bool { return answers[i].Clean && answers[i].Tree == questions[i].Ours }
	for i, c := range asked {
		holds := same(1 + i)
		if holds && landedAs.IsZero() {
			landedAs = c.OID
		}
		tipHolds = holds && c.OID == trunk
		x.conflict = x.conflict || !answers[1+i].Clean
	}
	x.verdict = x.answer(landedAs)
	x.verdict.Undone = x.verdict.Landed && !tipHolds && same(0)
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
