//go:build !unix

package gitx

import "io/fs"

// A fileID tells a file from one that took its name.
type fileID struct{}

// fileIDOf is always false: without such a number nothing is remembered.
func fileIDOf(fs.FileInfo) (fileID, bool) { return fileID{}, false }
