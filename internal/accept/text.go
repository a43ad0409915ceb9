package accept

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"git-continuity/internal/landing"
)

// count fills in what the trunk gains, as `git diff --numstat` counts it.
func (a *acceptance) count(ctx context.Context, j journal, claim *landing.Claim) error {
	out, err := a.repo.Git(ctx, "diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--diff-algorithm=myers", j.Old.String(), j.Landed.String(), "--")
	if err != nil {
		return fmt.Errorf("count what lands: %w", err)
	}
	for _, line := range splitNUL(out) {
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) != 3 {
			return fmt.Errorf("read the answer of git diff-tree: %.200q", line)
		}
		claim.Files++
		// Binary files have "-" for their lines.
		added, _ := strconv.Atoi(fields[0])
		deleted, _ := strconv.Atoi(fields[1])
		claim.Insertions += added
		claim.Deletions += deleted
	}
	return nil
}

// splitNUL cuts the answer of a command that ends each item with NUL.
func splitNUL(out []byte) []string {
	var items []string
	for item := range bytes.SplitSeq(out, []byte{0}) {
		if len(item) > 0 {
			items = append(items, string(item))
		}
	}
	return items
}
