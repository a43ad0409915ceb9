package adminstate

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// probe is a place for tests, of a row that names its files.
var probe = Place{
	Holds: "a test", Scope: Repository, Folder: "deep/er", File: "<id>.txt",
	Lifetime: "the test", Mode: fileMode, MaxBytes: 100,
}

func locked(t *testing.T, base string) (*Dir, *Guard) {
	t.Helper()
	dir, err := Create(base, probe)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := dir.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(guard.Unlock(), dir.Close()); err != nil {
			t.Error(err)
		}
	})
	return dir, guard
}

func onDisk(t *testing.T, dir *Dir) []string {
	t.Helper()
	entries, err := os.ReadDir(dir.Path())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteAndRead(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, f := range []File{
		{Name: "a.txt", Data: []byte("one")},
		{Name: "a.txt", Data: []byte("two"), ModTime: at},
		{Name: "b.txt", Data: nil, Cache: true},
		{Name: "c.txt", Data: bytes.Repeat([]byte("x"), 100)},
	} {
		if err := guard.AtomicWrite(f); err != nil {
			t.Fatal(err)
		}
		data, err := dir.Read(f.Name)
		if err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("Read(%q) = %q, %v; want %q", f.Name, data, err, f.Data)
		}
	}
	items, err := dir.List()
	if err != nil || len(items) != 3 {
		t.Fatalf("List = %v, %v", items, err)
	}
	for _, item := range items {
		if !item.Plain || item.Name == "a.txt" && !item.ModTime.Equal(at) {
			t.Errorf("List shows %+v", item)
		}
	}
	if err := guard.SetModTime("b.txt", at); err != nil {
		t.Error(err)
	}
	if info, _ := os.Lstat(filepath.Join(dir.Path(), "b.txt")); !info.ModTime().Equal(at) {
		t.Errorf("modification time %v, want %v", info.ModTime(), at)
	}
	if err := guard.Remove("a.txt"); err != nil {
		t.Error(err)
	}
	if _, err := dir.Read("a.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a removed file: %v", err)
	}
	if err := guard.Remove("a.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removing it again: %v", err)
	}
	if got := onDisk(t, dir); strings.Join(got, " ") != ".lock b.txt c.txt" {
		t.Errorf("files left: %q", got)
	}
}

func TestLimitHoldsBothWays(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	if err := guard.AtomicWrite(File{Name: "a.txt", Data: []byte("old")}); err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("x"), 101)
	if err := guard.AtomicWrite(File{Name: "a.txt", Data: large}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("writing above the limit: %v", err)
	}
	if data, err := dir.Read("a.txt"); string(data) != "old" || err != nil {
		t.Errorf("the refused write left %q, %v", data, err)
	}
	if err := os.WriteFile(filepath.Join(dir.Path(), "a.txt"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := dir.Read("a.txt"); !errors.Is(err, ErrTooLarge) || data != nil {
		t.Errorf("reading above the limit: %d bytes, %v", len(data), err)
	}
}

func TestCreateExclusiveLeavesWhatIsThere(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	if err := guard.CreateExclusive(File{Name: "a.txt", Data: []byte("first")}); err != nil {
		t.Fatal(err)
	}
	if err := guard.CreateExclusive(File{Name: "a.txt", Data: []byte("second")}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating a taken name: %v", err)
	}
	if data, _ := dir.Read("a.txt"); string(data) != "first" {
		t.Errorf("the name holds %q", data)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir.Path(), "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := guard.CreateExclusive(File{Name: "link.txt"}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating over a link: %v", err)
	}
	// A taken name that appears only after the check is found by the link.
	if err := guard.write(File{Name: "a.txt", Data: []byte("third")}, guard.publish); !errors.Is(err, fs.ErrExist) {
		t.Errorf("publishing under a taken name: %v", err)
	}
	if data, _ := dir.Read("a.txt"); string(data) != "first" {
		t.Errorf("the name holds %q", data)
	}
	if got := onDisk(t, dir); strings.Join(got, " ") != ".lock a.txt link.txt" {
		t.Errorf("files left: %q", got)
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	if err := os.MkdirAll(filepath.Join(dir.Path(), "a.txt", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := guard.write(File{Name: "a.txt", Data: []byte("x")}, dir.root.Rename)
	if err == nil {
		t.Fatal("a file replaced a folder")
	}
	if got := onDisk(t, dir); strings.Join(got, " ") != ".lock a.txt" {
		t.Errorf("files left: %q", got)
	}
}

func TestSweepTakesOnlyWhatWritersLeft(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	for _, name := range []string{tempPrefix + "A", tempPrefix + "B", "a.txt", ".seq", ".tm", "tmp-C"} {
		if err := os.WriteFile(filepath.Join(dir.Path(), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir.Path(), tempPrefix+"folder", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	items, err := guard.Sweep()
	if err != nil || len(items) != 2 {
		t.Errorf("Sweep = %v, %v; want the two names without a dot", items, err)
	}
	if got := onDisk(t, dir); strings.Join(got, " ") != ".lock .seq .tm .tmp-folder a.txt tmp-C" {
		t.Errorf("files left: %q", got)
	}
}

func TestProbeLeavesNothing(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	if err := guard.Probe(); err != nil {
		t.Fatal(err)
	}
	if got := onDisk(t, dir); strings.Join(got, " ") != ".lock" {
		t.Errorf("files left: %q", got)
	}
}

func TestOpenCreatesNothing(t *testing.T) {
	base := t.TempDir()
	if _, err := Open(base, probe); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of nothing: %v", err)
	}
	if entries, _ := os.ReadDir(base); len(entries) != 0 {
		t.Errorf("Open created %v", entries)
	}
	if _, err := Create(filepath.Join(base, "missing"), probe); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create below a missing git directory: %v", err)
	}
}

func TestNamesThatAreNoFileAreRefused(t *testing.T) {
	dir, guard := locked(t, t.TempDir())
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/etc/passwd"} {
		if _, err := dir.Read(name); err == nil {
			t.Errorf("Read(%q) gave no error", name)
		}
		if err := guard.AtomicWrite(File{Name: name}); err == nil {
			t.Errorf("AtomicWrite(%q) gave no error", name)
		}
		if err := guard.Remove(name); err == nil {
			t.Errorf("Remove(%q) gave no error", name)
		}
	}
	if got := onDisk(t, dir); strings.Join(got, " ") != ".lock" {
		t.Errorf("files left: %q", got)
	}
}
