package adminstate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A Dir is the open folder of a place. It is bound to the folder itself, not to
// its path: a folder that is replaced meanwhile is not written to by mistake.
//
// No link is followed from the git directory downwards: what is opened is
// compared with what was examined before, so that a link put there in between
// is noticed as well.
type Dir struct {
	root  *os.Root
	path  string
	place Place
}

// Open opens the folder of a place below the git directory base: the common one
// for a place of scope Repository, the worktree's own for Worktree. It creates
// nothing; the error is fs.ErrNotExist if there is no such folder.
//
// A folder that is a link or another user's is a refusal with the code
// unsafe_state, here as in every function of this package.
func Open(base string, p Place) (*Dir, error) { return open(base, p, false) }

// Create is Open, but makes the folders that are missing. A place that cannot
// be written is a refusal with the code write_access.
func Create(base string, p Place) (*Dir, error) { return open(base, p, true) }

func open(base string, p Place, create bool) (*Dir, error) {
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, fmt.Errorf("open the git directory %q: %w", base, bare(err))
	}
	path := base
	for _, name := range p.folders() {
		path = filepath.Join(path, name)
		next, err := descend(root, name, path, create)
		_ = root.Close()
		if err != nil {
			return nil, err
		}
		root = next
	}
	return &Dir{root: root, path: path, place: p}, nil
}

func descend(parent *os.Root, name, path string, create bool) (*os.Root, error) {
	info, err := parent.Lstat(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(parent, name); err != nil {
			return nil, writeError("create the folder", path, err)
		}
		info, err = parent.Lstat(name)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("open the folder %q: %w", path, bare(err))
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, unsafe(path, "is a symbolic link")
	case !info.IsDir() && create:
		return nil, writeError("create the folder", path, errNotFolder)
	case !info.IsDir():
		return nil, fmt.Errorf("open the folder %q: %w", path, errNotFolder)
	case !owned(info):
		return nil, unsafe(path, "belongs to another user")
	}
	child, err := parent.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("open the folder %q: %w", path, bare(err))
	}
	if opened, err := child.Stat("."); err != nil || !os.SameFile(info, opened) {
		_ = child.Close()
		return nil, unsafe(path, "was replaced while it was opened")
	}
	return child, nil
}

// makeFolder makes a folder with its whole mode, whatever the umask takes away,
// and makes its name durable. Another process may be first.
func makeFolder(parent *os.Root, name string) error {
	if err := parent.Mkdir(name, dirMode); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	info, err := parent.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode().Perm() != dirMode {
		if err := parent.Chmod(name, dirMode); err != nil {
			return err
		}
	}
	return syncRoot(parent)
}

func syncRoot(root *os.Root) error {
	folder, err := root.Open(".")
	if err != nil {
		return err
	}
	defer folder.Close()
	return syncFolder(folder)
}

// Path is the folder's path, for messages.
func (d *Dir) Path() string { return d.path }

// Close releases the folder. A lock taken through it stays until it is
// released.
func (d *Dir) Close() error { return d.root.Close() }

// Read returns the whole content of a file of at most the place's MaxBytes.
// The error is fs.ErrNotExist, ErrTooLarge, a refusal with the code
// unsafe_state, or the system's.
func (d *Dir) Read(name string) ([]byte, error) {
	for range readTries {
		data, err := d.readOnce(name)
		if !errors.Is(err, errReplaced) {
			return data, err
		}
	}
	return nil, unsafe(d.show(name), "was replaced whenever it was opened")
}

// readTries bounds how often a reader without the lock follows a writer's
// rename that falls between the examination of a file and its opening.
const readTries = 8

var (
	errReplaced  = errors.New("replaced meanwhile")
	errNotFolder = syscall.ENOTDIR
)

func (d *Dir) readOnce(name string) ([]byte, error) {
	info, err := d.examine(name)
	if err != nil {
		return nil, err
	}
	file, err := d.root.OpenFile(name, readFlags, 0)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", d.show(name), bare(err))
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", d.show(name), bare(err))
	}
	if !os.SameFile(info, opened) {
		return nil, errReplaced
	}
	data, err := io.ReadAll(io.LimitReader(file, d.place.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", d.show(name), bare(err))
	}
	if int64(len(data)) > d.place.MaxBytes {
		return nil, fmt.Errorf("read %q: %w (%d bytes)", d.show(name), ErrTooLarge, d.place.MaxBytes)
	}
	return data, nil
}

// examine looks at a name without following it, and refuses what is not a plain
// file of this user.
func (d *Dir) examine(name string) (fs.FileInfo, error) {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("open %q in %q: not the name of a file", name, d.path)
	}
	info, err := d.root.Lstat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("open %q: %w", d.show(name), bare(err))
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, unsafe(d.show(name), "is a symbolic link")
	case !info.Mode().IsRegular():
		return nil, unsafe(d.show(name), "is not a plain file")
	case !owned(info):
		return nil, unsafe(d.show(name), "belongs to another user")
	}
	return info, nil
}

// An Item is one name in a folder, as a look from outside shows it.
type Item struct {
	Name    string
	ModTime time.Time
	// Plain is false for what is not a plain file of this user: Read refuses it.
	Plain bool
}

// List returns the names in the folder, in no order, without those that begin
// with a dot: the lock and what writers have under way.
func (d *Dir) List() ([]Item, error) {
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	return d.look(names)
}

func (d *Dir) look(names []string) ([]Item, error) {
	items := make([]Item, 0, len(names))
	for _, name := range names {
		if name[0] == '.' {
			continue
		}
		info, err := d.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("list %q: %w", d.path, bare(err))
		}
		items = append(items, Item{
			Name: name, ModTime: info.ModTime(), Plain: info.Mode().IsRegular() && owned(info),
		})
	}
	return items, nil
}

func (d *Dir) names() ([]string, error) {
	folder, err := d.root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", d.path, bare(err))
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", d.path, bare(err))
	}
	return names, nil
}

// show is the path of a name as errors may carry it.
func (d *Dir) show(name string) string {
	return filepath.Join(d.path, d.place.show(name))
}
