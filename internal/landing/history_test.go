package landing_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
)

// A loose writes objects into a repository without starting git: thousands of
// histories would take hours otherwise.
type loose struct {
	t       testing.TB
	objects string
	serial  int
}

// write stores an object.
func (l *loose) write(typ gitx.ObjectType, content []byte) gitx.OID {
	oid := gitx.HashObject(gitx.SHA1, typ, content)
	hex := oid.String()
	path := filepath.Join(l.objects, hex[:2], hex[2:])
	if _, err := os.Stat(path); err == nil {
		return oid
	}
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	if err == nil {
		_, err = w.Write(gitx.EncodeObject(typ, content))
	}
	for _, step := range []func() error{
		func() error { return err },
		w.Close,
		func() error { return os.MkdirAll(filepath.Dir(path), 0o755) },
		func() error { return os.WriteFile(path, b.Bytes(), 0o444) },
	} {
		if err := step(); err != nil {
			l.t.Fatal(err)
		}
	}
	return oid
}

// tree stores a tree of the model.
func (l *loose) tree(t modelTree) gitx.OID {
	folders := map[string][]gitx.TreeEntry{}
	for _, f := range t {
		mode := gitx.ModeRegular
		if f.executable {
			mode = gitx.ModeExecutable
		}
		folder, name, nested := strings.Cut(f.path, "/")
		if !nested {
			folder, name = "", f.path
		}
		folders[folder] = append(folders[folder], gitx.TreeEntry{
			Mode: mode, Name: name, OID: l.write(gitx.TypeBlob, []byte(f.text())),
		})
	}
	for folder, entries := range folders {
		if folder != "" {
			folders[""] = append(folders[""], gitx.TreeEntry{Mode: gitx.ModeTree, Name: folder, OID: l.entries(entries)})
		}
	}
	return l.entries(folders[""])
}

func (l *loose) entries(entries []gitx.TreeEntry) gitx.OID {
	content, err := gitx.EncodeTree(gitx.SHA1, entries)
	if err != nil {
		l.t.Fatal(err)
	}
	return l.write(gitx.TypeTree, content)
}

// A node is a commit whose tree is known as the model has it.
type node struct {
	oid     gitx.OID
	tree    modelTree
	parents []*node
	// reach has the commit itself and its ancestors.
	reach map[*node]bool
}

// commit stores a commit. Each is one second later than the one before.
func (l *loose) commit(tree modelTree, parents ...*node) *node {
	l.serial++
	who := gitx.Signature{Name: "A U Thor", Email: "a@example.com", When: time.Unix(1_700_000_000+int64(l.serial), 0).UTC()}
	c := gitx.Commit{Tree: l.tree(tree), Author: who, Committer: who, Message: fmt.Sprintf("commit %d\n", l.serial)}
	n := &node{tree: tree, parents: parents, reach: map[*node]bool{}}
	for _, p := range parents {
		c.Parents = append(c.Parents, p.oid)
		for a := range p.reach {
			n.reach[a] = true
		}
	}
	n.reach[n] = true
	content, err := gitx.EncodeCommit(c)
	if err != nil {
		l.t.Fatal(err)
	}
	n.oid = l.write(gitx.TypeCommit, content)
	return n
}

// bases returns the best common ancestors.
func bases(a, b *node) []*node {
	var best []*node
	for n := range a.reach {
		if b.reach[n] && !slices.ContainsFunc(best, func(m *node) bool { return m.reach[n] }) {
			best = append(slices.DeleteFunc(best, func(m *node) bool { return n.reach[m] }), n)
		}
	}
	return best
}

// A history is a trunk, its positions in time, and the tips that branches had.
type history struct {
	*loose
	rng    *rand.Rand
	trunk  *node
	past   []*node // positions of the trunk, the newest last
	tips   []*node // of the branches that go on
	judged []*node // whatever was a tip once
	landed []*node // trunk commits that landed something by content
}

// newHistory makes a random one.
func newHistory(l *loose, rng *rand.Rand) *history {
	h := &history{loose: l, rng: rng}
	h.advance(l.commit(newTree(rng)))
	for range 8 + rng.IntN(14) {
		h.event()
	}
	h.judged = append(h.judged, h.tips...)
	return h
}

func (h *history) advance(n *node) { h.trunk, h.past = n, append(h.past, n) }

