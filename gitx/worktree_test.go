package gitx_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestWorktrees(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		head := r.Commit("one", nil)
		odd := r.AddWorktree("odd\nname ü ", "topic/ü")
		detached := r.AddWorktree("x/same", "detached")
		detached.Git("checkout", "--quiet", "--detach")
		locked := r.AddWorktree("y/same", "locked")
		r.Git("worktree", "lock", "--reason=on a\nstick", locked.Dir)
		silent := r.AddWorktree("silent", "silent")
		r.Git("worktree", "lock", silent.Dir)
		unborn := r.AddWorktree("unborn", "start")
		unborn.Git("checkout", "--quiet", "--orphan", "nothing-yet")
		gone := r.AddWorktree("gone", "gone")
		if err := os.RemoveAll(gone.Dir); err != nil {
			t.Fatal(err)
		}
		git := r.Dir + "/.git"
		want := map[string]gitx.Worktree{
			r.Dir:        {GitDir: git, HEAD: head, Branch: "refs/heads/main"},
			odd.Dir:      {HEAD: head, Branch: "refs/heads/topic/ü"},
			detached.Dir: {HEAD: head, Detached: true},
			locked.Dir:   {HEAD: head, Branch: "refs/heads/locked", Locked: true, LockReason: "on a\nstick"},
			silent.Dir:   {HEAD: head, Branch: "refs/heads/silent", Locked: true},
			unborn.Dir:   {Branch: "refs/heads/nothing-yet"},
			gone.Dir:     {Name: "gone", GitDir: git + "/worktrees/gone", HEAD: head, Branch: "refs/heads/gone", Prunable: "gone"},
		}
		for _, from := range []*gitxtest.Repo{r, odd, unborn} {
			list, err := from.Open().Worktrees(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != len(want) || list[0].Path != r.Dir {
				t.Fatalf("from %q: %d worktrees, first %q", from.Dir, len(list), list[0].Path)
			}
			for _, got := range list {
				w, known := want[got.Path]
				w.Path = got.Path
				if w.Prunable == "" && got.Path != r.Dir {
					w.GitDir = r.At(got.Path).Git("rev-parse", "--absolute-git-dir")
					w.Name = filepath.Base(w.GitDir)
				}
				if (w.Prunable == "") == (got.Prunable == "") {
					w.Prunable = got.Prunable // in git's words
				}
				if !known || !reflect.DeepEqual(got, w) {
					t.Errorf("from %q: got %+v, want %+v", from.Dir, got, w)
				}
			}
		}
	})
}

func TestWorktreesOfBare(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		head := r.Commit("one", nil)
		bare := r.CloneBare("bare.git")
		linked := bare.AddWorktree("linked", "side")
		want := []gitx.Worktree{
			{Path: bare.Dir, GitDir: bare.Dir, Bare: true},
			{Path: linked.Dir, Name: "linked", GitDir: bare.Dir + "/worktrees/linked", HEAD: head, Branch: "refs/heads/side"},
		}
		check := func() {
			t.Helper()
			for _, repo := range []*gitx.Repo{bare.Open(), linked.Open(), linked.Open().Common(), r.OpenAt(linked.Dir + "/.")} {
				if got, err := repo.Worktrees(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("from %q: got %+v, %v", repo.GitDir(), got, err)
				}
			}
		}
		check()
		// With settings per worktree, core.bare moves to that of the main one.
		bare.Git("config", "extensions.worktreeConfig", "true")
		bare.Git("config", "--unset", "core.bare")
		bare.Git("config", "--worktree", "core.bare", "true")
		linked.Git("config", "--worktree", "core.bare", "false")
		check()
	})
}

// git worktree list names the git directory where the main worktree is meant. With
// a separate git directory nothing there names it, so only it can tell its path.
func TestWorktreesOfSeparateGitDir(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	thin := r.At(filepath.Join(r.Root(), "thin"))
	r.Git("clone", "--quiet", "--separate-git-dir="+filepath.Join(r.Root(), "separate"), r.Dir, thin.Dir)
	linked := thin.AddWorktree("linked", "side")
	list, err := thin.Open().Worktrees(t.Context())
	if err != nil || len(list) != 2 || list[0].Path != thin.Dir || list[1].Path != linked.Dir {
		t.Errorf("got %+v, %v", list, err)
	}
}

// The same in a submodule, whose settings name its main worktree.
func TestWorktreesOfSubmodule(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	library := r.Sibling("library", gitxtest.Options{})
	library.Commit("one", nil)
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--", library.Dir, "module")
	module := r.At(r.Dir + "/module")
	linked := module.AddWorktree("linked", "side")
	for _, from := range []*gitxtest.Repo{module, linked} {
		list, err := from.Open().Worktrees(t.Context())
		if err != nil || len(list) != 2 || list[0].Path != module.Dir || list[1].Path != linked.Dir {
			t.Errorf("from %q: got %+v, %v", from.Dir, list, err)
		}
	}
}

// A worktree keeps its administrative name when it moves, and a symbolic link to
// the repository changes nothing.
func TestWorktreesMoved(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	linked := r.AddWorktree("linked", "topic")
	moved := filepath.Join(r.Root(), "moved")
	r.Git("worktree", "move", linked.Dir, moved)
	link := filepath.Join(r.Root(), "link")
	if err := os.Symlink(r.Dir, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{r.Dir, link} {
		list, err := r.OpenAt(dir).Worktrees(t.Context())
		if err != nil || len(list) != 2 || list[0].Path != r.Dir || list[1].Path != moved || list[1].Name != "linked" {
			t.Errorf("in %q: got %+v, %v", dir, list, err)
		}
	}
}
