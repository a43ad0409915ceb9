package gitx_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

const landings gitx.RefName = "refs/notes/landings"

// readNotes fails the test if the notes cannot be read.
func readNotes(t *testing.T, r *gitx.Repo) *gitx.Notes {
	t.Helper()
	notes, err := r.Notes(context.Background(), landings)
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

// addNote fails the test if the note cannot be written.
func addNote(t *testing.T, r *gitx.Repo, object gitx.OID, text string) {
	t.Helper()
	tip, err := r.AddNote(t.Context(), landings, object, []byte(text), readNotes(t, r))
	if err != nil {
		t.Fatal(err)
	}
	wantRef(t, r, landings, tip)
}

// gitNote is the note as git itself reads it.
func gitNote(r *gitxtest.Repo, object gitx.OID) string {
	return r.Git("notes", "--ref", string(landings), "show", object.String())
}

func TestNotes(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one, two, three := r.Commit("one", nil), r.Commit("two", nil), r.Commit("three", nil)
		repo := r.Open()
		none := readNotes(t, repo)
		if !none.Tip.IsZero() || len(none.List()) != 0 {
			t.Errorf("no ref reads as %+v", none)
		}
		addNote(t, repo, one, "first\n")
		r.Git("notes", "--ref", string(landings), "add", "-m", "by git", two.String())
		addNote(t, repo, three, "third\n")
		for object, want := range map[gitx.OID]string{one: "first", two: "by git", three: "third"} {
			if got := gitNote(r, object); got != want {
				t.Errorf("git reads %q, want %q", got, want)
			}
			text, ok, err := readNotes(t, repo).ReadNote(t.Context(), object, 100)
			if err != nil || !ok || strings.TrimSpace(string(text)) != want {
				t.Errorf("ReadNote = %q, %v, %v; want %q", text, ok, err, want)
			}
		}
		notes := readNotes(t, repo)
		if len(notes.List()) != 3 || !slices.IsSortedFunc(notes.List(), func(a, b gitx.Note) int { return a.Object.Compare(b.Object) }) {
			t.Errorf("List = %v", notes.List())
		}
		if _, ok, err := notes.ReadNote(t.Context(), r.Rev("HEAD^{tree}"), 100); ok || err != nil {
			t.Errorf("a note on what has none: %v, %v", ok, err)
		}
		var large *gitx.OutputTooLargeError
		if _, _, err := notes.ReadNote(t.Context(), one, 5); !errors.As(err, &large) {
			t.Errorf("a note over the limit: %v", err)
		}
		if got := r.Git("rev-list", "--count", string(landings)); got != "3" {
			t.Errorf("the notes have %s commits, want 3", got)
		}
		r.Git("fsck", "--strict")
	})
}

func TestAddNoteNeverOverwrites(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one, two := r.Commit("one", nil), r.Commit("two", nil)
		repo := r.Open()
		before := readNotes(t, repo)
		addNote(t, repo, one, "first\n")
		tip := readNotes(t, repo).Tip
		for text, same := range map[string]bool{"first\n": true, "second\n": false} {
			_, err := repo.AddNote(t.Context(), landings, one, []byte(text), readNotes(t, repo))
			var exists *gitx.NoteExistsError
			if !errors.As(err, &exists) || exists.Same != same || exists.Object != one || exists.Blob.IsZero() {
				t.Errorf("%q over a note: %v", text, err)
			}
		}
		// What was read is out of date, whether there was a tip or not.
		_, err := repo.AddNote(t.Context(), landings, one, []byte("late\n"), before)
		wantConflict(t, err, landings, tip)
		stale := readNotes(t, repo)
		addNote(t, repo, two, "second\n")
		_, err = repo.AddNote(t.Context(), landings, r.Rev("HEAD^{tree}"), []byte("late\n"), stale)
		wantConflict(t, err, landings, readNotes(t, repo).Tip)
		if got := gitNote(r, one); got != "first" || len(readNotes(t, repo).List()) != 2 {
			t.Errorf("the note is %q among %d", got, len(readNotes(t, repo).List()))
		}
		other, err := repo.Notes(t.Context(), "refs/notes/other")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := repo.AddNote(t.Context(), landings, two, nil, other); err == nil {
			t.Error("notes of another ref were taken for those of this one")
		}
		if _, err := repo.AddNote(t.Context(), landings, gitx.OID{}, nil, stale); err == nil {
			t.Error("a note on no object")
		}
	})
}

