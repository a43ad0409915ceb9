package await

import (
	"context"
	"slices"

	"git-continuity/gitx"
)

// preview says what merging incoming into the checkout would bring, and which
// of the checkout's own changed files it also touches. It is nil where there
// is nothing to compare: no commit yet, or histories that have nothing in
// common.
func preview(ctx context.Context, repo *gitx.Repo, incoming gitx.OID) (*Preview, error) {
	head, ok, err := repo.ResolveRef(ctx, "HEAD")
	if err != nil || !ok {
		return nil, err
	}
	behind, err := repo.CountCommits(ctx, []gitx.OID{incoming}, []gitx.OID{head})
	if err != nil {
		return nil, err
	}
	p := &Preview{Behind: behind, IncomingOverlap: []string{}}
	if behind == 0 {
		return p, nil
	}
	bases, err := repo.MergeBases(ctx, head, incoming)
	if err != nil || len(bases) == 0 {
		return nil, err
	}
	both, err := overlap(ctx, repo, bases[0], head, incoming)
	if err != nil {
		return nil, err
	}
	p.OverlapTotal = len(both)
	p.IncomingOverlap = append(p.IncomingOverlap, both[:min(len(both), MaxOverlap)]...)
	return p, nil
}

// overlap returns the paths that the incoming commits changed and that the
// checkout changed too, committed or not, sorted.
func overlap(ctx context.Context, repo *gitx.Repo, base, head, incoming gitx.OID) ([]string, error) {
	theirs, err := repo.ChangedPaths(ctx, base, incoming)
	if err != nil || len(theirs) == 0 {
		return nil, err
	}
	ours, err := repo.ChangedPaths(ctx, base, head)
	if err != nil {
		return nil, err
	}
	status, err := repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	own := make(map[string]bool, len(ours)+len(status.Entries))
	for _, path := range ours {
		own[path] = true
	}
	for _, entry := range status.Entries {
		own[entry.Path] = true
		if entry.From != "" {
			own[entry.From] = true
		}
	}
	var both []string
	for _, path := range theirs {
		if own[path] {
			both = append(both, path)
		}
	}
	slices.Sort(both)
	return slices.Compact(both), nil
}
