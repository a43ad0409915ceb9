package landing_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
)

// TestWhatHostsDo lands branches as hosts do it, with git itself doing the work
// and the trunk moving in between. Every branch adds a line of its own to places
// of its own, so nothing but the landing can bring it into the trunk, and a
// landing without conflict must be found, with its commit.
func TestWhatHostsDo(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			h := &host{stage: newStage(t, gitxtest.Files{"a": lines(60, nil), "b": lines(60, nil)}),
				rng: rand.New(rand.NewPCG(seed, 1))}
			h.judge = h.stage.judge()
			for i := range 4 {
				h.round(i)
			}
		})
	}
}

// A host is a repository in which branches land, one after the other.
type host struct {
	*stage
	rng   *rand.Rand
	judge *landing.Judge
}

// round makes a branch of two commits, lets the trunk move, and lands the branch.
func (h *host) round(i int) {
	h.t.Helper()
	first, second := 2+i*8, 5+i*8
	branch := fmt.Sprintf("work-%d", i)
	h.Git("checkout", "--quiet", "-b", branch, "main")
	h.line("a", first, fmt.Sprint("first of ", branch))
	if h.rng.IntN(2) == 0 {
		h.move(i)
		h.on(branch)
		h.Git("merge", "--quiet", "--no-edit", "main")
	}
	h.line("b", second, fmt.Sprint("second of ", branch))
	h.move(i + 20)
	if got := h.ask(h.judge, branch, "main"); got.Landed {
		h.t.Fatalf("%s: a wrong landing: %+v", branch, got)
	}
	want := h.land(branch)
	h.move(i + 40)
	for name, j := range map[string]*landing.Judge{"a fresh judge": h.stage.judge(), "one that remembers": h.judge} {
		if got := h.ask(j, branch, "main"); got != byContent(want) {
			h.t.Errorf("%s: %s says %+v, want it landed as %s", branch, name, got, want)
		}
	}
}

// line commits a line of a file on the branch that is checked out.
func (h *host) line(name string, n int, text string) {
	h.t.Helper()
	all := strings.Split(h.Git("show", "HEAD:"+name), "\n")
	all[n-1] = text
	h.Commit(text, gitxtest.Files{name: strings.Join(all, "\n") + "\n"})
}

// move lets the trunk edit a line far below those of the branches.
func (h *host) move(i int) {
	h.t.Helper()
	h.on("main")
	h.line([]string{"a", "b"}[h.rng.IntN(2)], 40+i%20, fmt.Sprint("trunk ", i))
}

// land lands a branch in one of the ways of hosts, and returns the commit with
// which all of it had come.
func (h *host) land(branch string) gitx.OID {
	h.t.Helper()
	switch h.rng.IntN(3) {
	case 0:
		return h.squash(branch)
	case 1: // rebase and merge
		h.Git("checkout", "--quiet", "-B", "rebased", branch)
		h.Git("rebase", "--quiet", "--onto", "main", h.Git("merge-base", branch, "main"))
		h.on("main")
		h.Git("merge", "--quiet", "--ff-only", "rebased")
		return h.Rev("main")
	default: // a queue's commit, made aside of two branches
		h.Git("checkout", "--quiet", "-B", "queue", "main")
		h.Git("merge", "--quiet", "--squash", branch)
		h.Commit("queue", gitxtest.Files{"queued by " + branch: "another branch\n"})
		h.on("main")
		h.Git("merge", "--quiet", "--ff-only", "queue")
		return h.Rev("main")
	}
}
