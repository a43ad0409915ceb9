//go:build unix

package adminstate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"git-continuity/internal/refusal"
)

func assertUnsafe(t *testing.T, what string, err error, path string) {
	t.Helper()
	if refusal.CodeOf(err) != refusal.UnsafeState {
		t.Errorf("%s: %v, want unsafe_state", what, err)
	} else if !strings.Contains(err.Error(), path) {
		t.Errorf("%s: %q does not name %q", what, err, path)
	}
}

func TestLinkedFoldersAreRefused(t *testing.T) {
	for _, part := range []string{top, "deep", "er"} {
		base, elsewhere := t.TempDir(), t.TempDir()
		at := map[string]string{top: top, "deep": top + "/deep", "er": top + "/deep/er"}[part]
		path := filepath.Join(base, filepath.FromSlash(at))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		// Complete behind the link, so that only the link is at fault.
		if err := os.MkdirAll(filepath.Join(elsewhere, "deep", "er"), 0o700); err != nil {
			t.Fatal(err)
		}
		target := map[string]string{top: "", "deep": "deep", "er": "deep/er"}[part]
		if err := os.Symlink(filepath.Join(elsewhere, target), path); err != nil {
			t.Fatal(err)
		}
		_, err := Open(base, probe)
		assertUnsafe(t, "Open", err, path)
		_, err = Create(base, probe)
		assertUnsafe(t, "Create", err, path)
		if entries, _ := os.ReadDir(filepath.Join(elsewhere, "deep", "er")); len(entries) != 0 {
			t.Errorf("something was written behind the link: %v", entries)
		}
	}
}

func TestDanglingLinkIsNoFolder(t *testing.T) {
	base := t.TempDir()
	if err := os.Symlink(filepath.Join(base, "made"), filepath.Join(base, top)); err != nil {
		t.Fatal(err)
	}
	_, err := Create(base, probe)
	assertUnsafe(t, "Create", err, top)
	if _, err := os.Lstat(filepath.Join(base, "made")); err == nil {
		t.Error("the link's target was made")
	}
}

func TestOtherThanPlainFilesAreRefused(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	makers := map[string]func(path string) error{
		"link.txt":  func(path string) error { return os.Symlink(target, path) },
		"near.txt":  func(path string) error { return os.Symlink(LockName, path) },
		"pipe.txt":  func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"dir.txt":   func(path string) error { return os.Mkdir(path, 0o700) },
		"loose.txt": func(path string) error { return os.Symlink("nowhere", path) },
	}
	for name, mk := range makers {
		if err := mk(filepath.Join(dir.Path(), name)); err != nil {
			t.Fatal(err)
		}
		data, err := dir.Read(name)
		assertUnsafe(t, "Read "+name, err, name)
		if data != nil {
			t.Errorf("Read %s returned %q", name, data)
		}
		assertUnsafe(t, "AtomicWrite "+name, guard.AtomicWrite(File{Name: name, Data: []byte("x")}), name)
		assertUnsafe(t, "Remove "+name, guard.Remove(name), name)
		assertUnsafe(t, "SetModTime "+name, guard.SetModTime(name, assertTime), name)
	}
	if data, err := os.ReadFile(target); string(data) != "secret" || err != nil {
		t.Errorf("the target of a link is now %q, %v", data, err)
	}
	items, err := dir.List()
	if err != nil || len(items) != len(makers) {
		t.Fatalf("List = %v, %v", items, err)
	}
	for _, item := range items {
		if item.Plain {
			t.Errorf("List calls %q a plain file", item.Name)
		}
	}
}

func TestLinkedLockIsRefused(t *testing.T) {
	base := t.TempDir()
	dir, err := Create(base, probe)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	target := filepath.Join(t.TempDir(), "lock")
	if err := os.Symlink(target, filepath.Join(dir.Path(), LockName)); err != nil {
		t.Fatal(err)
	}
	_, err = dir.Lock(context.Background())
	assertUnsafe(t, "Lock", err, LockName)
	_, err = dir.RLock(context.Background())
	assertUnsafe(t, "RLock", err, LockName)
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link's target was made")
	}
}

func TestForeignOwnerIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	base := t.TempDir()
	dir, guard := locked(t, base)
	if err := guard.AtomicWrite(File{Name: "a.txt", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(dir.Path(), "a.txt"), 12345, -1); err != nil {
		t.Fatal(err)
	}
	_, err := dir.Read("a.txt")
	assertUnsafe(t, "Read", err, "a.txt")
	assertUnsafe(t, "AtomicWrite", guard.AtomicWrite(File{Name: "a.txt"}), "a.txt")
	if err := os.Chown(filepath.Join(base, top, "deep"), 12345, -1); err != nil {
		t.Fatal(err)
	}
	_, err = Open(base, probe)
	assertUnsafe(t, "Open", err, filepath.Join(top, "deep"))
}

func TestPrivateNamesAreNotShown(t *testing.T) {
	private := probe
	private.Private = true
	dir, err := Create(t.TempDir(), private)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	guard, err := dir.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer guard.Unlock()
	const id = "C1-7ZQK-3M9X-NW"
	name := private.Name(id)
	_, missing := dir.Read(name)
	large := guard.AtomicWrite(File{Name: name, Data: make([]byte, 101)})
	if err := os.Symlink("nowhere", filepath.Join(dir.Path(), name)); err != nil {
		t.Fatal(err)
	}
	_, linked := dir.Read(name)
	for what, err := range map[string]error{
		"missing": missing, "too large": large, "linked": linked,
		"taken": guard.CreateExclusive(File{Name: name}), "removed": guard.Remove(name),
	} {
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), id) {
				t.Errorf("%s: the error carries the name: %v", what, e)
			}
		}
		if err == nil || !strings.Contains(err.Error(), private.File) {
			t.Errorf("%s: %v does not say which kind of file", what, err)
		}
	}
}
