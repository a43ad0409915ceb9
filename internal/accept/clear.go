package accept

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-continuity/gitx"
)

// removeWorktree removes the worktree that holds the branch, if it may. Kept
// says in words why it was not; "" if it is gone, or never was.
func (a *acceptance) removeWorktree(ctx context.Context, j *journal) (kept string, removed bool, err error) {
	if j.Keep || a.Keep {
		return "--keep was given", false, nil
	}
	worktrees, err := a.repo.Worktrees(ctx)
	if err != nil {
		return "", false, err
	}
	holders := holding(worktrees, j.Branch)
	switch {
	case len(holders) == 0:
		return "", j.RemovalBegun, nil
	case len(holders) > 1:
		return fmt.Sprintf("the branch is checked out in %q and in %q", holders[0].Path, holders[1].Path), false, nil
	}
	w := holders[0]
	if w.Name != j.Worktree {
		j.Worktree, j.RemovalBegun = w.Name, false // another worktree than the one that was found clean
	}
	if kept, err = a.mayRemove(ctx, *j, w); err != nil || kept != "" {
		return kept, false, err
	}
	force := j.RemovalBegun
	if !force {
		j.RemovalBegun = true
		if err := a.store.update(*j); err != nil {
			return "", false, err
		}
		a.step("removal-begun")
	}
	if err := a.removeFiles(ctx, w, force); err != nil {
		if !force {
			err = errors.Join(err, a.unbegin(ctx, j, w))
		}
		return "", false, err
	}
	return "", true, nil
}

// unbegin takes back that the removal has begun, where git refused before it had
// removed anything: what goes missing from now on is somebody's doing.
func (a *acceptance) unbegin(ctx context.Context, j *journal, w gitx.Worktree) error {
	checkout, err := a.at.AtWorktree(ctx, w.Path)
	if err != nil {
		return nil // its link has gone: the removal has begun indeed
	}
	status, err := checkout.Status(ctx)
	if err != nil {
		return nil
	}
	for _, entry := range status.Entries {
		if entry.Worktree == 'D' {
			return nil
		}
	}
	j.RemovalBegun = false
	return a.store.update(*j)
}

// removeFiles lets git remove a worktree. Git looks for uncommitted work once
// more, unless an earlier run has removed files already: then they are missing.
func (a *acceptance) removeFiles(ctx context.Context, w gitx.Worktree, force bool) error {
	args := []string{"worktree", "remove"}
	if force {
		args = append(args, "--force")
	}
	_, err := a.repo.Run(ctx, gitx.Command{Args: append(args, "--", w.Path), Write: true})
	if err != nil {
		return fmt.Errorf("remove the worktree %q: %w", w.Path, err)
	}
	return nil
}

// mayRemove says why a worktree must be kept, or "".
func (a *acceptance) mayRemove(ctx context.Context, j journal, w gitx.Worktree) (string, error) {
	switch {
	case w.Name == "":
		return "the branch is checked out in the main worktree", nil
	case w.Locked && w.LockReason != "":
		return fmt.Sprintf("its worktree is locked (%q)", w.LockReason), nil
	case w.Locked:
		return "its worktree is locked", nil
	case w.HEAD != j.Tip:
		return "the branch went on after its landing", nil
	case inside(a.Dir, w.Path):
		return "its worktree is the caller's directory", nil
	}
	if a.OpenEpisode != nil {
		if open, err := a.OpenEpisode(ctx, w); err != nil {
			return "", err
		} else if open {
			return "an episode is open in its worktree", nil
		}
	}
	if _, err := os.Lstat(w.Path); errors.Is(err, fs.ErrNotExist) {
		return "", nil // only git's record of it is left
	}
	if err := a.mend(ctx, j, w); err != nil {
		return "", err
	}
	checkout, err := a.at.AtWorktree(ctx, w.Path)
	if err != nil {
		return "", fmt.Errorf("open the worktree %q: %w", w.Path, err)
	}
	if checkout.GitDir() != w.GitDir {
		return "its worktree is not what git lists", nil
	}
	return a.holdsWork(ctx, j, checkout)
}

// mend gives a worktree whose removal was cut short its link to the repository
// back, without which git can neither look into it nor remove it.
func (a *acceptance) mend(ctx context.Context, j journal, w gitx.Worktree) error {
	_, err := os.Lstat(filepath.Join(w.Path, ".git"))
	if !j.RemovalBegun || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := a.repo.Run(ctx, gitx.Command{Args: []string{"worktree", "repair"}, Write: true}); err != nil {
		return fmt.Errorf("mend the worktree %q, whose removal was begun: %w", w.Path, err)
	}
	return nil
}

