//go:build unix

package continuation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/internal/refusal"
)

// putUnder replaces a record's file from outside.
func putUnder(t *testing.T, s *Store, h Handle, text string) {
	t.Helper()
	if err := os.WriteFile(fileAt(s, h), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func assertHolds(t *testing.T, what, path, text string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != text {
		t.Errorf("%s: %s now holds %.80q, %v", what, path, data, err)
	}
}

func TestCorruptRecord(t *testing.T) {
	contents := spoilt(t)
	contents["oversize"] = strings.Repeat(" ", 64<<10) + sampleText(t)
	for name, text := range contents {
		s, _ := rigged(t)
		kept := create(t, s, 1)
		r := sample(t)
		putUnder(t, s, r.Handle, text)
		_, err := s.Load(bg, r.Handle)
		assertCode(t, name, err, refusal.HandleCorrupt)
		assertHolds(t, name, fileAt(s, r.Handle), text)
		list, err := s.List(bg)
		if err != nil || len(list) != 2 || list[0].Handle != kept.Handle || list[1].Handle != r.Handle {
			t.Fatalf("%s: List = %v, %v", name, list, err)
		}
		assertCode(t, name+", listed", list[1].Err, refusal.HandleCorrupt)
		// Creations below the limit leave it for a person to look at.
		create(t, s, 2)
		assertHolds(t, name, fileAt(s, r.Handle), text)
		if err := s.Remove(bg, r.Handle); err != nil || present(t, s, r.Handle) {
			t.Errorf("%s: Remove = %v", name, err)
		}
	}
}

func TestWaiterMendsItsCorruptRecord(t *testing.T) {
	s, _ := rigged(t)
	for name, write := range map[string]func(*Record) error{
		"Save":  func(r *Record) error { return s.Save(bg, r, nil) },
		"Touch": func(r *Record) error { return s.Touch(bg, r) },
	} {
		r := create(t, s, 1)
		putUnder(t, s, r.Handle, "garbage")
		if err := write(&r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := s.Load(bg, r.Handle); err != nil || string(got.Watch) != `{"n":1}` {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestNewerRecordIsLeftAlone(t *testing.T) {
	s, _ := rigged(t)
	r := create(t, s, 1)
	text := `{"schema":"git-continuity-continuation/v2","unknown":[1]}`
	putUnder(t, s, r.Handle, text)
	_, err := s.Load(bg, r.Handle)
	assertCode(t, "Load", err, refusal.HandleNewer)
	assertCode(t, "Save", s.Save(bg, &r, nil), refusal.HandleNewer)
	assertCode(t, "Touch", s.Touch(bg, &r), refusal.HandleNewer)
	assertCode(t, "MarkMet", s.MarkMet(bg, &r), refusal.HandleNewer)
	assertCode(t, "Remove", s.Remove(bg, r.Handle), refusal.HandleNewer)
	if r.Met {
		t.Error("a refused MarkMet marked the caller's record")
	}
	list, err := s.List(bg)
	if err != nil || len(list) != 1 {
		t.Fatalf("List = %v, %v", list, err)
	}
	assertCode(t, "List", list[0].Err, refusal.HandleNewer)
	create(t, s, 2)
	assertHolds(t, "newer", fileAt(s, r.Handle), text)
}

func TestLinkedRecordIsRefused(t *testing.T) {
	s, _ := rigged(t)
	r := create(t, s, 1)
	target := filepath.Join(t.TempDir(), "target")
	good, err := os.ReadFile(fileAt(s, r.Handle))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(fileAt(s, r.Handle)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, fileAt(s, r.Handle)); err != nil {
		t.Fatal(err)
	}
	_, err = s.Load(bg, r.Handle)
	assertCode(t, "Load", err, refusal.UnsafeState)
	assertCode(t, "Save", s.Save(bg, &r, nil), refusal.UnsafeState)
	assertCode(t, "Touch", s.Touch(bg, &r), refusal.UnsafeState)
	assertCode(t, "Remove", s.Remove(bg, r.Handle), refusal.UnsafeState)
	create(t, s, 2)
	assertHolds(t, "the link's target", target, string(good))
	if to, err := os.Readlink(fileAt(s, r.Handle)); err != nil || to != target {
		t.Errorf("the link is now %q, %v", to, err)
	}
	list, err := s.List(bg)
	if err != nil || len(list) != 2 {
		t.Fatalf("List = %v, %v", list, err)
	}
	assertCode(t, "List", list[1].Err, refusal.UnsafeState)
}

func TestLinkedFolderIsRefused(t *testing.T) {
	s, _ := rigged(t)
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(s.commonDir, "continuity")); err != nil {
		t.Fatal(err)
	}
	_, err := s.Create(bg, watch(1))
	assertCode(t, "Create", err, refusal.UnsafeState)
	assertCode(t, "Probe", s.Probe(bg), refusal.UnsafeState)
	_, err = s.Load(bg, mustNew(t, seeded(1)))
	assertCode(t, "Load", err, refusal.UnsafeState)
	_, err = s.List(bg)
	assertCode(t, "List", err, refusal.UnsafeState)
	if entries, _ := os.ReadDir(elsewhere); len(entries) != 0 {
		t.Errorf("something was written behind the link: %v", entries)
	}
}

func TestForeignRecordIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	s, _ := rigged(t)
	r := create(t, s, 1)
	if err := os.Chown(fileAt(s, r.Handle), 12345, -1); err != nil {
		t.Fatal(err)
	}
	_, err := s.Load(bg, r.Handle)
	assertCode(t, "Load", err, refusal.UnsafeState)
	assertCode(t, "Save", s.Save(bg, &r, nil), refusal.UnsafeState)
}

// A file in the place of the folder keeps root out as well as anybody.
func TestUnwritableStoreIsRefused(t *testing.T) {
	s, _ := rigged(t)
	path := filepath.Join(s.commonDir, "continuity")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := sample(t)
	assertCode(t, "Probe", s.Probe(bg), refusal.WriteAccess)
	_, err := s.Create(bg, watch(1))
	assertCode(t, "Create", err, refusal.WriteAccess)
	assertCode(t, "Save", s.Save(bg, &r, nil), refusal.WriteAccess)
	if _, err := s.Load(bg, r.Handle); err == nil || refusal.CodeOf(err) == refusal.HandleUnknown {
		t.Errorf("Load of a broken store: %v", err)
	}
	assertHolds(t, "the file", path, "mine")
}

func TestProbeLeavesNoRecord(t *testing.T) {
	s, _ := rigged(t)
	if err := s.Probe(bg); err != nil {
		t.Fatal(err)
	}
	if left := files(t, s); len(left) != 0 {
		t.Errorf("files left: %q", left)
	}
}