func (h *history) edited(t modelTree) modelTree {
	for range 1 + h.rng.IntN(2) {
		h.serial++
		t = t.edit(h.rng, h.serial)
	}
	return t
}

// event lets one thing happen.
func (h *history) event() {
	switch n := h.rng.IntN(100); {
	case n < 22:
		h.advance(h.commit(h.edited(h.trunk.tree), h.trunk))
	case n < 38 || len(h.tips) == 0:
		from := h.past[max(0, len(h.past)-1-h.rng.IntN(3))]
		if len(h.tips) > 0 && h.rng.IntN(4) == 0 {
			from = h.tips[h.rng.IntN(len(h.tips))] // stacked
		}
		h.tips = append(h.tips, h.commit(h.edited(from.tree), from))
	case n < 65:
		h.work(h.rng.IntN(len(h.tips)))
	case n < 93:
		h.land(h.rng.IntN(len(h.tips)))
	case len(h.landed) > 0: // a revert, or later the revert of a revert
		of := h.landed[h.rng.IntN(len(h.landed))]
		tree, _ := merge(of.tree, h.trunk.tree, of.parents[0].tree, keepOurs)
		h.advance(h.commit(tree, h.trunk))
		h.landed = append(h.landed, h.trunk)
	}
}

// work lets a branch go on.
func (h *history) work(i int) {
	tip := h.tips[i]
	h.judged = append(h.judged, tip)
	switch n := h.rng.IntN(100); {
	case n < 60:
		h.tips[i] = h.commit(h.edited(tip.tree), tip)
	case n < 70: // an empty commit
		h.tips[i] = h.commit(tip.tree, tip)
	case n < 80: // the last commit taken back
		h.tips[i] = h.commit(tip.parents[0].tree, tip)
	case n < 88: // amended
		h.tips[i] = h.commit(h.edited(tip.tree), tip.parents...)
	default: // the trunk merged in
		if base := bases(tip, h.trunk); len(base) == 1 && base[0] != h.trunk {
			tree, _ := merge(base[0].tree, tip.tree, h.trunk.tree, keepBoth)
			h.tips[i] = h.commit(tree, tip, h.trunk)
		}
	}
}

// land brings a branch, or a part of it, into the trunk in one of the ways of
// hosts and people.
func (h *history) land(i int) {
	tip, base := h.tips[i], bases(h.tips[i], h.trunk)
	if len(base) != 1 || base[0] == tip {
		return
	}
	how := resolution(h.rng.IntN(3))
	tree, _ := merge(base[0].tree, h.trunk.tree, tip.tree, how)
	h.judged = append(h.judged, tip)
	switch n := h.rng.IntN(100); {
	case n < 10:
		h.advance(h.commit(tree, h.trunk, tip))
	case n < 15:
		if base[0] == h.trunk {
			h.advance(tip)
		}
	case n < 55: // squash, sometimes with a change of the moment
		if h.rng.IntN(5) == 0 {
			tree = h.edited(tree)
		}
		h.advance(h.commit(tree, h.trunk))
		h.landed = append(h.landed, h.trunk)
	case n < 70:
		h.replay(tip, base[0], how, false)
	case n < 85:
		h.replay(tip, base[0], how, true)
	default: // one commit of a queue for two branches
		other := h.tips[h.rng.IntN(len(h.tips))]
		if b := bases(other, h.trunk); len(b) == 1 {
			tree, _ = merge(b[0].tree, tree, other.tree, how)
		}
		h.advance(h.commit(tree, h.trunk))
		h.landed = append(h.landed, h.trunk)
	}
	if h.rng.IntN(2) == 0 {
		h.tips = slices.Delete(h.tips, i, i+1)
	}
}

// replay does a tip's commits again on the trunk, as a rebase does, dropping what
// has become empty; or only some of them, as cherry-picks.
func (h *history) replay(tip, base *node, how resolution, some bool) {
	var line []*node
	for n := tip; n != base && len(n.parents) > 0; n = n.parents[0] {
		line = append(line, n)
	}
	for _, n := range slices.Backward(line) {
		if len(n.parents) != 1 || some && h.rng.IntN(2) == 0 {
			continue
		}
		tree, _ := merge(n.parents[0].tree, h.trunk.tree, n.tree, how)
		if !changeOf(h.trunk.tree, tree).empty() {
			h.advance(h.commit(tree, h.trunk))
			h.landed = append(h.landed, h.trunk)
		}
	}
}
