package adminstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockDeadline bounds the wait for a lock that is held for milliseconds at a
	// time; who waits longer has met a stopped process.
	lockDeadline = 15 * time.Second
	// lockTries bounds the races against somebody who deletes the lock file,
	// or moves the folder.
	lockTries = 16
)

// A Guard is a folder whose lock is held. It alone writes: so nothing is written
// without the lock, and whoever holds it sees no other writer's work half done.
type Guard struct {
	dir  *Dir
	lock *flock.Flock
}

// Lock takes the folder's lock for writing. The kernel drops it when the process
// ends, however it ends. The wait ends with ctx, at the latest after 15 seconds,
// with a *BusyError. A place that cannot be written is a refusal with the code
// write_access; a file system without locks is ErrLockUnsupported.
func (d *Dir) Lock(ctx context.Context) (*Guard, error) {
	ctx, cancel := context.WithTimeout(ctx, lockDeadline)
	defer cancel()
	for range lockTries {
		if err := d.makeLockFile(); err != nil {
			return nil, writeError("create", d.show(LockName), err)
		}
		lock, err := d.hold(ctx, (*flock.Flock).Lock)
		if err == nil {
			return &Guard{dir: d, lock: lock}, nil
		}
		if !errors.Is(err, errReplaced) {
			return nil, err
		}
	}
	return nil, unsafe(d.show(LockName), "was replaced whenever it was locked")
}

// Unlock releases the lock.
func (g *Guard) Unlock() error {
	if err := g.lock.Close(); err != nil {
		return fmt.Errorf("release the lock %q: %w", g.dir.show(LockName), bare(err))
	}
	return nil
}

// RLock takes the folder's lock for reading and returns its release. It writes
// nothing, so that a folder that is read-only can be read: where no lock file is
// yet, no writer has been either, and there is nothing to wait for. It waits and
// fails as Lock does.
func (d *Dir) RLock(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockDeadline)
	defer cancel()
	for range lockTries {
		if _, err := d.root.Lstat(LockName); errors.Is(err, fs.ErrNotExist) {
			return func() {}, nil
		}
		lock, err := d.hold(ctx, (*flock.Flock).RLock)
		if err == nil {
			return func() { _ = lock.Close() }, nil
		}
		if !errors.Is(err, errReplaced) {
			return nil, err
		}
	}
	return nil, unsafe(d.show(LockName), "was replaced whenever it was locked")
}

// makeLockFile leaves an existing one alone; hold examines it.
func (d *Dir) makeLockFile() error {
	if _, err := d.root.Lstat(LockName); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := d.root.OpenFile(LockName, os.O_RDONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(wholeMode(file), file.Close())
}

// take waits for a lock in the kernel's own queue: a hundred processes that
// tried again and again would keep the one that holds it from its work, and
// starve some of their own. The wait cannot be called off; where ctx ends first,
// the lock is released as soon as it comes.
func take(ctx context.Context, lock *flock.Flock, wait func(*flock.Flock) error) error {
	got := make(chan error, 1)
	go func() { got <- wait(lock) }()
	select {
	case err := <-got:
		if err != nil {
			_ = lock.Close()
		}
		return err
	case <-ctx.Done():
		go func() {
			<-got
			_ = lock.Close()
		}()
		return ctx.Err()
	}
}

// hold takes the lock of the file that is there. It is errReplaced if that file
// went while the lock was waited for: the lock of a file that nobody else can
// find keeps nobody out.
func (d *Dir) hold(ctx context.Context, wait func(*flock.Flock) error) (*flock.Flock, error) {
	if _, err := d.examine(LockName); err != nil {
		return nil, replacedIfGone(err)
	}
	lock := flock.New(filepath.Join(d.path, LockName), flock.SetFlag(readFlags))
	if err := take(ctx, lock, wait); err != nil {
		return nil, d.lockError(ctx, err)
	}
	held, err := lock.Stat()
	if err == nil {
		var named fs.FileInfo
		if named, err = d.examine(LockName); err == nil && os.SameFile(named, held) {
			return lock, nil
		}
	}
	_ = lock.Close()
	if err != nil {
		return nil, replacedIfGone(err)
	}
	return nil, errReplaced
}

func replacedIfGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errReplaced
	}
	return err
}

func (d *Dir) lockError(ctx context.Context, err error) error {
	path := d.show(LockName)
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return &BusyError{Path: path, Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return errReplaced
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EINVAL):
		return fmt.Errorf("lock %q: %w: %w", path, ErrLockUnsupported, bare(err))
	}
	return fmt.Errorf("lock %q: %w", path, bare(err))
}
