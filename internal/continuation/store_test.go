package continuation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-continuity/internal/adminstate"
	"git-continuity/internal/refusal"
)

var bg = context.Background()

// clock is a clock that stands until it is moved.
type clock struct{ at time.Time }

func (c *clock) now() time.Time           { return c.at }
func (c *clock) forward(by time.Duration) { c.at = c.at.Add(by) }

func rigged(t testing.TB) (*Store, *clock) {
	c := &clock{at: time.Date(2026, 12, 1, 9, 30, 0, 123456789, time.UTC)}
	return Open(t.TempDir(), Options{Now: c.now, Random: seeded(9)}), c
}

func watch(n int) []byte { return fmt.Appendf(nil, `{"n":%d}`, n) }

func create(t testing.TB, s *Store, n int) Record {
	t.Helper()
	r, err := s.Create(bg, watch(n))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fileAt(s *Store, h Handle) string {
	return filepath.Join(s.commonDir, "continuity", "continuations", h.String()+".json")
}

func files(t testing.TB, s *Store) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(s.commonDir, "continuity", "continuations"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != adminstate.LockName && e.Name() != ".seq" {
			names = append(names, e.Name())
		}
	}
	return names
}

// assertCode wants a refusal that carries no handle.
func assertCode(t testing.TB, what string, err error, want refusal.Code) {
	t.Helper()
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Code != want {
		t.Errorf("%s: %v, want %s", what, err, want)
		return
	}
	if all := r.Message + strings.Join(r.Hints, " "); handlePattern.MatchString(all) || len(r.Hints) == 0 {
		t.Errorf("%s: the refusal carries a handle or no hint: %q %q", what, r.Message, r.Hints)
	}
}

func TestLifeOfARecord(t *testing.T) {
	s, c := rigged(t)
	r := create(t, s, 1)
	if !r.CreatedAt.Equal(c.at) || !r.UpdatedAt.Equal(c.at) || r.Seq != 1 || r.Met {
		t.Errorf("created as %+v", r)
	}
	c.forward(time.Minute)
	r.Watch = watch(2)
	if err := s.Save(bg, &r, nil); err != nil {
		t.Fatal(err)
	}
	// Another Store is another process, as far as the store can tell.
	other := Open(s.commonDir, Options{Now: c.now})
	got, err := other.Load(bg, r.Handle)
	if err != nil || string(got.Watch) != `{"n":2}` || !got.UpdatedAt.Equal(c.at) || got.Seq != 1 {
		t.Errorf("Load = %+v, %v", got, err)
	}
	if err := other.MarkMet(bg, &got); err != nil || !got.Met {
		t.Fatalf("MarkMet: %v, %+v", err, got)
	}
	// The first one does not know that it was met, and must not take it back.
	if err := s.Save(bg, &r, nil); !errors.Is(err, ErrMet) {
		t.Errorf("a stale Save: %v, want ErrMet", err)
	}
	if got, err := s.Load(bg, r.Handle); err != nil || !got.Met {
		t.Errorf("after the stale Save: %+v, %v", got, err)
	}
	if err := s.Remove(bg, r.Handle); err != nil {
		t.Error(err)
	}
	_, err = s.Load(bg, r.Handle)
	assertCode(t, "Load after Remove", err, refusal.HandleUnknown)
	assertCode(t, "Remove again", s.Remove(bg, r.Handle), refusal.HandleUnknown)
	if left := files(t, s); len(left) != 0 {
		t.Errorf("files left: %q", left)
	}
}

func TestEmptyRepositoryIsReadWithoutTraces(t *testing.T) {
	s, _ := rigged(t)
	h := mustNew(t, seeded(1))
	_, err := s.Load(bg, h)
	assertCode(t, "Load", err, refusal.HandleUnknown)
	assertCode(t, "Remove", s.Remove(bg, h), refusal.HandleUnknown)
	if list, err := s.List(bg); err != nil || len(list) != 0 {
		t.Errorf("List = %v, %v", list, err)
	}
	if entries, _ := os.ReadDir(s.commonDir); len(entries) != 0 {
		t.Errorf("reading made %v", entries)
	}
	if _, err := s.Load(bg, Handle{}); refusal.CodeOf(err) != refusal.HandleUnknown {
		t.Errorf("Load of the zero handle: %v", err)
	}
}

