package await

import (
	"syscall"
	"time"
)

func statusChange(stat *syscall.Stat_t) time.Time { return time.Unix(stat.Ctim.Unix()) }

// localKinds are the file systems, by the numbers of statfs(2), whose files
// only this machine writes, so that what it says about them is current.
var localKinds = map[int64]bool{
	0xef53:     true, // ext2, ext3, ext4
	0x58465342: true, // xfs
	0x9123683e: true, // btrfs
	0x2fc12fc1: true, // zfs
	0xf2f52010: true, // f2fs
	0x01021994: true, // tmpfs
	0x858458f6: true, // ramfs
	0x794c7630: true, // overlayfs
}

// local reports whether the file system that holds path is a local one.
func local(path string) bool {
	var stat syscall.Statfs_t
	return syscall.Statfs(path, &stat) == nil && localKinds[int64(stat.Type)&0xffffffff]
}
