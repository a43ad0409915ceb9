package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A ShallowError reports a question about history that a shallow clone cannot
// answer: the path that would decide it is cut off at a commit.
type ShallowError struct {
	// Boundary is a commit whose parents were not fetched.
	Boundary OID
}

// Error names the commit at which history is cut off.
func (e *ShallowError) Error() string {
	return fmt.Sprintf("history is cut off at %s (shallow clone)", e.Boundary)
}

// IsAncestor reports whether a is b or one of its ancestors. "No" is an answer
// only where history is complete: otherwise the error is *MissingObjectError or,
// in a shallow clone, *ShallowError.
func (r *Repo) IsAncestor(ctx context.Context, a, b OID) (bool, error) {
	_, err := r.Git(ctx, "merge-base", "--is-ancestor", a.String(), b.String())
	if err == nil {
		return true, nil
	}
	if status, exited := Status(err); !exited || status != 1 {
		return false, r.explain(ctx, err, a, b)
	}
	return false, r.checkCut(ctx, a, b)
}

// explain turns git's refusal into a *MissingObjectError where one of the
// objects is not here.
func (r *Repo) explain(ctx context.Context, err error, oids ...OID) error {
	if _, exited := Status(err); !exited {
		return err
	}
	for _, oid := range oids {
		var missing *MissingObjectError
		if e := r.exists(ctx, oid); errors.As(e, &missing) {
			return missing
		}
	}
	return err
}

// checkCut returns a *ShallowError if a path from b could lead to a beyond the
// edge of a shallow clone. At the edge, git shows commits without parents.
func (r *Repo) checkCut(ctx context.Context, a, b OID) error {
	edge, err := r.shallowEdge()
	if err != nil || len(edge) == 0 {
		return err
	}
	out, err := r.Run(ctx, Command{
		Args:  []string{"rev-list", "--max-parents=0", "--stdin"},
		Stdin: fmt.Appendf(nil, "%s\n^%s\n", b, a),
	})
	if err != nil {
		return err
	}
	for _, root := range strings.Fields(string(out)) {
		oid, err := ParseOID(root)
		if err != nil {
			return fmt.Errorf("read the answer of git rev-list: %w", err)
		}
		if slices.Contains(edge, oid) {
			return &ShallowError{Boundary: oid}
		}
	}
	return nil
}

// shallowEdge returns the commits at which history is cut off now. A fetch may
// have changed that since the repository was opened.
func (r *Repo) shallowEdge() ([]OID, error) {
	path, ok := r.env.Lookup("GIT_SHALLOW_FILE")
	if !ok || path == "" {
		path = filepath.Join(r.commonDir, "shallow")
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the edge of a shallow clone: %w", err)
	}
	var edge []OID
	for _, line := range strings.Fields(string(content)) {
		oid, err := ParseOID(line)
		if err != nil {
			return nil, fmt.Errorf("read the edge of a shallow clone: %w", err)
		}
		edge = append(edge, oid)
	}
	return edge, nil
}

// MergeBases returns the best common ancestors of a and b; none where the
// histories are unrelated, or are cut off before they meet.
func (r *Repo) MergeBases(ctx context.Context, a, b OID) ([]OID, error) {
	out, err := r.Git(ctx, "merge-base", "--all", a.String(), b.String())
	if status, exited := Status(err); exited && status == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, r.explain(ctx, err, a, b)
	}
	var bases []OID
	for _, line := range strings.Fields(string(out)) {
		oid, err := ParseOID(line)
		if err != nil {
			return nil, fmt.Errorf("read the answer of git merge-base: %w", err)
		}
		bases = append(bases, oid)
	}
	return bases, nil
}

// CountCommits counts the commits that include reaches and exclude does not.
func (r *Repo) CountCommits(ctx context.Context, include, exclude []OID) (int, error) {
	if len(include) == 0 {
		return 0, nil
	}
	var stdin []byte
	for _, oid := range include {
		stdin = fmt.Appendf(stdin, "%s\n", oid)
	}
	for _, oid := range exclude {
		stdin = fmt.Appendf(stdin, "^%s\n", oid)
	}
	out, err := r.Run(ctx, Command{Args: []string{"rev-list", "--count", "--stdin"}, Stdin: stdin})
	if err != nil {
		return 0, r.explain(ctx, err, slices.Concat(include, exclude)...)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return 0, fmt.Errorf("read the answer of git rev-list: %w", err)
	}
	return n, nil
}

// AheadBehind counts the commits that a reaches and b does not, and those that
// b reaches and a does not.
func (r *Repo) AheadBehind(ctx context.Context, a, b OID) (ahead, behind int, err error) {
	out, err := r.Git(ctx, "rev-list", "--count", "--left-right", a.String()+"..."+b.String(), "--")
	if err != nil {
		return 0, 0, r.explain(ctx, err, a, b)
	}
	if _, err := fmt.Sscanf(string(out), "%d\t%d\n", &ahead, &behind); err != nil {
		return 0, 0, fmt.Errorf("read the answer of git rev-list: %q", out)
	}
	return ahead, behind, nil
}

// ChangedPaths returns the paths that differ between two commits or trees, in
// git's order, as bytes relative to the top level. A renamed file counts with
// both of its names, a submodule with its path. A zero id is the empty tree.
func (r *Repo) ChangedPaths(ctx context.Context, from, to OID) ([]string, error) {
	empty := HashObject(r.format, TypeTree, nil)
	for _, oid := range []*OID{&from, &to} {
		if oid.IsZero() {
			*oid = empty
		}
	}
	out, err := r.Git(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff",
		"--ignore-submodules=none", from.String(), to.String(), "--")
	if err != nil {
		return nil, r.explain(ctx, err, from, to)
	}
	return splitNUL(out), nil
}

// splitNUL cuts the answer of a command that ends each item with NUL.
func splitNUL(out []byte) []string {
	var items []string
	for item := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if len(item) > 0 {
			items = append(items, string(item))
		}
	}
	return items
}