// holdsWork says what a worktree holds that its commit does not, or "".
func (a *acceptance) holdsWork(ctx context.Context, j journal, checkout *gitx.Repo) (string, error) {
	status, err := checkout.Status(ctx)
	if err != nil {
		return "git cannot tell whether its worktree is clean", nil
	}
	for _, entry := range status.Entries {
		missing := entry.Worktree == 'D' && entry.Index == '.'
		if !missing || !j.RemovalBegun {
			return fmt.Sprintf("its worktree has uncommitted work: %q", entry.Path), nil
		}
	}
	gitlinks, err := checkout.Git(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return "", fmt.Errorf("look for submodules: %w", err)
	}
	for _, entry := range splitNUL(gitlinks) {
		path, isLink := strings.CutPrefix(entry, "160000 ")
		if _, path, _ = strings.Cut(path, "\t"); !isLink {
			continue
		}
		if _, err := os.Lstat(filepath.Join(checkout.TopLevel(), filepath.FromSlash(path), ".git")); err == nil {
			return fmt.Sprintf("its worktree holds the submodule %q", path), nil
		}
	}
	return a.holdsIgnored(ctx, checkout)
}

// holdsIgnored names an ignored file that is not disposable, or returns "".
func (a *acceptance) holdsIgnored(ctx context.Context, checkout *gitx.Repo) (string, error) {
	ignored := []string{"ls-files", "-z", "--others", "--ignored"}
	list := func(args ...string) ([]string, error) {
		out, err := checkout.Git(ctx, append(ignored, args...)...)
		if err != nil {
			return nil, fmt.Errorf("look for ignored files: %w", err)
		}
		return splitNUL(out), nil
	}
	found, err := list("--exclude-standard")
	if err != nil || len(found) == 0 {
		return "", err
	}
	disposable := map[string]bool{}
	var patterns []string
	for _, pattern := range a.at.Config().All(DisposableSetting) {
		if pattern != "" {
			patterns = append(patterns, "--exclude="+pattern)
		}
	}
	if len(patterns) > 0 {
		paths, err := list(patterns...)
		if err != nil {
			return "", err
		}
		for _, path := range paths {
			disposable[path] = true
		}
	}
	for _, path := range found {
		if !disposable[path] {
			return fmt.Sprintf("its worktree holds the ignored file %q, which %s does not name", path, DisposableSetting), nil
		}
	}
	return "", nil
}

// inside reports whether dir is folder or lies in it.
func inside(dir, folder string) bool {
	real := func(path string) string {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		return filepath.Clean(path)
	}
	rel, err := filepath.Rel(real(folder), real(dir))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// deleteBranch deletes the branch if it is where it was accepted, and what
// git's configuration says of it. Kept says in words why it was not.
func (a *acceptance) deleteBranch(ctx context.Context, j journal) (kept string, err error) {
	if reason, err := a.inUse(ctx, j.Branch); err != nil || reason != "" {
		return reason, err
	}
	tip, exists, err := a.repo.ResolveRef(ctx, j.Branch)
	if err != nil {
		return "", err
	}
	if exists && tip == j.Tip {
		err = a.repo.UpdateRef(ctx, gitx.RefEdit{Name: j.Branch, Old: gitx.At(j.Tip)}, "await accept: landed")
	}
	var conflict *gitx.ConflictError
	switch {
	case errors.As(err, &conflict) && conflict.Got.IsZero():
	case exists && tip != j.Tip, errors.As(err, &conflict):
		return "the branch went on after its landing", nil
	case err != nil:
		return "", err
	}
	_, err = a.repo.Run(ctx, gitx.Command{
		Args: []string{"config", "--local", "--remove-section", "branch." + j.Branch.Short()}, Write: true,
	})
	if _, exited := gitx.Status(err); exited {
		return "", nil // there is none, which git does not tell from other failures
	}
	return "", err
}

// inUse says which worktree is in the middle of a rebase or a bisection of the
// branch, or returns "". Their HEAD is detached meanwhile.
func (a *acceptance) inUse(ctx context.Context, branch gitx.RefName) (string, error) {
	worktrees, err := a.repo.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	for _, w := range worktrees {
		for file, name := range map[string]string{
			"rebase-merge/head-name": string(branch), "rebase-apply/head-name": string(branch), "BISECT_START": branch.Short(),
		} {
			content, err := os.ReadFile(filepath.Join(w.GitDir, filepath.FromSlash(file)))
			if err == nil && strings.TrimSpace(string(content)) == name {
				return fmt.Sprintf("the branch is being rebased or bisected in %q", w.Path), nil
			}
		}
	}
	return "", nil
}
