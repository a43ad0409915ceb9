package await

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"git-continuity/gitx"
)

// A stamp may only ever prove that nothing was written; where it is in doubt a
// look is made.
func TestStampProvesOnlyWhatIsSettled(t *testing.T) {
	common := t.TempDir()
	ref := filepath.Join(common, "refs", "heads", "main")
	if err := os.MkdirAll(filepath.Dir(ref), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string, age time.Duration) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write(ref, "one", time.Hour)
	take := func() stamp {
		return takeStamp(common, []gitx.RefName{"refs/heads/main"}, []string{filepath.Join(common, "extra")})
	}
	first := take()
	// The time of the last status change cannot be set, so the moment is moved.
	later := time.Now().Add(time.Minute)
	if !take().proves(first, later) {
		t.Error("nothing was written, and a settled stamp does not prove it")
	}
	if take().proves(first, first.newest) {
		t.Error("a stamp taken in the instant of the last write was believed")
	}
	if take().proves(stamp{}, later) {
		t.Error("no stamp at all was believed")
	}
	for name, change := range map[string]func(){
		"same size, same time": func() { replace(t, ref, "two", first.newest) },
		"packed":               func() { write(filepath.Join(common, "packed-refs"), "x", time.Hour) },
		"configured":           func() { write(filepath.Join(common, "config"), "x", time.Hour) },
		"a further file":       func() { write(filepath.Join(common, "extra"), "x", time.Hour) },
		"removed":              func() { _ = os.Remove(ref) },
	} {
		before := take()
		change()
		if take().proves(before, later) {
			t.Errorf("%s: the change was not seen", name)
		}
		write(ref, "one", time.Hour)
	}
	write(ref, "future", -time.Hour)
	if future := take(); take().proves(future, time.Now()) {
		t.Error("a file from the future was believed")
	}
}

// replace renames a new file of the same size and time over an old one, as git
// does with a ref.
func replace(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	temp := path + ".lock"
	if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(temp, at, at); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(temp, path); err != nil {
		t.Fatal(err)
	}
}
