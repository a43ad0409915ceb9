package continuation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"git-continuity/internal/adminstate"
	"git-continuity/internal/refusal"
)

// write runs act with the store's lock held, and makes the folder if need be.
func (s *Store) write(ctx context.Context, act func(*adminstate.Guard) error) (err error) {
	dir, err := adminstate.Create(s.commonDir, adminstate.Continuations)
	if err != nil {
		return err
	}
	defer dir.Close()
	guard, err := dir.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if unlocked := guard.Unlock(); err == nil {
			err = unlocked
		}
	}()
	return act(guard)
}

// read runs act with the store's lock held for reading. A repository that has
// no store yet is fs.ErrNotExist.
func (s *Store) read(ctx context.Context, act func(*adminstate.Dir) error) error {
	dir, err := adminstate.Open(s.commonDir, adminstate.Continuations)
	if err != nil {
		return err
	}
	defer dir.Close()
	release, err := dir.RLock(ctx)
	if err != nil {
		return err
	}
	defer release()
	return act(dir)
}

type reader interface {
	Read(name string) ([]byte, error)
}

// load reads and decodes one record. The error is fs.ErrNotExist, or a refusal
// with the code handle_corrupt, handle_newer or unsafe_state, or the system's.
func load(from reader, h Handle) (Record, error) {
	data, err := from.Read(nameOf(h))
	if errors.Is(err, adminstate.ErrTooLarge) {
		return Record{}, corrupt(err)
	}
	if err != nil {
		return Record{}, err
	}
	r, err := decodeRecord(data, h)
	switch {
	case errors.Is(err, errNewer):
		return Record{}, refusal.New(refusal.HandleNewer, "a newer version of git-continuity wrote this watch; it is kept").
			Hint("upgrade git-continuity, then continue the watch")
	case err != nil:
		return Record{}, corrupt(err)
	}
	return r, nil
}

func corrupt(cause error) error {
	return &refusal.Refusal{
		Code: refusal.HandleCorrupt, Err: cause,
		Message: "the stored watch of this handle cannot be read",
		Hints: []string{
			"start again from the condition: git await --landed <branch>",
			"remove what is left of it with: git await forget <handle>",
		},
	}
}

func unknown() error {
	return refusal.New(refusal.HandleUnknown,
		"this repository holds no watch of that handle: it expired, was forgotten, or belongs to another repository").
		Hint("start again from the condition: git await --landed <branch>")
}

func orUnknown(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return unknown()
	}
	return err
}

func nameOf(h Handle) string { return adminstate.Continuations.Name(h.String()) }

// handleOf takes a file for a record only if its name is the canonical one.
func handleOf(name string) (Handle, bool) {
	id, ok := adminstate.Continuations.ID(name)
	if !ok {
		return Handle{}, false
	}
	h, err := Parse(id)
	return h, err == nil && h.String() == id
}

// fileOf is the file of a record. A record that could not be read back is an
// error here rather than a watch that is lost later.
func fileOf(r Record) (adminstate.File, error) {
	data, err := encodeRecord(r)
	if err != nil {
		return adminstate.File{}, err
	}
	if _, err := decodeRecord(data, r.Handle); err != nil {
		return adminstate.File{}, fmt.Errorf("encode the record of a watch: %w", err)
	}
	return adminstate.File{Name: nameOf(r.Handle), Data: data, ModTime: r.hint()}, nil
}

func (r Record) expired(now time.Time) bool { return now.Sub(r.UpdatedAt) > Lifetime }
