package landing

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// A library is a repository with a book about its notes.
type library struct {
	*gitxtest.Repo
	t    *testing.T
	book *NoteBook
}

func newLibrary(t *testing.T, r *gitxtest.Repo, env ...string) library {
	t.Helper()
	repo := r.OpenAt(r.Dir, env...).Common()
	batch, err := repo.NewBatch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = batch.Close() })
	return library{r, t, NewNoteBook(repo, batch)}
}

// squash lands a commit of the named branch on main, as one commit, and notes it.
func (l library) squash(branch string, tip gitx.OID) gitx.OID {
	l.t.Helper()
	commit := l.CommitTo("refs/heads/main", "squash of "+branch+" at "+tip.Abbrev())
	mustWrite(l.t, l.Repo, noteOn(l.Repo, commit, branch, tip, Squash))
	return commit
}

func (l library) byName(branch string, trunk, baseline gitx.OID) string {
	l.t.Helper()
	n, ok, err := l.book.ByName(context.Background(), gitx.RefName("refs/heads/"+branch), trunk, baseline)
	if err != nil {
		l.t.Fatal(err)
	}
	if !ok {
		return "none"
	}
	return n.Commit.String()
}

func (l library) byTip(tip, trunk gitx.OID) string {
	l.t.Helper()
	n, ok, err := l.book.ByTip(context.Background(), tip, trunk)
	if err != nil {
		l.t.Fatal(err)
	}
	if !ok {
		return "none"
	}
	return n.Commit.String()
}

func (l library) want(what, got string, want fmt.Stringer) {
	l.t.Helper()
	if got != want.String() {
		l.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

type none struct{}

func (none) String() string { return "none" }

func TestReusedBranchNames(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		l := newLibrary(t, r)
		root := l.CommitTo("refs/heads/main", "root")
		l.want("no notes", l.byName("topic", root, gitx.OID{}), none{})

		l.Branch("topic", root.String())
		early := l.CommitTo("refs/heads/topic", "one")
		tip := l.CommitTo("refs/heads/topic", "two")
		l.want("before the landing", l.byTip(tip, root), none{})
		first := l.squash("topic", tip)
		l.want("the tip", l.byTip(tip, first), first)
		l.want("an earlier tip, which the landed one contains", l.byTip(early, first), first)
		l.want("the name", l.byName("topic", first, gitx.OID{}), first)
		l.want("the name, seen from before the landing", l.byName("topic", root, gitx.OID{}), none{})
		l.want("the name, by a watch that began before", l.byName("topic", first, root), first)

		// The name is used again, without work.
		l.Git("branch", "-f", "topic", first.String())
		l.want("a fresh branch, by a watch that began after the landing", l.byName("topic", first, first), none{})
		// With work of its own.
		fresh := l.CommitTo("refs/heads/topic", "other work")
		l.want("new work under the old name", l.byTip(fresh, first), none{})
		// The old branch goes on after its landing.
		l.Git("branch", "-f", "topic", tip.String())
		further := l.CommitTo("refs/heads/topic", "three")
		l.want("work on top of what landed", l.byTip(further, first), none{})
		// Somebody else's branch goes on from the landed one.
		other := l.CommitTo("refs/heads/other", "unrelated")
		l.want("another branch", l.byTip(other, first), none{})
		for _, name := range []string{"Topic", "topic2", "top", "topic/two"} {
			l.want(name, l.byName(name, first, gitx.OID{}), none{})
		}

		moved := l.CommitTo("refs/heads/main", "in between")
		l.want("the trunk went on", l.byName("topic", moved, gitx.OID{}), first)
		second := l.squash("topic", further)
		l.want("the newest of two", l.byName("topic", second, gitx.OID{}), second)
		l.want("the newest, by a watch from between", l.byName("topic", second, moved), second)
		l.want("neither, by a watch from after both", l.byName("topic", second, second), none{})
		l.want("the trunk set back", l.byName("topic", moved, gitx.OID{}), first)
		l.want("and forth", l.byName("topic", second, gitx.OID{}), second)
		l.want("the second tip", l.byTip(further, second), second)
		l.want("the second tip, the trunk set back", l.byTip(further, moved), none{})
	})
}

func TestNotesOfAnotherTrunk(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	l := newLibrary(t, r)
	root := l.CommitTo("refs/heads/main", "root")
	l.Branch("release", root.String())
	l.Branch("topic", root.String())
	tip := l.CommitTo("refs/heads/topic", "work")
	landed := l.CommitTo("refs/heads/release", "squash")
	mustWrite(t, r, noteOn(r, landed, "topic", tip, Squash))
	trunk := l.CommitTo("refs/heads/main", "elsewhere")
	l.want("the tip", l.byTip(tip, trunk), none{})
	l.want("the name", l.byName("topic", trunk, gitx.OID{}), none{})
	l.want("the tip, on the other trunk", l.byTip(tip, landed), landed)
}

