//go:build linux || darwin

package await

import (
	"os"
	"syscall"
	"time"
)

// identity returns a file's inode and the time of its last status change, which
// no program can set back.
func identity(info os.FileInfo) (uint64, time.Time) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}
	}
	return stat.Ino, statusChange(stat)
}
