package await

import (
	"context"
	"testing"
	"time"

	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/continuation"
)

// BenchmarkEvaluation is one whole look of a blocking call at a branch with work
// and at a trunk that has not moved: refs, arming, ancestry, notes, content. The
// judge's memory is warm, as it is after a call's first look.
func BenchmarkEvaluation(b *testing.B) {
	e, watch := watched(b)
	for b.Loop() {
		if _, err := e.look(b.Context(), &watch.question); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGlance is what a tick of the poll costs where the file system proves
// that nothing was written.
func BenchmarkGlance(b *testing.B) {
	e, watch := watched(b)
	e.pace = pace{} // nothing is owed
	g := &glance{eye: e, watch: watch, common: e.repo.CommonDir(), refs: watch.question.branches()}
	if _, err := g.look(b.Context()); err != nil {
		b.Fatal(err)
	}
	// Stamps prove nothing while they are young.
	g.taken = time.Now().Add(time.Hour)
	for b.Loop() {
		if met, err := g.look(b.Context()); met || err != nil {
			b.Fatal(met, err)
		}
	}
}

func watched(b *testing.B) (*eye, *Watch) {
	repo := gitxtest.New(b, gitxtest.Options{})
	repo.Commit("base", gitxtest.Files{"a": "a\n"})
	repo.Branch("topic", "main")
	repo.CommitTo("refs/heads/topic", "work")
	opened := repo.Open()
	service := &Service{Repo: opened, Store: continuation.Open(opened.CommonDir(), continuation.Options{})}
	watch, err := service.Open(context.Background(), Request{Asks: []Ask{{Kind: Landed, Target: "topic"}}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(watch.Close)
	if _, err := watch.eye.look(b.Context(), &watch.question); err != nil {
		b.Fatal(err)
	}
	return watch.eye, watch
}
