package landing_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
)

// A stage is a repository with a trunk and a branch "topic", cut from its first
// commit.
type stage struct {
	*gitxtest.Repo
	t testing.TB
}

// newStage makes one with these files.
func newStage(t testing.TB, files gitxtest.Files) *stage {
	t.Helper()
	s := &stage{Repo: gitxtest.New(t, gitxtest.Options{}), t: t}
	s.begin(files)
	return s
}

// begin commits files to the trunk and checks topic out.
func (s *stage) begin(files gitxtest.Files) {
	s.t.Helper()
	s.Commit("base", files)
	s.on("main")
	s.Git("checkout", "--quiet", "-b", "topic")
}

// on checks a branch out.
func (s *stage) on(branch string) { s.t.Helper(); s.Git("checkout", "--quiet", branch) }

// squash lands a branch on the trunk as a host does it, checks the trunk out and
// returns the commit.
func (s *stage) squash(branch string) gitx.OID {
	s.t.Helper()
	s.on("main")
	s.Git("merge", "--quiet", "--squash", branch)
	s.Git("commit", "--quiet", "-m", "squash "+branch)
	return s.Rev("HEAD")
}

// judge returns a fresh judge of the repository as git finds it.
func (s *stage) judge(extra ...string) *landing.Judge {
	s.t.Helper()
	return newJudge(s.t, s.OpenAt(s.Dir, extra...))
}

func newJudge(t testing.TB, repo *gitx.Repo) *landing.Judge {
	t.Helper()
	repo = repo.Common()
	batch, err := repo.NewBatch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = batch.Close() })
	return landing.NewJudge(repo, batch)
}

// ask asks a judge about two revisions.
func (s *stage) ask(j *landing.Judge, tip, trunk string) landing.Verdict {
	s.t.Helper()
	v, err := j.Landed(context.Background(), s.Rev(tip), s.Rev(trunk))
	if err != nil {
		s.t.Fatalf("judge %s against %s: %v", tip, trunk, err)
	}
	return v
}

// lines returns the lines "line 1" to "line n", but for those in edits, which may
// be several lines or, as "-", none.
func lines(n int, edits map[int]string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		switch text, ok := edits[i]; {
		case !ok:
			fmt.Fprintf(&b, "line %d\n", i)
		case text != "-":
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// one is a file of 40 lines under the name f, with edits.
func one(edits map[int]string) gitxtest.Files {
	return gitxtest.Files{"f": lines(40, edits)}
}

func byContent(landedAs gitx.OID) landing.Verdict {
	return landing.Verdict{Landed: true, Via: landing.Content, LandedAs: landedAs}
}

func not(reason landing.Reason) landing.Verdict { return landing.Verdict{Reason: reason} }
