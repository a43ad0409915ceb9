package landing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-continuity/gitx"
)

// firstParents is the chain of first parents of the trunk, numbered from its
// beginning, so that a trunk that moves on adds to it.
type firstParents struct {
	tip    gitx.OID
	number map[gitx.OID]int
}

func (f *firstParents) has(commit gitx.OID) bool {
	_, ok := f.number[commit]
	return ok
}

// nearer reports whether a comes before b on the walk from the tip.
func (f *firstParents) nearer(a, b gitx.OID) bool { return f.number[a] > f.number[b] }

// follow brings the chain to a position of the trunk. It walks only what is new
// where the old position is still on the chain.
func (f *firstParents) follow(ctx context.Context, repo *gitx.Repo, trunk gitx.OID) error {
	if f.tip == trunk {
		return nil
	}
	chain, below, err := firstParentsUntil(ctx, repo, trunk, f.tip)
	if err != nil {
		return err
	}
	if f.tip.IsZero() || below != f.tip {
		if !f.tip.IsZero() {
			if chain, _, err = firstParentsUntil(ctx, repo, trunk, gitx.OID{}); err != nil {
				return err
			}
		}
		f.number = make(map[gitx.OID]int, len(chain))
	}
	for i := len(chain) - 1; i >= 0; i-- {
		f.number[chain[i]] = len(f.number)
	}
	f.tip = trunk
	return nil
}

// firstParentsUntil lists the first parents from tip on, without those that
// until contains (zero: all), and the first parent of the last.
func firstParentsUntil(ctx context.Context, repo *gitx.Repo, tip, until gitx.OID) (chain []gitx.OID, below gitx.OID, err error) {
	stdin := tip.String() + "\n"
	if !until.IsZero() {
		stdin += "^" + until.String() + "\n"
	}
	out, err := repo.Run(ctx, gitx.Command{
		Args: []string{"rev-list", "--first-parent", "--parents", "--stdin"}, Stdin: []byte(stdin),
		MaxStdout: 1 << 30,
	})
	if _, exited := gitx.Status(err); exited && !until.IsZero() {
		return nil, gitx.OID{}, nil // the old position has gone from the store: begin anew
	}
	if err != nil {
		return nil, gitx.OID{}, fmt.Errorf("walk the trunk from %s: %w", tip, err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			return nil, gitx.OID{}, errors.New("read the answer of git rev-list: an empty line")
		}
		commit, err := gitx.ParseOID(fields[0])
		if err != nil {
			return nil, gitx.OID{}, fmt.Errorf("read the answer of git rev-list: %w", err)
		}
		chain, below = append(chain, commit), gitx.OID{}
		if len(fields) > 1 {
			if below, err = gitx.ParseOID(fields[1]); err != nil {
				return nil, gitx.OID{}, fmt.Errorf("read the answer of git rev-list: %w", err)
			}
		}
	}
	return chain, below, nil
}

// A tipSearch remembers, for one tip, which notes do not contain it. Whether
// one commit contains another never changes.
type tipSearch struct {
	without map[gitx.OID]bool // claimed tips that do not contain the tip
	within  map[gitx.OID]bool // claimed tips that do
}

// ByTip returns a note that proves that a tip has landed: the claimed tip equals
// it or contains it, and the trunk's position contains the noted commit. It is
// for tips that ancestry does not find, so that only squashed landings are
// looked at: what was landed otherwise is in the trunk's history itself.
func (b *NoteBook) ByTip(ctx context.Context, tip, trunk gitx.OID) (Note, bool, error) {
	if err := b.refresh(); err != nil {
		return Note{}, false, err
	}
	search := b.asked[tip]
	if search == nil {
		search = &tipSearch{without: map[gitx.OID]bool{}, within: map[gitx.OID]bool{tip: true}}
		b.asked[tip] = search
	}
	if err := b.examine(ctx, tip, search); err != nil {
		return Note{}, false, err
	}
	for _, n := range b.squash {
		if !search.within[n.Claim.Tip] {
			continue
		}
		in, err := b.inTrunk(ctx, n, trunk)
		if err != nil {
			return Note{}, false, err
		}
		if in {
			return n, true, nil
		}
	}
	return Note{}, false, nil
}

// examine finds out which claimed tips that are new contain the tip: one
// process in all where none does, which is the rule.
func (b *NoteBook) examine(ctx context.Context, tip gitx.OID, search *tipSearch) error {
	var unknown []gitx.OID
	var names []string
	for _, n := range b.squash {
		claimed := n.Claim.Tip
		if !search.within[claimed] && !search.without[claimed] {
			unknown = append(unknown, claimed)
			names = append(names, claimed.String())
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	infos, err := b.batch.Info(append(names, tip.String())...)
	if err != nil {
		return fmt.Errorf("look for landing notes: %w", err)
	}
	if infos[len(unknown)].Missing {
		return nil // only an equal tip can be told
	}
	var here []gitx.OID
	for i, claimed := range unknown {
		if infos[i].Type == gitx.TypeCommit {
			here = append(here, claimed)
		}
	}
	return b.divide(ctx, tip, here, search)
}

// divide asks whether any of the claimed tips contains the tip, and if so which.
func (b *NoteBook) divide(ctx context.Context, tip gitx.OID, claimed []gitx.OID, search *tipSearch) error {
	if len(claimed) == 0 {
		return nil
	}
	var stdin strings.Builder
	fmt.Fprintf(&stdin, "%s\n", tip)
	for _, oid := range claimed {
		fmt.Fprintf(&stdin, "^%s\n", oid)
	}
	out, err := b.repo.Run(ctx, gitx.Command{
		Args: []string{"rev-list", "--max-count=1", "--stdin"}, Stdin: []byte(stdin.String()),
	})
	if err != nil {
		return fmt.Errorf("look for landing notes that contain %s: %w", tip, err)
	}
	switch contained := len(out) == 0; {
	case !contained:
		for _, oid := range claimed {
			search.without[oid] = true
		}
		return nil
	case len(claimed) == 1:
		search.within[claimed[0]] = true
		return nil
	}
	half := len(claimed) / 2
	if err := b.divide(ctx, tip, claimed[:half], search); err != nil {
		return err
	}
	return b.divide(ctx, tip, claimed[half:], search)
}

// inTrunk reports whether a sound note's commit is in the trunk.
func (b *NoteBook) inTrunk(ctx context.Context, n Note, trunk gitx.OID) (bool, error) {
	if ok, err := b.sound(n); err != nil || !ok {
		return false, err
	}
	if n.Commit == trunk || b.trunk.tip == trunk && b.trunk.has(n.Commit) {
		return true, nil
	}
	return b.repo.IsAncestor(ctx, n.Commit, trunk)
}
