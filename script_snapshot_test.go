//go:build unix

package continuity_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// A snapshot maps every path of a repository to what stands there.
type snapshot map[string]string

// cmdSnapshot remembers a repository.
func cmdSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "snapshot")
	dir := repositoryArg(ts, "snapshot", args)
	stateOf(ts).snapshots[dir] = takeSnapshot(ts, dir)
}

// cmdUntouched asserts that a repository is as it was remembered.
func cmdUntouched(ts *testscript.TestScript, neg bool, args []string) {
	dir := repositoryArg(ts, "untouched", args)
	before, ok := stateOf(ts).snapshots[dir]
	if !ok {
		ts.Fatalf("there is no snapshot of %s", dir)
	}
	changes := before.changes(takeSnapshot(ts, dir))
	switch {
	case neg && len(changes) == 0:
		ts.Fatalf("%s is untouched", dir)
	case !neg && len(changes) > 0:
		ts.Fatalf("%s was touched:\n%s", dir, strings.Join(changes, "\n"))
	}
}

func repositoryArg(ts *testscript.TestScript, name string, args []string) string {
	switch len(args) {
	case 0:
		return ts.MkAbs(".")
	case 1:
		return filepath.Clean(ts.MkAbs(args[0]))
	}
	ts.Fatalf("usage: %s [DIR]", name)
	return ""
}

// takeSnapshot walks the work tree of dir and the git directory behind it. In
// the git directory stays out what commands may add to without touching what a
// user sees: objects, and continuity's own state.
func takeSnapshot(ts *testscript.TestScript, dir string) snapshot {
	ts.Check(ts.Exec("git", "-C", dir, "rev-parse", "--path-format=absolute", "--git-common-dir"))
	common := strings.TrimSuffix(ts.ReadFile("stdout"), "\n")
	s := snapshot{}
	ts.Check(s.add("git directory: ", common, func(path string, entry fs.DirEntry) bool {
		return entry.IsDir() && (path == "objects" || filepath.Base(path) == "continuity" && !strings.HasPrefix(path, "refs"))
	}))
	ts.Check(s.add("work tree: ", dir, func(path string, entry fs.DirEntry) bool {
		return path == ".git" || filepath.Join(dir, path) == common
	}))
	return s
}

// add puts everything below root into the snapshot, under names with a prefix.
func (s snapshot) add(prefix, root string, skip func(path string, entry fs.DirEntry) bool) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if skip(name, entry) {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		s[prefix+name], err = describe(path, entry)
		return err
	})
}

// describe tells what stands at a path. Of a file it tells the time of the last
// write too: the same bytes written again are a touch.
func describe(path string, entry fs.DirEntry) (string, error) {
	info, err := entry.Info()
	if err != nil {
		return "", err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return "link to " + target, err
	case info.Mode().IsRegular():
		content, err := os.ReadFile(path)
		return fmt.Sprintf("%v %x %v", info.Mode(), sha256.Sum256(content), info.ModTime().UnixNano()), err
	}
	return info.Mode().String(), nil
}

// changes tells what is different in after, sorted by path.
func (s snapshot) changes(after snapshot) []string {
	var changes []string
	for name, was := range s {
		is, ok := after[name]
		switch {
		case !ok:
			changes = append(changes, name+": removed")
		case is != was:
			changes = append(changes, name+": changed")
		}
	}
	for name := range after {
		if _, ok := s[name]; !ok {
			changes = append(changes, name+": created")
		}
	}
	slices.Sort(changes)
	return changes
}
