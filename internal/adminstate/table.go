// Package adminstate is the one place that knows which files git-continuity
// keeps below a git directory, and the one way to read and write them.
//
// It stands apart so that nothing else builds such a path, follows a symbolic
// link there, leaves a half-written file or writes without the lock. Whoever
// adds a kind of file adds a row to the table in this file.
package adminstate

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// top is the folder of a git directory below which everything lies.
const top = "continuity"

// LockName is the file of every folder on which its lock is held. It is never
// deleted: a file made anew under the same name would be another lock.
const LockName = ".lock"

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// A Scope says in which git directory a file lies, and so with what it dies.
type Scope string

// The two scopes.
const (
	// Repository files lie in the common git directory: every linked worktree
	// sees the same ones.
	Repository Scope = "repository"
	// Worktree files lie in a worktree's own git directory and go with it.
	Worktree Scope = "worktree"
)

// A Place is one row of the table: a file, or all files of one kind.
type Place struct {
	// Holds says in a few words what the file is.
	Holds string
	Scope Scope
	// Folder is the slash-separated folder below continuity/, or "" for
	// continuity/ itself. Each folder has its own lock.
	Folder string
	// File is the file's name. One <id> in it stands for any text without a
	// path separator.
	File string
	// Lifetime says in a few words when the file goes.
	Lifetime string
	// Mode is the mode of the file from birth; its folders are 0700.
	Mode fs.FileMode
	// MaxBytes bounds the file: more is neither read nor written.
	MaxBytes int64
	// Private keeps the file's name out of errors, which show File instead.
	// It is set where the name is what a refusal must not carry.
	Private bool
}

// Continuations are the watches of git await between two calls.
var Continuations = Place{
	Holds: "a watch that can be resumed", Scope: Repository,
	Folder: "continuations", File: "<handle>.json",
	Lifetime: "until met, forgotten, evicted, or 7 days after its last update",
	Mode:     fileMode, MaxBytes: 64 << 10, Private: true,
}

// ContinuationSequence is the number of the newest continuation.
var ContinuationSequence = Place{
	Holds: "the sequence number of the newest watch, in decimal", Scope: Repository,
	Folder: "continuations", File: ".seq",
	Lifetime: "rebuilt from the watches when it is missing",
	Mode:     fileMode, MaxBytes: 64,
}

// ContinuationLock is the lock of both.
var ContinuationLock = Place{
	Holds: "the lock of the watches", Scope: Repository,
	Folder: "continuations", File: LockName,
	Lifetime: "kept", Mode: fileMode,
}

// GateReceipt is the receipt of the worktree's gate.
var GateReceipt = Place{
	Holds: "the proof that the gate passed for one commit", Scope: Worktree,
	File:     "receipt.json",
	Lifetime: "until the gate fails or passes for another commit; dies with the worktree",
	Mode:     fileMode, MaxBytes: 64 << 10,
}

// GateReceiptLock is the lock of the receipt. In the main worktree it is also
// that of whatever else lies directly in the repository's continuity/.
var GateReceiptLock = Place{
	Holds: "the lock of the receipt", Scope: Worktree,
	File: LockName, Lifetime: "kept", Mode: fileMode,
}

// Accepts are the journals of acceptances under way. The id is the SHA-256 of
// the full branch name: names may be longer than file names, and may differ in
// case alone.
var Accepts = Place{
	Holds: "the journal of an acceptance under way", Scope: Repository,
	Folder: "accepts", File: "<id>.json",
	Lifetime: "until the acceptance is finished",
	Mode:     fileMode, MaxBytes: 64 << 10,
}

// AcceptLock is held from the first look of an acceptance to its end.
var AcceptLock = Place{
	Holds: "the lock of the journals", Scope: Repository,
	Folder: "accepts", File: LockName,
	Lifetime: "kept", Mode: fileMode,
}

// Table returns every file that is kept below a git directory.
func Table() []Place {
	return []Place{
		Continuations, ContinuationSequence, ContinuationLock,
		GateReceipt, GateReceiptLock, Accepts, AcceptLock,
	}
}

// Name is the file name of the given id, for a place whose File has an <id>.
func (p Place) Name(id string) string {
	before, after, ok := p.cut()
	if !ok {
		return p.File
	}
	return before + id + after
}

// ID is the inverse of Name. It reports whether the name is one of this place.
func (p Place) ID(name string) (string, bool) {
	before, after, ok := p.cut()
	if !ok || !strings.HasPrefix(name, before) || len(name) <= len(before)+len(after) {
		return "", false
	}
	return strings.CutSuffix(name[len(before):], after)
}

func (p Place) cut() (before, after string, ok bool) {
	start, end := strings.IndexByte(p.File, '<'), strings.IndexByte(p.File, '>')
	if start < 0 || end < start {
		return "", "", false
	}
	return p.File[:start], p.File[end+1:], true
}

// folders are the path components from the git directory to the place's folder.
func (p Place) folders() []string {
	if p.Folder == "" {
		return []string{top}
	}
	return append([]string{top}, strings.Split(p.Folder, "/")...)
}

// show is the name as errors may carry it.
func (p Place) show(name string) string {
	if _, ok := p.ID(name); ok && p.Private {
		return p.File
	}
	return name
}

// Path returns the place of a single file below a git directory, for watching
// it: it is read and written through Open and Create alone.
func (p Place) Path(base string) string {
	return filepath.Join(append(append([]string{base}, p.folders()...), p.File)...)
}