// fanout stores a tree of notes by hand: paths are written as they are given.
func fanout(t *testing.T, r *gitxtest.Repo, paths map[string]string) {
	t.Helper()
	index := "GIT_INDEX_FILE=" + t.TempDir() + "/index"
	repo := r.OpenAt(r.Dir, index)
	for path, text := range paths {
		blob, err := repo.WriteBlob(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = repo.Run(t.Context(), gitx.Command{
			Args: []string{"update-index", "--add", "--cacheinfo", "100644," + blob.String() + "," + path}, Write: true,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	tree, err := repo.Run(t.Context(), gitx.Command{Args: []string{"write-tree"}, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Git("update-ref", string(landings), r.Git("commit-tree", "-m", "notes", strings.TrimSpace(string(tree))))
}

func TestNotesInAnyFanout(t *testing.T) {
	split := map[string]func(hex string) string{
		"flat":   func(h string) string { return h },
		"2/38":   func(h string) string { return h[:2] + "/" + h[2:] },
		"2/2/36": func(h string) string { return h[:2] + "/" + h[2:4] + "/" + h[4:] },
	}
	for name, path := range split {
		t.Run(name, func(t *testing.T) {
			gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
				one, two := r.Commit("one", nil), r.Commit("two", nil)
				// A neighbour of two, so that both share the first folders.
				near := two.String()[:4] + one.String()[4:]
				foreign := map[string]string{
					"README": "no note", "ab/README": "no note", "docs/" + one.String()[5:]: "no note",
					"abc/" + one.String()[3:]: "no note", strings.ToUpper("x" + one.String()[1:]): "no note",
				}
				paths := map[string]string{path(one.String()): "first\n", path(near): "near\n"}
				for name, text := range foreign {
					paths[name] = text
				}
				fanout(t, r, paths)
				repo := r.Open()
				if notes := readNotes(t, repo).List(); len(notes) != 2 {
					t.Fatalf("List = %v", notes)
				}
				addNote(t, repo, two, "second\n")
				for object, want := range map[gitx.OID]string{one: "first", two: "second"} {
					if got := gitNote(r, object); got != want {
						t.Errorf("git reads %q, want %q", got, want)
					}
				}
				for name, text := range foreign {
					if got := r.Git("cat-file", "blob", string(landings)+":"+name); got != text {
						t.Errorf("%q became %q", name, got)
					}
				}
				want := path(two.String())
				if name == "flat" {
					want = split["2/38"](two.String())
				}
				if got := r.Git("cat-file", "blob", string(landings)+":"+want); got != "second" {
					t.Errorf("the note is not at %q", want)
				}
				// git adds one on top and keeps ours.
				r.Git("notes", "--ref", string(landings), "add", "-m", "tree", "HEAD^{tree}")
				if len(readNotes(t, repo).List()) != 4 || gitNote(r, two) != "second" {
					t.Error("git lost a note of ours")
				}
			})
		})
	}
}

// A file stands where the folder of the note should be.
func TestAddNoteBesideAFileInTheWay(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	fanout(t, r, map[string]string{one.String()[:2]: "in the way"})
	repo := r.Open()
	addNote(t, repo, one, "first\n")
	if got := gitNote(r, one); got != "first" {
		t.Errorf("git reads %q", got)
	}
	if got := r.Git("cat-file", "blob", string(landings)+":"+one.String()[:2]); got != "in the way" {
		t.Errorf("the file became %q", got)
	}
}

func TestNotesRefThatIsNoCommit(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		r.Commit("one", nil)
		r.Git("tag", "-a", "-m", "x", "v1")
		for _, rev := range []string{"HEAD^{tree}", "v1"} {
			r.Git("update-ref", string(landings), r.Rev(rev).String())
			if notes, err := r.Open().Notes(t.Context(), landings); err == nil {
				t.Errorf("%s reads as %+v", rev, notes)
			}
		}
	})
}

// Forty writers, each with a note of its own, make forty notes: who lost the
// race reads again.
func TestConcurrentNotes(t *testing.T) {
	for _, refs := range []string{"files", "reftable"} {
		t.Run(refs, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{RefFormat: refs})
			r.Commit("one", nil)
			repo := r.Open()
			slots := make(chan struct{}, 4) // as many writers at once
			var wait sync.WaitGroup
			for i := range 40 {
				wait.Go(func() {
					slots <- struct{}{}
					defer func() { <-slots }()
					object := blobOID(gitx.SHA1, fmt.Sprint(i))
					for {
						notes, err := repo.Notes(context.Background(), landings)
						if err == nil {
							_, err = repo.AddNote(context.Background(), landings, object, fmt.Append(nil, i), notes)
						}
						var conflict *gitx.ConflictError
						if errors.As(err, &conflict) {
							continue
						}
						if err != nil {
							t.Errorf("note %d: %v", i, err)
						}
						return
					}
				})
			}
			wait.Wait()
			notes := readNotes(t, repo)
			for i := range 40 {
				text, ok, err := notes.ReadNote(t.Context(), blobOID(gitx.SHA1, fmt.Sprint(i)), 10)
				if err != nil || !ok || string(text) != fmt.Sprint(i) {
					t.Errorf("note %d reads as %q, %v, %v", i, text, ok, err)
				}
			}
			if n := len(notes.List()); n != 40 {
				t.Errorf("there are %d notes", n)
			}
		})
	}
}
