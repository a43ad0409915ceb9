package gitxtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx/gitxtest"
)

// Nothing of the user, the machine or the caller reaches a test's repository.
func TestHermetic(t *testing.T) {
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_AUTHOR_NAME", "the caller")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "user.name")
	t.Setenv("GIT_CONFIG_VALUE_0", "the caller")
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = the user\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	if who := r.Git("log", "-1", "--format=%an <%ae> %cn <%ce>"); who != "A U Thor <author@example.com> C O Mitter <committer@example.com>" {
		t.Errorf("committed by %q", who)
	}
	for line := range strings.Lines(r.Git("config", "--list", "--show-scope")) {
		if !strings.HasPrefix(line, "local\t") {
			t.Errorf("a setting from outside: %q", line)
		}
	}
	if err := r.GitError("-C", r.Root(), "rev-parse", "--git-dir"); !strings.Contains(err, "not a git repository") {
		t.Errorf("above the repository: %q", err)
	}
}

// The same steps give the same ids, and no two commits the same time.
func TestCountedClock(t *testing.T) {
	make2 := func() (first, second string) {
		r := gitxtest.New(t, gitxtest.Options{})
		return r.Commit("one", gitxtest.Files{"a/b": "c\n"}).String(), r.Commit("two", nil).String()
	}
	a1, a2 := make2()
	b1, b2 := make2()
	if a1 != b1 || a2 != b2 {
		t.Errorf("%s %s, then %s %s", a1, a2, b1, b2)
	}
}

func TestKinds(t *testing.T) {
	kinds := map[string]bool{}
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		first := r.Commit("one", gitxtest.Files{"a": "a\n"})
		r.Branch("topic", "")
		linked := r.AddWorktree("linked", "topic")
		second := linked.Commit("two", nil)
		bare := r.CloneBare("bare.git")
		third := bare.CommitTo("refs/heads/topic", "three")
		fresh := bare.CommitTo("refs/heads/fresh", "four")
		clone := bare.Clone("clone")
		empty := r.Bare("empty.git")
		for _, test := range []struct {
			in        *gitxtest.Repo
			rev, want string
		}{
			{r, "main", first.String()}, {r, "topic", second.String()}, {bare, "topic", third.String()},
			{bare, "topic^", second.String()}, {bare, "topic^{tree}", r.Rev("main^{tree}").String()},
			{clone, "origin/fresh", fresh.String()},
		} {
			if got := test.in.Rev(test.rev).String(); got != test.want {
				t.Errorf("%s in %s: got %s, want %s", test.rev, test.in.Dir, got, test.want)
			}
		}
		want := r.Open()
		for _, repo := range []*gitxtest.Repo{linked, bare, clone, empty} {
			got := repo.Open()
			if got.ObjectFormat() != want.ObjectFormat() || got.RefFormat() != want.RefFormat() {
				t.Errorf("%s is %v and %s", repo.Dir, got.ObjectFormat(), got.RefFormat())
			}
		}
		kinds[want.ObjectFormat().String()+"-"+want.RefFormat()] = true
	})
	if !kinds["sha1-files"] || !kinds["sha256-files"] {
		t.Errorf("tested were %v", kinds)
	}
}
