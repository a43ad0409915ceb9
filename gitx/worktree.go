package gitx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Worktree is one checkout of a repository.
type Worktree struct {
	// Path is the absolute path of the top level; of a bare repository, of the
	// repository.
	Path string
	// Name is the administrative name: the folder below worktrees/ in the
	// common directory. It is "" for the main worktree.
	Name string
	// GitDir is the absolute path of the worktree's own git directory.
	GitDir string
	// HEAD is the commit that is checked out; zero on an unborn branch and in a
	// bare repository.
	HEAD OID
	// Branch is the branch that is checked out; "" on a detached HEAD.
	Branch   RefName
	Bare     bool
	Detached bool
	// Locked worktrees are not pruned; LockReason may be "" all the same.
	Locked     bool
	LockReason string
	// Prunable says why git would prune the worktree, for example because its
	// directory is gone; it is "" for one that stands.
	Prunable string
}

// Worktrees lists the checkouts of the repository, the main one first. Of a bare
// repository the first is the repository itself.
func (r *Repo) Worktrees(ctx context.Context) ([]Worktree, error) {
	// The names are read first: a worktree that goes meanwhile is not listed. One
	// that comes meanwhile is looked up again.
	names, err := r.worktreeNames()
	if err != nil {
		return nil, err
	}
	list, err := r.listWorktrees(ctx)
	if err != nil {
		return nil, err
	}
	list[0].GitDir = r.commonDir
	if path := r.mainTopLevel(); path != "" {
		list[0].Path = path
	}
	for i := 1; i < len(list); i++ {
		path := filepath.Clean(list[i].Path)
		if names[path] == "" {
			if names, err = r.worktreeNames(); err != nil {
				return nil, err
			}
		}
		if names[path] == "" {
			return nil, fmt.Errorf("find the administrative files of worktree %q: none name it", path)
		}
		list[i].Name = names[path]
		list[i].GitDir = filepath.Join(r.commonDir, "worktrees", names[path])
	}
	return list, nil
}

// listWorktrees asks git. It asks from where the main worktree is, if it can:
// seen from a linked one, git may not tell that the main one is bare.
func (r *Repo) listWorktrees(ctx context.Context) ([]Worktree, error) {
	if r.Linked() {
		r = r.Common()
	}
	out, err := r.Git(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return nil, err
	}
	list, err := parseWorktrees(out)
	if err == nil && len(list) == 0 {
		err = errors.New("read the answer of git worktree list: it is empty")
	}
	return list, err
}

// mainTopLevel returns the top level of the main worktree where it cannot be
// told from the common directory, as git worktree list does: in a submodule and
// with a separate git directory. It is "" where it is not known.
func (r *Repo) mainTopLevel() string {
	if r.gitDir == r.commonDir && r.topLevel != "" {
		return r.topLevel
	}
	for _, s := range r.config.Settings("core.worktree") {
		if s.Scope == "local" && !r.Bare() {
			return absolute(r.commonDir, s.Value)
		}
	}
	return ""
}

// parseWorktrees reads the porcelain list: attributes that end in NUL, and one
// more NUL after each worktree.
func parseWorktrees(out []byte) ([]Worktree, error) {
	var list []Worktree
	for attribute := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(attribute, " ")
		if key == "worktree" {
			list = append(list, Worktree{Path: value})
			continue
		}
		if key == "" {
			continue
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("read the answer of git worktree list: it begins with %q", attribute)
		}
		if err := list[len(list)-1].set(key, value); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// set takes one attribute. Those that a later git may add are passed over.
func (w *Worktree) set(key, value string) (err error) {
	switch key {
	case "HEAD":
		w.HEAD, err = ParseOIDOrZero(value)
	case "branch":
		w.Branch, err = ParseRefName(value)
	case "bare":
		w.Bare = true
	case "detached":
		w.Detached = true
	case "locked":
		w.Locked, w.LockReason = true, value
	case "prunable":
		w.Prunable = value
	}
	if err != nil {
		return fmt.Errorf("read worktree %q: %w", w.Path, err)
	}
	return nil
}

// worktreeNames maps the top level of each linked worktree to its administrative
// name, as the file gitdir of its administrative folder gives it. git has no
// command that tells the name.
func (r *Repo) worktreeNames() (map[string]string, error) {
	folder := filepath.Join(r.commonDir, "worktrees")
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list worktrees: %w", err)
	}
	names := make(map[string]string, len(entries))
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name(), "gitdir"))
		if err != nil {
			continue // pruned meanwhile, or broken: git does not list it either
		}
		dotGit := strings.TrimRight(string(content), " \t\n\r")
		// Since 2.48 git may write the path relative to this folder.
		dotGit = absolute(filepath.Join(folder, entry.Name()), dotGit)
		// As git does: a path that does not end in /.git is taken as it is.
		names[strings.TrimSuffix(filepath.Clean(dotGit), string(filepath.Separator)+".git")] = entry.Name()
	}
	return names, nil
}
