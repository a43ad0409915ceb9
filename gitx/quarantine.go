package gitx

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A quarantine is a temporary object directory in front of the repository's own:
// what a process writes goes there, and is gone with it. A question must not fill
// the repository with objects, and may be asked where nothing can be written.
type quarantine struct {
	repo *Repo
	dir  string
	// made are the objects that were written.
	made map[OID]bool
}

// newQuarantine makes an empty one, which the caller must remove.
func (r *Repo) newQuarantine() (*quarantine, error) {
	dir, err := os.MkdirTemp("", "git-continuity-objects-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary object directory: %w", err)
	}
	return &quarantine{repo: r, dir: dir, made: map[OID]bool{}}, nil
}

// remove removes it. What stays behind harms nobody, and lies where the system
// cleans up.
func (q *quarantine) remove() { _ = os.RemoveAll(q.dir) }

// env makes a process write into the quarantine and read from there, from the
// repository, and from where the repository was told to read.
func (q *quarantine) env() []string {
	alternates := quoteAlternate(q.repo.objectDir)
	if more, ok := q.repo.env.Lookup("GIT_ALTERNATE_OBJECT_DIRECTORIES"); ok && more != "" {
		alternates += string(os.PathListSeparator) + more
	}
	return []string{"GIT_OBJECT_DIRECTORY=" + q.dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + alternates}
}

// quoteAlternate writes a path as GIT_ALTERNATE_OBJECT_DIRECTORIES wants it: as a
// C string where it could be taken for two, or for a C string.
func quoteAlternate(path string) string {
	if !strings.ContainsRune(path, os.PathListSeparator) && !strings.HasPrefix(path, `"`) {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// mergeInput writes commits around the trees of merges and returns the lines by
// which `git merge-tree --stdin` merges them. Git takes commits only, and a base
// of one's own not before 2.40; two commits with one parent have that parent for
// their base, whatever the history looks like.
func (q *quarantine) mergeInput(merges []TreeMerge) ([]byte, error) {
	var input []byte
	for _, m := range merges {
		base, err := q.commit(m.Base, nil)
		if err != nil {
			return nil, err
		}
		ours, err := q.commit(m.Ours, []OID{base})
		if err != nil {
			return nil, err
		}
		theirs, err := q.commit(m.Theirs, []OID{base})
		if err != nil {
			return nil, err
		}
		input = fmt.Appendf(input, "%s %s\n", ours, theirs)
	}
	return input, nil
}

// commit writes a commit of a tree.
func (q *quarantine) commit(tree OID, parents []OID) (OID, error) {
	nobody := Signature{Name: "git-continuity", When: time.Unix(int64(len(parents)), 0).UTC()}
	content, err := EncodeCommit(Commit{Tree: tree, Parents: parents, Author: nobody, Committer: nobody})
	if err != nil {
		return OID{}, err
	}
	return q.write(TypeCommit, content)
}

// tree writes a tree of one file.
func (q *quarantine) tree(blob OID) (OID, error) {
	content, err := EncodeTree(q.repo.format, []TreeEntry{{Mode: ModeRegular, Name: "file", OID: blob}})
	if err != nil {
		return OID{}, err
	}
	return q.write(TypeTree, content)
}

// write writes an object, once.
func (q *quarantine) write(t ObjectType, content []byte) (OID, error) {
	oid := HashObject(q.repo.format, t, content)
	if q.made[oid] {
		return oid, nil
	}
	hex := oid.String()
	folder := filepath.Join(q.dir, hex[:2])
	if err := os.Mkdir(folder, 0o700); err != nil && !os.IsExist(err) {
		return OID{}, fmt.Errorf("write a temporary %s: %w", t, err)
	}
	if err := os.WriteFile(filepath.Join(folder, hex[2:]), deflate(EncodeObject(t, content)), 0o600); err != nil {
		return OID{}, fmt.Errorf("write a temporary %s: %w", t, err)
	}
	q.made[oid] = true
	return oid, nil
}

// deflate wraps an object as git stores it, without compressing it.
func deflate(object []byte) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.NoCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	// A bytes.Buffer takes everything.
	_, _ = w.Write(object)
	_ = w.Close()
	return b.Bytes()
}
