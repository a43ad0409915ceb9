package gate

import (
	"context"
	"errors"

	"git-continuity/gitx"
)

// A ReceiptStatus says what the receipt of a checkout is worth for a tip.
type ReceiptStatus string

// The statuses, as scripts read them. Only Honored proves anything.
const (
	// Honored is a receipt for the tip, in a checkout that is clean.
	Honored ReceiptStatus = "honored"
	// Missing is a checkout without a receipt.
	Missing ReceiptStatus = "missing"
	// Stale is a receipt of another commit, or a checkout that stands elsewhere.
	Stale ReceiptStatus = "stale"
	// Dirty is a receipt for the tip in a checkout with uncommitted work, or in
	// one of which git cannot tell.
	Dirty ReceiptStatus = "dirty"
	// Unreadable is a receipt that cannot be read, or of a newer version.
	Unreadable ReceiptStatus = "unreadable"
	// NoWorktree is a branch that no checkout holds.
	NoWorktree ReceiptStatus = "no_worktree"
)

// Status judges the receipt of a checkout for the tip of a branch. The checkout
// is nil where none holds the branch. A receipt counts only in a checkout whose
// HEAD is on that branch: the receipt of a detached commit is not the branch's.
//
// The receipt is returned where it could be read, whatever it is worth. The
// error is that of ctx; everything else that goes wrong is a status.
func Status(ctx context.Context, checkout *gitx.Repo, branch gitx.RefName, tip gitx.OID) (ReceiptStatus, *Receipt, error) {
	if checkout == nil || checkout.TopLevel() == "" {
		return NoWorktree, nil, nil
	}
	receipt, err := load(checkout.GitDir())
	switch {
	case errors.Is(err, errMissing):
		return Missing, nil, nil
	case err != nil:
		return Unreadable, nil, nil
	case receipt.Commit != tip:
		return Stale, &receipt, nil
	}
	// Looking at the tree is what costs, so it comes last.
	now, err := checkout.Status(ctx)
	switch {
	case ctx.Err() != nil:
		return Dirty, &receipt, ctx.Err()
	case err != nil:
		return Dirty, &receipt, nil
	case now.Branch != branch:
		// A branch that is called "(detached)" ends here as well, since git status
		// does not tell it from a detached HEAD: a wrong "no" is the safe side.
		return NoWorktree, &receipt, nil
	case now.HEAD != tip:
		return Stale, &receipt, nil
	case !now.Clean():
		return Dirty, &receipt, nil
	}
	return Honored, &receipt, nil
}
