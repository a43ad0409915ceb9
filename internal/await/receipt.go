package await

import (
	"context"
	"path/filepath"

	"git-continuity/gitx"
	"git-continuity/internal/gate"
)

// judgeReceipt looks for a valid receipt for a tip that lies outside the trunk,
// in the checkout that holds the branch. It leaves behind which files would
// have to change for another answer.
func (e *eye) judgeReceipt(ctx context.Context, c *Condition, tip gitx.OID) error {
	worktrees, err := e.repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	e.files = []string{filepath.Join(e.repo.CommonDir(), "worktrees")}
	for _, wt := range worktrees {
		e.files = append(e.files, filepath.Join(wt.GitDir, "HEAD"), filepath.Join(wt.GitDir, "reftable", "tables.list"),
			gate.ReceiptPath(wt.GitDir))
	}
	holder := holderOf(worktrees, c.Branch)
	if holder == nil {
		c.Observed.ReceiptStatus = gate.NoWorktree
		return nil
	}
	c.Observed.Worktree = nameOf(*holder)
	checkout := e.checkouts[holder.GitDir]
	if checkout == nil || checkout.TopLevel() != holder.Path {
		if checkout, err = e.repo.AtWorktree(ctx, holder.Path); err != nil {
			// It is listed and cannot be entered: nothing there can be valid.
			c.Observed.ReceiptStatus = gate.Unreadable
			return ctx.Err()
		}
		e.checkouts[holder.GitDir] = checkout
	}
	status, _, err := gate.Status(ctx, checkout, c.Branch, tip)
	c.Observed.ReceiptStatus = status
	if err == nil && status == gate.Honored && tip == c.Armed {
		c.Met, c.Observed.Via, c.Observed.Reason = true, ViaReceipt, ""
	}
	return err
}

// unsettled reports whether an answer hangs on the tree of a checkout, which
// changes without any of git's files changing.
func (q *Question) unsettled() bool {
	for _, c := range q.Conditions {
		if c.Kind == Green && !c.Met && c.Observed.BranchSeen != nil && c.Observed.ReceiptStatus == gate.Dirty {
			return true
		}
	}
	return false
}
