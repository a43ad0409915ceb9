package continuation

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-continuity/internal/adminstate"
	"git-continuity/internal/refusal"
)

// metShift is how far back the modification time of a met record is set, so
// that one look at a folder of 512 tells which few files are worth opening.
// A modification time is a hint only: what is removed is decided by what the
// record itself says, and a hint that is not the record's own ends the trust
// in all of them.
const metShift = 20 * 365 * 24 * time.Hour

// hintPrecision is that of the coarsest file system.
const hintPrecision = 2 * time.Second

// hint is the modification time of the record's file.
func (r Record) hint() time.Time {
	if r.Met {
		return r.UpdatedAt.Add(-metShift)
	}
	return r.UpdatedAt
}

func (r Record) fits(hint time.Time) bool {
	return r.hint().Sub(hint).Abs() <= hintPrecision
}

// sweep removes what killed writers left, and returns the files under the names
// of records. What is not a plain file is none of the store's.
func sweep(g *adminstate.Guard) ([]adminstate.Item, error) {
	items, err := g.Sweep()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(items, func(item adminstate.Item) bool {
		_, ok := handleOf(item.Name)
		return !ok || !item.Plain
	}), nil
}

// reap removes the records that have expired and returns the other files. Only
// files that look old are opened. What cannot be read has no age; it stays, as
// does what cannot be removed.
func reap(g *adminstate.Guard, items []adminstate.Item, now time.Time) []adminstate.Item {
	return slices.DeleteFunc(items, func(item adminstate.Item) bool {
		looked := item.ModTime
		if now.Sub(looked) > metShift/2 {
			looked = looked.Add(metShift)
		}
		if now.Sub(looked) <= Lifetime-hintPrecision {
			return false
		}
		h, _ := handleOf(item.Name)
		r, err := load(g, h)
		return err == nil && r.expired(now) && g.Remove(item.Name) == nil
	})
}

// evict removes n records to make room. It opens files in the order in which
// their hints call for it, and all of them as soon as one hint is wrong. A
// record that cannot be removed is left to the next time.
func evict(g *adminstate.Guard, items []adminstate.Item, n int) {
	if n <= 0 {
		return
	}
	slices.SortFunc(items, func(a, b adminstate.Item) int { return a.ModTime.Compare(b.ModTime) })
	var victims []string
	for _, item := range items {
		if len(victims) == n {
			break
		}
		c := candidateOf(g, item)
		if c.kept {
			continue
		}
		if !c.unreadable && !c.record.fits(item.ModTime) {
			victims = choose(g, items, n)
			break
		}
		victims = append(victims, item.Name)
	}
	for _, name := range victims {
		_ = g.Remove(name)
	}
}

// choose opens every file, mends the hints and names the n that go first.
func choose(g *adminstate.Guard, items []adminstate.Item, n int) []string {
	var candidates []candidate
	for _, item := range items {
		c := candidateOf(g, item)
		if c.kept {
			continue
		}
		if !c.unreadable && !c.record.fits(item.ModTime) {
			_ = g.SetModTime(item.Name, c.record.hint())
		}
		candidates = append(candidates, c)
	}
	slices.SortFunc(candidates, candidate.compare)
	var names []string
	for _, c := range candidates[:min(n, len(candidates))] {
		names = append(names, c.name)
	}
	return names
}

// A candidate is a file that may have to go.
type candidate struct {
	name string
	// unreadable is a record that can never answer again.
	unreadable bool
	// kept is a record of a newer version, or one that the system does not let
	// us look into now.
	kept   bool
	record Record
}

func candidateOf(g *adminstate.Guard, item adminstate.Item) candidate {
	h, _ := handleOf(item.Name)
	r, err := load(g, h)
	c := candidate{name: item.Name, record: r}
	if err != nil {
		c.unreadable = refusal.CodeOf(err) == refusal.HandleCorrupt
		c.kept = !c.unreadable
	}
	return c
}

func (c candidate) compare(other candidate) int {
	rank := func(c candidate) int {
		switch {
		case c.unreadable:
			return 0
		case c.record.Met:
			return 1
		}
		return 2
	}
	if d := rank(c) - rank(other); d != 0 {
		return d
	}
	if d := c.record.UpdatedAt.Compare(other.record.UpdatedAt); d != 0 {
		return d
	}
	return strings.Compare(c.name, other.name)
}

// nextSeq counts up the sequence file. Where that is missing or makes no sense,
// the records are asked: it is a cache, and not forced to the disk.
func nextSeq(g *adminstate.Guard, items []adminstate.Item) (uint64, error) {
	name := adminstate.ContinuationSequence.File
	data, err := g.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, adminstate.ErrTooLarge) {
		return 0, err
	}
	last, err := strconv.ParseUint(strings.TrimSuffix(string(data), "\n"), 10, 64)
	if err != nil || last >= maxSeq {
		last = 0
		for _, item := range items {
			if c := candidateOf(g, item); c.record.Seq > last {
				last = c.record.Seq
			}
		}
	}
	next := last%maxSeq + 1
	return next, g.AtomicWrite(adminstate.File{
		Name: name, Data: []byte(strconv.FormatUint(next, 10) + "\n"), Cache: true,
	})
}
