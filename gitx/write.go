package gitx

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"
)

// WriteBlob stores a blob and returns its id. No filter is applied.
func (r *Repo) WriteBlob(ctx context.Context, content []byte) (OID, error) {
	if content == nil {
		content = []byte{}
	}
	out, err := r.Run(ctx, Command{
		Args: []string{"hash-object", "-w", "--no-filters", "--stdin"}, Stdin: content, Write: true,
	})
	return r.written(out, err, HashObject(r.format, TypeBlob, content))
}

// MkTree stores a tree of one level and returns its id. It refuses what
// EncodeTree refuses; the objects that the entries name must exist, those of
// gitlinks excepted.
func (r *Repo) MkTree(ctx context.Context, entries []TreeEntry) (OID, error) {
	content, err := EncodeTree(r.format, entries)
	if err != nil {
		return OID{}, err
	}
	stdin := []byte{}
	for _, e := range entries {
		stdin = fmt.Appendf(stdin, "%s %s %s\t%s\x00", e.Mode, e.Mode.Type(), e.OID, e.Name)
	}
	out, err := r.Run(ctx, Command{Args: []string{"mktree", "-z"}, Stdin: stdin, Write: true})
	return r.written(out, err, HashObject(r.format, TypeTree, content))
}

// A CommitSpec says what CommitTree is to make.
type CommitSpec struct {
	Tree    OID
	Parents []OID
	// Message is UTF-8 and gets a newline at its end if it has none.
	Message string
	// When is the date of author and committer; zero is now.
	When time.Time
}

// The identity of commits that no person makes. They are on refs of tools,
// whose user may have no identity configured.
const (
	neutralName  = "git-continuity"
	neutralEmail = "git-continuity@localhost"
)

// CommitTree stores a commit with a neutral identity, never signed, and
// returns its id. No setting of the user changes what it makes.
func (r *Repo) CommitTree(ctx context.Context, spec CommitSpec) (OID, error) {
	message := spec.Message
	if !strings.HasSuffix(message, "\n") {
		message += "\n"
	}
	when := spec.When
	if when.IsZero() {
		when = time.Now()
	}
	who := Signature{Name: neutralName, Email: neutralEmail, When: when.UTC()}
	content, err := EncodeCommit(Commit{
		Tree: spec.Tree, Parents: spec.Parents, Author: who, Committer: who, Message: message,
	})
	if err != nil {
		return OID{}, err
	}
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "--no-gpg-sign"}
	for _, parent := range spec.Parents {
		args = append(args, "-p", parent.String())
	}
	date := fmt.Sprintf("@%d +0000", when.Unix())
	out, err := r.Run(ctx, Command{
		Args: append(args, "-F", "-", spec.Tree.String()), Stdin: []byte(message), Write: true,
		Env: []string{
			"GIT_AUTHOR_NAME=" + neutralName, "GIT_AUTHOR_EMAIL=" + neutralEmail, "GIT_AUTHOR_DATE=" + date,
			"GIT_COMMITTER_NAME=" + neutralName, "GIT_COMMITTER_EMAIL=" + neutralEmail, "GIT_COMMITTER_DATE=" + date,
		},
	})
	return r.written(out, err, HashObject(r.format, TypeCommit, content))
}

// written reads the id that git printed and compares it with what was meant:
// git must have stored exactly that.
func (r *Repo) written(out []byte, err error, meant OID) (OID, error) {
	if err != nil {
		return OID{}, err
	}
	text := string(bytes.TrimSuffix(out, []byte("\n")))
	oid, err := ParseOID(text)
	if err != nil {
		return OID{}, fmt.Errorf("read the id of a new object: %w", err)
	}
	if oid != meant {
		return OID{}, fmt.Errorf("git stored object %s where %s was meant", oid, meant)
	}
	return oid, nil
}
