package gitx

import (
	"fmt"
	"strings"
)

// A RefName is the full name of a ref, such as "refs/heads/main", or HEAD.
// It holds whatever bytes git allows: quotes, blanks of Unicode, "$(x)". Only
// names from ParseRefName, BranchRef or git itself may be given to git.
type RefName string

// HEAD is the ref that says what a worktree has checked out.
const HEAD RefName = "HEAD"

// The folders that Short strips, longest first, so that "refs/" comes last.
const (
	headsPrefix   = "refs/heads/"
	remotesPrefix = "refs/remotes/"
	tagsPrefix    = "refs/tags/"
	refsPrefix    = "refs/"
)

// A RefNameError reports a name that git would not accept for a ref.
type RefNameError struct {
	// Name is the name as it was given.
	Name string
	// Reason says which rule it breaks, in words.
	Reason string
}

// Error names the ref and the rule.
func (e *RefNameError) Error() string {
	return fmt.Sprintf("ref name %q: %s", e.Name, e.Reason)
}

// ParseRefName checks a full ref name by the rules of
// git-check-ref-format(1). It must begin with "refs/" or be HEAD: nothing is
// guessed from short names. The error is a *RefNameError.
func ParseRefName(s string) (RefName, error) {
	if RefName(s) == HEAD {
		return HEAD, nil
	}
	if !strings.HasPrefix(s, refsPrefix) {
		return "", &RefNameError{Name: s, Reason: `does not begin with "refs/"`}
	}
	for component := range strings.SplitSeq(s, "/") {
		if reason := checkRefComponent(component); reason != "" {
			return "", &RefNameError{Name: s, Reason: reason}
		}
	}
	if strings.HasSuffix(s, ".") {
		return "", &RefNameError{Name: s, Reason: "ends with a dot"}
	}
	return RefName(s), nil
}

// checkRefComponent returns the rule that one part between slashes breaks, or
// "". The rules are those of git's check_refname_component.
func checkRefComponent(c string) string {
	switch {
	case c == "":
		return "has an empty part between slashes"
	case c[0] == '.':
		return "has a part that begins with a dot"
	case strings.HasSuffix(c, ".lock"):
		return `has a part that ends with ".lock"`
	case strings.Contains(c, ".."):
		return `contains ".."`
	case strings.Contains(c, "@{"):
		return `contains "@{"`
	}
	for i := range len(c) {
		switch b := c[i]; {
		case b < 0x20 || b == 0x7f:
			return "contains a control character"
		case strings.IndexByte(" ~^:?*[\\", b) >= 0:
			return fmt.Sprintf("contains %q", b)
		}
	}
	return ""
}

// BranchRef returns the full name of the local branch with the given short
// name. Beyond the rules of ParseRefName it refuses what `git branch` refuses:
// a leading '-', which would read as an option, and the name HEAD.
func BranchRef(short string) (RefName, error) {
	if strings.HasPrefix(short, "-") {
		return "", &RefNameError{Name: short, Reason: "begins with '-'"}
	}
	if RefName(short) == HEAD {
		return "", &RefNameError{Name: short, Reason: "no branch may be called HEAD"}
	}
	return ParseRefName(headsPrefix + short)
}

// Short strips "refs/heads/", "refs/remotes/", "refs/tags/" or, if it has none
// of them, "refs/". The result is for people; it may be ambiguous.
func (n RefName) Short() string {
	for _, prefix := range []string{headsPrefix, remotesPrefix, tagsPrefix, refsPrefix} {
		if short, ok := strings.CutPrefix(string(n), prefix); ok {
			return short
		}
	}
	return string(n)
}

// IsBranch reports whether the ref is a local branch.
func (n RefName) IsBranch() bool { return strings.HasPrefix(string(n), headsPrefix) }

// IsRemote reports whether the ref is a remote-tracking one.
func (n RefName) IsRemote() bool { return strings.HasPrefix(string(n), remotesPrefix) }

// String returns the full name.
func (n RefName) String() string { return string(n) }
