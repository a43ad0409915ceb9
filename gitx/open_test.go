package gitx_test

import (
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestOpenMainWorktree(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		repo := r.Open()
		if repo.TopLevel() != r.Dir || repo.GitDir() != r.Dir+"/.git" || repo.CommonDir() != repo.GitDir() {
			t.Fatalf("got %q %q %q", repo.TopLevel(), repo.GitDir(), repo.CommonDir())
		}
		if repo.Bare() || repo.Linked() || repo.Shallow() || repo.WorktreeName() != "" {
			t.Fatal("a plain repository is none of these")
		}
		if _, err := repo.Git(t.Context(), "rev-parse", "HEAD"); err == nil {
			t.Fatal("an unborn HEAD resolved")
		} else if status, ok := gitx.Status(err); !ok || status != 128 {
			t.Fatalf("status %d of %v", status, err)
		}
		want := r.Commit("one", gitxtest.Files{"a": "a\n"})
		got, err := repo.Git(t.Context(), "rev-parse", "HEAD")
		if err != nil || string(got) != want.String()+"\n" {
			t.Fatalf("got %q, %v", got, err)
		}
	})
}
