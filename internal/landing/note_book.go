package landing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-continuity/gitx"
	"git-continuity/internal/document"
)

// A NoteBook answers from the landing notes of this repository. It reads them
// once per change of their ref, and of them only those it has not read before;
// it walks the trunk once per move, and of it only what is new. While nothing
// moves, a question starts no process. Notes of remotes play no part.
//
// It is not safe for concurrent use.
type NoteBook struct {
	repo  *gitx.Repo
	batch *gitx.Batch

	tip     gitx.OID // of NotesRef, as last read; zero: no notes
	folders map[gitx.OID][]gitx.Note
	texts   map[gitx.Note]bookNote
	byName  map[gitx.RefName][]Note
	squash  []Note
	newer   []gitx.OID

	trunk firstParents
	asked map[gitx.OID]*tipSearch
}

// A bookNote is one note as it was read, good or bad.
type bookNote struct {
	note Note
	err  error
}

// NewNoteBook returns a book that reads objects through batch and walks with
// repo. Where the worktree of repo may go meanwhile, use Common of it.
func NewNoteBook(repo *gitx.Repo, batch *gitx.Batch) *NoteBook {
	return &NoteBook{repo: repo, batch: batch, asked: map[gitx.OID]*tipSearch{}}
}

// Newer returns the commits whose notes a newer version wrote, as of the last
// question. They count as commits without a note.
func (b *NoteBook) Newer() []gitx.OID { return b.newer }

// refresh reads the notes if their ref has moved.
func (b *NoteBook) refresh() error {
	infos, err := b.batch.Info(string(NotesRef))
	if err != nil {
		return fmt.Errorf("read landing notes: %w", err)
	}
	tip := infos[0]
	if tip.Missing && !tip.OID.IsZero() {
		return fmt.Errorf("read landing notes: %w", &gitx.MissingObjectError{Name: tip.OID.String()})
	}
	if tip.OID == b.tip {
		return nil
	}
	var notes []gitx.Note
	folders := map[gitx.OID][]gitx.Note{}
	if !tip.OID.IsZero() {
		commit, err := b.batch.Commit(tip.OID)
		if err != nil {
			return fmt.Errorf("read landing notes: %w", err)
		}
		if notes, err = b.list(commit.Tree, "", folders); err != nil {
			return fmt.Errorf("read landing notes: %w", err)
		}
	}
	if err := b.index(notes); err != nil {
		return fmt.Errorf("read landing notes: %w", err)
	}
	b.tip, b.folders = tip.OID, folders
	return nil
}

// list returns the notes below a tree, in any fan-out. Folders that have not
// changed are not read again.
func (b *NoteBook) list(tree gitx.OID, prefix string, folders map[gitx.OID][]gitx.Note) ([]gitx.Note, error) {
	if known, ok := b.folders[tree]; ok && prefix != "" {
		folders[tree] = known
		return known, nil
	}
	entries, err := b.batch.Tree(tree)
	if err != nil {
		return nil, err
	}
	var notes []gitx.Note
	for _, entry := range entries {
		name := prefix + entry.Name
		switch {
		case entry.Mode == gitx.ModeTree && len(entry.Name) == 2 && isHex(entry.Name):
			below, err := b.list(entry.OID, name, folders)
			if err != nil {
				return nil, err
			}
			notes = append(notes, below...)
		case entry.Mode == gitx.ModeRegular && len(name) == b.repo.ObjectFormat().HexLen():
			if object, err := gitx.ParseOID(name); err == nil {
				notes = append(notes, gitx.Note{Object: object, Blob: entry.OID})
			}
		}
	}
	if prefix != "" {
		folders[tree] = notes
	}
	return notes, nil
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// index reads the notes that are new and sorts all.
func (b *NoteBook) index(notes []gitx.Note) error {
	texts := make(map[gitx.Note]bookNote, len(notes))
	byName := map[gitx.RefName][]Note{}
	var squash []Note
	var newer []gitx.OID
	for _, entry := range notes {
		read, known := b.texts[entry]
		if !known {
			var err error
			if read, err = b.read(entry); err != nil {
				return err
			}
		}
		texts[entry] = read
		switch n := read.note; {
		case errors.Is(read.err, document.ErrNewer):
			newer = append(newer, entry.Object)
		case read.err == nil:
			byName[n.Claim.Branch] = append(byName[n.Claim.Branch], n)
			if n.Claim.Method == Squash {
				squash = append(squash, n)
			}
		}
	}
	b.texts, b.byName, b.squash, b.newer = texts, byName, squash, newer
	return nil
}

// read reads one note. What is wrong with the note itself is not an error of
// the book: such a note is missing.
func (b *NoteBook) read(entry gitx.Note) (bookNote, error) {
	_, data, err := b.batch.Contents(entry.Blob.String(), MaxNote)
	var tooLarge *gitx.ObjectTooLargeError
	var missing *gitx.MissingObjectError
	switch {
	case errors.As(err, &tooLarge) || errors.As(err, &missing):
		return bookNote{err: err}, nil
	case err != nil:
		return bookNote{}, err
	}
	note, err := DecodeNote(data, entry.Object)
	return bookNote{note: note, err: err}, nil
}

// ByName returns the newest note of a branch name: the first on the walk along
// the first parents from a position of the trunk. With a baseline, notes on
// commits that the baseline contains do not count: they are of an earlier
// bearer of the name. A note whose commit has another tree than it says is none.
func (b *NoteBook) ByName(ctx context.Context, branch gitx.RefName, trunk, baseline gitx.OID) (Note, bool, error) {
	if err := b.refresh(); err != nil {
		return Note{}, false, err
	}
	if len(b.byName[branch]) == 0 {
		return Note{}, false, nil
	}
	if err := b.trunk.follow(ctx, b.repo, trunk); err != nil {
		return Note{}, false, err
	}
	newest, found := Note{}, false
	for _, n := range b.byName[branch] {
		if !b.trunk.has(n.Commit) || found && !b.trunk.nearer(n.Commit, newest.Commit) {
			continue
		}
		if ok, err := b.sound(n); err != nil {
			return Note{}, false, err
		} else if ok {
			newest, found = n, true
		}
	}
	if !found || baseline.IsZero() {
		return newest, found, nil
	}
	// Older notes of the name lie further down, in the baseline as well.
	old, err := b.repo.IsAncestor(ctx, newest.Commit, baseline)
	if err != nil || old {
		return Note{}, false, err
	}
	return newest, true, nil
}

// sound reports whether the commit of a note has the tree that the note says.
func (b *NoteBook) sound(n Note) (bool, error) {
	commit, err := b.batch.Commit(n.Commit)
	var missing *gitx.MissingObjectError
	if errors.As(err, &missing) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("check landing note: %w", err)
	}
	return commit.Tree == n.Tree, nil
}
