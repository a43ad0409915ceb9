package adminstate

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"git-continuity/internal/refusal"
)

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".tmp-"

// A File is what a write leaves under a name.
type File struct {
	Name string
	Data []byte
	// ModTime is the modification time that the file gets, or zero for the time
	// of the write.
	ModTime time.Time
	// Cache marks what can be rebuilt: it is written whole as all else is, but
	// not forced to the disk.
	Cache bool
}

// AtomicWrite puts a file in the place of the one of that name, if any. Readers
// see the old one or the new one, whole, and so does whoever comes after a kill
// or a power cut. After an error the old one stands, unless it was only the
// folder that could not be forced to the disk.
func (g *Guard) AtomicWrite(f File) error {
	if _, err := g.dir.examine(f.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return g.write(f, g.dir.root.Rename)
}

// CreateExclusive is AtomicWrite for a name that is not taken; a taken one, by
// whatever it is, is fs.ErrExist and stays as it is.
func (g *Guard) CreateExclusive(f File) error {
	_, err := g.dir.examine(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return g.write(f, g.publish)
	case err == nil || refusal.CodeOf(err) == refusal.UnsafeState:
		return fmt.Errorf("create %q: %w", g.dir.show(f.Name), fs.ErrExist)
	}
	return err
}

// publish gives a finished file its name. A link is exclusive even against
// programs that do not take the lock; where there are none, the lock must do.
func (g *Guard) publish(temp, name string) error {
	root := g.dir.root
	err := root.Link(temp, name)
	switch {
	case err == nil:
		// The file has its name; a second one that stays is swept later.
		_ = root.Remove(temp)
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return root.Rename(temp, name)
}

func (g *Guard) write(f File, publish func(temp, name string) error) error {
	path := g.dir.show(f.Name)
	if int64(len(f.Data)) > g.dir.place.MaxBytes {
		return fmt.Errorf("write %q: %w (%d bytes)", path, ErrTooLarge, g.dir.place.MaxBytes)
	}
	temp := tempPrefix + rand.Text()
	err := g.fill(temp, f)
	if err == nil {
		err = publish(temp, f.Name)
	}
	if err != nil {
		_ = g.dir.root.Remove(temp)
		return writeError("write", path, err)
	}
	if f.Cache {
		return nil
	}
	if err := syncRoot(g.dir.root); err != nil {
		return writeError("write", path, err)
	}
	return nil
}

func (g *Guard) fill(temp string, f File) (err error) {
	file, err := g.dir.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := wholeMode(file); err != nil {
		return err
	}
	if _, err := file.Write(f.Data); err != nil {
		return err
	}
	if !f.ModTime.IsZero() {
		if err := g.dir.root.Chtimes(temp, time.Time{}, f.ModTime); err != nil {
			return err
		}
	}
	if f.Cache {
		return nil
	}
	return file.Sync()
}

// wholeMode gives back what the umask took from a file that was just created.
func wholeMode(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Mode().Perm() == fileMode {
		return err
	}
	return file.Chmod(fileMode)
}

// SetModTime sets a plain file's modification time.
func (g *Guard) SetModTime(name string, at time.Time) error {
	if _, err := g.dir.examine(name); err != nil {
		return err
	}
	if err := g.dir.root.Chtimes(name, time.Time{}, at); err != nil {
		return writeError("set the time of", g.dir.show(name), err)
	}
	return nil
}

// Remove removes a plain file. A missing one is fs.ErrNotExist.
func (g *Guard) Remove(name string) error {
	if _, err := g.dir.examine(name); err != nil {
		return err
	}
	if err := g.dir.root.Remove(name); err != nil {
		return writeError("remove", g.dir.show(name), err)
	}
	return nil
}

// Probe finds out whether a file can be written here, by writing one and
// removing it.
func (g *Guard) Probe() error {
	temp := tempPrefix + rand.Text()
	err := g.fill(temp, File{Data: make([]byte, 1)})
	if removed := g.dir.root.Remove(temp); err == nil {
		err = removed
	}
	if err != nil {
		return writeError("write in", g.dir.path, err)
	}
	return nil
}

// Sweep removes what writers who were killed left half done, and lists the rest
// as List does: whoever holds the lock knows that nobody is writing. A left-over
// that cannot be removed harms nobody and is left to the next sweep.
func (g *Guard) Sweep() ([]Item, error) {
	names, err := g.dir.names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasPrefix(name, tempPrefix) {
			_ = g.dir.root.Remove(name)
		}
	}
	return g.dir.look(names)
}

// Read is Dir.Read under the lock.
func (g *Guard) Read(name string) ([]byte, error) { return g.dir.Read(name) }
