package accept

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/refusal"
)

// cleanTrunk returns the checkout of the trunk, or nil if none holds it. One
// with uncommitted work is refused with trunk_dirty.
func (a *acceptance) cleanTrunk(ctx context.Context, trunk gitx.RefName) (*gitx.Repo, error) {
	checkout, dirty, err := a.examineTrunk(ctx, trunk)
	if err != nil || len(dirty) == 0 {
		return checkout, err
	}
	return nil, trunkDirty(trunk, checkout.TopLevel(), dirty)
}

func trunkDirty(trunk gitx.RefName, path string, dirty []string) error {
	const named = 6
	more := ""
	if len(dirty) > named {
		more = fmt.Sprintf(" and %d more", len(dirty)-named)
		dirty = dirty[:named]
	}
	return refusal.New(refusal.TrunkDirty, "the checkout of %q in %q has uncommitted work: %q%s", trunk.Short(), path, dirty, more).
		Hint("git -C %s status", refusal.Word(path))
}

// trunkClean reports whether the checkout of the trunk, if there is one, has no
// uncommitted work.
func (a *acceptance) trunkClean(ctx context.Context, trunk gitx.RefName) (bool, error) {
	_, dirty, err := a.examineTrunk(ctx, trunk)
	return err == nil && len(dirty) == 0, err
}

// examineTrunk finds the checkout of the trunk and the paths that differ there.
// Linked worktrees that lie inside it are no work of its own.
func (a *acceptance) examineTrunk(ctx context.Context, trunk gitx.RefName) (checkout *gitx.Repo, dirty []string, err error) {
	worktrees, err := a.repo.Worktrees(ctx)
	if err != nil {
		return nil, nil, err
	}
	var holders []gitx.Worktree
	for _, w := range holding(worktrees, trunk) {
		if _, err := os.Stat(w.Path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			holders = append(holders, w)
		}
	}
	if len(holders) == 0 {
		return nil, nil, nil
	}
	if len(holders) > 1 {
		return nil, nil, refusal.New(refusal.TrunkBlocked, "the trunk %q is checked out in %q and in %q; moving it would leave one of them behind",
			trunk.Short(), holders[0].Path, holders[1].Path).Hint("git -C %s switch --detach", refusal.Word(holders[1].Path))
	}
	if checkout, err = a.at.AtWorktree(ctx, holders[0].Path); err != nil {
		return nil, nil, fmt.Errorf("open the checkout of the trunk: %w", err)
	}
	if err := awaitIndex(ctx, checkout); err != nil {
		return nil, nil, err
	}
	status, err := checkout.Status(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("examine the checkout of the trunk: %w", err)
	}
	for _, entry := range status.Entries {
		if !isWorktree(worktrees, checkout.TopLevel(), entry.Path) {
			dirty = append(dirty, entry.Path)
		}
	}
	return checkout, dirty, nil
}

// isWorktree reports whether a path inside a checkout is a worktree of its own.
func isWorktree(worktrees []gitx.Worktree, top, path string) bool {
	full := filepath.Join(top, filepath.FromSlash(strings.TrimSuffix(path, "/")))
	for _, w := range worktrees {
		if w.Path == full {
			return true
		}
	}
	return false
}

const (
	// indexPatience is how long a lock of the index is waited for: a git that a
	// killed run has left behind ends by itself.
	indexPatience = 5 * time.Second
	indexPause    = 20 * time.Millisecond
)

// awaitIndex waits until nobody holds the lock of a checkout's index. A lock that
// stays is named, never deleted: it may be somebody's who is only slow.
func awaitIndex(ctx context.Context, checkout *gitx.Repo) error {
	lock := filepath.Join(checkout.GitDir(), "index.lock")
	for range int(indexPatience / indexPause) {
		if _, err := os.Lstat(lock); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		timer := time.NewTimer(indexPause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
	return refusal.New(refusal.TrunkBlocked, "the index of the trunk's checkout is locked by %q", lock).
		Hint("if no git command runs in %s, remove that file and run the command again", refusal.Word(checkout.TopLevel()))
}

// moveTrunk brings the trunk to the landed commit: in the worktree that has it
// checked out, or by a guarded update of the ref.
func (a *acceptance) moveTrunk(ctx context.Context, j journal) error {
	checkout, err := a.cleanTrunk(ctx, j.Trunk)
	if err != nil {
		return err
	}
	if checkout == nil {
		return a.moveRef(ctx, j)
	}
	now, _, err := a.repo.ResolveRef(ctx, j.Trunk)
	if err != nil {
		return err
	}
	if now != j.Old {
		return trunkMoved(j, now)
	}
	_, mergeErr := checkout.Run(ctx, gitx.Command{
		// Ignored files are somebody's too; the user's own merge options are for
		// merges that the user makes.
		Args:  []string{"merge", "--ff-only", "--no-squash", "--no-autostash", "--no-overwrite-ignore", "--quiet", j.Landed.String()},
		Write: true,
	})
	// A merge that was cut short, or that complained at the end, may have landed.
	if in, err := a.inTrunk(context.WithoutCancel(ctx), j); in || err != nil {
		return err
	}
	if mergeErr == nil {
		return fmt.Errorf("move the trunk %q: git merge ended well, and the trunk does not contain %s", j.Trunk, j.Landed)
	}
	var exit *gitx.ExitError
	if errors.As(mergeErr, &exit) && ctx.Err() == nil {
		return refusal.New(refusal.TrunkBlocked, "git did not move %q in %q: %w", j.Trunk.Short(), checkout.TopLevel(), exit).
			Hint("git -C %s status", refusal.Word(checkout.TopLevel()))
	}
	return mergeErr
}

// moveRef moves the ref of a trunk that no checkout follows, or whose checkout
// has the landed content already.
func (a *acceptance) moveRef(ctx context.Context, j journal) error {
	err := a.repo.UpdateRef(ctx, gitx.RefEdit{Name: j.Trunk, New: j.Landed, Old: gitx.At(j.Old)},
		"await accept "+j.Branch.Short())
	var conflict *gitx.ConflictError
	if errors.As(err, &conflict) {
		return trunkMoved(j, conflict.Got)
	}
	var exit *gitx.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return refusal.New(refusal.TrunkBlocked, "git did not move %q: %w", j.Trunk.Short(), exit)
	}
	return err
}

func trunkMoved(j journal, now gitx.OID) error {
	return refusal.New(refusal.TrunkMoved, "%q moved from %s to %s meanwhile", j.Trunk.Short(), j.Old.Abbrev(), now.Abbrev()).
		Hint("git await accept %s", refusal.Word(j.Branch.Short()))
}
