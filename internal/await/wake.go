package await

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"git-continuity/gitx"
)

const (
	// pollEvents is the poll underneath file system events: network file systems
	// deliver none, and a queue can overflow.
	pollEvents = 2 * time.Second
	// pollAlone is the poll where events cannot be had at all, as when the user's
	// inotify instances are used up.
	pollAlone = 250 * time.Millisecond
)

// A waker says when it is worth looking again. It never says what happened:
// names in events are hints, the refs are read through git.
type waker struct {
	// C holds at most one token: however much happens between two looks, one
	// look sees it all.
	C chan struct{}
	// interval is how often to look without an event.
	interval time.Duration
	watcher  *fsnotify.Watcher
	// folders maps every folder that could hold one of the refs to the names in
	// it that matter; a folder that does not exist yet is watched once it does.
	folders map[string]map[string]bool
	watched map[string]bool
	// deaf is set where a folder that exists could not be watched.
	deaf bool
}

// newWaker watches the places where git keeps the named refs, in either ref
// backend. Only the folders on the way to those refs are watched, however many
// other refs there are.
func newWaker(common string, refs []gitx.RefName, files []string) *waker {
	w := &waker{C: make(chan struct{}, 1), interval: pollAlone, folders: map[string]map[string]bool{}, watched: map[string]bool{}}
	for _, name := range []string{"HEAD", "packed-refs", "refs", "reftable", "config"} {
		w.matter(common, name)
	}
	w.matter(filepath.Join(common, "reftable"), "tables.list")
	for _, ref := range refs {
		folder := common
		for _, part := range strings.Split(string(ref), "/") {
			w.matter(folder, part)
			folder = filepath.Join(folder, part)
		}
	}
	for _, file := range files {
		w.matter(filepath.Dir(file), filepath.Base(file))
		w.matter(filepath.Dir(filepath.Dir(file)), filepath.Base(filepath.Dir(file)))
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return w
	}
	w.watcher = watcher
	w.extend()
	w.interval = pollEvents
	if w.deaf {
		w.interval = pollAlone
	}
	go w.run()
	return w
}

func (w *waker) matter(folder, name string) {
	if w.folders[folder] == nil {
		w.folders[folder] = map[string]bool{}
	}
	w.folders[folder][name] = true
}

// extend watches each folder of interest that exists and is not watched yet.
func (w *waker) extend() {
	for folder := range w.folders {
		if w.watched[folder] {
			continue
		}
		err := w.watcher.Add(folder)
		w.watched[folder] = err == nil
		w.deaf = w.deaf || err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
	}
}

func (w *waker) run() {
	for {
		select {
		case event, ok := <-w.watcher.Events:
			if !ok {
				return
			}
			if !w.relevant(event) {
				continue
			}
		case _, ok := <-w.watcher.Errors:
			// An overflow: what was lost is unknown, so everything is looked at.
			if !ok {
				return
			}
		}
		// A folder that has just appeared may already hold the ref: it is watched
		// first and looked into afterwards, so that nothing falls in between.
		w.extend()
		w.wake()
	}
}

// wake leaves a token, unless there is one already.
func (w *waker) wake() {
	select {
	case w.C <- struct{}{}:
	default:
	}
}

func (w *waker) relevant(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod || strings.HasSuffix(event.Name, ".lock") {
		return false
	}
	if w.watched[event.Name] && event.Has(fsnotify.Remove|fsnotify.Rename) {
		delete(w.watched, event.Name)
		return true
	}
	return w.folders[filepath.Dir(event.Name)][filepath.Base(event.Name)]
}

// close ends the watching. It can take some milliseconds in the kernel, so it
// comes after the answer was printed.
func (w *waker) close() {
	if w.watcher != nil {
		_ = w.watcher.Close()
	}
}

// A stamp is what the file system says about the files that hold the watched
// refs. It is never evidence, only a reason to skip a look: two equal and
// settled stamps mean that nothing was written.
type stamp struct {
	files []fileStamp
	// config says where and how refs are kept.
	config fileStamp
	// newest is the latest modification time among the files.
	newest time.Time
}

type fileStamp struct {
	exists  bool
	size    int64
	mtime   time.Time
	changed time.Time
	inode   uint64
}

// settle is how old the newest file must be before an equal stamp is believed:
// a file system's clock ticks too slowly to tell two writes of one instant
// apart (the race that gitformat-index(5) avoids in the same way).
const settle = time.Second

func takeStamp(common string, refs []gitx.RefName, files []string) stamp {
	var s stamp
	s.config = s.add(filepath.Join(common, "config"))
	for _, name := range []string{"packed-refs", "reftable/tables.list"} {
		s.add(filepath.Join(common, name))
	}
	for _, ref := range refs {
		s.add(filepath.Join(common, filepath.FromSlash(string(ref))))
	}
	for _, file := range files {
		s.add(file)
	}
	return s
}

func (s *stamp) add(path string) fileStamp {
	var file fileStamp
	if info, err := os.Lstat(path); err == nil {
		file = fileStamp{exists: true, size: info.Size(), mtime: info.ModTime()}
		file.inode, file.changed = identity(info)
	}
	s.files = append(s.files, file)
	for _, t := range []time.Time{file.mtime, file.changed} {
		if t.After(s.newest) {
			s.newest = t
		}
	}
	return file
}

// proves reports whether nothing was written since an earlier stamp, which was
// taken at the given time.
func (s stamp) proves(earlier stamp, taken time.Time) bool {
	if len(s.files) != len(earlier.files) || taken.Sub(earlier.newest) < settle {
		return false
	}
	for i, file := range s.files {
		if file != earlier.files[i] {
			return false
		}
	}
	return true
}
