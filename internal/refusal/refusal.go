// Package refusal is the one type in which a domain package says "no".
//
// It stands apart because every domain package refuses and only internal/cli
// knows how a refusal is shown: as one line with hints, as a JSON error, as an
// exit status. A refusal leaves its subject unchanged (docs/json.md lists the
// codes; the table in this package is what the page is checked against).
package refusal

import (
	"errors"
	"fmt"
)

// A Code names the kind of a refusal. Codes are stable, snake_case and part of
// the JSON contract: scripts branch on them.
type Code string

// The codes that the suite refuses with, in the order of docs/json.md.
const (
	// InvalidArguments is a command line that makes no sense: usage.
	InvalidArguments Code = "invalid_arguments"
	// NoRepository is a working directory outside any git repository.
	NoRepository Code = "no_repository"
	// NoTrunk is a repository in which no branch can be taken for the trunk.
	NoTrunk Code = "no_trunk"
	// NoRemote is a repository in which no remote can be asked: none is configured,
	// none stands out, or none has the name that was given.
	NoRemote Code = "no_remote"
	// UnknownTarget is a target that names no branch, ref or worktree.
	UnknownTarget Code = "unknown_target"
	// AmbiguousTarget is a target that names several different branches.
	AmbiguousTarget Code = "ambiguous_target"
	// DetachedTarget is a worktree whose HEAD is on no branch.
	DetachedTarget Code = "detached_target"
	// InvalidHandle is a handle that was mistyped.
	InvalidHandle Code = "invalid_handle"
	// HandleUnknown is a well-formed handle that this repository does not hold:
	// never issued here, expired or forgotten.
	HandleUnknown Code = "handle_unknown"
	// HandleCorrupt is a handle whose stored watch cannot be read.
	HandleCorrupt Code = "handle_corrupt"
	// HandleNewer is a handle whose stored watch a newer version wrote.
	HandleNewer Code = "handle_newer"
	// TrunkMismatch is a --trunk that differs from the trunk of the watch.
	TrunkMismatch Code = "trunk_mismatch"
	// BaselineLost is a watch whose evidence has gone from the object store.
	BaselineLost Code = "baseline_lost"
	// WriteAccess is a state directory that cannot be written.
	WriteAccess Code = "write_access"
	// NoWorktree is a branch that no checkout holds, where a checkout is needed.
	NoWorktree Code = "no_worktree"
	// NoGate is a gate run without a command, where none is configured either.
	NoGate Code = "no_gate"
	// GateCannotFail is a gate command that proves nothing, because it succeeds
	// whatever the state of the project.
	GateCannotFail Code = "gate_cannot_fail"
	// ReceiptNewer is a receipt that a newer version wrote; it is left as it is.
	ReceiptNewer Code = "receipt_newer"
	// NoCommit is a checkout whose branch has no commit yet.
	NoCommit Code = "no_commit"
	// NoReceipt is a branch whose tip has no valid receipt, where acceptance
	// needs one.
	NoReceipt Code = "no_receipt"
	// BehindTrunk is a branch that does not contain the trunk's tip.
	BehindTrunk Code = "behind_trunk"
	// NothingToLand is a branch with nothing that the trunk lacks.
	NothingToLand Code = "nothing_to_land"
	// TrunkDirty is a checkout of the trunk with uncommitted work in it.
	TrunkDirty Code = "trunk_dirty"
	// TrunkReadOnly is a trunk that only a fetch moves.
	TrunkReadOnly Code = "trunk_read_only"
	// TrunkMoved is a trunk that somebody else moved during an acceptance.
	TrunkMoved Code = "trunk_moved"
	// TrunkBlocked is a trunk that git refused to move: a lock that was left
	// behind, a hook, files in the way.
	TrunkBlocked Code = "trunk_blocked"
	// NoIdentity is a user without the name and email that a commit on the trunk
	// needs, or a signature that could not be made.
	NoIdentity Code = "no_identity"
	// AcceptRunning is an acceptance while another one is under way.
	AcceptRunning Code = "accept_running"
	// JournalCorrupt is the journal of an interrupted acceptance that cannot be
	// read.
	JournalCorrupt Code = "journal_corrupt"
	// JournalNewer is such a journal that a newer version wrote.
	JournalNewer Code = "journal_newer"
	// UnsafeState is a state directory that holds a symbolic link or a file of
	// another owner.
	UnsafeState Code = "unsafe_state"
	// GitTooOld is a git program below the floor.
	GitTooOld Code = "git_too_old"
	// Interrupted is a call that a signal ended before it had an answer.
	Interrupted Code = "interrupted"
	// Fatal is anything else: git or the repository is broken.
	Fatal Code = "fatal"
)

// A Refusal is an error that a user is meant to read.
//
// Message is one lower-case sentence without a full stop; it names the object,
// never a secret and never a handle. Hints are what to do next, best a command
// that can be typed as it stands.
type Refusal struct {
	Code    Code
	Message string
	// Field names the option, argument or document field at fault; may be empty.
	Field string
	Hints []string
	// Err is the cause, for errors.Is and errors.As; may be nil.
	Err error
}

// New returns a refusal with a formatted message. A %w in the format becomes
// its cause.
func New(code Code, format string, args ...any) *Refusal {
	err := fmt.Errorf(format, args...)
	return &Refusal{Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// At names the field at fault and returns the refusal.
func (r *Refusal) At(field string) *Refusal {
	r.Field = field
	return r
}

// Hint appends one formatted hint and returns the refusal.
func (r *Refusal) Hint(format string, args ...any) *Refusal {
	r.Hints = append(r.Hints, fmt.Sprintf(format, args...))
	return r
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Message }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// CodeOf returns the code of the first refusal in err's chain, or "".
func CodeOf(err error) Code {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}
