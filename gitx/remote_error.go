package gitx

import (
	"errors"
	"fmt"
	"strings"
)

// A RemoteFault says why a remote gave no answer.
type RemoteFault string

// The faults of a remote.
const (
	// RemoteUnknown: no remote of that name is configured.
	RemoteUnknown RemoteFault = "unknown"
	// RemoteUnreachable: no answer, none in time, or none that is git's.
	RemoteUnreachable RemoteFault = "unreachable"
	// RemoteDenied: the remote wants credentials that are not at hand, or does not
	// accept those that are.
	RemoteDenied RemoteFault = "denied"
	// RemoteMoved: the remote no longer has an object that it named a moment ago.
	RemoteMoved RemoteFault = "moved"
	// RemoteFailed: it answered, and what it answered could not be used.
	RemoteFailed RemoteFault = "failed"
)

// A RemoteError reports that a remote could not be asked, or that what it
// answered could not be used.
type RemoteError struct {
	// Remote is the name of the remote.
	Remote string
	Fault  RemoteFault
	// Err is the cause; an *ExitError where git has told it.
	Err error
}

// Error names the remote and tells the cause in one line, without user
// information.
func (e *RemoteError) Error() string {
	return fmt.Sprintf("ask the remote %q: %s", e.Remote, e.cause())
}

// cause is the line in which git says what was fatal: warnings and what the
// server printed come before it.
func (e *RemoteError) cause() string {
	var exit *ExitError
	if !errors.As(e.Err, &exit) || exit.Err != nil {
		return e.Err.Error()
	}
	for line := range strings.Lines(exit.Stderr) {
		if text, ok := strings.CutPrefix(line, "fatal: "); ok {
			return strings.TrimSpace(text)
		}
	}
	return e.Err.Error()
}

// GitStderr returns what git said, for whoever shows an error to a person.
func (e *RemoteError) GitStderr() string {
	var exit *ExitError
	if errors.As(e.Err, &exit) {
		return exit.Stderr
	}
	return ""
}

// Unwrap returns the cause.
func (e *RemoteError) Unwrap() error { return e.Err }

// FaultOf returns the fault of the *RemoteError in err's chain, or "".
func FaultOf(err error) RemoteFault {
	var remote *RemoteError
	if errors.As(err, &remote) {
		return remote.Fault
	}
	return ""
}

// faultWords are what git, curl and ssh write about a fault, in the C locale.
// git has one status for all of them, so their words must decide; they decide
// only how a failure is called.
var faultWords = []struct {
	fault RemoteFault
	words []string
}{
	{RemoteMoved, []string{"not our ref", "Server does not allow request for unadvertised object"}},
	{RemoteDenied, []string{
		"terminal prompts disabled", "Authentication failed", "Permission denied (", "could not read Username", "could not read Password",
		"returned error: 401", "returned error: 403", "Host key verification failed",
	}},
	{RemoteFailed, []string{"bad object", "did not send all necessary objects", "mismatched algorithms"}},
}

// remoteError makes the error of a git process that talked to a remote.
func remoteError(remote string, err error) error {
	e := &RemoteError{Remote: remote, Fault: RemoteUnreachable, Err: err}
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Err != nil {
		return e
	}
	for _, row := range faultWords {
		for _, words := range row.words {
			if strings.Contains(exit.Stderr, words) {
				e.Fault = row.fault
				return e
			}
		}
	}
	return e
}