func TestEvictedRecordIsWrittenAnew(t *testing.T) {
	s, c := rigged(t)
	for name, write := range map[string]func(*Record) error{
		"Save":    func(r *Record) error { return s.Save(bg, r, nil) },
		"Touch":   func(r *Record) error { return s.Touch(bg, r) },
		"MarkMet": func(r *Record) error { return s.MarkMet(bg, r) },
	} {
		r := create(t, s, 1)
		if err := s.Remove(bg, r.Handle); err != nil {
			t.Fatal(err)
		}
		c.forward(time.Hour)
		if err := write(&r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := s.Load(bg, r.Handle)
		if err != nil || !got.UpdatedAt.Equal(c.at) || got.Met != (name == "MarkMet") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestTouchLeavesWhatOthersSaved(t *testing.T) {
	s, c := rigged(t)
	r := create(t, s, 1)
	saved := r
	saved.Watch = watch(2)
	if err := s.Save(bg, &saved, nil); err != nil {
		t.Fatal(err)
	}
	c.forward(24 * time.Hour)
	if err := s.Touch(bg, &r); err != nil || !r.UpdatedAt.Equal(c.at) {
		t.Fatalf("Touch: %v, updated at %v", err, r.UpdatedAt)
	}
	if got, err := s.Load(bg, r.Handle); err != nil || string(got.Watch) != `{"n":2}` || !got.UpdatedAt.Equal(c.at) {
		t.Errorf("Load = %+v, %v", got, err)
	}
}

func TestCollisionsAreDrawnAnew(t *testing.T) {
	s, c := rigged(t)
	draw := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 2)
	s.random = bytes.NewReader(append(draw, 9, 9, 9, 9, 9))
	first, second := create(t, s, 1), create(t, s, 2)
	if first.Handle == second.Handle {
		t.Fatal("the same handle was given twice")
	}
	for n, h := range []Handle{first.Handle, second.Handle} {
		if got, err := s.Load(bg, h); err != nil || string(got.Watch) != string(watch(n+1)) {
			t.Errorf("record %d: %+v, %v", n+1, got, err)
		}
	}
	stuck := Open(s.commonDir, Options{Now: c.now, Random: same{}})
	kept := create(t, stuck, 3)
	if r, err := stuck.Create(bg, watch(4)); err == nil || refusal.CodeOf(err) != "" {
		t.Errorf("a source that repeats itself gave %v, %v", r.Handle, err)
	}
	if got, err := stuck.Load(bg, kept.Handle); err != nil || string(got.Watch) != `{"n":3}` {
		t.Errorf("the record in the way is now %+v, %v", got, err)
	}
}

type same struct{}

func (same) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestBrokenRandomSource(t *testing.T) {
	s, _ := rigged(t)
	s.random = readerOf(io.ErrClosedPipe)
	if _, err := s.Create(bg, watch(1)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Create = %v", err)
	}
	if left := files(t, s); len(left) != 0 {
		t.Errorf("files left: %q", left)
	}
}

func TestUnreadableWatchIsNotWritten(t *testing.T) {
	s, _ := rigged(t)
	r := create(t, s, 1)
	before, err := os.ReadFile(fileAt(s, r.Handle))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no object": `[]`,
		"too large": `{"a":"` + strings.Repeat("x", 64<<10) + `"}`,
		"too deep":  `{"a":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `}`,
	} {
		if _, err := s.Create(bg, []byte(text)); err == nil {
			t.Errorf("%s: created", name)
		}
		changed := r
		changed.Watch = []byte(text)
		if err := s.Save(bg, &changed, nil); err == nil {
			t.Errorf("%s: saved", name)
		}
	}
	unnumbered := r
	unnumbered.Seq = 0
	if err := s.Save(bg, &unnumbered, nil); err == nil {
		t.Error("a record without its number was saved")
	}
	after, err := os.ReadFile(fileAt(s, r.Handle))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the record is now %q, %v", after, err)
	}
	if left := files(t, s); len(left) != 1 {
		t.Errorf("files left: %q", left)
	}
}

func TestListOrder(t *testing.T) {
	s, c := rigged(t)
	var want []Handle
	for n := range 5 {
		want = append(want, create(t, s, n).Handle)
		// Within one second the clock may even go back.
		c.forward(-time.Millisecond)
	}
	c.forward(2 * time.Second)
	want = append(want, create(t, s, 5).Handle)
	list, err := s.List(bg)
	if err != nil || len(list) != len(want) {
		t.Fatalf("List = %v, %v", list, err)
	}
	for i, l := range list {
		if l.Handle != want[i] || l.Err != nil || l.Record.Handle != want[i] || string(l.Record.Watch) != string(watch(i)) {
			t.Errorf("place %d: %+v, want %v", i, l, want[i])
		}
	}
}
