package gitx_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestStatus(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		repo := r.Open()
		s, err := repo.Status(t.Context())
		if err != nil || !s.Clean() || !s.HEAD.IsZero() || s.Branch != "refs/heads/main" {
			t.Errorf("unborn: %+v, %v", s, err)
		}
		one := r.Commit("one", gitxtest.Files{
			"dirty": "1\n", "staged": "1\n", "both": "1\n", "removed": "1\n", "old name": "a long enough line\n",
			".gitignore": "ignored\n",
		})
		if s, err = repo.Status(t.Context()); err != nil || !s.Clean() || s.HEAD != one {
			t.Errorf("clean: %+v, %v", s, err)
		}
		r.Git("config", "status.showUntrackedFiles", "no")
		r.Git("config", "status.renames", "false")
		r.Write(gitxtest.Files{"staged": "2\n", "both": "2\n"})
		r.Git("add", "staged", "both")
		r.Git("mv", "old name", "new -> name\n")
		r.Git("rm", "-q", "removed")
		r.Write(gitxtest.Files{"dirty": "2\n", "both": "3\n", "folder/a": "", "folder/\"b": "", "ignored": ""})
		s, err = r.Open().Status(t.Context())
		want := []gitx.StatusEntry{
			{Path: "both", Index: 'M', Worktree: 'M'},
			{Path: "dirty", Index: '.', Worktree: 'M'},
			{Path: "new -> name\n", From: "old name", Index: 'R', Worktree: '.'},
			{Path: "removed", Index: 'D', Worktree: '.'},
			{Path: "staged", Index: 'M', Worktree: '.'},
			{Path: "folder/\"b", Index: '?', Worktree: '?'},
			{Path: "folder/a", Index: '?', Worktree: '?'},
		}
		if err != nil || !reflect.DeepEqual(s.Entries, want) || s.Clean() {
			t.Errorf("Status = %+v, %v; want %+v", s.Entries, err, want)
		}
		r.Git("checkout", "-q", "--detach")
		if s, err = repo.Status(t.Context()); err != nil || s.Branch != "" || s.HEAD != one {
			t.Errorf("detached: %q, %q, %v", s.Branch, s.HEAD, err)
		}
	})
}

func TestStatusOfAConflict(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("base", gitxtest.Files{"a": "base\n"})
	r.Git("checkout", "-q", "-b", "side")
	r.Commit("side", gitxtest.Files{"a": "side\n"})
	r.Git("checkout", "-q", "main")
	r.Commit("main", gitxtest.Files{"a": "main\n"})
	r.GitError("merge", "side")
	s, err := r.Open().Status(t.Context())
	want := []gitx.StatusEntry{{Path: "a", Index: 'U', Worktree: 'U'}}
	if err != nil || !reflect.DeepEqual(s.Entries, want) {
		t.Errorf("Status = %+v, %v; want %+v", s.Entries, err, want)
	}
}

func TestStatusOfASubmodule(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	lib := r.Sibling("lib", gitxtest.Options{})
	lib.Commit("lib", gitxtest.Files{"a": "1\n"})
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "sub")
	r.Git("config", "submodule.sub.ignore", "all")
	r.Commit("add", nil)
	sub := r.At(filepath.Join(r.Dir, "sub"))
	sub.Commit("more", gitxtest.Files{"b": "1\n"})
	sub.Write(gitxtest.Files{"a": "2\n", "c": ""})
	repo := r.Open()
	s, err := repo.Status(t.Context())
	want := []gitx.StatusEntry{{Path: "sub", Index: '.', Worktree: 'M', Submodule: &gitx.SubmoduleStatus{Commit: true, Modified: true, Untracked: true}}}
	if err != nil || !reflect.DeepEqual(s.Entries, want) {
		t.Errorf("Status = %+v, %v", s.Entries, err)
	}
}

func TestStatusNeedsAWorkTree(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{Bare: true})
	if s, err := r.Open().Status(t.Context()); err == nil {
		t.Errorf("Status of a bare repository = %+v", s)
	}
}

// A read takes no lock and leaves the index as it is.
func TestStatusWritesNothing(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", gitxtest.Files{"a": "1"})
	index := filepath.Join(r.Dir, ".git", "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	r.Write(gitxtest.Files{"a": "1"}) // same content, other times
	if s, err := r.Open().Status(t.Context()); err != nil || !s.Clean() {
		t.Errorf("Status = %+v, %v", s, err)
	}
	if after, err := os.ReadFile(index); err != nil || string(after) != string(before) {
		t.Errorf("Status rewrote the index (%v)", err)
	}
}
