package gitxtest

import (
	"os"
	"path/filepath"
	"sort"

	"git-continuity/gitx"
)

// Files maps slash-separated paths, relative to the top level, to contents.
type Files map[string]string

// Write writes files into the work tree.
func (r *Repo) Write(files Files) {
	r.t.Helper()
	for name, content := range files {
		path := filepath.Join(r.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

// Commit writes files, commits them on the branch that is checked out, and
// returns the commit. Without files the commit is empty. It needs a work tree.
func (r *Repo) Commit(message string, files Files) gitx.OID {
	r.t.Helper()
	r.Write(files)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	if len(names) > 0 {
		sort.Strings(names)
		r.Git(append([]string{"add", "--"}, names...)...)
	}
	r.Git("commit", "--quiet", "--allow-empty", "--no-gpg-sign", "-m", message)
	return r.Rev("HEAD")
}

// CommitTo makes a commit without a change on top of a ref, and touches no work
// tree or index: it works in a bare repository too. The tree is that of the ref, or the
// empty tree where the ref does not exist, in which case it is created.
func (r *Repo) CommitTo(ref, message string) gitx.OID {
	r.t.Helper()
	args := []string{"commit-tree", "--no-gpg-sign", "-m", message}
	if old, _, err := r.attempt(r.Dir, "", []string{"rev-parse", "--quiet", "--verify", ref + "^{commit}"}); err == nil {
		args = append(args, "-p", old, old+"^{tree}")
	} else {
		args = append(args, r.GitInput("", "mktree"))
	}
	commit := r.Git(args...)
	r.Git("update-ref", ref, commit)
	return r.oid(commit)
}

// Rev returns the object that a revision names.
func (r *Repo) Rev(rev string) gitx.OID {
	r.t.Helper()
	return r.oid(r.Git("rev-parse", "--verify", "--quiet", rev))
}

// oid reads an id that git printed.
func (r *Repo) oid(hex string) gitx.OID {
	r.t.Helper()
	id, err := gitx.ParseOID(hex)
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

// Branch creates a branch at a revision ("" is HEAD) without checking it out.
func (r *Repo) Branch(name, rev string) {
	r.t.Helper()
	if rev == "" {
		rev = "HEAD"
	}
	r.Git("branch", "--no-track", name, rev)
}

// AddWorktree checks a branch out in a linked worktree in a folder of this name
// beside the repository, and creates the branch at HEAD if it does not exist.
func (r *Repo) AddWorktree(folder, branch string) *Repo {
	r.t.Helper()
	dir := filepath.Join(r.world.root, folder)
	args := []string{"worktree", "add", "--quiet", dir, branch}
	if _, _, err := r.attempt(r.Dir, "", []string{"show-ref", "--verify", "--quiet", "refs/heads/" + branch}); err != nil {
		args = []string{"worktree", "add", "--quiet", "-b", branch, dir}
	}
	r.Git(args...)
	return r.At(dir)
}

// Bare makes an empty bare repository of the same kind beside r.
func (r *Repo) Bare(name string) *Repo {
	r.t.Helper()
	return r.Sibling(name, Options{Bare: true})
}

// CloneBare makes a bare clone of r in a folder of this name beside it.
func (r *Repo) CloneBare(name string) *Repo {
	r.t.Helper()
	return r.clone(name, "--bare")
}

// Clone makes a clone of r in a folder of this name beside it.
func (r *Repo) Clone(name string) *Repo {
	r.t.Helper()
	return r.clone(name)
}

// clone clones r; a clone has the same ref format, which git does not take over
// by itself.
func (r *Repo) clone(name string, args ...string) *Repo {
	r.t.Helper()
	dir := filepath.Join(r.world.root, name)
	all := append([]string{"clone", "--quiet"}, args...)
	if r.options.RefFormat != "files" {
		all = append(all, "--ref-format="+r.options.RefFormat)
	}
	r.run(r.world.root, append(all, r.Dir, dir))
	return r.At(dir)
}
