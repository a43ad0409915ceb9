package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// An Expect says what a ref must hold for an edit to go through. The zero
// Expect is invalid: to forget it must never mean "overwrite".
type Expect struct {
	kind expectKind
	oid  OID
}

type expectKind uint8

const (
	expectAbsent expectKind = iota + 1
	expectAt
	expectAnything
)

// Absent expects that the ref does not exist.
func Absent() Expect { return Expect{kind: expectAbsent} }

// At expects that the ref holds exactly this object. At(OID{}) is invalid.
func At(oid OID) Expect { return Expect{kind: expectAt, oid: oid} }

// Anything expects nothing. It is for refs that nobody else writes.
func Anything() Expect { return Expect{kind: expectAnything} }

// met reports whether a ref that holds got (zero: is absent) is as expected.
func (e Expect) met(got OID) bool {
	switch e.kind {
	case expectAbsent:
		return got.IsZero()
	case expectAt:
		return got == e.oid
	}
	return e.kind == expectAnything
}

// String says in words what is expected.
func (e Expect) String() string {
	switch e.kind {
	case expectAbsent:
		return "absent"
	case expectAt:
		return e.oid.String()
	case expectAnything:
		return "anything"
	}
	return "invalid"
}

// A RefEdit moves one ref. The edit of a symbolic ref moves the ref that it
// leads to, as git does.
type RefEdit struct {
	Name RefName
	// New is the object that the ref is to hold; zero deletes the ref.
	New OID
	Old Expect
}

// A ConflictError reports a ref that does not hold what its editor expected.
// Nothing was changed. Who tries again must read again and compute again.
type ConflictError struct {
	Edit RefEdit
	// Got is what the ref held when it was read after the refusal; zero if it
	// did not exist.
	Got OID
}

// Error names the ref, what was expected and what was found.
func (e *ConflictError) Error() string {
	got := "absent"
	if !e.Got.IsZero() {
		got = e.Got.String()
	}
	return fmt.Sprintf("update ref %q: expected %s, found %s", e.Edit.Name, e.Edit.Old, got)
}

// UpdateRef makes one edit. See UpdateRefs.
func (r *Repo) UpdateRef(ctx context.Context, edit RefEdit, reflog string) error {
	return r.UpdateRefs(ctx, []RefEdit{edit}, reflog)
}

// UpdateRefs makes all edits or none, in one transaction of `git update-ref`.
// Reflog is the entry for refs that have a reflog; it may be empty.
//
// The errors are *ConflictError for a ref that is not as expected, which is
// found by reading it again; *MissingObjectError for a new object that the
// repository has not; and *ExitError with git's words for everything else: a
// lock that another process holds, two names of which one is a folder of the
// other. A process that was killed may have committed before it died, so after
// an ExitError with a signal, or the end of ctx, the refs must be read again.
func (r *Repo) UpdateRefs(ctx context.Context, edits []RefEdit, reflog string) error {
	if len(edits) == 0 {
		return nil
	}
	stdin, err := r.transaction(edits)
	if err != nil {
		return err
	}
	args := r.lockPatience()
	args = append(args, "update-ref")
	if reflog = strings.ReplaceAll(reflog, "\x00", " "); strings.TrimSpace(reflog) != "" {
		args = append(args, "-m", reflog)
	}
	command := Command{Args: append(args, "--stdin", "-z"), Stdin: stdin, Write: true}
	for try := 0; ; try++ {
		_, err = r.Run(ctx, command)
		status, exited := Status(err)
		if !exited || status == 0 || ctx.Err() != nil {
			return err
		}
		if reason := r.refusal(ctx, edits); reason != nil {
			return reason
		}
		// All is as expected, and yet git did not do it: a lock, or a ref that
		// was not as expected for a moment. The guard stays, so try again.
		if try == r.updateTries() || pause(ctx, try) != nil {
			return err
		}
	}
}

// updateTries is how often a transaction is tried again for no known reason.
// For the lock of a reftable, which is that of all refs, git does not wait: the
// tries do that, for about half a second in all.
func (r *Repo) updateTries() int {
	if r.RefFormat() == "reftable" {
		return 12
	}
	return 1
}

// pause waits between two tries: longer each time, and never as long as a rival.
func pause(ctx context.Context, try int) error {
	wait := time.Duration(1+rand.IntN(8*(try+1))) * time.Millisecond
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// lockPatience makes git wait for the lock of a ref as long as it waits for
// that of the packed refs. Its default for the former is a tenth of a second,
// too short for many writers on a slow disk. The user's own setting wins.
func (r *Repo) lockPatience() []string {
	if _, ok := r.config.String("core.filesRefLockTimeout"); ok {
		return nil
	}
	return []string{"-c", "core.filesRefLockTimeout=1000"}
}

// transaction returns the edits in the language of update-ref --stdin -z.
func (r *Repo) transaction(edits []RefEdit) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("start\x00")
	seen := make(map[RefName]bool, len(edits))
	for _, e := range edits {
		if err := r.checkEdit(e); err != nil {
			return nil, fmt.Errorf("update ref %q: %w", e.Name, err)
		}
		if seen[e.Name] {
			return nil, fmt.Errorf("update ref %q: edited twice in one transaction", e.Name)
		}
		seen[e.Name] = true
		old := "" // no value: no expectation
		switch e.Old.kind {
		case expectAbsent:
			old = r.format.Zero()
		case expectAt:
			old = e.Old.oid.String()
		}
		fmt.Fprintf(&b, "update %s\x00%s\x00%s\x00", e.Name, e.New.HexOr(r.format), old)
	}
	b.WriteString("prepare\x00commit\x00")
	return b.Bytes(), nil
}

// checkEdit refuses what must not reach git.
func (r *Repo) checkEdit(e RefEdit) error {
	if _, err := ParseRefName(string(e.Name)); err != nil {
		return err
	}
	if !e.New.IsZero() && e.New.Format() != r.format {
		return fmt.Errorf("object %s is not of format %s", e.New, r.format)
	}
	switch e.Old.kind {
	case expectAbsent:
		if e.New.IsZero() {
			return errors.New("deletes a ref that is expected to be absent")
		}
	case expectAt:
		if e.Old.oid.Format() != r.format {
			return fmt.Errorf("expected object %q is not of format %s", e.Old.oid, r.format)
		}
	case expectAnything:
	default:
		return errors.New("no expectation given")
	}
	return nil
}

// refusal finds out why git refused a transaction. It returns nil if the refs
// are as expected and the objects are there.
func (r *Repo) refusal(ctx context.Context, edits []RefEdit) error {
	for _, e := range edits {
		got, _, err := r.ResolveRef(ctx, e.Name)
		if err != nil {
			return err
		}
		if !e.Old.met(got) {
			return &ConflictError{Edit: e, Got: got}
		}
	}
	for _, e := range edits {
		if err := r.exists(ctx, e.New); err != nil {
			return err
		}
	}
	return nil
}

// exists returns a *MissingObjectError for an object that is not here. The zero
// OID is none.
func (r *Repo) exists(ctx context.Context, oid OID) error {
	if oid.IsZero() {
		return nil
	}
	_, err := r.Git(ctx, "cat-file", "-e", oid.String())
	if _, exited := Status(err); exited {
		return &MissingObjectError{Name: oid.String(), Err: err}
	}
	return err
}
