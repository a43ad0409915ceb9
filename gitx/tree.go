package gitx

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A FileMode says what a tree entry is. It is git's own number, which is not
// that of any file system.
type FileMode uint32

// The modes that git writes. ModeGroupWritable is what very old versions of
// git wrote for ordinary files; it is kept, never made.
const (
	ModeTree          FileMode = 0o040000
	ModeRegular       FileMode = 0o100644
	ModeGroupWritable FileMode = 0o100664
	ModeExecutable    FileMode = 0o100755
	ModeSymlink       FileMode = 0o120000
	ModeGitlink       FileMode = 0o160000
)

// String returns the mode as six octal digits, as ls-tree prints it.
func (m FileMode) String() string { return fmt.Sprintf("%06o", uint32(m)) }

// Type returns the type of object that an entry of this mode names, or "" for
// a mode that git does not know.
func (m FileMode) Type() ObjectType {
	switch m {
	case ModeTree:
		return TypeTree
	case ModeRegular, ModeGroupWritable, ModeExecutable, ModeSymlink:
		return TypeBlob
	case ModeGitlink:
		return TypeCommit
	}
	return ""
}

// A TreeEntry is one line of a tree.
type TreeEntry struct {
	Mode FileMode
	// Name is one path component: bytes without '/' and NUL.
	Name string
	OID  OID
}

// Compare orders entries as git does: by the bytes of their names, where the
// name of a tree counts as if it ended with '/'.
func (e TreeEntry) Compare(f TreeEntry) int {
	n := min(len(e.Name), len(f.Name))
	if c := strings.Compare(e.Name[:n], f.Name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(e.byteAt(n), f.byteAt(n))
}

// byteAt returns a byte of the name as it counts for the order.
func (e TreeEntry) byteAt(i int) byte {
	switch {
	case i < len(e.Name):
		return e.Name[i]
	case i == len(e.Name) && e.Mode == ModeTree:
		return '/'
	}
	return 0
}

// EncodeTree returns the content of the tree that holds the entries, which may
// come in any order. It refuses unknown modes, names that git refuses ("",
// ".", "..", ".git" in any case, with '/' or NUL), two entries of one name, and
// ids that are zero or of another format.
func EncodeTree(format ObjectFormat, entries []TreeEntry) ([]byte, error) {
	if format.Size() == 0 {
		return nil, fmt.Errorf("encode tree: object format is %s", format)
	}
	sorted := slices.SortedFunc(slices.Values(entries), TreeEntry.Compare)
	var buf []byte
	for i, e := range sorted {
		if err := checkTreeEntry(sorted[:i], e); err != nil {
			return nil, fmt.Errorf("encode tree: %w", err)
		}
		if e.OID.Format() != format {
			return nil, fmt.Errorf("encode tree: entry %q: id %q is not of format %s", e.Name, e.OID, format)
		}
		buf = strconv.AppendUint(buf, uint64(e.Mode), 8)
		buf = append(buf, ' ')
		buf = append(buf, e.Name...)
		buf = append(buf, 0)
		buf = append(buf, e.OID.sum[:format.Size()]...)
	}
	return buf, nil
}

// ParseTree reads the content of a tree. It accepts exactly what EncodeTree
// writes: entries in git's order, no zero-padded modes, no bad or double names.
func ParseTree(format ObjectFormat, content []byte) ([]TreeEntry, error) {
	if format.Size() == 0 {
		return nil, fmt.Errorf("parse tree: object format is %s", format)
	}
	var entries []TreeEntry
	for rest := content; len(rest) > 0; {
		e, n, err := cutTreeEntry(format, rest)
		if err != nil {
			return nil, fmt.Errorf("parse tree at byte %d: %w", len(content)-len(rest), err)
		}
		if err := checkTreeEntry(entries, e); err != nil {
			return nil, fmt.Errorf("parse tree at byte %d: %w", len(content)-len(rest), err)
		}
		entries = append(entries, e)
		rest = rest[n:]
	}
	return entries, nil
}

// cutTreeEntry reads the first entry of buf and returns its length.
func cutTreeEntry(format ObjectFormat, buf []byte) (TreeEntry, int, error) {
	const modeDigits = 6
	blank := bytes.IndexByte(buf[:min(len(buf), modeDigits+1)], ' ')
	if blank <= 0 || buf[0] == '0' {
		return TreeEntry{}, 0, fmt.Errorf("malformed mode")
	}
	mode, err := strconv.ParseUint(string(buf[:blank]), 8, 32)
	if err != nil {
		return TreeEntry{}, 0, fmt.Errorf("malformed mode %q", buf[:blank])
	}
	name, _, ok := bytes.Cut(buf[blank+1:], []byte{0})
	if !ok {
		return TreeEntry{}, 0, fmt.Errorf("name without end")
	}
	start := blank + 1 + len(name) + 1
	end := start + format.Size()
	if end > len(buf) {
		return TreeEntry{}, 0, fmt.Errorf("entry %q: truncated id", name)
	}
	oid, err := OIDFromBytes(format, buf[start:end])
	if err != nil {
		return TreeEntry{}, 0, fmt.Errorf("entry %q: %w", name, err)
	}
	return TreeEntry{Mode: FileMode(mode), Name: string(name), OID: oid}, end, nil
}

// checkTreeEntry says whether e may follow the entries before it, which are
// themselves in order.
func checkTreeEntry(before []TreeEntry, e TreeEntry) error {
	if e.Mode.Type() == "" {
		return fmt.Errorf("entry %q: unknown mode %s", e.Name, e.Mode)
	}
	if err := checkTreeName(e.Name); err != nil {
		return err
	}
	if len(before) == 0 {
		return nil
	}
	switch c := before[len(before)-1].Compare(e); {
	case c == 0:
		return fmt.Errorf("entry %q: name used twice", e.Name)
	case c > 0:
		return fmt.Errorf("entry %q: out of order", e.Name)
	}
	if e.Mode != ModeTree {
		return nil
	}
	// A file of the same name sorts before the tree, with others between them.
	file := TreeEntry{Mode: ModeRegular, Name: e.Name}
	if _, found := slices.BinarySearchFunc(before, file, TreeEntry.Compare); found {
		return fmt.Errorf("entry %q: name used twice", e.Name)
	}
	return nil
}

func checkTreeName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("entry without a name")
	case name == "." || name == ".." || strings.EqualFold(name, ".git"):
		return fmt.Errorf("entry %q: reserved name", name)
	case strings.ContainsAny(name, "/\x00"):
		return fmt.Errorf("entry %q: slash or NUL in the name", name)
	}
	return nil
}
