//go:build unix

package adminstate

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// readFlags open without following a link, and without waiting where somebody
// put a pipe.
const readFlags = os.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK

// self is the user this process acts as; it is asked for once, because a look at
// a folder compares hundreds of files with it.
var self = os.Geteuid()

// owned reports whether the file belongs to the user this process acts as.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == self
}

// syncFolder makes the names in a folder durable.
func syncFolder(folder *os.File) error { return folder.Sync() }
