package landing_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
)

func TestRevertAndRelanding(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("work", one(map[int]string{5: "five", 20: "twenty"}))
	landed := s.squash("topic")
	fresh, old := s.judge, s.judge()
	check := func(when string, undone bool) {
		t.Helper()
		want := byContent(landed)
		want.Undone = undone
		for name, j := range map[string]*landing.Judge{"a fresh judge": fresh(), "one that remembers": old} {
			if got := s.ask(j, "topic", "main"); got != want {
				t.Errorf("%s, %s says %+v, want %+v", when, name, got, want)
			}
		}
	}
	check("after the landing", false)
	s.Git("revert", "--no-edit", "HEAD")
	check("after the revert", true)
	s.Commit("other", gitxtest.Files{"g": "g\n"})
	check("after another commit", true)
	s.Git("revert", "--no-edit", "HEAD~1")
	check("after the revert of the revert", false)
	s.Commit("somebody goes on with a line", one(map[int]string{5: "five more", 20: "twenty"}))
	check("after a later edit of the same line", false)
	s.Commit("a part is taken back", one(map[int]string{5: "five more"}))
	check("after a part was taken back", false)
}

// A file that the work brought and that moved on is not undone.
func TestMovedOnIsNotUndone(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("work", gitxtest.Files{"d/new": lines(20, nil), "f": lines(40, map[int]string{5: "five"})})
	want := byContent(s.squash("topic"))
	s.Git("mv", "d", "e")
	s.Commit("move", nil)
	if got := s.ask(s.judge(), "topic", "main"); got != want {
		t.Errorf("after a move the judge says %+v, want %+v", got, want)
	}
	s.Git("rm", "--quiet", "-r", "e")
	s.Commit("remove", nil)
	if got := s.ask(s.judge(), "topic", "main"); got != want {
		t.Errorf("after a part was removed the judge says %+v, want %+v", got, want)
	}
	s.Commit("remove the rest", one(nil))
	want.Undone = true
	if got := s.ask(s.judge(), "topic", "main"); got != want {
		t.Errorf("after all was removed the judge says %+v, want %+v", got, want)
	}
}

func TestAmendedAndRecreatedBranches(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("work", one(map[int]string{5: "five"}))
	first := s.Rev("topic").String()
	landed := s.squash("topic")
	s.on("topic")
	s.Git("commit", "--quiet", "--amend", "-m", "other words")
	if got := s.ask(s.judge(), "topic", "main"); got != byContent(landed) {
		t.Errorf("amended in words: %+v", got)
	}
	s.Commit("a second thought", one(map[int]string{5: "five", 30: "thirty"}))
	s.Git("commit", "--quiet", "--amend", "-m", "amended after the landing")
	if got := s.ask(s.judge(), "topic", "main"); got != not(landing.NotInTrunk) {
		t.Errorf("with new work: %+v", got)
	}
	s.Git("checkout", "--quiet", "-B", "topic", "main")
	s.Commit("new work under an old name", one(map[int]string{5: "five", 10: "ten"}))
	if got := s.ask(s.judge(), "topic", "main"); got != not(landing.NotInTrunk) {
		t.Errorf("re-created: %+v", got)
	}
	if got := s.ask(s.judge(), first, "main"); got != byContent(landed) {
		t.Errorf("the tip of before: %+v", got)
	}
}

// However the trunk comes to a position, in one step or in many, a judge that
// watched it says what a fresh one says.
func TestMemoryAgreesWithAFreshLook(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("lower", one(map[int]string{5: "five"}))
	s.Git("branch", "lower")
	s.Commit("upper", one(map[int]string{5: "five", 20: "twenty"}))
	s.Git("branch", "rewritten", "main")
	j := s.judge()
	step := func(name string) {
		t.Helper()
		for range 2 {
			if got, want := s.ask(j, "topic", "main"), s.ask(s.judge(), "topic", "main"); got != want {
				t.Errorf("%s: one that remembers says %+v, a fresh one %+v", name, got, want)
			}
		}
	}
	s.on("main")
	step("at the start")
	s.Commit("other", gitxtest.Files{"g": "g\n"})
	step("another file")
	s.Commit("contested", one(map[int]string{20: "TWENTY"}))
	step("a conflict")
	s.Commit("calm again", one(nil))
	step("the conflict is past")
	s.Git("merge", "--quiet", "--no-edit", "lower")
	step("the lower branch is merged, which moves the merge base")
	s.squash("topic")
	step("landed")
	s.Git("revert", "--no-edit", "HEAD")
	step("undone")
	s.Git("reset", "--quiet", "--hard", "rewritten")
	step("the trunk goes back")
	s.Commit("rewritten", gitxtest.Files{"h": "h\n"})
	step("the trunk was rewritten")
	s.squash("topic")
	step("landed again")
}

