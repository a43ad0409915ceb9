package gitx

import (
	"errors"
	"fmt"
	"strings"
)

// An ExitError reports a git process that ended otherwise than with status 0.
type ExitError struct {
	// Args are the arguments after "git", without the user information of URLs.
	Args []string
	// Status is the exit status; -1 if a signal ended the process.
	Status int
	// Signal names the signal that ended the process, or is "".
	Signal string
	// Stderr is what the process wrote there: trimmed, at most 8 KiB with the
	// middle left out, without the user information of URLs.
	Stderr string
	// Err is why the process was ended, for example context.Canceled; or nil.
	Err error
}

// Error names the command, how it ended and the first line of what it said.
func (e *ExitError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "git %s: ", subcommand(e.Args))
	switch {
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	case e.Signal != "":
		fmt.Fprintf(&b, "ended by signal %q", e.Signal)
	default:
		fmt.Fprintf(&b, "exit status %d", e.Status)
	}
	if e.Stderr != "" {
		first, _, _ := strings.Cut(e.Stderr, "\n")
		b.WriteString(": " + first)
	}
	return b.String()
}

// GitStderr returns Stderr, for whoever shows an error to a person.
func (e *ExitError) GitStderr() string { return e.Stderr }

// Unwrap returns the reason why the process was ended, if it was.
func (e *ExitError) Unwrap() error { return e.Err }

// Status returns the exit status of the git process that err tells of. It is
// false if err tells of none, or of one that a signal ended.
func Status(err error) (int, bool) {
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Status < 0 {
		return 0, false
	}
	return exit.Status, true
}

// subcommand returns the first argument that is no option of git itself.
func subcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c" || args[i] == "-C":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return strings.Join(args, " ")
}

// A NotRepositoryError reports a directory that lies in no git repository.
type NotRepositoryError struct {
	// Dir is where the search began; "" is the working directory.
	Dir string
	// Stderr is git's own message, or "".
	Stderr string
	// Err is why the directory could not be entered, or nil.
	Err error
}

// Error names the directory.
func (e *NotRepositoryError) Error() string {
	where := "the working directory"
	if e.Dir != "" {
		where = fmt.Sprintf("%q", e.Dir)
	}
	if e.Err != nil {
		return fmt.Sprintf("find the repository of %s: %v", where, e.Err)
	}
	return where + " is not in a git repository"
}

// Unwrap returns the cause, if there is one besides git's answer.
func (e *NotRepositoryError) Unwrap() error { return e.Err }

// A VersionError reports a git program older than this package can work with.
type VersionError struct {
	Found, Floor string
}

// Error names both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("git %s is too old: %s or later is needed", e.Found, e.Floor)
}

// An OutputTooLargeError reports a process that wrote more to stdout than its
// caller was ready to hold. The process was ended.
type OutputTooLargeError struct {
	// Args are the arguments after "git".
	Args []string
	// Limit is the number of bytes that were allowed.
	Limit int64
}

// Error names the command and the limit.
func (e *OutputTooLargeError) Error() string {
	return fmt.Sprintf("git %s: output of more than %d bytes", subcommand(e.Args), e.Limit)
}
