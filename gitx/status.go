package gitx

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A WorktreeStatus says how a work tree differs from its HEAD.
type WorktreeStatus struct {
	// HEAD is the commit that is checked out; zero on a branch without one.
	HEAD OID
	// Branch is the branch that is checked out; "" where HEAD is detached.
	Branch RefName
	// Entries are in git's order: changed, then unmerged, then untracked.
	Entries []StatusEntry
}

// A StatusEntry is one path that differs.
type StatusEntry struct {
	// Path is relative to the top level, as bytes.
	Path string
	// From is where a renamed or copied file came from; "" otherwise.
	From string
	// Index and Worktree are git's letters: 'M', 'A', 'D', 'R', 'C', 'T', 'U',
	// '.' for unchanged; both are '?' for an untracked file.
	Index, Worktree byte
	// Submodule is set for a submodule, and then says what is new in it.
	Submodule *SubmoduleStatus
}

// A SubmoduleStatus says what is new in a submodule.
type SubmoduleStatus struct {
	// Commit is another commit checked out, Modified a changed tracked file,
	// Untracked a file that is not tracked.
	Commit, Modified, Untracked bool
}

// Untracked reports whether the file is unknown to git.
func (e StatusEntry) Untracked() bool { return e.Index == '?' }

// Clean reports whether nothing differs. Untracked files count, ignored ones do
// not.
func (s WorktreeStatus) Clean() bool { return len(s.Entries) == 0 }

// Status compares the work tree with the index and with HEAD. Every untracked
// file is listed by itself, whatever the settings of the user. It needs a work
// tree.
func (r *Repo) Status(ctx context.Context) (WorktreeStatus, error) {
	out, err := r.Git(ctx, "status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all",
		"--ignore-submodules=none", "--find-renames", "--no-ahead-behind")
	if err != nil {
		return WorktreeStatus{}, err
	}
	status, err := parseStatus(string(out))
	if err != nil {
		return WorktreeStatus{}, fmt.Errorf("read the answer of git status: %w", err)
	}
	return status, nil
}

// parseStatus reads the format of git-status(1), "Porcelain Format Version 2",
// with -z and --branch.
func parseStatus(out string) (WorktreeStatus, error) {
	var s WorktreeStatus
	for out != "" {
		line, rest, ok := strings.Cut(out, "\x00")
		if !ok || line == "" {
			return WorktreeStatus{}, errors.New("an item without end or content")
		}
		out = rest
		if line[0] == '#' {
			if err := s.header(line); err != nil {
				return WorktreeStatus{}, err
			}
			continue
		}
		entry, err := parseStatusEntry(line)
		if err != nil {
			return WorktreeStatus{}, err
		}
		if line[0] == '2' {
			if entry.From, out, ok = strings.Cut(out, "\x00"); !ok || entry.From == "" {
				return WorktreeStatus{}, fmt.Errorf("a rename to %q from nowhere", entry.Path)
			}
		}
		s.Entries = append(s.Entries, entry)
	}
	return s, nil
}

// header reads a line about HEAD. Others are passed over, as the format demands.
func (s *WorktreeStatus) header(line string) (err error) {
	if hex, ok := strings.CutPrefix(line, "# branch.oid "); ok && hex != "(initial)" {
		s.HEAD, err = ParseOID(hex)
	}
	// A branch may be called "(detached)", and then it cannot be told from
	// none; git's own format has that gap.
	if name, ok := strings.CutPrefix(line, "# branch.head "); ok && name != "(detached)" {
		s.Branch, err = ParseRefName(headsPrefix + name)
	}
	return err
}

// statusFields is how many blanks come before the path, by kind of line:
// changed, renamed, unmerged, untracked, ignored.
var statusFields = map[byte]int{'1': 8, '2': 9, 'u': 10, '?': 1, '!': 1}

func parseStatusEntry(line string) (StatusEntry, error) {
	n, ok := statusFields[line[0]]
	fields := strings.SplitN(line, " ", n+1)
	if !ok || len(fields) != n+1 || len(fields[0]) != 1 || fields[n] == "" {
		return StatusEntry{}, fmt.Errorf("malformed line %.200q", line)
	}
	entry := StatusEntry{Path: fields[n], Index: line[0], Worktree: line[0]}
	if n == 1 {
		return entry, nil
	}
	if len(fields[1]) != 2 || len(fields[2]) != 4 {
		return StatusEntry{}, fmt.Errorf("malformed line %.200q", line)
	}
	entry.Index, entry.Worktree = fields[1][0], fields[1][1]
	if sub := fields[2]; sub[0] == 'S' {
		entry.Submodule = &SubmoduleStatus{Commit: sub[1] == 'C', Modified: sub[2] == 'M', Untracked: sub[3] == 'U'}
	}
	return entry, nil
}