// A look that finds tip and trunk where they were starts nothing, and so does one
// that history decides nearby.
func TestUnchangedLooksStartNoProcess(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("work", one(map[int]string{5: "five"}))
	s.on("main")
	s.Commit("other", one(map[int]string{30: "thirty"}))
	trace := filepath.Join(t.TempDir(), "trace")
	j := s.judge("GIT_TRACE2_EVENT=" + trace)
	started := func() int {
		content, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(content), `"event":"start"`)
	}
	want := s.ask(j, "topic", "main")
	before := started()
	for range 3 {
		if got := s.ask(j, "topic", "main"); got != want {
			t.Errorf("the judge changed its mind to %+v", got)
		}
	}
	if got := started(); got != before {
		t.Errorf("unchanged looks started %d processes", got-before)
	}
	s.Commit("moved", gitxtest.Files{"g": "g\n"})
	s.ask(j, "topic", "main")
	moved := started() - before
	if moved > 4 {
		t.Errorf("a move of the trunk took %d processes", moved)
	}
	s.Git("merge", "--quiet", "--no-edit", "topic")
	before = started()
	if got := s.ask(j, "topic", "main"); got.Via != landing.Ancestor {
		t.Errorf("after the merge: %+v", got)
	}
	if got := started(); got != before {
		t.Errorf("a landing by history took %d processes", got-before)
	}
}

// Nothing of a look stays in the repository, which may be read-only.
func TestJudgingWritesNothing(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("work", one(map[int]string{5: "five"}))
	s.on("main")
	s.Commit("other", one(map[int]string{30: "thirty"}))
	before := s.Git("count-objects", "-v")
	s.ask(s.judge(), "topic", "main")
	if after := s.Git("count-objects", "-v"); after != before {
		t.Errorf("objects before:\n%s\nafter:\n%s", before, after)
	}
}

func TestShallowCloneCannotTell(t *testing.T) {
	s := newStage(t, one(nil))
	s.Commit("work", one(map[int]string{5: "five"}))
	s.squash("topic")
	for i := range 3 {
		s.Commit(fmt.Sprint("later ", i), gitxtest.Files{"g": fmt.Sprint(i)})
	}
	for depth, want := range map[int]landing.Reason{1: landing.Shallow, 2: landing.Shallow, 9: ""} {
		dir := filepath.Join(s.Root(), fmt.Sprint("shallow", depth))
		s.Git("clone", "--quiet", "--bare", "--no-single-branch", fmt.Sprint("--depth=", depth), "file://"+s.Dir, dir)
		clone := &stage{Repo: s.At(dir), t: t}
		if got := clone.ask(clone.judge(), "topic", "main"); got.Reason != want || got.Landed != (want == "") {
			t.Errorf("depth %d: the judge says %+v, want reason %q", depth, got, want)
		}
	}
}

// The remote of a partial clone is not asked, and cannot be here.
func TestPartialCloneCannotTell(t *testing.T) {
	for _, filter := range []string{"blob:none", "tree:0"} {
		t.Run(filter, func(t *testing.T) {
			s := newStage(t, one(nil))
			s.Git("config", "uploadpack.allowFilter", "true")
			s.Commit("work", one(map[int]string{5: "five"}))
			s.on("main")
			s.Commit("other", one(map[int]string{30: "thirty"}))
			s.squash("topic")
			dir := filepath.Join(s.Root(), "partial")
			s.Git("clone", "--quiet", "--bare", "--filter="+filter, "file://"+s.Dir, dir)
			clone := &stage{Repo: s.At(dir), t: t}
			before := clone.Git("count-objects", "-v")
			if got := clone.ask(clone.judge(), "topic", "main"); got != not(landing.MissingObject) {
				t.Errorf("the judge says %+v", got)
			}
			if after := clone.Git("count-objects", "-v"); after != before {
				t.Errorf("objects were fetched:\n%s\nthen:\n%s", before, after)
			}
		})
	}
}

func TestMissingTipIsAnError(t *testing.T) {
	s := newStage(t, one(nil))
	gone := gitx.HashObject(gitx.SHA1, gitx.TypeCommit, []byte("gone"))
	_, err := s.judge().Landed(context.Background(), gone, s.Rev("main"))
	var missing *gitx.MissingObjectError
	if !errors.As(err, &missing) || missing.Name != gone.String() {
		t.Errorf("the judge says %v", err)
	}
}

// The limit of candidates is one of what is asked, not of what may be found.
func TestTooManyCandidates(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{Bare: true})
	l := &loose{t: t, objects: filepath.Join(r.Dir, "objects")}
	file := func(first, last string) modelTree {
		return modelTree{0: {path: "f", slots: [][]string{{first}, {"a", "b", "c", "d", "e"}, {last}}}}
	}
	base := l.commit(file("first", "last"))
	topic := l.commit(file("first", "work"), base)
	const limit = 20
	trunk := base
	for n := range limit {
		trunk = l.commit(file(fmt.Sprint(n), "last"), trunk)
	}
	judge := func(trunk *node) landing.Verdict {
		t.Helper()
		j := newJudge(t, r.Open())
		landing.LimitCandidates(j, limit)
		v, err := j.Landed(context.Background(), topic.oid, trunk.oid)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got := judge(trunk); got != not(landing.NotInTrunk) {
		t.Errorf("at the limit: %+v", got)
	}
	over := l.commit(file("one more", "last"), trunk)
	if got := judge(over); got != not(landing.TooManyCandidates) {
		t.Errorf("beyond the limit: %+v", got)
	}
	landed := l.commit(file("one more", "work"), over)
	if got := judge(landed); got != byContent(landed.oid) {
		t.Errorf("found at the tip: %+v", got)
	}
}
