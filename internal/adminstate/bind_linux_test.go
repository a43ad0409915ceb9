package adminstate

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// bindPermissions prepares a test in which permissions bind root too: the
// function it returns makes the file accesses of this thread those of nobody in
// particular, to whom all below base is opened for reading.
func bindPermissions(t *testing.T, base string) func() {
	if os.Geteuid() != 0 {
		return func() {}
	}
	return func() {
		for dir := base; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		err := filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				return os.Chmod(path, 0o555)
			}
			return os.Chmod(path, 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
		runtime.LockOSThread()
		if err := unix.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := unix.Setfsuid(0); err != nil {
				t.Fatal(err)
			}
			runtime.UnlockOSThread()
		})
	}
}
