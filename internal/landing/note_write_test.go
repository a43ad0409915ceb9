package landing

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/document"
)

func noteOn(r *gitxtest.Repo, commit gitx.OID, branch string, tip gitx.OID, method Method) Note {
	return Note{
		Commit: commit, Tree: r.Rev(commit.String() + "^{tree}"), AcceptedAt: time.Unix(1_700_000_000, 0).UTC(),
		Claim: Claim{Branch: gitx.RefName("refs/heads/" + branch), Tip: tip, Trunk: "refs/heads/main", Method: method},
	}
}

func mustWrite(t *testing.T, r *gitxtest.Repo, n Note) {
	t.Helper()
	if outcome, err := WriteNote(context.Background(), r.Open(), n); outcome != NoteWritten || err != nil {
		t.Fatalf("%s, %v", outcome, err)
	}
}

func TestWriteNote(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		ctx := context.Background()
		commit := r.Commit("work", nil)
		n := noteOn(r, commit, "topic", commit, FastForward)
		mustWrite(t, r, n)
		tip := r.Rev(string(NotesRef))
		text := r.Git("notes", "--ref=landings", "show", commit.String())
		if want, _ := EncodeNote(n); text+"\n" != string(want) {
			t.Errorf("git notes shows %q", text)
		}

		again := n
		again.AcceptedAt = again.AcceptedAt.Add(time.Hour)
		if outcome, err := WriteNote(ctx, r.Open(), again); outcome != NoteAlreadyPresent || err != nil {
			t.Errorf("the same claim again: %s, %v", outcome, err)
		}
		other := n
		other.Claim.Branch = "refs/heads/other"
		outcome, err := WriteNote(ctx, r.Open(), other)
		var claim *NoteClaimError
		if outcome != NoteFailed || !errors.As(err, &claim) || claim.Claim == nil || claim.Claim.Branch != n.Claim.Branch {
			t.Errorf("another claim: %s, %v", outcome, err)
		}
		if now := r.Rev(string(NotesRef)); now != tip {
			t.Errorf("the notes moved from %s to %s", tip, now)
		}
	})
}

func TestForeignNotesStay(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	for name, text := range map[string]string{
		"prose": "my own note", "newer": `{"schema":"git-continuity-landing/v2"}`, "huge": strings.Repeat("x", MaxNote+1),
	} {
		commit := r.Commit(name, nil)
		r.GitInput(text, "notes", "--ref=landings", "add", "-F", "-", commit.String())
		tip := r.Rev(string(NotesRef))
		outcome, err := WriteNote(context.Background(), r.Open(), noteOn(r, commit, "topic", commit, FastForward))
		var claim *NoteClaimError
		if outcome != NoteFailed || !errors.As(err, &claim) || claim.Claim != nil {
			t.Errorf("%s: %s, %v", name, outcome, err)
		}
		if errors.Is(err, document.ErrNewer) != (name == "newer") {
			t.Errorf("%s: %v", name, err)
		}
		if now := r.Rev(string(NotesRef)); now != tip {
			t.Errorf("%s: the notes moved", name)
		}
	}
}

