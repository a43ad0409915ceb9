package await

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"git-continuity/gitx"
	"git-continuity/internal/refusal"
)

// MainWorktree is the name by which the main checkout, which has no
// administrative name, is shown and can be named.
const MainWorktree = "(main)"

// maxName bounds the names of refs that are looked for, in bytes: no file
// system holds longer paths, and git does not take them well.
const maxName = 4000

// resolveTarget turns what a user typed into the full name of a ref: a full
// ref decides alone; else a local branch, a worktree's administrative name and
// a worktree's path are all asked, and only matches that name different
// branches are refused.
func resolveTarget(ctx context.Context, repo *gitx.Repo, dir, text, field string) (gitx.RefName, error) {
	worktrees, err := repo.Worktrees(ctx)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(text, "refs/") {
		return resolveFullRef(ctx, repo, worktrees, text, field)
	}
	var matches []gitx.RefName
	branch, err := gitx.BranchRef(text)
	if err == nil {
		exists, err := refExists(ctx, repo, worktrees, branch)
		if err != nil {
			return "", err
		}
		if exists {
			matches = append(matches, branch)
		}
	}
	detached := false
	for _, wt := range worktrees {
		if !named(wt, dir, text) {
			continue
		}
		if wt.Branch == "" {
			detached = detached || wt.Detached
		} else if !slices.Contains(matches, wt.Branch) {
			matches = append(matches, wt.Branch)
		}
	}
	return choose(ctx, repo, matches, detached, text, field)
}

func choose(ctx context.Context, repo *gitx.Repo, matches []gitx.RefName, detached bool, text, field string) (gitx.RefName, error) {
	switch {
	case len(matches) == 1:
		return storable(matches[0], field)
	case len(matches) > 1:
		r := refusal.New(refusal.AmbiguousTarget, "%q names several branches", text).At(field)
		for _, ref := range matches {
			r.Hint("%s %s", typedAs(field), refusal.Word(string(ref)))
		}
		return "", r
	case detached:
		return "", refusal.New(refusal.DetachedTarget, "worktree %q is on no branch: a detached checkout has nothing durable to follow", text).
			At(field).Hint("in that worktree: git switch -c <branch>")
	}
	r := refusal.New(refusal.UnknownTarget, "%q is no branch, no full ref and no worktree", shortened(text)).At(field)
	if text == string(gitx.HEAD) {
		return "", r.Hint("%s ., for the branch that is checked out here", typedAs(field))
	}
	if remote, err := gitx.ParseRefName("refs/remotes/" + text); err == nil {
		_, ok, err := repo.ResolveRef(ctx, remote)
		if err != nil {
			return "", err
		}
		if ok {
			return "", r.Hint("%s %s", typedAs(field), refusal.Word(string(remote)))
		}
	}
	return "", r.Hint("git branch --list").Hint("git worktree list")
}

// shortened keeps a message readable whatever was typed.
func shortened(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// typedAs is what stands before a target on the command line.
func typedAs(field string) string {
	if field == "branch" {
		return "git await accept"
	}
	return "--" + field
}

func resolveFullRef(ctx context.Context, repo *gitx.Repo, worktrees []gitx.Worktree, text, field string) (gitx.RefName, error) {
	unknown := refusal.New(refusal.UnknownTarget, "ref %q does not exist", text).At(field).Hint("git for-each-ref")
	ref, err := gitx.ParseRefName(text)
	if err != nil {
		return "", unknown
	}
	exists, err := refExists(ctx, repo, worktrees, ref)
	if err != nil {
		return "", err
	}
	if !exists {
		return "", unknown
	}
	if refs, err := repo.Refs(ctx, text); err != nil {
		return "", err
	} else if i := slices.IndexFunc(refs, func(r gitx.Ref) bool { return r.Name == ref }); i >= 0 && refs[i].Type != gitx.TypeCommit {
		return "", refusal.New(refusal.UnknownTarget, "ref %q points at a %s, and only commits can land", text, refs[i].Type).
			At(field).Hint("git branch --list")
	}
	for _, own := range []string{"refs/worktree/", "refs/bisect/", "refs/rewritten/"} {
		if strings.HasPrefix(text, own) {
			return "", refusal.New(refusal.UnknownTarget, "ref %q belongs to one worktree alone", text).At(field).Hint("git branch --list")
		}
	}
	return storable(ref, field)
}

// storable refuses a name that a stored watch, which is JSON, could not hold:
// under another name nothing would be found again.
func storable(ref gitx.RefName, field string) (gitx.RefName, error) {
	if !utf8.ValidString(string(ref)) {
		return "", refusal.New(refusal.UnknownTarget, "the name of %q is not UTF-8, which a watch cannot hold", ref).At(field).
			Hint("git branch -m, to give it another name")
	}
	return ref, nil
}

// refExists also counts a branch that is checked out and not yet born: its
// first commit is what is waited for.
func refExists(ctx context.Context, repo *gitx.Repo, worktrees []gitx.Worktree, ref gitx.RefName) (bool, error) {
	if len(ref) > maxName {
		return false, nil
	}
	_, ok, err := repo.ResolveRef(ctx, ref)
	if err != nil || ok {
		return ok, err
	}
	return slices.ContainsFunc(worktrees, func(wt gitx.Worktree) bool {
		return wt.Branch == ref && wt.HEAD.IsZero() && wt.Prunable == ""
	}), nil
}

// named reports whether text names the worktree: by its administrative name,
// or by its path as seen from dir.
func named(wt gitx.Worktree, dir, text string) bool {
	if text == nameOf(wt) {
		return true
	}
	path := text
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return samePath(path, wt.Path)
}

func samePath(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	ra, errA := filepath.EvalSymlinks(a)
	rb, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && ra == rb
}

// holderOf returns the checkout that holds a branch, or nil.
func holderOf(worktrees []gitx.Worktree, branch gitx.RefName) *gitx.Worktree {
	for i, wt := range worktrees {
		if wt.Branch == branch && wt.Prunable == "" {
			return &worktrees[i]
		}
	}
	return nil
}

// nameOf is the name by which a checkout is shown.
func nameOf(wt gitx.Worktree) string {
	if wt.Name == "" {
		return MainWorktree
	}
	return wt.Name
}

// Target turns what a user typed into the full name of a ref that exists, by the
// rules of a watch's target. field names the option in a refusal.
func (s *Service) Target(ctx context.Context, text, field string) (gitx.RefName, error) {
	return resolveTarget(ctx, s.Repo, s.Dir, text, field)
}
