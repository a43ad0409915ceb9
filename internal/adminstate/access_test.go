//go:build unix

package adminstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"git-continuity/internal/refusal"
)

var assertTime = time.Unix(1_000_000_000, 0)

func assertUnwritable(t *testing.T, what string, err error) {
	t.Helper()
	var cause *UnwritableError
	if refusal.CodeOf(err) != refusal.WriteAccess || !errors.As(err, &cause) || cause.Path == "" {
		t.Errorf("%s: %v, want write_access with its cause", what, err)
	}
}

func TestFileInPlaceOfAFolder(t *testing.T) {
	for _, at := range []string{top, top + "/deep", top + "/deep/er"} {
		base := t.TempDir()
		path := filepath.Join(base, filepath.FromSlash(at))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Create(base, probe)
		assertUnwritable(t, at, err)
		if _, err := Open(base, probe); err == nil || refusal.CodeOf(err) != "" || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: Open = %v, want a plain error", at, err)
		}
		if data, err := os.ReadFile(path); string(data) != "mine" || err != nil {
			t.Errorf("%s: the file is now %q, %v", at, data, err)
		}
	}
}

func TestWriteErrorsAreClassified(t *testing.T) {
	for _, errno := range []syscall.Errno{
		syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT,
	} {
		err := writeError("write", "here", fmt.Errorf("wrapped: %w", &fs.PathError{Op: "open", Path: "hidden", Err: errno}))
		assertUnwritable(t, errno.Error(), err)
		if !errors.Is(err, errno) {
			t.Errorf("%v is lost in %v", errno, err)
		}
	}
	err := writeError("write", "here", &fs.PathError{Op: "open", Path: "hidden", Err: syscall.EIO})
	if refusal.CodeOf(err) != "" || !errors.Is(err, syscall.EIO) || err.Error() != `write "here": input/output error` {
		t.Errorf("a broken disk is %v", err)
	}
	unsafeErr := unsafe("there", "is a link")
	if err := writeError("write", "here", unsafeErr); err != unsafeErr {
		t.Errorf("a refusal became %v", err)
	}
}

func TestModesFromBirth(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o277, 0o777} {
		t.Run(fmt.Sprintf("umask %04o", mask), func(t *testing.T) {
			base := t.TempDir()
			old := syscall.Umask(mask)
			defer syscall.Umask(old)
			_, guard := locked(t, base)
			if err := guard.AtomicWrite(File{Name: "a.txt", Data: []byte("x")}); err != nil {
				t.Fatal(err)
			}
			if err := guard.CreateExclusive(File{Name: "b.txt", Cache: true}); err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]fs.FileMode{
				top: 0o700, top + "/deep": 0o700, top + "/deep/er": 0o700,
				top + "/deep/er/a.txt": 0o600, top + "/deep/er/b.txt": 0o600, top + "/deep/er/.lock": 0o600,
			} {
				info, err := os.Lstat(filepath.Join(base, path))
				if err != nil || info.Mode().Perm() != want {
					t.Errorf("%s has the mode %v, want %o (%v)", path, info.Mode(), want, err)
				}
			}
		})
	}
}

func TestReadOnlyFolder(t *testing.T) {
	base := t.TempDir()
	dir, guard := locked(t, base)
	if err := guard.AtomicWrite(File{Name: "a.txt", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	bind := bindPermissions(t, base)
	if err := os.Chmod(dir.Path(), 0o555); err != nil {
		t.Fatal(err)
	}
	bind()

	assertUnwritable(t, "AtomicWrite", guard.AtomicWrite(File{Name: "a.txt", Data: []byte("y")}))
	assertUnwritable(t, "CreateExclusive", guard.CreateExclusive(File{Name: "b.txt"}))
	assertUnwritable(t, "Remove", guard.Remove("a.txt"))
	assertUnwritable(t, "Probe", guard.Probe())
	if err := guard.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(base, probe)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	release, err := again.RLock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if data, err := again.Read("a.txt"); string(data) != "x" || err != nil {
		t.Errorf("Read = %q, %v", data, err)
	}
}