// A ref that cannot be read is not a ref that is not there: nothing is written.
func TestBrokenNotesRefIsNotReplaced(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	commit := r.Commit("work", nil)
	path := r.Open().CommonDir() + "/refs/notes/landings"
	if err := os.MkdirAll(r.Open().CommonDir()+"/refs/notes", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("garbage\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if outcome, err := WriteNote(context.Background(), r.Open(), noteOn(r, commit, "topic", commit, FastForward)); outcome != NoteFailed || err == nil {
		t.Errorf("%s, %v", outcome, err)
	}
	if now, err := os.ReadFile(path); string(now) != "garbage\n" || err != nil {
		t.Errorf("the ref is now %q, %v", now, err)
	}
}

// noteWriterVar makes the test binary one of the writers, of the note on the
// commit that it names.
const noteWriterVar = "CONTINUITY_TEST_NOTE_WRITER"

// TestNoteWriter is the other process of TestFortyProcessesFortyNotes.
func TestNoteWriter(t *testing.T) {
	hex := os.Getenv(noteWriterVar)
	if hex == "" {
		t.Skip("runs only as a process of TestFortyProcessesFortyNotes")
	}
	ctx := context.Background()
	repo, err := gitx.Open(ctx, gitx.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	commit, err := gitx.ParseOID(hex)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.RevParse(ctx, hex+"^{tree}")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadByte() // all begin at once
	outcome, err := WriteNote(ctx, repo, Note{Commit: commit, Tree: tree, AcceptedAt: time.Now().UTC().Truncate(time.Second),
		Claim: Claim{Branch: "refs/heads/topic", Tip: commit, Trunk: "refs/heads/main", Method: FastForward}})
	if err != nil || outcome != NoteWritten {
		t.Fatalf("%s, %v", outcome, err)
	}
}

// Git's own writers are rivals too: a lost race is computed anew, and nobody's
// note is lost by ours.
func TestRacingWriters(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	mine, theirs := r.CommitTo("refs/heads/main", "mine"), r.CommitTo("refs/heads/main", "theirs")
	repo := r.Open()
	stale, err := repo.Notes(context.Background(), NotesRef)
	if err != nil {
		t.Fatal(err)
	}
	r.Git("notes", "--ref=landings", "add", "-m", "theirs", theirs.String())
	var conflict *gitx.ConflictError
	if _, err := repo.AddNote(context.Background(), NotesRef, mine, []byte("stale\n"), stale); !errors.As(err, &conflict) {
		t.Fatalf("a stale tip is not refused: %v", err)
	}
	done := make(chan error)
	go func() { // a foreign writer, all the time
		var err error
		for i := 0; i < 20 && err == nil; i++ {
			cmd := exec.Command(r.Program(), "notes", "--ref=landings", "append", "-m", fmt.Sprint(i), theirs.String())
			cmd.Dir, cmd.Env = r.Dir, r.Environ()
			// It may lose a race itself: git notes has no second try.
			_, err = cmd.Output()
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				err = nil
			}
		}
		done <- err
	}()
	mustWrite(t, r, noteOn(r, mine, "topic", mine, FastForward))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	// git notes reads the ref, and writes it unguarded: it may undo a note of
	// ours, never the other way round.
	if text := r.Git("notes", "--ref=landings", "show", theirs.String()); !strings.HasPrefix(text, "theirs") {
		t.Errorf("their note is now %q", text)
	}
}

func TestFortyProcessesFortyNotes(t *testing.T) {
	const writers = 40
	r := gitxtest.New(t, gitxtest.Options{})
	var commits []gitx.OID
	for i := range writers {
		commits = append(commits, r.CommitTo("refs/heads/main", fmt.Sprint(i)))
	}
	start, release, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var ready, done sync.WaitGroup
	for _, commit := range commits {
		cmd := exec.Command(self, "-test.run=^TestNoteWriter$")
		cmd.Dir, cmd.Env = r.Dir, r.Environ(noteWriterVar+"="+commit.String())
		cmd.Stdin = start
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ready.Add(1)
		done.Go(func() {
			talk := bufio.NewReader(stdout)
			first, _ := talk.ReadString('\n')
			ready.Done()
			rest, _ := io.ReadAll(talk)
			if err := cmd.Wait(); err != nil {
				t.Errorf("writer of %s: %v: %s%s", commit, err, first, rest)
			}
		})
	}
	ready.Wait()
	_ = release.Close()
	done.Wait()
	notes, err := r.Open().Notes(context.Background(), NotesRef)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(notes.List()); got != writers {
		t.Errorf("%d notes of %d writers", got, writers)
	}
	for _, commit := range commits {
		data, _, err := notes.ReadNote(context.Background(), commit, MaxNote)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeNote(data, commit); err != nil {
			t.Errorf("note on %s: %v", commit, err)
		}
	}
}
