package landing

import (
	"context"
	"errors"

	"git-continuity/gitx"
)

// A work is the change of a tip since its merge base with the trunk.
type work struct {
	base              gitx.OID
	baseTree, tipTree gitx.OID
	// own are the commits of the tip that the trunk lacks. The merge base stays
	// what it is until one of them gets into the trunk.
	own map[gitx.OID]bool
	// paths are those that the change touches, and those to which the trunk has
	// moved them since.
	paths map[string]bool
	// untouched are the paths of the change that the trunk has as the base has
	// them. While there is one, no commit can hold the change, and none is asked.
	untouched map[string]bool
}

// study finds out what the tip's own work is. The examination that it returns has
// the verdict, or the work.
func (j *Judge) study(ctx context.Context, tip, trunk gitx.OID) (*examination, error) {
	base, reason, err := j.base(ctx, tip, trunk)
	if err != nil || reason != "" {
		return &examination{verdict: Verdict{Reason: reason}}, err
	}
	w := &work{base: base, own: map[gitx.OID]bool{}, paths: map[string]bool{}, untouched: map[string]bool{}}
	for _, of := range []struct {
		commit gitx.OID
		into   *gitx.OID
	}{{base, &w.baseTree}, {tip, &w.tipTree}} {
		commit, err := j.batch.Commit(of.commit)
		if err != nil {
			return nil, err
		}
		*of.into = commit.Tree
	}
	if w.baseTree == w.tipTree {
		return &examination{verdict: Verdict{Reason: EmptyChange}}, nil
	}
	own, err := j.repo.Commits(ctx, []gitx.OID{tip}, []gitx.OID{trunk})
	if err != nil {
		return nil, err
	}
	for _, commit := range own {
		w.own[commit] = true
	}
	paths, err := j.repo.ChangedPaths(ctx, w.baseTree, w.tipTree)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		w.paths[path], w.untouched[path] = true, true
	}
	return &examination{work: w}, nil
}

// base returns the merge base, or the reason why there is not the one.
func (j *Judge) base(ctx context.Context, tip, trunk gitx.OID) (gitx.OID, Reason, error) {
	if j.repo.Shallow() {
		// That the trunk does not reach the tip has been found without meeting the
		// edge of the clone. If the other way holds too, every path from both leads
		// to a common ancestor before the edge, and the best ones are known.
		_, err := j.repo.IsAncestor(ctx, trunk, tip)
		var shallow *gitx.ShallowError
		if errors.As(err, &shallow) {
			return gitx.OID{}, Shallow, nil
		}
		if err != nil {
			return gitx.OID{}, "", err
		}
	}
	bases, err := j.repo.MergeBases(ctx, tip, trunk)
	switch {
	case err != nil:
		return gitx.OID{}, "", err
	case len(bases) == 0:
		return gitx.OID{}, NoBase, nil
	case len(bases) > 1:
		return gitx.OID{}, SeveralBases, nil
	}
	return bases[0], "", nil
}

// candidates returns the commits that could have brought the change, out of those
// that are new: once every path of it has been touched, those that touch one.
// It follows the paths where the trunk moves them. Whoever edits something else
// can neither have brought the change nor have taken a part of it.
func (w *work) candidates(since arrival) []gitx.MainlineCommit {
	if len(since.mainline) > 0 && !since.follows() {
		// The base came by a side branch, so the trunk before it need not have had
		// the base's content: that a path was not touched since tells nothing.
		clear(w.untouched)
	}
	var candidates []gitx.MainlineCommit
	for _, commit := range since.mainline {
		touches := false
		for _, change := range commit.Changes {
			if change.From != "" && w.paths[change.From] {
				w.paths[change.Path] = true
			}
			delete(w.untouched, change.From)
			delete(w.untouched, change.Path)
			touches = touches || w.paths[change.Path]
		}
		if touches && len(w.untouched) == 0 {
			candidates = append(candidates, commit)
		}
	}
	return candidates
}
