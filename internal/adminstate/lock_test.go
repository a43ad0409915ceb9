package adminstate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLockExcludes(t *testing.T) {
	base := t.TempDir()
	var inside atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			dir, err := Create(base, probe)
			if err != nil {
				t.Error(err)
				return
			}
			defer dir.Close()
			for range 20 {
				guard, err := dir.Lock(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock at once", n)
				}
				runtime.Gosched()
				inside.Add(-1)
				if err := guard.Unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestLockWaitEnds(t *testing.T) {
	base := t.TempDir()
	dir, guard := locked(t, base)
	expired, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		ctx  context.Context
		want error
	}{{expired, context.DeadlineExceeded}, {cancelled, context.Canceled}} {
		var busy *BusyError
		if _, err := dir.Lock(c.ctx); !errors.As(err, &busy) || !errors.Is(err, c.want) {
			t.Errorf("Lock = %v, want a BusyError of %v", err, c.want)
		} else if !strings.HasSuffix(busy.Path, LockName) {
			t.Errorf("the error names %q", busy.Path)
		}
		if _, err := dir.RLock(c.ctx); !errors.As(err, &busy) {
			t.Errorf("RLock = %v, want a BusyError", err)
		}
	}
	waited, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := dir.Lock(waited); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock of a held lock = %v", err)
	}
	if err := guard.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := dir.Lock(context.Background())
	if err != nil {
		t.Fatalf("the lock is not free after its release: %v", err)
	}
	if err := again.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestReadersShareTheLock(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	if err := guard.Unlock(); err != nil {
		t.Fatal(err)
	}
	first, err := dir.RLock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	second, err := dir.RLock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	var busy *BusyError
	if _, err := dir.Lock(short); !errors.As(err, &busy) {
		t.Errorf("a writer came in beside readers: %v", err)
	}
	first()
	second()
}

func TestReadingMakesNoLockFile(t *testing.T) {
	base := t.TempDir()
	dir, err := Create(base, probe)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	release, err := dir.RLock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	release()
	if got := onDisk(t, dir); len(got) != 0 {
		t.Errorf("reading left %q", got)
	}
}

// The lock of a file that is no longer there keeps nobody out, so a waiter who
// gets it must notice.
func TestLockOfAReplacedFileIsNotTaken(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	path := filepath.Join(dir.Path(), LockName)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := dir.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if held, err := second.lock.Stat(); err != nil || !os.SameFile(info, held) {
		t.Errorf("the lock held is not that of the file there (%v)", err)
	}
	if held, err := guard.lock.Stat(); err != nil || os.SameFile(info, held) {
		t.Errorf("the test replaced nothing (%v)", err)
	}
	if err := second.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestMovedFolderEndsTheWait(t *testing.T) {
	base := t.TempDir()
	dir, err := Create(base, probe)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := os.Rename(filepath.Join(base, top), filepath.Join(base, "moved")); err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Lock(context.Background()); err == nil {
		t.Error("a lock was taken in a folder that has moved away")
	}
}
