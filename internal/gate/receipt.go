// Package gate runs a project's own check command and keeps the receipt: the
// proof that it passed for exactly one commit.
//
// It stands apart because a receipt is evidence. Waits, acceptance and
// handovers read it, and none of them may have an opinion of its own about
// when one is valid.
package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/document"
)

const receiptSchema document.Schema = "git-continuity-receipt/v1"

// digestPrefix names the hash of every digest in a receipt and of a receipt.
const digestPrefix = "sha256:"

// A Receipt says that a command ended with status 0 on one commit, with a clean
// tree before and after.
type Receipt struct {
	// Commit was checked out before the command and after it; Tree is its tree.
	Commit, Tree gitx.OID
	// Command is the shell line, or the program and its arguments, quoted for a
	// shell where they need it.
	Command string
	// Started and Finished are in UTC.
	Started, Finished time.Time
	// Exit is the status of the command, which is 0 in every receipt.
	Exit int
	// Version is the version of the tool that wrote the receipt.
	Version string
	// Output is "sha256:" and the digest, in lower-case hexadecimal, of what the
	// command wrote to stdout and stderr, in the order in which it arrived.
	Output string
}

// receiptDocument is the JSON form, in the order of its keys.
type receiptDocument struct {
	Schema   document.Schema `json:"schema"`
	Commit   gitx.OID        `json:"commit"`
	Tree     gitx.OID        `json:"tree"`
	Command  string          `json:"command"`
	Started  time.Time       `json:"started"`
	Finished time.Time       `json:"finished"`
	Exit     int             `json:"exit"`
	Version  string          `json:"version"`
	Output   string          `json:"output"`
}

// EncodeReceipt returns the bytes of the receipt's file.
func EncodeReceipt(r Receipt) ([]byte, error) {
	r.Started, r.Finished = r.Started.UTC(), r.Finished.UTC()
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("encode receipt: %w", err)
	}
	return document.Encode(receiptDocument{
		Schema: receiptSchema, Commit: r.Commit, Tree: r.Tree, Command: r.Command,
		Started: r.Started, Finished: r.Finished, Exit: r.Exit,
		Version: r.Version, Output: r.Output,
	})
}

// DecodeReceipt reads exactly what EncodeReceipt writes. The error is
// document.ErrNewer, wrapped, for a receipt of a newer version.
func DecodeReceipt(data []byte) (Receipt, error) {
	var d receiptDocument
	if err := receiptSchema.Decode(data, &d); err != nil {
		return Receipt{}, fmt.Errorf("read receipt: %w", err)
	}
	r := Receipt{
		Commit: d.Commit, Tree: d.Tree, Command: d.Command, Started: d.Started,
		Finished: d.Finished, Exit: d.Exit, Version: d.Version, Output: d.Output,
	}
	if err := r.check(); err != nil {
		return Receipt{}, fmt.Errorf("read receipt: %w", err)
	}
	return r, nil
}

// check refuses what no run can have written.
func (r Receipt) check() error {
	hexed, ok := strings.CutPrefix(r.Output, digestPrefix)
	sum, err := hex.DecodeString(hexed)
	switch {
	case r.Commit.IsZero() || r.Tree.IsZero() || r.Commit.Format() != r.Tree.Format():
		return errors.New("it names no commit and tree of one format")
	case r.Exit != 0:
		return fmt.Errorf("it is of a command that ended with status %d", r.Exit)
	case r.Command == "" || !document.Text(r.Command) || !document.Text(r.Version):
		return errors.New("its command or version is no text")
	case !ok || err != nil || len(sum) != sha256.Size || hexed != strings.ToLower(hexed):
		return errors.New("its output has no digest")
	case r.Started.Location() != time.UTC || r.Finished.Location() != time.UTC:
		return errors.New("its times are not in UTC")
	}
	return nil
}

// Digest returns "sha256:" and the digest of the receipt's document: what a
// landing note holds of it.
func (r Receipt) Digest() (string, error) {
	data, err := EncodeReceipt(r)
	if err != nil {
		return "", err
	}
	return digest(data), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return digestPrefix + hex.EncodeToString(sum[:])
}
