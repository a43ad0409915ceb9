package landing

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/document"
)

// NotesRef holds the landing notes. Only acceptance writes there.
const NotesRef gitx.RefName = "refs/notes/landings"

// MaxNote bounds a landing note, in bytes: more is neither written nor read.
const MaxNote = 16 << 10

const noteSchema document.Schema = "git-continuity-landing/v1"

// A Method says how work came into the trunk.
type Method string

// The methods. The landed tree is that of the branch's tip with all of them.
const (
	FastForward Method = "ff"
	Merge       Method = "merge"
	Squash      Method = "squash"
)

// A Note is the durable evidence of a landing: which branch, at which tip, the
// commit brought into the trunk.
type Note struct {
	// Commit is the commit in the trunk, and the object that carries the note.
	Commit, Tree gitx.OID
	Claim        Claim
	// AcceptedAt is in UTC, in whole seconds. It is shown; nothing depends on it.
	AcceptedAt time.Time
}

// A Claim is what a note says about its commit.
type Claim struct {
	// Branch is the full name of the branch, Tip where it was.
	Branch gitx.RefName
	Tip    gitx.OID
	// Trunk is the full name of the trunk.
	Trunk  gitx.RefName
	Method Method
	// Files, Insertions and Deletions count what the trunk gained, binary files
	// without lines and renamed ones as two.
	Files, Insertions, Deletions int
	// Gate is the command that passed on Tip, cut to a length of its own, and
	// Receipt the digest of the receipt; both are "" where none was asked for.
	Gate, Receipt string
}

type noteDocument struct {
	Schema     document.Schema   `json:"schema"`
	Subject    subjectDocument   `json:"subject"`
	Claim      claimDocument     `json:"claim"`
	AcceptedAt time.Time         `json:"accepted_at"`
	Signatures []json.RawMessage `json:"signatures"`
}

type subjectDocument struct {
	Commit gitx.OID `json:"commit"`
	Tree   gitx.OID `json:"tree"`
}

type claimDocument struct {
	Branch     gitx.RefName  `json:"branch"`
	Tip        gitx.OID      `json:"tip"`
	Trunk      gitx.RefName  `json:"trunk"`
	Method     Method        `json:"method"`
	Files      int           `json:"files"`
	Insertions int           `json:"insertions"`
	Deletions  int           `json:"deletions"`
	Gate       *gateDocument `json:"gate"`
}

type gateDocument struct {
	Command string `json:"command"`
	Receipt string `json:"receipt"`
}

// EncodeNote returns the text of a note.
func EncodeNote(n Note) ([]byte, error) {
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("encode landing note: %w", err)
	}
	c := n.Claim
	d := noteDocument{
		Schema: noteSchema, Subject: subjectDocument{Commit: n.Commit, Tree: n.Tree},
		Claim: claimDocument{
			Branch: c.Branch, Tip: c.Tip, Trunk: c.Trunk, Method: c.Method,
			Files: c.Files, Insertions: c.Insertions, Deletions: c.Deletions,
		},
		AcceptedAt: n.AcceptedAt, Signatures: []json.RawMessage{},
	}
	if c.Receipt != "" {
		d.Claim.Gate = &gateDocument{Command: c.Gate, Receipt: c.Receipt}
	}
	data, err := document.Encode(d)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxNote {
		return nil, fmt.Errorf("encode landing note: %d bytes; at most %d can be read", len(data), MaxNote)
	}
	return data, nil
}

// DecodeNote reads the note on a commit. A text that is not in the form in
// which notes are written, or that is about another commit, is an error, and
// counts as no note; a note of a newer version is document.ErrNewer, wrapped.
// Signatures that a later version may have added are passed over.
func DecodeNote(data []byte, commit gitx.OID) (Note, error) {
	if len(data) > MaxNote {
		return Note{}, fmt.Errorf("read landing note: %d bytes; at most %d are read", len(data), MaxNote)
	}
	var d noteDocument
	if err := noteSchema.Decode(data, &d); err != nil {
		return Note{}, fmt.Errorf("read landing note: %w", err)
	}
	c := d.Claim
	n := Note{
		Commit: d.Subject.Commit, Tree: d.Subject.Tree, AcceptedAt: d.AcceptedAt,
		Claim: Claim{
			Branch: c.Branch, Tip: c.Tip, Trunk: c.Trunk, Method: c.Method,
			Files: c.Files, Insertions: c.Insertions, Deletions: c.Deletions,
		},
	}
	if c.Gate != nil {
		n.Claim.Gate, n.Claim.Receipt = c.Gate.Command, c.Gate.Receipt
		if n.Claim.Receipt == "" {
			return Note{}, errors.New("read landing note: its gate has no receipt")
		}
	}
	switch err := n.check(); {
	case err != nil:
		return Note{}, fmt.Errorf("read landing note: %w", err)
	case d.Signatures == nil:
		return Note{}, errors.New("read landing note: it has no list of signatures")
	case n.Commit != commit:
		return Note{}, fmt.Errorf("read landing note: it lies on %s and is about %s", commit, n.Commit)
	}
	return n, nil
}

// check refuses what no acceptance can have written.
func (n Note) check() error {
	c := n.Claim
	format := n.Commit.Format()
	for _, oid := range []gitx.OID{n.Commit, n.Tree, c.Tip} {
		if oid.IsZero() || oid.Format() != format {
			return errors.New("an object id is missing, or of another format")
		}
	}
	for _, ref := range []gitx.RefName{c.Branch, c.Trunk} {
		if _, err := gitx.ParseRefName(string(ref)); err != nil {
			return err
		}
		if !ref.IsBranch() || !document.Text(string(ref)) {
			return fmt.Errorf("%q is no branch whose name is text", ref)
		}
	}
	switch c.Method {
	case FastForward, Merge, Squash:
	default:
		return fmt.Errorf("unknown method %.20q", c.Method)
	}
	switch {
	case c.Files < 0 || c.Insertions < 0 || c.Deletions < 0:
		return errors.New("a count is negative")
	case !document.Text(c.Gate) || c.Gate != "" && c.Receipt == "":
		return errors.New("its gate is no text, or has no receipt")
	case c.Receipt != "" && !strings.HasPrefix(c.Receipt, "sha256:"):
		return fmt.Errorf("receipt %.80q is no digest", c.Receipt)
	case n.AcceptedAt.Location() != time.UTC || n.AcceptedAt.Nanosecond() != 0:
		return errors.New("its time is not in UTC and whole seconds")
	}
	return nil
}
