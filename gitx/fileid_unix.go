//go:build unix

package gitx

import (
	"io/fs"
	"syscall"
)

// A fileID tells a file from one that took its name.
type fileID struct{ device, inode uint64 }

// fileIDOf is false where the file system gives no such number.
func fileIDOf(info fs.FileInfo) (fileID, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, false
	}
	return fileID{device: uint64(st.Dev), inode: st.Ino}, true
}
