package gitx_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// Wherever a repository is entered, it is found as git finds it.
func TestOpenFromAnywhere(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		r.Commit("one", gitxtest.Files{"sub/a": "a\n"})
		odd := r.AddWorktree("odd\n--next\nfolder ü", "topic")
		bare := r.CloneBare("bare.git")
		ofBare := bare.AddWorktree("of-bare", "side")
		bare.Git("config", "core.bare", "true")
		r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--", bare.Dir, "module")
		separate := filepath.Join(r.Root(), "separate")
		r.Git("clone", "--quiet", "--separate-git-dir="+separate, r.Dir, filepath.Join(r.Root(), "thin"))
		git := filepath.Join(r.Dir, ".git")
		admin := odd.Git("rev-parse", "--absolute-git-dir")

		for name, test := range map[string]struct {
			dir, top, gitDir, common, admin string
			bare                            bool
		}{
			"main":               {dir: r.Dir, top: r.Dir, gitDir: git, common: git},
			"sub directory":      {dir: r.Dir + "/sub", top: r.Dir, gitDir: git, common: git},
			"linked":             {dir: odd.Dir, top: odd.Dir, gitDir: admin, common: git, admin: filepath.Base(admin)},
			"linked, sub":        {dir: odd.Dir + "/sub", top: odd.Dir, gitDir: admin, common: git, admin: filepath.Base(admin)},
			"inside git dir":     {dir: git, gitDir: git, common: git},
			"deep in git dir":    {dir: git + "/objects", gitDir: git, common: git},
			"inside a linked's":  {dir: admin, gitDir: admin, common: git, admin: filepath.Base(admin)},
			"bare":               {dir: bare.Dir, gitDir: bare.Dir, common: bare.Dir, bare: true},
			"inside bare":        {dir: bare.Dir + "/objects", gitDir: bare.Dir, common: bare.Dir, bare: true},
			"worktree of a bare": {dir: ofBare.Dir, top: ofBare.Dir, gitDir: bare.Dir + "/worktrees/of-bare", common: bare.Dir, admin: "of-bare"},
			"submodule":          {dir: r.Dir + "/module", top: r.Dir + "/module", gitDir: git + "/modules/module", common: git + "/modules/module"},
			"separate git dir":   {dir: r.Root() + "/thin", top: r.Root() + "/thin", gitDir: separate, common: separate},
		} {
			t.Run(name, func(t *testing.T) {
				repo := r.For(t).OpenAt(test.dir)
				if repo.TopLevel() != test.top || repo.GitDir() != test.gitDir || repo.CommonDir() != test.common {
					t.Errorf("got %q %q %q", repo.TopLevel(), repo.GitDir(), repo.CommonDir())
				}
				if repo.WorktreeName() != test.admin || repo.Linked() != (test.admin != "") || repo.Bare() != test.bare {
					t.Errorf("name %q, linked %v, bare %v", repo.WorktreeName(), repo.Linked(), repo.Bare())
				}
				// What children see is what was found.
				said := view(t.Context(), repo, []string{
					"rev-parse --absolute-git-dir", "rev-parse --is-bare-repository", "rev-parse --is-inside-work-tree",
				}).Said
				if said[0] != test.gitDir || (said[2] == "true") != (test.top != "") || (test.bare && said[1] != "true") {
					t.Errorf("a child sees %q", said)
				}
				if head, err := repo.Common().Git(t.Context(), "for-each-ref", "--format=%(refname)", "refs/heads/main"); err != nil || string(head) != "refs/heads/main\n" {
					t.Errorf("by the common directory: %q, %v", head, err)
				}
			})
		}
	})
}

func TestOpenFacts(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		r.Commit("one", nil)
		r.Commit("two", nil)
		repo := r.Open()
		if want := r.Git("rev-parse", "--show-object-format"); repo.ObjectFormat().String() != want {
			t.Errorf("object format %v", repo.ObjectFormat())
		}
		want, _ := repo.Config().String("extensions.refstorage")
		if want == "" {
			want = "files"
		}
		if repo.RefFormat() != want {
			t.Errorf("ref format %q", repo.RefFormat())
		}
		if got := "git version " + repo.Version(); got != r.Git("version") {
			t.Errorf("version %q", repo.Version())
		}
		if repo.Shallow() {
			t.Error("a whole repository is shallow")
		}
		dir := filepath.Join(r.Root(), "shallow")
		r.Git("clone", "--quiet", "--depth=1", "file://"+r.Dir, dir)
		if !r.OpenAt(dir).Shallow() {
			t.Error("a shallow repository is whole")
		}
	})
}

