package gitx

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Note is one note of a notes ref.
type Note struct {
	// Object is what the note is about.
	Object OID
	// Blob is the text.
	Blob OID
}

// Notes is the content of a notes ref at one commit.
type Notes struct {
	Ref RefName
	// Tip is the commit that was read; zero where the ref does not exist.
	Tip OID

	repo  *Repo
	notes []Note
}

// A NoteExistsError reports an object that has a note already. Nothing was
// changed.
type NoteExistsError struct {
	Ref    RefName
	Object OID
	// Blob is the note that stands.
	Blob OID
	// Same says that it has the very content that was to be written.
	Same bool
}

// Error names the ref and the object.
func (e *NoteExistsError) Error() string {
	what := "another"
	if e.Same {
		what = "the same"
	}
	return fmt.Sprintf("note on %s in %q: %s note stands already", e.Object, e.Ref, what)
}

// Notes reads which objects have notes in a notes ref, in any fan-out. A ref
// that does not exist has none. A ref that points at something else than a
// commit is an error.
func (r *Repo) Notes(ctx context.Context, ref RefName) (*Notes, error) {
	tip, exists, err := r.ResolveRef(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	n := &Notes{Ref: ref, Tip: tip, repo: r}
	if !exists {
		return n, nil
	}
	typ, err := r.Git(ctx, "cat-file", "-t", tip.String())
	if err != nil {
		return nil, fmt.Errorf("read notes %q: %w", ref, r.explain(ctx, err, tip))
	}
	if t := strings.TrimSpace(string(typ)); t != string(TypeCommit) {
		return nil, fmt.Errorf("read notes %q: %s is a %s, not a commit", ref, tip, t)
	}
	out, err := r.Git(ctx, "ls-tree", "-r", "-z", "--full-tree", tip.String())
	if err != nil {
		return nil, fmt.Errorf("read notes %q: %w", ref, err)
	}
	for _, item := range splitNUL(out) {
		note, ok, err := parseNote(r.format, item)
		if err != nil {
			return nil, fmt.Errorf("read notes %q: %w", ref, err)
		}
		if ok {
			n.notes = append(n.notes, note)
		}
	}
	slices.SortStableFunc(n.notes, func(a, b Note) int { return a.Object.Compare(b.Object) })
	return n, nil
}

// parseNote reads one item of ls-tree -r -z. It is false for what is no note:
// git keeps other files in the tree of a notes ref.
func parseNote(format ObjectFormat, item string) (note Note, ok bool, err error) {
	meta, path, found := strings.Cut(item, "\t")
	fields := strings.Split(meta, " ")
	if !found || len(fields) != 3 {
		return Note{}, false, fmt.Errorf("malformed line %.200q of git ls-tree", item)
	}
	if fields[1] != string(TypeBlob) || fields[0] == ModeSymlink.String() {
		return Note{}, false, nil
	}
	parts := strings.Split(path, "/")
	for _, folder := range parts[:len(parts)-1] {
		if len(folder) != fanoutDigits {
			return Note{}, false, nil
		}
	}
	hex := strings.Join(parts, "")
	if len(hex) != format.HexLen() {
		return Note{}, false, nil
	}
	object, err := ParseOID(hex)
	if err != nil {
		return Note{}, false, nil
	}
	blob, err := ParseOID(fields[2])
	if err != nil {
		return Note{}, false, err
	}
	return Note{Object: object, Blob: blob}, true, nil
}

// fanoutDigits is how many digits of an object id name a folder of notes.
const fanoutDigits = 2

// List returns all notes, ordered by object. Two histories that were merged by
// hand may hold two notes on one object; both are listed.
func (n *Notes) List() []Note { return slices.Clone(n.notes) }

// Find returns the note on an object.
func (n *Notes) Find(object OID) (Note, bool) {
	i, found := slices.BinarySearchFunc(n.notes, object, func(note Note, oid OID) int {
		return note.Object.Compare(oid)
	})
	if !found {
		return Note{}, false
	}
	return n.notes[i], true
}

// ReadNote returns the text of the note on an object; false if it has none. A text
// of more than max bytes is an *OutputTooLargeError.
func (n *Notes) ReadNote(ctx context.Context, object OID, max int64) ([]byte, bool, error) {
	note, ok := n.Find(object)
	if !ok {
		return nil, false, nil
	}
	content, err := n.repo.Run(ctx, Command{
		Args: []string{"cat-file", "blob", note.Blob.String()}, MaxStdout: max,
	})
	if err != nil {
		return nil, false, fmt.Errorf("read note on %s: %w", object, n.repo.explain(ctx, err, note.Blob))
	}
	return content, true, nil
}

// AddNote writes a note on an object and returns the new tip of the notes ref.
// It goes out from what Notes read of that ref: old guards it. The object need
// not exist.
//
// The errors are *NoteExistsError where old has a note on the object — a note
// is never overwritten — and *ConflictError where the ref has moved since it
// was read; who tries again must read the notes again.
func (r *Repo) AddNote(ctx context.Context, ref RefName, object OID, content []byte, old *Notes) (OID, error) {
	if object.Format() != r.format {
		return OID{}, fmt.Errorf("note on %q: not an id of format %s", object, r.format)
	}
	if old.Ref != ref {
		return OID{}, fmt.Errorf("note on %s in %q: the notes that were read are those of %q", object, ref, old.Ref)
	}
	if note, ok := old.Find(object); ok {
		same := note.Blob == HashObject(r.format, TypeBlob, content)
		return OID{}, &NoteExistsError{Ref: ref, Object: object, Blob: note.Blob, Same: same}
	}
	tip, err := r.commitNote(ctx, object, content, old)
	if err != nil {
		return OID{}, fmt.Errorf("write note on %s: %w", object, err)
	}
	edit := RefEdit{Name: ref, New: tip, Old: Absent()}
	if !old.Tip.IsZero() {
		edit.Old = At(old.Tip)
	}
	if err := r.UpdateRef(ctx, edit, "notes: note on "+object.Abbrev()); err != nil {
		return OID{}, err
	}
	return tip, nil
}

// commitNote stores the commit that has the note beside all that old has.
func (r *Repo) commitNote(ctx context.Context, object OID, content []byte, old *Notes) (OID, error) {
	blob, err := r.WriteBlob(ctx, content)
	if err != nil {
		return OID{}, err
	}
	var root []TreeEntry
	var parents []OID
	if !old.Tip.IsZero() {
		parents = []OID{old.Tip}
		if root, err = r.readTree(ctx, old.Tip.String()+"^{tree}"); err != nil {
			return OID{}, err
		}
	}
	tree, err := r.plantNote(ctx, root, object.String(), 0, blob)
	if err != nil {
		return OID{}, err
	}
	return r.CommitTree(ctx, CommitSpec{
		Tree: tree, Parents: parents, Message: fmt.Sprintf("Add a note on %s", object),
	})
}

// plantNote stores the tree that has the note beside the entries; rest is what
// of the object's id the folders above have not spent. A note goes where its
// neighbours are: into a folder that exists, or a new one where the others of
// this level are folders. At the top it goes into a folder in any case, since a
// flat tree has to be written whole for each note.
func (r *Repo) plantNote(ctx context.Context, entries []TreeEntry, rest string, depth int, blob OID) (OID, error) {
	folder := rest[:min(len(rest), fanoutDigits)]
	at := slices.IndexFunc(entries, func(e TreeEntry) bool { return e.Name == folder })
	switch last := len(rest) <= fanoutDigits; {
	case !last && at >= 0 && entries[at].Mode == ModeTree:
		below, err := r.readTree(ctx, entries[at].OID.String())
		if err != nil {
			return OID{}, err
		}
		tree, err := r.plantNote(ctx, below, rest[fanoutDigits:], depth+1, blob)
		if err != nil {
			return OID{}, err
		}
		entries = slices.Clone(entries)
		entries[at].OID = tree
	case !last && at < 0 && (depth == 0 || onlyFolders(entries)):
		tree, err := r.MkTree(ctx, []TreeEntry{{Mode: ModeRegular, Name: rest[fanoutDigits:], OID: blob}})
		if err != nil {
			return OID{}, err
		}
		entries = append(slices.Clone(entries), TreeEntry{Mode: ModeTree, Name: folder, OID: tree})
	default:
		entries = append(slices.Clone(entries), TreeEntry{Mode: ModeRegular, Name: rest, OID: blob})
	}
	return r.MkTree(ctx, entries)
}

// onlyFolders reports whether a level of notes is split further.
func onlyFolders(entries []TreeEntry) bool {
	split := func(e TreeEntry) bool { return e.Mode == ModeTree && len(e.Name) == fanoutDigits }
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(e TreeEntry) bool { return !split(e) })
}

// readTree reads one level of a tree by a process of its own.
func (r *Repo) readTree(ctx context.Context, name string) ([]TreeEntry, error) {
	content, err := r.Git(ctx, "cat-file", "tree", name)
	if err != nil {
		return nil, err
	}
	entries, err := ParseTree(r.format, content)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", name, err)
	}
	return entries, nil
}
