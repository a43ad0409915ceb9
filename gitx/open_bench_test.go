package gitx_test

import (
	"os/exec"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// Opening a repository takes three processes, side by side: compare with the
// time of one, which is the floor.
func BenchmarkOpen(b *testing.B) {
	r := gitxtest.New(b, gitxtest.Options{})
	r.Commit("one", nil)
	b.Run("open", func(b *testing.B) {
		options := gitx.OpenOptions{Dir: r.Dir, Env: r.Env()}
		for b.Loop() {
			if _, err := gitx.Open(b.Context(), options); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("one-process", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(r.Program(), "rev-parse", "--git-dir")
			cmd.Dir, cmd.Env = r.Dir, r.Environ()
			if _, err := cmd.Output(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("run", func(b *testing.B) {
		repo := r.Open()
		for b.Loop() {
			if _, err := repo.Git(b.Context(), "rev-parse", "--git-dir"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
