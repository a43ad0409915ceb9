package continuation

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"git-continuity/internal/refusal"
)

// fill adds n records, a second apart.
func fill(t testing.TB, s *Store, c *clock, n int) []Record {
	t.Helper()
	var all []Record
	for i := range n {
		c.forward(time.Second)
		if i > 4 {
			all = append(all, plant(t, s, i))
			continue
		}
		all = append(all, create(t, s, i))
	}
	return all
}

// plant writes what Create would have, but does not wait for the disk.
func plant(t testing.TB, s *Store, n int) Record {
	t.Helper()
	r := Record{
		Handle: mustNew(t, s.random), CreatedAt: s.now(), UpdatedAt: s.now(), Seq: uint64(n + 1), Watch: watch(n),
	}
	file, err := fileOf(r)
	if err != nil {
		t.Fatal(err)
	}
	path := fileAt(s, r.Handle)
	if err := os.WriteFile(path, file.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, file.ModTime, file.ModTime); err != nil {
		t.Fatal(err)
	}
	return r
}

func present(t testing.TB, s *Store, h Handle) bool {
	t.Helper()
	_, err := os.Lstat(fileAt(s, h))
	return err == nil
}

func TestExpiry(t *testing.T) {
	s, c := rigged(t)
	r := create(t, s, 1)
	c.forward(Lifetime)
	if _, err := s.Load(bg, r.Handle); err != nil {
		t.Errorf("after exactly the lifetime: %v", err)
	}
	c.forward(time.Nanosecond)
	_, err := s.Load(bg, r.Handle)
	assertCode(t, "Load of an expired record", err, refusal.HandleUnknown)
	if list, err := s.List(bg); err != nil || len(list) != 0 {
		t.Errorf("List shows %v, %v", list, err)
	}
	if !present(t, s, r.Handle) {
		t.Error("reading removed the record")
	}
	// Who holds it may still write it, and so bring it back.
	if err := s.Touch(bg, &r); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(bg, r.Handle); err != nil {
		t.Errorf("after a touch: %v", err)
	}
	c.forward(Lifetime + time.Nanosecond)
	assertCode(t, "Remove of an expired record", s.Remove(bg, r.Handle), refusal.HandleUnknown)
	if present(t, s, r.Handle) {
		t.Error("Remove left the expired record")
	}
}

func TestCreationReapsTheExpired(t *testing.T) {
	s, c := rigged(t)
	old := fill(t, s, c, 3)
	if err := s.MarkMet(bg, &old[1]); err != nil {
		t.Fatal(err)
	}
	c.forward(Lifetime / 2)
	if err := s.Touch(bg, &old[2]); err != nil {
		t.Fatal(err)
	}
	c.forward(Lifetime/2 + time.Minute)
	fresh := create(t, s, 9)
	for i, want := range []bool{false, false, true} {
		if present(t, s, old[i].Handle) != want {
			t.Errorf("record %d is there: %v, want %v", i, !want, want)
		}
	}
	if !present(t, s, fresh.Handle) {
		t.Error("the new record is not there")
	}
}

// The record's own time decides. A file that looks older than it is stays, and
// one that looks younger only goes later.
func TestModificationTimesDoNotDecide(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, 3)
	c.forward(Lifetime / 2)
	if err := s.Touch(bg, &all[0]); err != nil {
		t.Fatal(err)
	}
	c.forward(Lifetime/2 + time.Minute)
	long := c.at.Add(-3 * Lifetime)
	if err := os.Chtimes(fileAt(s, all[0].Handle), long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(fileAt(s, all[1].Handle), c.at, c.at); err != nil {
		t.Fatal(err)
	}
	create(t, s, 9)
	for i, want := range []bool{true, true, false} {
		if present(t, s, all[i].Handle) != want {
			t.Errorf("record %d is there: %v, want %v", i, !want, want)
		}
	}
	_, err := s.Load(bg, all[1].Handle)
	assertCode(t, "the expired one that looks young", err, refusal.HandleUnknown)
}

