package adminstate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"git-continuity/internal/refusal"
)

// ErrTooLarge is a file above the limit of its place.
var ErrTooLarge = errors.New("larger than its limit")

// ErrLockUnsupported is a file system on which files cannot be locked. Nothing
// is written there, because nothing would keep two writers apart.
var ErrLockUnsupported = errors.New("this file system does not lock files")

// An UnwritableError is a place that cannot be written: no permission, a
// read-only file system, a full disk or quota, or a file where a folder should
// be. It is the cause of a refusal with the code write_access.
type UnwritableError struct {
	// Path is the folder or file.
	Path string
	// Err is the system's error, without a path of its own.
	Err error
}

// Error names the path and the system's reason.
func (e *UnwritableError) Error() string {
	return fmt.Sprintf("%q cannot be written: %v", e.Path, e.Err)
}

// Unwrap returns the system's error.
func (e *UnwritableError) Unwrap() error { return e.Err }

// A BusyError is a lock that was not obtained before the deadline or the
// cancellation.
type BusyError struct {
	// Path is the lock file.
	Path string
	// Err is the context's error.
	Err error
}

// Error names the lock file.
func (e *BusyError) Error() string {
	return fmt.Sprintf("the lock %q is held by another process: %v", e.Path, e.Err)
}

// Unwrap returns the context's error.
func (e *BusyError) Unwrap() error { return e.Err }

// unwritable are the causes that a user mends by making room or giving access.
var unwritable = []syscall.Errno{
	syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.ENOTDIR,
}

// writeError classifies what a write met; act and path complete the message of
// all that is no matter of access.
func writeError(act, path string, err error) error {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return err
	}
	err = bare(err)
	for _, errno := range unwritable {
		if errors.Is(err, errno) {
			cause := &UnwritableError{Path: path, Err: err}
			return refusal.New(refusal.WriteAccess, "%w", cause).
				Hint("give yourself write access to it, or make room, and try again")
		}
	}
	return fmt.Errorf("%s %q: %w", act, path, err)
}

func unsafe(path, problem string) error {
	return refusal.New(refusal.UnsafeState, "%q %s", path, problem).
		Hint("move it away and try again; nothing there was read or changed")
}

// bare strips the path that package os puts before an error: callers name the
// path themselves, because some names must not be shown.
func bare(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
