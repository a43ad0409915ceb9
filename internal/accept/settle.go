package accept

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"git-continuity/gitx"
)

// settle mends what a merge that was cut short has left: a checkout of the trunk
// in which some files are new and some old, while the trunk has not moved. If
// every path that differs holds the old or the landed content, the checkout is
// brought to the landed commit and the trunk after it, and settled is true.
// Anything else there is somebody's work, and refused with trunk_dirty. Where
// there is nothing to mend, it does nothing.
func (a *acceptance) settle(ctx context.Context, j journal) (settled bool, err error) {
	now, exists, err := a.repo.ResolveRef(ctx, j.Trunk)
	if err != nil || !exists || now != j.Old {
		return false, err
	}
	checkout, dirty, err := a.examineTrunk(ctx, j.Trunk)
	if err != nil || checkout == nil || len(dirty) == 0 {
		return false, err
	}
	foreign, err := a.foreign(ctx, checkout, j)
	if err != nil {
		return false, err
	}
	if len(foreign) > 0 {
		return false, trunkDirty(j.Trunk, checkout.TopLevel(), foreign)
	}
	// By way of the old index, so that git knows of the files that are to go.
	for _, args := range [][]string{
		{"read-tree", "--reset", j.Old.String()}, {"read-tree", "--reset", "-u", j.Landed.String()},
	} {
		if _, err := checkout.Run(ctx, gitx.Command{Args: args, Write: true}); err != nil {
			return false, fmt.Errorf("bring %q to %s: %w", checkout.TopLevel(), j.Landed, err)
		}
	}
	a.step("settled")
	return true, a.moveRef(ctx, j)
}

// foreign returns the paths that hold neither the old nor the landed content, in
// the work tree or in the index.
func (a *acceptance) foreign(ctx context.Context, checkout *gitx.Repo, j journal) ([]string, error) {
	worktrees, err := a.repo.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	var differ [2]difference
	for i, commit := range []gitx.OID{j.Old, j.Landed} {
		if differ[i], err = compare(ctx, checkout, commit); err != nil {
			return nil, err
		}
	}
	var foreign []string
	for _, lists := range [][2][]string{
		{differ[0].files, differ[1].files}, {differ[0].staged, differ[1].staged},
	} {
		for _, path := range lists[0] {
			if slices.Contains(lists[1], path) && !isWorktree(worktrees, checkout.TopLevel(), path) {
				foreign = append(foreign, path)
			}
		}
	}
	slices.Sort(foreign)
	return slices.Compact(foreign), nil
}

// A difference lists the paths of a checkout whose content is not that of a
// commit: in the work tree, untracked files included, and in the index.
type difference struct {
	files, staged []string
}

// compare compares a checkout with a commit. For the work tree it uses an index
// of its own, so that filters, modes and links are git's business.
func compare(ctx context.Context, checkout *gitx.Repo, commit gitx.OID) (d difference, err error) {
	folder, err := os.MkdirTemp("", "git-await-")
	if err != nil {
		return difference{}, fmt.Errorf("compare the checkout of the trunk: %w", err)
	}
	defer os.RemoveAll(folder)
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(folder, "index")}
	for _, c := range []struct {
		args   []string
		status int // of an answer that is no failure
		keep   bool
	}{
		{[]string{"read-tree", commit.String()}, 0, false},
		{[]string{"update-index", "-q", "--refresh"}, 1, false},
		{[]string{"diff-files", "-z", "--name-only", "--no-ext-diff", "--ignore-submodules=none"}, 0, true},
		{[]string{"ls-files", "-z", "--others", "--exclude-standard"}, 0, true},
	} {
		out, err := checkout.Run(ctx, gitx.Command{Args: c.args, Env: env, Write: true})
		if status, exited := gitx.Status(err); err != nil && (!exited || status != c.status) {
			return difference{}, fmt.Errorf("compare the checkout of the trunk with %s: %w", commit, err)
		}
		if c.keep {
			d.files = append(d.files, splitNUL(out)...)
		}
	}
	staged, err := checkout.Git(ctx, "diff-index", "-z", "--name-only", "--cached", "--no-renames", "--no-ext-diff", commit.String(), "--")
	if err != nil {
		return difference{}, fmt.Errorf("compare the index of the trunk's checkout with %s: %w", commit, err)
	}
	d.staged = splitNUL(staged)
	return d, nil
}
