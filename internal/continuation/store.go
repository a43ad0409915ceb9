package continuation

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"git-continuity/internal/adminstate"
	"git-continuity/internal/refusal"
)

const (
	// Lifetime is how long after its last update a record expires.
	Lifetime = 7 * 24 * time.Hour
	// Limit is how many records a repository keeps.
	Limit = 512
	// collisions bounds how often a handle is drawn anew. Among 512 of 2^40
	// even one collision is a sign of a broken random source.
	collisions = 16
)

// ErrMet is a write that would take back that a watch was met. The record is
// unchanged; Load returns it with its answer.
var ErrMet = errors.New("the watch was met meanwhile")

// Options are what tests replace. The zero value is what commands use.
type Options struct {
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Random is the source of handles; nil is crypto/rand.
	Random io.Reader
}

// A Store keeps the records of one repository. It holds nothing open between
// two operations, and any number of processes and goroutines may use the same
// repository at once.
//
// Its refusals carry no handle: unsafe_state where a link or a stranger's file
// lies in the way, write_access where the folder cannot be written. Every other
// error is a fault of the machine, *adminstate.BusyError among them.
type Store struct {
	commonDir string
	now       func() time.Time
	random    io.Reader
}

// Open returns the store of the repository with the given common git directory.
// It touches no file.
func Open(commonDir string, o Options) *Store {
	s := &Store{commonDir: commonDir, now: o.Now, random: o.Random}
	if s.now == nil {
		s.now = time.Now
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	return s
}

// Probe finds out whether records can be written, without leaving one.
func (s *Store) Probe(ctx context.Context) error {
	return s.write(ctx, func(g *adminstate.Guard) error { return g.Probe() })
}

// Create writes a new record for a watch under a handle of its own, and removes
// the expired records and, beyond Limit, others: met ones first, then the least
// recently updated. A record that cannot be read has no age: it goes when it is
// come upon on the way. Records of a newer version count, and stay. What room
// is made for is on the disk before, so that a full disk costs nobody a watch.
//
// The watch is a JSON object; with the rest of the record it may have 64 KiB.
func (s *Store) Create(ctx context.Context, watch []byte) (Record, error) {
	var r Record
	err := s.write(ctx, func(g *adminstate.Guard) error {
		now := s.now().UTC()
		items, err := sweep(g)
		if err != nil {
			return err
		}
		items = reap(g, items, now)
		seq, err := nextSeq(g, items)
		if err != nil {
			return err
		}
		r = Record{CreatedAt: now, UpdatedAt: now, Seq: seq, Watch: watch}
		if err := s.createNamed(g, &r); err != nil {
			return err
		}
		evict(g, items, len(items)+1-Limit)
		return nil
	})
	if err != nil {
		return Record{}, err
	}
	return r, nil
}

// createNamed draws a handle that is not taken and creates the record under it.
func (s *Store) createNamed(g *adminstate.Guard, r *Record) error {
	for range collisions {
		h, err := New(s.random)
		if err != nil {
			return err
		}
		r.Handle = h
		file, err := fileOf(*r)
		if err != nil {
			return err
		}
		if err := g.CreateExclusive(file); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return fmt.Errorf("create a watch: %d handles in a row were taken: the random source is broken", collisions)
}

// Load returns the record of a handle. Refusals: handle_unknown (never issued
// here, forgotten, evicted, expired), handle_corrupt, handle_newer. It writes
// nothing and works in a read-only repository.
func (s *Store) Load(ctx context.Context, h Handle) (Record, error) {
	var r Record
	err := s.read(ctx, func(d *adminstate.Dir) (err error) {
		r, err = load(d, h)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Record{}, unknown()
	case err != nil:
		return Record{}, err
	case r.expired(s.now()):
		return Record{}, unknown()
	}
	return r, nil
}

// A Merge brings together the watch as it is stored now, which another call may
// have written since, and the one that is to be saved. It must be quick: the
// lock is held meanwhile.
type Merge func(stored, mine []byte) ([]byte, error)

// Save replaces the stored record by r and sets r.UpdatedAt. A record that is
// gone, evicted say, is written anew. A stored one that is met is not replaced
// by one that is not (ErrMet), and one of a newer version not at all
// (handle_newer). r.Seq and r.CreatedAt are those of Create or Load.
//
// Where merge is not nil and a record stands, r.Watch becomes what merge returns.
func (s *Store) Save(ctx context.Context, r *Record, merge Merge) error {
	return s.write(ctx, func(g *adminstate.Guard) error {
		stored, err := load(g, r.Handle)
		gone := errors.Is(err, fs.ErrNotExist)
		switch {
		case gone || refusal.CodeOf(err) == refusal.HandleCorrupt:
		case err != nil:
			return err
		case stored.Met && !r.Met:
			return ErrMet
		case merge != nil:
			if r.Watch, err = merge(stored.Watch, r.Watch); err != nil {
				return err
			}
		}
		return s.replace(g, r, gone)
	})
}

// replace writes r as updated now. A record that comes back takes room like a
// new one.
func (s *Store) replace(g *adminstate.Guard, r *Record, gone bool) error {
	updated := *r
	updated.UpdatedAt = s.now().UTC()
	file, err := fileOf(updated)
	if err != nil {
		return err
	}
	var others []adminstate.Item
	if gone {
		if others, err = sweep(g); err != nil {
			return err
		}
	}
	if err := g.AtomicWrite(file); err != nil {
		return err
	}
	r.UpdatedAt = updated.UpdatedAt
	if gone {
		evict(g, others, len(others)+1-Limit)
	}
	return nil
}

// Touch keeps a waiter's record from expiring: it moves only the time of the
// last update, and leaves what others have saved. A record that is gone is
// written anew from r. Refusals are those of Save.
func (s *Store) Touch(ctx context.Context, r *Record) error {
	return s.write(ctx, func(g *adminstate.Guard) error {
		stored, err := load(g, r.Handle)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return s.replace(g, r, true)
		case refusal.CodeOf(err) == refusal.HandleCorrupt:
			return s.replace(g, r, false)
		case err != nil:
			return err
		}
		if err := s.replace(g, &stored, false); err != nil {
			return err
		}
		r.UpdatedAt = stored.UpdatedAt
		return nil
	})
}

// MarkMet saves r as met.
func (s *Store) MarkMet(ctx context.Context, r *Record) error {
	met := *r
	met.Met = true
	if err := s.Save(ctx, &met, nil); err != nil {
		return err
	}
	*r = met
	return nil
}

// Remove removes the record of a handle, readable or not. Refusals:
// handle_unknown where there is none or it had expired, handle_newer.
func (s *Store) Remove(ctx context.Context, h Handle) error {
	// Without a folder there is nothing to remove, and none is made for that.
	if err := s.read(ctx, func(*adminstate.Dir) error { return nil }); errors.Is(err, fs.ErrNotExist) {
		return unknown()
	}
	return s.write(ctx, func(g *adminstate.Guard) error {
		stored, err := load(g, h)
		if err != nil && refusal.CodeOf(err) != refusal.HandleCorrupt {
			return orUnknown(err)
		}
		expired := err == nil && stored.expired(s.now())
		if err := g.Remove(nameOf(h)); err != nil {
			return orUnknown(err)
		}
		if expired {
			return unknown()
		}
		return nil
	})
}

// A Listed is one record of List. Where Err is not nil, the record could not be
// read: a refusal with the code handle_corrupt, handle_newer or unsafe_state.
type Listed struct {
	Handle Handle
	Record Record
	Err    error
}

// List returns the records that have not expired, oldest first, and after them
// those that cannot be read. Files under other names are not records.
func (s *Store) List(ctx context.Context) ([]Listed, error) {
	var list []Listed
	err := s.read(ctx, func(d *adminstate.Dir) error {
		items, err := d.List()
		if err != nil {
			return err
		}
		for _, item := range items {
			h, ok := handleOf(item.Name)
			if !ok {
				continue
			}
			r, err := load(d, h)
			if errors.Is(err, fs.ErrNotExist) || err == nil && r.expired(s.now()) {
				continue
			}
			if err != nil && refusal.CodeOf(err) == "" {
				return err
			}
			list = append(list, Listed{Handle: h, Record: r, Err: err})
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.SortFunc(list, byAge)
	return list, nil
}

// byAge orders by the second of creation, and within it by the sequence number:
// a clock that is set back within a second is not asked.
func byAge(a, b Listed) int {
	switch {
	case (a.Err == nil) != (b.Err == nil):
		if a.Err == nil {
			return -1
		}
		return 1
	case a.Err != nil:
		return strings.Compare(a.Handle.String(), b.Handle.String())
	}
	if c := a.Record.CreatedAt.Truncate(time.Second).Compare(b.Record.CreatedAt.Truncate(time.Second)); c != 0 {
		return c
	}
	if a.Record.Seq != b.Record.Seq {
		if a.Record.Seq < b.Record.Seq {
			return -1
		}
		return 1
	}
	return strings.Compare(a.Handle.String(), b.Handle.String())
}
