package await

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// wakeChanges is how many changes each kind of repository goes through.
const wakeChanges = 22

// wakeWithin is what a wake-up may take at most on a busy machine. The waiters
// here have no poll: without a wake-up they would wait for an hour.
const wakeWithin = 20 * time.Second

// deepTrunk is alone in its folders, which come and go with it.
const deepTrunk = "deep/er/trunk"

// TestEveryKindOfChangeWakes waits for one change after the other, of every kind
// by which refs move, each with a waiter of its own that has no poll.
func TestEveryKindOfChangeWakes(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, repo *gitxtest.Repo) {
		repo.Git("config", "core.fsync", "none")
		repo.Commit("base", gitxtest.Files{"a": "a"})
		repo.Branch("other", "main")
		repo.Git("switch", "--quiet", "other")
		h := &wakeHouse{repo: repo, source: repo.Clone("source")}
		h.source.Git("branch", "--force", "main", "origin/main")
		repo.Git("remote", "add", "origin", h.source.Dir)
		repo.Git("fetch", "--quiet", "origin")
		for i := range wakeChanges {
			kind := wakeKinds[i%len(wakeKinds)]
			h.wakes(t, fmt.Sprintf("%d %s", i, kind.name), kind.trunk, func() { kind.change(h, i) })
			if i%3 == 0 {
				repo.Git("pack-refs", "--all", "--prune")
			}
		}
	})
}

// TestAnAliasOfTheTrunkWakes follows a trunk that is a symbolic ref: what it names
// moves. That it comes to name another ref is left to the poll.
func TestAnAliasOfTheTrunkWakes(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, repo *gitxtest.Repo) {
		repo.Commit("base", gitxtest.Files{"a": "a"})
		repo.Branch("one", "main")
		repo.Git("symbolic-ref", "refs/heads/alias", "refs/heads/one")
		h := &wakeHouse{repo: repo}
		h.wakes(t, "the name behind moves", "alias", func() { repo.CommitTo("refs/heads/one", "work") })
	})
}

type wakeHouse struct {
	repo, source *gitxtest.Repo
}

// wakeKinds are the ways in which a trunk moves; trunk is the one that is
// watched.
var wakeKinds = []struct {
	name, trunk string
	change      func(h *wakeHouse, i int)
}{
	{"update-ref", "main", func(h *wakeHouse, i int) { h.repo.CommitTo("refs/heads/main", fmt.Sprint("work ", i)) }},
	{"branch --force", "main", func(h *wakeHouse, i int) { h.repo.Git("branch", "--force", "main", h.fresh(i)) }},
	{"transaction", "main", func(h *wakeHouse, i int) {
		h.repo.GitInput(fmt.Sprintf("start\nupdate refs/heads/t%d %[2]s\nupdate refs/heads/main %[2]s\nprepare\ncommit\n", i, h.fresh(i)), "update-ref", "--stdin")
	}},
	{"push", "main", func(h *wakeHouse, i int) {
		h.source.CommitTo("refs/heads/up", fmt.Sprint("pushed ", i))
		h.source.Git("push", "--quiet", "--force", h.repo.Dir, "refs/heads/up:refs/heads/main")
	}},
	{"fetch", "refs/remotes/origin/main", func(h *wakeHouse, i int) {
		h.source.CommitTo("refs/heads/main", fmt.Sprint("fetched ", i))
		h.repo.Git("fetch", "--quiet", "origin")
	}},
	{"moved and packed", "main", func(h *wakeHouse, i int) {
		h.repo.CommitTo("refs/heads/main", fmt.Sprint("packed ", i))
		h.repo.Git("pack-refs", "--all", "--prune")
	}},
	{"deleted and made anew", deepTrunk, func(h *wakeHouse, i int) {
		h.repo.Git("branch", "-D", "deep/er/trunk")
		h.repo.Git("branch", "deep/er/trunk", h.fresh(i))
	}},
	{"a folder in its place", deepTrunk, func(h *wakeHouse, i int) {
		h.repo.Git("update-ref", "-d", "refs/heads/deep/er/trunk")
		h.repo.Branch("deep/er/trunk/x", h.fresh(i))
	}},
	{"renamed over", "main", func(h *wakeHouse, i int) {
		h.repo.Branch(fmt.Sprint("r", i), h.fresh(i))
		h.repo.Git("branch", "-M", fmt.Sprint("r", i), "main")
	}},
	{"merge in a worktree", "main", func(h *wakeHouse, i int) {
		w := h.repo.AddWorktree(fmt.Sprint("w", i), "main")
		w.Git("merge", "--quiet", "--ff-only", h.fresh(i))
		h.repo.Git("worktree", "remove", w.Dir)
	}},
	{"gc", "main", func(h *wakeHouse, i int) {
		h.repo.CommitTo("refs/heads/main", fmt.Sprint("collected ", i))
		h.repo.Git("gc", "--quiet", "--prune=now")
	}},
}

// fresh makes a commit on top of the trunk that no ref holds.
func (h *wakeHouse) fresh(i int) string {
	return h.repo.Git("commit-tree", "-p", "main", "-m", fmt.Sprint("fresh ", i), "main^{tree}")
}

// wakes lets a waiter that has no poll to fall back on follow the trunk while it
// changes.
func (h *wakeHouse) wakes(t *testing.T, name, trunk string, change func()) {
	t.Helper()
	h.prepare(trunk)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	service := &Service{Repo: h.repo.Open(), Dir: h.repo.Dir}
	watch, err := service.Open(ctx, Request{Asks: []Ask{{Kind: TrunkMoved}}, Trunk: trunk})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer watch.Close()
	looked, done := h.follow(ctx, t, watch)
	<-looked
	change()
	select {
	case err := <-done:
		if err != nil || !watch.question.Met() {
			t.Errorf("%s: ended with %v, met %v", name, err, watch.question.Met())
		}
	case <-time.After(wakeWithin):
		t.Errorf("%s: not woken", name)
		stop()
		<-done
	}
}

// prepare makes a trunk in a folder of its own anew.
func (h *wakeHouse) prepare(trunk string) {
	if trunk != deepTrunk {
		return
	}
	for _, ref := range strings.Fields(h.repo.Git("for-each-ref", "--format=%(refname)", "refs/heads/deep")) {
		h.repo.Git("update-ref", "-d", ref)
	}
	h.repo.Branch(deepTrunk, "main")
}

// follow is what block does, without the poll.
func (h *wakeHouse) follow(ctx context.Context, t *testing.T, w *Watch) (looked <-chan struct{}, done <-chan error) {
	t.Helper()
	refs, _, err := w.eye.places(ctx, []gitx.RefName{w.question.Trunk})
	if err != nil {
		t.Fatal(err)
	}
	g := &glance{eye: w.eye, watch: w, common: w.service.Repo.CommonDir(), refs: refs}
	w.waker = newWaker(g.common, refs, nil)
	if w.waker.watcher == nil {
		t.Skip("this user has no file system watcher left")
	}
	looks, ended := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		ended <- loop(ctx, time.Hour, w.waker.C, time.Hour, func(ctx context.Context) (bool, error) {
			met, err := g.look(ctx)
			select {
			case looks <- struct{}{}:
			default:
			}
			return met, err
		}, noRenewal)
	}()
	return looks, ended
}