func TestEvictionOrder(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, Limit)
	c.forward(time.Second)
	// Met later, but met: these go first, the one updated earlier before.
	for _, i := range []int{300, 200} {
		c.forward(time.Second)
		if err := s.MarkMet(bg, &all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Touch(bg, &all[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{300, 200, 1, 2} {
		if !present(t, s, all[want].Handle) {
			t.Fatalf("record %d went too early", want)
		}
		fill(t, s, c, 1)
		if present(t, s, all[want].Handle) {
			t.Fatalf("record %d did not go", want)
		}
		if n := len(files(t, s)); n != Limit {
			t.Fatalf("%d records, want %d", n, Limit)
		}
	}
	if !present(t, s, all[0].Handle) {
		t.Error("a record that was updated lately went")
	}
	// One that was evicted comes back, and another goes for it.
	if err := s.Save(bg, &all[1], nil); err != nil {
		t.Fatal(err)
	}
	if present(t, s, all[3].Handle) || !present(t, s, all[1].Handle) || len(files(t, s)) != Limit {
		t.Error("a record that was written anew took no room from the oldest")
	}
}

// After a restore from a backup all files are of one time, or of any.
func TestEvictionWithoutTheHints(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, Limit)
	if err := s.MarkMet(bg, &all[400]); err != nil {
		t.Fatal(err)
	}
	restored := c.at.Add(time.Hour)
	for i, r := range all {
		at := restored.Add(-time.Duration(i) * time.Minute)
		if err := os.Chtimes(fileAt(s, r.Handle), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{400, 0, 1} {
		fill(t, s, c, 1)
		if present(t, s, all[want].Handle) {
			t.Fatalf("record %d did not go first", want)
		}
	}
	info, err := os.Lstat(fileAt(s, all[9].Handle))
	if err != nil || !all[9].fits(info.ModTime()) {
		t.Errorf("the hints were not mended: %v, %v", info.ModTime(), err)
	}
	if n := len(files(t, s)); n != Limit {
		t.Errorf("%d records, want %d", n, Limit)
	}
}

func TestNewerRecordsStay(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, Limit)
	newer := `{"schema":"git-continuity-continuation/v2","created_at":"2001-01-01T00:00:00Z"}`
	long := c.at.Add(-30 * 365 * 24 * time.Hour)
	for _, i := range []int{0, 5} {
		if err := os.WriteFile(fileAt(s, all[i].Handle), []byte(newer), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(fileAt(s, all[i].Handle), long, long); err != nil {
			t.Fatal(err)
		}
	}
	fill(t, s, c, 5)
	for i, want := range []bool{true, false, false, false, false, true, false, true} {
		if present(t, s, all[i].Handle) != want {
			t.Errorf("record %d is there: %v, want %v", i, !want, want)
		}
	}
	if data, err := os.ReadFile(fileAt(s, all[0].Handle)); string(data) != newer || err != nil {
		t.Errorf("the newer record is now %q, %v", data, err)
	}
}

func TestCorruptRecordsMakeRoom(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, Limit)
	if err := os.WriteFile(fileAt(s, all[500].Handle), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := all[0].UpdatedAt.Add(-time.Hour)
	if err := os.Chtimes(fileAt(s, all[500].Handle), old, old); err != nil {
		t.Fatal(err)
	}
	fill(t, s, c, 1)
	if present(t, s, all[500].Handle) || !present(t, s, all[0].Handle) {
		t.Error("a record that can answer went before one that cannot")
	}
}

func TestSequenceIsRebuilt(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, 3)
	seq := strings.TrimSuffix(fileAt(s, all[0].Handle), all[0].Handle.String()+".json") + ".seq"
	for i, spoil := range []func() error{
		func() error { return os.Remove(seq) },
		func() error { return os.WriteFile(seq, []byte("many\n"), 0o600) },
		func() error { return os.WriteFile(seq, nil, 0o600) },
		func() error { return os.WriteFile(seq, []byte(strings.Repeat("9", 70000)), 0o600) },
		func() error { return os.WriteFile(seq, []byte("18446744073709551615\n"), 0o600) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if r := create(t, s, 1); r.Seq != uint64(4+i) {
			t.Errorf("case %d: the sequence number is %d, want %d", i, r.Seq, 4+i)
		}
	}
	if data, err := os.ReadFile(seq); string(data) != "8\n" || err != nil {
		t.Errorf("the sequence file holds %q, %v", data, err)
	}
}

func TestStrangersInTheFolderStay(t *testing.T) {
	s, c := rigged(t)
	all := fill(t, s, c, 1)
	folder := strings.TrimSuffix(fileAt(s, all[0].Handle), all[0].Handle.String()+".json")
	strangers := []string{
		"notes.txt", "C1-7ZQK-3M9X-NX.json", strings.ToLower("C1-7ZQK-3M9X-NW.json"), "C1-7ZQK-3M9X-NW.json~",
	}
	for _, name := range strangers {
		if err := os.WriteFile(folder+name, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.forward(2 * Lifetime)
	fill(t, s, c, 2)
	left := files(t, s)
	for _, name := range strangers {
		if !slices.Contains(left, name) {
			t.Errorf("%s was removed", name)
		}
	}
	if list, err := s.List(bg); err != nil || len(list) != 2 {
		t.Errorf("List = %v, %v; want the two records", list, err)
	}
}
