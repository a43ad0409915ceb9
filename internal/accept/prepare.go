package accept

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-continuity/gitx"
	"git-continuity/internal/document"
	"git-continuity/internal/gate"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// prepare checks everything that can be checked before anything moves, makes the
// commit that is to land, and returns the journal.
func (a *acceptance) prepare(ctx context.Context, branch gitx.RefName) (journal, error) {
	j := journal{Branch: branch, Trunk: a.Trunk, Method: a.Method, Keep: a.Keep}
	if document.Text(a.Target) {
		j.Target = a.Target
	}
	switch a.Method {
	case landing.FastForward, landing.Merge, landing.Squash:
	default:
		return j, refusal.New(refusal.InvalidArguments, "unknown method %q", a.Method).At("method").
			Hint("--method ff, --method merge or --method squash")
	}
	if err := checkNames(branch, a.Trunk); err != nil {
		return j, err
	}
	if err := a.checkHistory(ctx, &j); err != nil {
		return j, err
	}
	worktrees, err := a.repo.Worktrees(ctx)
	if err != nil {
		return j, err
	}
	holders := holding(worktrees, branch)
	if !a.NoGate {
		if err := a.checkReceipt(ctx, &j, holders); err != nil {
			return j, err
		}
	}
	if _, err := a.cleanTrunk(ctx, j.Trunk); err != nil {
		return j, err
	}
	if len(holders) == 1 && document.Text(holders[0].Name) {
		j.Worktree = holders[0].Name
	}
	a.step("checked")
	if j.Landed, err = a.commit(ctx, j); err != nil {
		return j, err
	}
	_, err = a.note(ctx, j) // a note that cannot be written is found before anything moves
	a.step("committed")
	return j, err
}

// checkHistory finds both tips and whether one extends the other.
func (a *acceptance) checkHistory(ctx context.Context, j *journal) (err error) {
	var exists bool
	if j.Old, exists, err = a.repo.ResolveRef(ctx, j.Trunk); err != nil {
		return err
	} else if !exists {
		return refusal.New(refusal.NoTrunk, "the trunk %q does not exist", j.Trunk).At("trunk")
	}
	if j.Tip, exists, err = a.repo.ResolveRef(ctx, j.Branch); err != nil {
		return err
	} else if !exists {
		return refusal.New(refusal.UnknownTarget, "%q is no local branch", j.Branch.Short()).At("branch").Hint("git branch --list")
	}
	name, trunk := j.Branch.Short(), j.Trunk.Short()
	nothing := func() error {
		return refusal.New(refusal.NothingToLand, "%q has nothing that %q lacks", name, trunk)
	}
	if in, err := a.repo.IsAncestor(ctx, j.Tip, j.Old); err != nil {
		return fmt.Errorf("compare %q with the trunk: %w", name, err)
	} else if in {
		return nothing()
	}
	if on, err := a.repo.IsAncestor(ctx, j.Old, j.Tip); err != nil {
		return fmt.Errorf("compare %q with the trunk: %w", name, err)
	} else if !on {
		return refusal.New(refusal.BehindTrunk, "%q does not contain the tip of %q, so what would land is not what was checked", name, trunk).
			Hint("git rebase %s %s", refusal.Word(trunk), refusal.Word(name)).Hint("git await gate")
	}
	if j.Method != landing.Squash {
		return nil
	}
	changed, err := a.repo.ChangedPaths(ctx, j.Old, j.Tip)
	if err == nil && len(changed) == 0 {
		err = nothing()
	}
	return err
}

// checkReceipt asks the checkouts of the branch for a valid receipt of its tip.
func (a *acceptance) checkReceipt(ctx context.Context, j *journal, holders []gitx.Worktree) error {
	status, where := gate.NoWorktree, ""
	for _, w := range holders {
		checkout, err := a.at.AtWorktree(ctx, w.Path)
		if err != nil {
			continue // gone, or broken: no checkout that could prove anything
		}
		var receipt *gate.Receipt
		if status, receipt, err = gate.Status(ctx, checkout, j.Branch, j.Tip); err != nil {
			return err
		}
		where = w.Path
		if status != gate.Honored {
			continue
		}
		tree, err := a.repo.RevParse(ctx, j.Tip.String()+"^{tree}")
		if err != nil {
			return fmt.Errorf("find the tree of %s: %w", j.Tip, err)
		}
		if receipt.Tree != tree {
			status = gate.Unreadable
			continue
		}
		j.Gate = cut(receipt.Command, maxNotedGate)
		j.Receipt, err = receipt.Digest()
		return err
	}
	no := refusal.New(refusal.NoReceipt, "%q has no valid receipt for its tip %s (%s)", j.Branch.Short(), j.Tip.Abbrev(), status)
	if where == "" {
		return no.Hint("git worktree add <path> %s", refusal.Word(j.Branch.Short())).
			Hint("git await accept --no-gate %s", refusal.Word(j.Branch.Short()))
	}
	return no.Hint("git -C %s await gate", refusal.Word(where))
}

// cut returns at most max bytes of a text, whole characters.
func cut(text string, max int) string {
	if len(text) <= max {
		return text
	}
	return strings.ToValidUTF8(text[:max], "")
}

// holding returns the checkouts whose HEAD is on a branch.
func holding(worktrees []gitx.Worktree, branch gitx.RefName) []gitx.Worktree {
	var found []gitx.Worktree
	for _, w := range worktrees {
		if w.Branch == branch && !w.Bare {
			found = append(found, w)
		}
	}
	return found
}

// commit returns the commit that is to land. Its tree is that of the tip. It is
// the user's: made with their identity, and signed if they sign.
func (a *acceptance) commit(ctx context.Context, j journal) (gitx.OID, error) {
	if j.Method == landing.FastForward {
		return j.Tip, nil
	}
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-p", j.Old.String()}
	var env []string
	message := a.Message
	if j.Method == landing.Merge {
		args = append(args, "-p", j.Tip.String())
		if message == "" {
			message = fmt.Sprintf("Merge branch '%s'", j.Branch.Short())
		}
	} else {
		work, err := a.readWork(ctx, j)
		if err != nil {
			return gitx.OID{}, err
		}
		message, env = work.message(message, j.Branch), work.author()
	}
	if strings.TrimSpace(message) == "" || !document.Text(message) || strings.ContainsRune(message, 0) {
		return gitx.OID{}, refusal.New(refusal.InvalidArguments, "the message is empty or not text in UTF-8").At("message")
	}
	sign, _, err := a.at.Config().Bool("commit.gpgSign")
	if err != nil {
		return gitx.OID{}, err
	}
	if sign {
		args = append(args, "-S")
	}
	out, err := a.at.Run(ctx, gitx.Command{
		Args: append(args, "-F", "-", j.Tip.String()+"^{tree}"), Stdin: []byte(strings.TrimRight(message, "\n") + "\n"), Env: env, Write: true,
	})
	var exit *gitx.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return gitx.OID{}, refusal.New(refusal.NoIdentity, "the commit that is to land cannot be made in your name: %w", exit).
			Hint("git config user.name <name>").Hint("git config user.email <address>")
	}
	if err != nil {
		return gitx.OID{}, err
	}
	return gitx.ParseOID(strings.TrimSpace(string(out)))
}