// A user's own setting of an extension means nothing, to git and here.
func TestRefFormatIsTheRepositorys(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	repo := r.OpenAt(r.Dir, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=extensions.refStorage", "GIT_CONFIG_VALUE_0=reftable")
	if repo.RefFormat() != "files" {
		t.Errorf("got %q", repo.RefFormat())
	}
}

func TestOpenOutsideRepository(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	gone := filepath.Join(r.Root(), "gone")
	file := filepath.Join(r.Dir, "file")
	r.Write(gitxtest.Files{"file": ""})
	for name, o := range map[string]gitx.OpenOptions{
		"outside":        {Dir: r.Root(), Env: r.Env()},
		"GIT_DIR":        {Dir: r.Dir, Env: r.Env("GIT_DIR=" + gone)},
		"not there":      {Dir: gone, Env: r.Env()},
		"not a folder":   {Dir: file, Env: r.Env()},
		"broken git dir": {Dir: r.Dir, Env: r.Env("GIT_DIR=" + r.Root())},
	} {
		_, err := gitx.Open(t.Context(), o)
		var outside *gitx.NotRepositoryError
		if !errors.As(err, &outside) || outside.Dir != o.Dir {
			t.Errorf("%s: got %v", name, err)
		}
		if name == "not there" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestOpenInRemovedDirectory(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	dir := filepath.Join(r.Dir, "sub")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	repo := r.OpenAt("")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	var outside *gitx.NotRepositoryError
	if _, err := gitx.Open(t.Context(), gitx.OpenOptions{Env: r.Env()}); !errors.As(err, &outside) {
		t.Errorf("got %v", err)
	}
	// What was opened before stands.
	if _, err := repo.Git(t.Context(), "rev-parse", "--git-dir"); err != nil {
		t.Error(err)
	}
}

func TestRemovedWorktree(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		want := r.Commit("one", nil)
		repo := r.AddWorktree("wt", "topic").Open()
		r.Git("worktree", "remove", repo.TopLevel())
		if _, err := repo.Git(t.Context(), "rev-parse", "topic"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("in the removed worktree: %v", err)
		}
		got, err := repo.Common().Git(t.Context(), "rev-parse", "--verify", "refs/heads/topic")
		if err != nil || string(got) != want.String()+"\n" {
			t.Errorf("by the common directory: %q, %v", got, err)
		}
		var outside *gitx.NotRepositoryError
		if _, err := repo.AtWorktree(t.Context(), repo.TopLevel()); !errors.As(err, &outside) {
			t.Errorf("opened again: %v", err)
		}
	})
}

// Replacement objects and grafts are no evidence, and git is not to talk about
// the grafts file that keeps them away.
func TestHistoryAsItIs(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	two := r.Commit("two", nil)
	three := r.Commit("three", nil)
	r.Git("replace", "--graft", three.String(), one.String())
	r.Write(gitxtest.Files{".git/info/grafts": two.String() + "\n"})
	if got := r.Git("rev-list", "--count", "HEAD"); got != "2" {
		t.Fatalf("the user's own git counts %s commits", got)
	}
	repo := r.Open()
	if got, err := repo.Git(t.Context(), "rev-list", "--count", "HEAD"); err != nil || string(got) != "3\n" {
		t.Errorf("got %q, %v", got, err)
	}
	_, err := repo.Git(t.Context(), "log", "HEAD", "--no-such-option")
	var exit *gitx.ExitError
	if !errors.As(err, &exit) || strings.Contains(exit.Stderr, "hint:") {
		t.Errorf("got %v", err)
	}
	_, err = repo.Git(t.Context(), "rev-list", "HEAD", "--", "no\x00such")
	if err == nil {
		t.Error("an argument with a NUL passed")
	}
	if _, err = repo.Git(t.Context(), "merge-base", "--is-ancestor", three.String(), one.String()); err == nil {
		t.Error("a child is its parent's ancestor")
	} else if status, _ := gitx.Status(err); status != 1 || !strings.HasPrefix(err.Error(), "git merge-base: exit status 1") || strings.Contains(err.Error(), "hint") {
		t.Errorf("got %v", err)
	}
}
