package landing_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// The model is what the generated histories are made of, and knows the truth
// about them without asking git. A file is a row of slots, each with some lines;
// an edit changes one slot, and an identity outlives every move. So the same line
// added to another of several equal slots is another change, which a text alone
// need not show.

// A modelFile is a file with a path.
type modelFile struct {
	path       string
	executable bool
	// repeats says that all slots had the same lines at first.
	repeats bool
	slots   [][]string
}

// A modelTree holds files by identity. Files and slots are never changed in place.
type modelTree map[int]modelFile

// A mark is one fact that an edit can make or end: a line in a slot, a path, a
// mode.
type mark struct {
	file, slot int
	fact       string
}

// marks returns all facts of a tree.
func (t modelTree) marks() map[mark]bool {
	facts := map[mark]bool{}
	for id, f := range t {
		facts[mark{id, -1, f.path}] = true
		facts[mark{id, -2, fmt.Sprint(f.executable)}] = true
		for i, slot := range f.slots {
			for _, line := range slot {
				facts[mark{id, i, line}] = true
			}
		}
	}
	return facts
}

// A change is what leads from one tree to another.
type change struct{ made, ended map[mark]bool }

func changeOf(from, to modelTree) change {
	a, b := from.marks(), to.marks()
	c := change{made: maps.Clone(b), ended: maps.Clone(a)}
	maps.DeleteFunc(c.made, func(m mark, _ bool) bool { return a[m] })
	maps.DeleteFunc(c.ended, func(m mark, _ bool) bool { return b[m] })
	return c
}

func (c change) empty() bool { return len(c.made)+len(c.ended) == 0 }

// in reports whether a tree holds the whole change.
func (c change) in(t modelTree) bool {
	facts := t.marks()
	for m := range c.made {
		if !facts[m] {
			return false
		}
	}
	for m := range c.ended {
		if facts[m] {
			return false
		}
	}
	return true
}

// text returns the content of a file.
func (f modelFile) text() string {
	var b strings.Builder
	for _, slot := range f.slots {
		for _, line := range slot {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// newTree makes the first tree.
func newTree(rng *rand.Rand) modelTree {
	t := modelTree{}
	for id := range 2 + rng.IntN(3) {
		t[id] = newFile(rng, id, rng.IntN(2) == 0)
	}
	return t
}

func newFile(rng *rand.Rand, id int, repeats bool) modelFile {
	f := modelFile{path: fmt.Sprintf("f%d", id), repeats: repeats}
	height := 1 + rng.IntN(4)
	for s := range 5 + rng.IntN(8) {
		var slot []string
		for l := range height {
			if repeats {
				slot = append(slot, fmt.Sprintf("repeated %d", l))
			} else {
				slot = append(slot, fmt.Sprintf("file %d slot %d line %d", id, s, l))
			}
		}
		f.slots = append(f.slots, slot)
	}
	return f
}

// edit returns a tree with one random edit. Fresh texts are made of serial, which
// the caller never gives twice.
func (t modelTree) edit(rng *rand.Rand, serial int) modelTree {
	next := maps.Clone(t)
	ids := slices.Sorted(maps.Keys(t))
	if len(ids) == 0 {
		next[serial] = newFile(rng, serial, false)
		return next
	}
	id := ids[rng.IntN(len(ids))]
	f := t[id]
	f.slots = slices.Clone(f.slots)
	at := rng.IntN(len(f.slots))
	slot := slices.Clone(f.slots[at])
	fresh := fmt.Sprintf("edit %d", serial)
	switch n := rng.IntN(100); {
	case n < 35: // a line more
		slot = slices.Insert(slot, rng.IntN(len(slot)+1), fresh)
	case n < 60 && len(slot) > 0: // another line
		slot[rng.IntN(len(slot))] = fresh
	case n < 75: // a line that others may add, too
		twin := fmt.Sprintf("twin %d", rng.IntN(2))
		if !slices.Contains(slot, twin) {
			slot = append(slot, twin)
		}
	case n < 82 && !f.repeats && len(slot) > 1: // a line less; an empty slot has no place
		slot = slot[:len(slot)-1]
	case n < 88:
		f.path = fmt.Sprintf("d%d/f%d", rng.IntN(2), id)
	case n < 91:
		f.executable = !f.executable
	case n < 95 && len(ids) > 1:
		delete(next, id)
		return next
	default:
		next[serial] = newFile(rng, serial, false)
		return next
	}
	f.slots[at] = slot
	next[id] = f
	return next
}

// A resolution says what a person makes of a conflict.
type resolution int

const (
	keepBoth resolution = iota
	keepOurs
	keepTheirs
)

// merge merges slot by slot, and says how many conflicts it resolved.
func merge(base, ours, theirs modelTree, how resolution) (merged modelTree, conflicts int) {
	merged = modelTree{}
	ids := map[int]bool{}
	for _, t := range []modelTree{base, ours, theirs} {
		for id := range t {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		b, inBase := base[id]
		o, inOurs := ours[id]
		t, inTheirs := theirs[id]
		switch {
		case inOurs && inTheirs:
			f, n := mergeFiles(b, o, t, how)
			merged[id], conflicts = f, conflicts+n
		case inOurs:
			// Theirs deleted it, or never had it.
			if !inBase || !o.equal(b) && how != keepTheirs {
				merged[id] = o
			}
			if inBase && !o.equal(b) {
				conflicts++
			}
		case inTheirs:
			if !inBase || !t.equal(b) && how == keepTheirs {
				merged[id] = t
			}
			if inBase && !t.equal(b) {
				conflicts++
			}
		}
	}
	return merged, conflicts
}

func (f modelFile) equal(g modelFile) bool {
	return f.path == g.path && f.executable == g.executable && slices.EqualFunc(f.slots, g.slots, slices.Equal)
}

// mergeFiles merges a file that both sides have. Files that come into being have
// an identity of their own, so both sides have it from the base.
func mergeFiles(base, ours, theirs modelFile, how resolution) (modelFile, int) {
	conflicts := 0
	merged := ours
	merged.path, conflicts = pick(base.path, ours.path, theirs.path, how)
	mode, n := pick(base.executable, ours.executable, theirs.executable, how)
	merged.executable, conflicts = mode, conflicts+n
	merged.slots = slices.Clone(ours.slots)
	for i := range merged.slots {
		var b []string
		if i < len(base.slots) {
			b = base.slots[i]
		}
		o, t := ours.slots[i], theirs.slots[i]
		switch {
		case slices.Equal(o, t), slices.Equal(t, b):
		case slices.Equal(o, b):
			merged.slots[i] = t
		default:
			conflicts++
			merged.slots[i] = resolve(b, o, t, how)
		}
	}
	return merged, conflicts
}

// pick merges a value that cannot be merged.
func pick[V comparable](base, ours, theirs V, how resolution) (V, int) {
	switch {
	case ours == theirs, theirs == base:
		return ours, 0
	case ours == base:
		return theirs, 0
	case how == keepTheirs:
		return theirs, 1
	}
	return ours, 1
}

// resolve merges a slot that both sides changed.
func resolve(base, ours, theirs []string, how resolution) []string {
	switch how {
	case keepOurs:
		return ours
	case keepTheirs:
		return theirs
	}
	both := slices.Clone(ours)
	both = slices.DeleteFunc(both, func(line string) bool {
		return slices.Contains(base, line) && !slices.Contains(theirs, line)
	})
	for _, line := range theirs {
		if !slices.Contains(base, line) && !slices.Contains(both, line) {
			both = append(both, line)
		}
	}
	return both
}
