package landing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"git-continuity/gitx"
)

// A NoteOutcome says what became of a note that was to be written.
type NoteOutcome string

// The outcomes, as scripts read them.
const (
	// NoteWritten is a note that was written and read back.
	NoteWritten NoteOutcome = "written"
	// NoteAlreadyPresent is a note with the same claim, which stood before.
	NoteAlreadyPresent NoteOutcome = "already_present"
	// NoteFailed is a note that could not be written, or read back.
	NoteFailed NoteOutcome = "failed"
)

// A NoteClaimError reports a commit whose note says something else: another
// claim, a newer version, or no note of this kind at all. It was not changed.
type NoteClaimError struct {
	Commit gitx.OID
	// Claim is what the note that stands says, if it can be read.
	Claim *Claim
	// Err is why it cannot be read, or nil.
	Err error
}

// Error names the commit and what stands there.
func (e *NoteClaimError) Error() string {
	if e.Claim == nil {
		return fmt.Sprintf("%s has a note in %q that cannot be read: %v", e.Commit, NotesRef, e.Err)
	}
	return fmt.Sprintf("%s has a landing note for %q at %s", e.Commit, e.Claim.Branch, e.Claim.Tip)
}

// Unwrap returns why the note cannot be read.
func (e *NoteClaimError) Unwrap() error { return e.Err }

// noteTries bounds how often a note is tried against other writers. Each lost
// race is another's note, so that of n writers at once the last needs n tries.
const noteTries = 400

// WriteNote writes a note on the commit it is about, and reads it back. It moves
// the notes ref only from the tip that it read; whenever another writer was
// first, it reads everything again. The same claim again is NoteAlreadyPresent,
// whatever the date; another one is a *NoteClaimError and stays as it is.
func WriteNote(ctx context.Context, repo *gitx.Repo, n Note) (NoteOutcome, error) {
	data, err := EncodeNote(n)
	if err != nil {
		return NoteFailed, err
	}
	for try := 0; ; try++ {
		outcome, err := tryNote(ctx, repo, n, data)
		var conflict *gitx.ConflictError
		var exit *gitx.ExitError
		raced := errors.As(err, &conflict) || errors.As(err, &exit) && try < noteTries/20
		if err == nil || !raced || try == noteTries || ctx.Err() != nil {
			return outcome, err
		}
		if err := pauseNote(ctx, try); err != nil {
			return NoteFailed, fmt.Errorf("write landing note: %w", err)
		}
	}
}

// tryNote is one try, from what the notes are now.
func tryNote(ctx context.Context, repo *gitx.Repo, n Note, data []byte) (NoteOutcome, error) {
	notes, err := repo.Notes(ctx, NotesRef)
	if err != nil {
		return NoteFailed, fmt.Errorf("write landing note: %w", err)
	}
	if _, taken := notes.Find(n.Commit); taken {
		return compareNote(ctx, notes, n)
	}
	if _, err := repo.AddNote(ctx, NotesRef, n.Commit, data, notes); err != nil {
		return NoteFailed, fmt.Errorf("write landing note: %w", err)
	}
	return readBack(ctx, repo, n, data)
}

// pauseNote lets rivals get out of step: a try is a dozen processes, and of forty
// writers that try at once thirty-nine have worked for nothing.
func pauseNote(ctx context.Context, try int) error {
	const first, longest = 20 * time.Millisecond, 2 * time.Second
	wait := min(first<<min(try, 10), longest)
	timer := time.NewTimer(rand.N(wait))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// compareNote judges the note that stands on the commit of n.
func compareNote(ctx context.Context, notes *gitx.Notes, n Note) (NoteOutcome, error) {
	data, _, err := notes.ReadNote(ctx, n.Commit, MaxNote)
	if err != nil {
		return NoteFailed, &NoteClaimError{Commit: n.Commit, Err: err}
	}
	stands, err := DecodeNote(data, n.Commit)
	switch {
	case err != nil:
		return NoteFailed, &NoteClaimError{Commit: n.Commit, Err: err}
	case stands.Claim != n.Claim:
		return NoteFailed, &NoteClaimError{Commit: n.Commit, Claim: &stands.Claim}
	}
	return NoteAlreadyPresent, nil
}

// readBack makes sure that what was written is there: a landing whose branch is
// deleted without it could never be proven.
func readBack(ctx context.Context, repo *gitx.Repo, n Note, data []byte) (NoteOutcome, error) {
	notes, err := repo.Notes(ctx, NotesRef)
	if err != nil {
		return NoteFailed, fmt.Errorf("read back landing note: %w", err)
	}
	stands, found, err := notes.ReadNote(ctx, n.Commit, MaxNote)
	switch {
	case err != nil:
		return NoteFailed, fmt.Errorf("read back landing note: %w", err)
	case !found || !bytes.Equal(stands, data):
		return NoteFailed, fmt.Errorf("read back landing note: it is not on %s", n.Commit)
	}
	return NoteWritten, nil
}
