package gitx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// cat-file resolves a ref name as people type it: where "refs/heads/x" does not
// exist, a branch called "refs/heads/x" answers (refs/heads/refs/heads/x: the
// harvest of a mistyped push), or the commit 1a2b3c4 for "refs/heads/x-g1a2b3c4".
// And it says "missing" of a ref that cannot be
// read. What follows makes its answers exact, mostly without a process.

// shadows returns the refs that cat-file takes where name does not exist, by
// the rules of gitrevisions(7).
func (n RefName) shadows() []string {
	s := string(n)
	return []string{
		refsPrefix + s, tagsPrefix + s, headsPrefix + s, remotesPrefix + s, remotesPrefix + s + "/HEAD",
	}
}

// describes reports whether the name ends as the output of git describe does
// ("x-g1a2b3c4") with digits of the id: git takes that for the commit itself.
func (n RefName) describes(oid OID) bool {
	i := strings.LastIndex(string(n), "-g")
	if i < 0 {
		return false
	}
	digits := string(n[i+len("-g"):])
	return len(digits) >= minAbbrev && strings.HasPrefix(oid.String(), strings.ToLower(digits))
}

// exactly corrects what git answered for a ref name. The stamp is from before
// the answer.
func (b *Batch) exactly(name RefName, info ObjectInfo, stamp refsStamp) (ObjectInfo, error) {
	if info.Missing {
		if b.repo.absentStill(&b.absent, string(name), stamp) {
			return info, nil
		}
		return b.reread(name, stamp)
	}
	if name.describes(info.OID) {
		return b.reread(name, stamp)
	}
	var unknown []string
	for _, shadow := range name.shadows() {
		if !b.repo.absentStill(&b.absent, shadow, stamp) {
			unknown = append(unknown, shadow)
		}
	}
	if len(unknown) == 0 {
		return info, nil
	}
	answers, err := b.rawInfo(unknown)
	if err != nil {
		return ObjectInfo{}, err
	}
	for i, answer := range answers {
		if !answer.Missing {
			return b.reread(name, stamp)
		}
		b.absent.add(unknown[i], stamp)
	}
	return info, nil
}

// reread asks by processes of their own, which take names as they are.
func (b *Batch) reread(name RefName, stamp refsStamp) (ObjectInfo, error) {
	oid, exists, err := b.repo.ResolveRef(b.ctx, name)
	if err != nil {
		return ObjectInfo{}, err
	}
	if !exists {
		b.absent.add(string(name), stamp)
		return ObjectInfo{Missing: true}, nil
	}
	infos, err := b.rawInfo([]string{oid.String()})
	if err != nil {
		return ObjectInfo{}, err
	}
	infos[0].OID = oid
	return infos[0], nil
}

// absentRefs remembers refs that were seen to be absent. The memory holds as
// long as the file of all packed refs has its stamp and no loose file bears the
// name; git trusts the same signs.
type absentRefs struct {
	mu    sync.Mutex
	stamp refsStamp
	names map[string]bool
}

func (a *absentRefs) add(name string, stamp refsStamp) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stamp != stamp || a.names == nil {
		a.stamp, a.names = stamp, map[string]bool{}
	}
	a.names[name] = true
}

func (a *absentRefs) has(name string, stamp refsStamp) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stamp == stamp && a.names[name]
}

// A refsStamp identifies a state of the file that git replaces whenever packed
// refs, or any refs of a reftable, change. The zero stamp is no state.
type refsStamp struct {
	exists, known bool
	size          int64
	changed       time.Time
	file          fileID
}

// sharedRefsStamp returns the stamp of now.
func (r *Repo) sharedRefsStamp() refsStamp {
	path := filepath.Join(r.commonDir, "packed-refs")
	if r.RefFormat() == "reftable" {
		path = filepath.Join(r.commonDir, "reftable", "tables.list")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refsStamp{known: true}
	case err != nil:
		return refsStamp{}
	}
	id, ok := fileIDOf(info)
	return refsStamp{known: ok, exists: true, size: info.Size(), changed: info.ModTime(), file: id}
}

// absentStill reports whether a ref that was seen to be absent still is. It may
// say no of one that is.
func (r *Repo) absentStill(a *absentRefs, name string, stamp refsStamp) bool {
	if !stamp.known || !a.has(name, stamp) || !sharedRef(name) {
		return false
	}
	if r.RefFormat() == "reftable" {
		return true
	}
	info, err := os.Lstat(filepath.Join(r.commonDir, filepath.FromSlash(name)))
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()
}

// sharedRef reports whether a ref belongs to all worktrees.
func sharedRef(name string) bool {
	if !strings.HasPrefix(name, refsPrefix) {
		return false
	}
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return false
		}
	}
	return true
}
