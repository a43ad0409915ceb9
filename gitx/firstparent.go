package gitx

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A MainlineCommit is a commit of a first-parent chain, with what it changed.
type MainlineCommit struct {
	OID, Tree OID
	Parents   []OID
	// Changes are the differences to the first parent (to nothing, where the
	// commit has none), in git's order.
	Changes []PathChange
}

// A PathChange is one file, symlink or submodule that differs.
type PathChange struct {
	// Path is where it lies now, or lay where it was deleted. Bytes, relative to
	// the top level.
	Path string
	// From is where a file of the same content lay that vanished in the same
	// commit; "" where there was none. Telling renames with an edit would take the
	// contents, which a partial clone need not have.
	From string
}

// Mainline lists the commits of the first-parent chain of tip that none of
// exclude reaches, the oldest first. The error is a *MissingObjectError where tip
// or one of exclude is not here.
func (r *Repo) Mainline(ctx context.Context, tip OID, exclude ...OID) ([]MainlineCommit, error) {
	stdin := fmt.Appendf(nil, "%s\n", tip)
	for _, oid := range exclude {
		stdin = fmt.Appendf(stdin, "^%s\n", oid)
	}
	out, err := r.Run(ctx, Command{
		// Settings could leave something out, or add to the output.
		Args: []string{
			"-c", "log.showRoot=true", "log", "--first-parent", "--diff-merges=first-parent", "--reverse",
			"-z", "--name-status", "--find-renames=100%", "--no-ext-diff", "--no-relative",
			"--ignore-submodules=none", "-O" + os.DevNull, "--no-show-signature", "--no-color",
			"--format=%H %T %P", "--stdin",
		},
		Stdin: stdin,
	})
	if err != nil {
		return nil, r.explain(ctx, err, append([]OID{tip}, exclude...)...)
	}
	commits, err := parseMainline(r.format, out)
	if err != nil {
		return nil, fmt.Errorf("read the answer of git log: %w", err)
	}
	return commits, nil
}

// isChangeStatus reports whether s is the letter of a change, with the similarity
// of a rename or a copy.
func isChangeStatus(s string) bool {
	switch {
	case len(s) == 1:
		return strings.ContainsAny(s, "ADMTUX")
	case len(s) < 2 || len(s) > 4 || s[0] != 'C' && s[0] != 'R':
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

// parseMainline reads the commits: id, tree and parents with blanks between them
// (one also where there is no parent), NUL, and for a commit that changed something a newline and then status, NUL, path, NUL, or for a rename status,
// NUL, old path, NUL, new path, NUL.
func parseMainline(format ObjectFormat, out []byte) ([]MainlineCommit, error) {
	if len(out) > 0 && out[len(out)-1] != 0 {
		return nil, fmt.Errorf("it ends in %.80q", out[max(0, len(out)-80):])
	}
	var commits []MainlineCommit
	fields := strings.Split(string(bytes.TrimSuffix(out, []byte{0})), "\x00")
	if len(out) == 0 {
		fields = nil
	}
	for len(fields) > 0 {
		commit, err := parseMainlineHeader(format, fields[0])
		if err != nil {
			return nil, err
		}
		fields = fields[1:]
		if len(fields) > 0 && strings.HasPrefix(fields[0], "\n") {
			fields[0] = fields[0][1:]
			if commit.Changes, fields, err = cutChanges(fields); err != nil {
				return nil, err
			}
		}
		commits = append(commits, commit)
	}
	return commits, nil
}

// parseMainlineHeader reads the ids of a commit.
func parseMainlineHeader(format ObjectFormat, s string) (MainlineCommit, error) {
	var ids []OID
	for hex := range strings.SplitSeq(strings.TrimSuffix(s, " "), " ") {
		oid, err := ParseOID(hex)
		if err != nil {
			return MainlineCommit{}, err
		}
		if oid.Format() != format {
			return MainlineCommit{}, fmt.Errorf("id %q is not of format %s", hex, format)
		}
		ids = append(ids, oid)
	}
	if len(ids) < 2 {
		return MainlineCommit{}, fmt.Errorf("no tree in %q", s)
	}
	return MainlineCommit{OID: ids[0], Tree: ids[1], Parents: ids[2:]}, nil
}

// cutChanges reads changes, at least one, up to what is no status.
func cutChanges(fields []string) ([]PathChange, []string, error) {
	var changes []PathChange
	for len(fields) > 0 && isChangeStatus(fields[0]) {
		status, paths := fields[0], fields[1:]
		change, n := PathChange{}, 1
		if status[0] == 'R' || status[0] == 'C' {
			n = 2
		}
		if len(paths) < n || slices.Contains(paths[:n], "") {
			return nil, nil, fmt.Errorf("a change %q without a path", status)
		}
		change.Path = paths[n-1]
		if status[0] == 'R' {
			change.From = paths[0]
		}
		changes, fields = append(changes, change), paths[n:]
	}
	if len(changes) == 0 {
		return nil, nil, fmt.Errorf("no change but %.80q", fields)
	}
	return changes, fields, nil
}

// Commits lists the commits that include reaches and exclude does not, in no
// order that matters. The error is a *MissingObjectError where one of those named
// is not here.
func (r *Repo) Commits(ctx context.Context, include, exclude []OID) ([]OID, error) {
	var stdin []byte
	for _, oid := range include {
		stdin = fmt.Appendf(stdin, "%s\n", oid)
	}
	for _, oid := range exclude {
		stdin = fmt.Appendf(stdin, "^%s\n", oid)
	}
	if len(include) == 0 {
		return nil, nil
	}
	out, err := r.Run(ctx, Command{Args: []string{"rev-list", "--stdin"}, Stdin: stdin})
	if err != nil {
		return nil, r.explain(ctx, err, slices.Concat(include, exclude)...)
	}
	var commits []OID
	for line := range strings.Lines(string(out)) {
		oid, err := ParseOID(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("read the answer of git rev-list: %w", err)
		}
		commits = append(commits, oid)
	}
	return commits, nil
}
