package cli

import (
	"errors"
	"os"
	"syscall"

	"git-continuity/internal/refusal"
)

// A Status is an exit status. This table is the only place that knows the
// numbers; every manual page has them in its section EXIT STATUS.
type Status int

// The statuses of all three commands.
const (
	// OK is done, met, or "yes".
	OK Status = 0
	// Refused is a refusal or a "no": the subject is unchanged.
	Refused Status = 1
	// NotYet is a wait whose time ended first, as in timeout(1).
	NotYet Status = 124
	// Fatal is a broken repository, git or file.
	Fatal Status = 128
	// Usage is a command line that makes no sense, as in git.
	Usage Status = 129
	// Interrupted is SIGINT.
	Interrupted Status = 130
	// Terminated is SIGTERM.
	Terminated Status = 143
)

// StatusOf returns the status that a command ends with because of err; OK for
// nil. An error that is not a refusal is fatal: what is unknown is a failure.
func StatusOf(err error) Status {
	if err == nil {
		return OK
	}
	var signaled *SignalError
	if errors.As(err, &signaled) {
		return statusOfSignal(signaled.Signal)
	}
	switch refusal.CodeOf(err) {
	case refusal.InvalidArguments:
		return Usage
	case "", refusal.NoRepository, refusal.GitTooOld, refusal.Fatal:
		return Fatal
	case refusal.Interrupted:
		return Interrupted
	default:
		return Refused
	}
}

// statusOfSignal is 128 plus the signal's number, as a shell reports it.
func statusOfSignal(sig os.Signal) Status {
	if sig == syscall.SIGTERM {
		return Terminated
	}
	return Interrupted
}
