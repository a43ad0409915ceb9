package await

import (
	"syscall"
	"time"
)

func statusChange(stat *syscall.Stat_t) time.Time { return time.Unix(stat.Ctimespec.Unix()) }

// local reports whether the file system that holds path is a local one.
func local(path string) bool {
	const mntLocal = 0x1000 // MNT_LOCAL of mount(2)
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && stat.Flags&mntLocal != 0
}