func TestUnsoundNotesAreMissing(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	l := newLibrary(t, r)
	tip := l.Commit("work", gitxtest.Files{"a": "1"})
	wrongTree := l.Commit("squash", gitxtest.Files{"b": "1"})
	n := noteOn(r, wrongTree, "topic", tip, Squash)
	n.Tree = l.Rev("HEAD~1^{tree}")
	mustWrite(t, r, n)
	elsewhere := l.Commit("more", gitxtest.Files{"c": "1"})
	text, err := EncodeNote(noteOn(r, wrongTree, "topic", tip, Squash))
	if err != nil {
		t.Fatal(err)
	}
	l.GitInput(string(text), "notes", "--ref=landings", "add", "-F", "-", elsewhere.String())
	newer := l.Commit("newer", gitxtest.Files{"d": "1"})
	l.GitInput(`{"schema":"git-continuity-landing/v2"}`, "notes", "--ref=landings", "add", "-F", "-", newer.String())
	l.Commit("huge", gitxtest.Files{"e": "1"})
	l.GitInput(string(text)+strings.Repeat(" ", MaxNote), "notes", "--ref=landings", "add", "-F", "-")

	trunk := l.Rev("main")
	l.want("the name", l.byName("topic", trunk, gitx.OID{}), none{})
	l.want("the tip", l.byTip(tip, trunk), none{})
	if got := l.book.Newer(); len(got) != 1 || got[0] != newer {
		t.Errorf("newer notes: %v", got)
	}
	good := l.squash("topic", tip)
	l.want("a sound one beside them", l.byName("topic", good, gitx.OID{}), good)
}

// Notes that git itself has spread over folders are read, and those that were
// read once are not read again.
func TestLookupCostsWhatIsNew(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	trace := filepath.Join(r.Root(), "trace")
	if err := os.Mkdir(trace, 0o755); err != nil {
		t.Fatal(err)
	}
	l := newLibrary(t, r, "GIT_TRACE2_EVENT="+trace)
	processes := func() int {
		entries, err := os.ReadDir(trace)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	root := l.CommitTo("refs/heads/main", "root")
	l.Branch("topic", root.String())
	tip := l.CommitTo("refs/heads/topic", "work")
	side := l.CommitTo("refs/heads/side", "never landed")
	var landed, trunk gitx.OID
	for i := range 30 {
		trunk = l.CommitTo("refs/heads/main", fmt.Sprint("landing ", i))
		n := noteOn(r, trunk, fmt.Sprint("b", i), tip, Squash)
		if i == 7 {
			landed = trunk
			n.Claim.Branch = "refs/heads/topic"
		} else {
			n.Claim.Tip = root
		}
		text, err := EncodeNote(n)
		if err != nil {
			t.Fatal(err)
		}
		l.GitInput(string(text), "notes", "--ref=landings", "add", "-F", "-", trunk.String())
	}
	before := processes()
	l.want("the name", l.byName("topic", trunk, gitx.OID{}), landed)
	l.want("a tip that has not landed", l.byTip(side, trunk), none{})
	if got := processes() - before; got > 4 {
		t.Errorf("the first look started %d processes", got)
	}
	before = processes()
	for range 5 {
		l.want("the name again", l.byName("topic", trunk, gitx.OID{}), landed)
		l.want("the other tip again", l.byTip(side, trunk), none{})
	}
	if got := processes() - before; got != 0 {
		t.Errorf("with nothing changed %d processes were started", got)
	}
	texts := len(l.book.texts)
	trunk = l.CommitTo("refs/heads/main", "on it goes")
	before = processes()
	l.want("the trunk moved", l.byName("topic", trunk, gitx.OID{}), landed)
	if got := processes() - before; got != 1 {
		t.Errorf("after a move of the trunk %d processes were started", got)
	}
	again := l.squash("topic", side)
	l.want("a new note", l.byName("topic", again, gitx.OID{}), again)
	if got := len(l.book.texts); texts != 30 || got != 31 {
		t.Errorf("%d, then %d notes are known", texts, got)
	}
	l.Git("update-ref", "-d", string(NotesRef))
	l.want("the notes are gone", l.byName("topic", again, gitx.OID{}), none{})
}

func TestNoteSchema(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "schemas", "landing-note.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	ungated := goodNote(t)
	ungated.Claim.Gate, ungated.Claim.Receipt = "", ""
	for _, n := range []Note{goodNote(t), ungated} {
		data, err := EncodeNote(n)
		if err != nil {
			t.Fatal(err)
		}
		var value map[string]any
		if err := json.Unmarshal(data, &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %v", data, err)
		}
		delete(value, "signatures")
		if resolved.Validate(value) == nil {
			t.Error("the schema takes a note without signatures")
		}
	}
}
