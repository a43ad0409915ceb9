// Package accept lands a green branch on the trunk: it moves the trunk, notes
// the landing, and clears the branch and its worktree away.
//
// It stands apart from package landing because waits, hooks and briefings ask
// there whether work has landed, and none of them may link, or be able to call,
// the code that moves the trunk and deletes branches.
package accept

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/document"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// DisposableSetting is the git configuration variable, with any number of values,
// that names ignored files which a worktree may lose: patterns as in .gitignore.
const DisposableSetting = "await.disposable"

// Options say what is to be landed, and how.
type Options struct {
	// Target is the branch as the user typed it: a short or full name, or
	// whatever Resolve understands.
	Target string
	// Resolve turns Target into a branch that exists; nil takes names of local
	// branches alone. It is not asked where an acceptance of Target was begun.
	Resolve func(ctx context.Context, target string) (gitx.RefName, error)
	// Trunk is the full name of the trunk. One below refs/remotes/ is refused.
	Trunk gitx.RefName
	// Method is how the work lands; "" is a fast-forward.
	Method landing.Method
	// Keep keeps worktree and branch.
	Keep bool
	// NoGate asks for no receipt, and the note says so.
	NoGate bool
	// Message is the message of a merge or a squash; "" makes one.
	Message string
	// Dir is the caller's directory; "" is that of the process. A worktree that
	// holds it is kept.
	Dir string
	// OpenEpisode reports whether somebody works in a worktree; nil is nobody.
	OpenEpisode func(ctx context.Context, w gitx.Worktree) (bool, error)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Step is told what has just been done, for tests; nil in production.
	Step func(step string)
}

// A Result is what was done, in the fields of the JSON answer.
type Result struct {
	Branch gitx.RefName `json:"branch"`
	Trunk  gitx.RefName `json:"trunk"`
	// LandedCommit is what the trunk contains now.
	LandedCommit    gitx.OID            `json:"landed_commit"`
	Method          landing.Method      `json:"method"`
	Note            landing.NoteOutcome `json:"note"`
	WorktreeRemoved bool                `json:"worktree_removed"`
	BranchDeleted   bool                `json:"branch_deleted"`
	// KeptBecause says in words why worktree or branch were kept; "" if nothing
	// was.
	KeptBecause string `json:"kept_because"`
	// Retry is the command that finishes what could not be done; "" if nothing is
	// left to do.
	Retry string `json:"retry"`
	// Err is what went wrong after the trunk had moved, or nil; the landing
	// stands all the same.
	Err error `json:"-"`
}

// Run lands a branch, or finishes a landing that was begun and interrupted.
//
// The order is: journal, trunk, note, worktree, branch, end of the journal. Until
// the trunk has moved, everything that goes wrong is an error that leaves trunk,
// branch and worktree as they were. From then on the landing stands, and what
// goes wrong is told in the result, with the command that finishes.
//
// Refusals: unknown_target, trunk_read_only, no_trunk, nothing_to_land,
// behind_trunk, no_receipt, trunk_dirty, trunk_moved, trunk_blocked, no_identity,
// accept_running, journal_corrupt, journal_newer, invalid_arguments, write_access,
// unsafe_state, and those of Resolve.
func Run(ctx context.Context, repo *gitx.Repo, o Options) (_ Result, err error) {
	if o.Method == "" {
		o.Method = landing.FastForward
	}
	if !o.Trunk.IsBranch() {
		return Result{}, refusal.New(refusal.TrunkReadOnly, "the trunk %q is a remote's branch, which only a fetch moves", o.Trunk).
			Hint("git branch %s %s", refusal.Word(o.Trunk.Short()), refusal.Word(string(o.Trunk)))
	}
	if o.Dir == "" {
		if o.Dir, err = os.Getwd(); err != nil {
			return Result{}, fmt.Errorf("find the working directory: %w", err)
		}
	}
	store, err := lockJournals(ctx, repo.CommonDir())
	if err != nil {
		return Result{}, err
	}
	a := &acceptance{Options: o, at: repo, repo: repo.Common(), store: store}
	defer func() { err = errors.Join(err, store.close()) }()
	a.step("locked")
	j, begun, err := a.begin(ctx)
	if err != nil {
		return Result{}, err
	}
	if begun {
		return a.finish(ctx, j)
	}
	if j, err = a.prepare(ctx, j.Branch); err != nil {
		return Result{}, err
	}
	if err := store.create(j); err != nil {
		return Result{}, err
	}
	a.step("journal")
	if err := a.moveTrunk(ctx, j); err != nil {
		return Result{}, a.abandon(ctx, j, err)
	}
	return a.finish(ctx, j)
}

// An acceptance is one run.
type acceptance struct {
	Options
	at    *gitx.Repo // where the command was called
	repo  *gitx.Repo // the common directory, which outlives every worktree
	store *journals
}

func (a *acceptance) step(name string) {
	if a.Step != nil {
		a.Step(name)
	}
}

func (a *acceptance) now() time.Time {
	if a.Now != nil {
		return a.Now()
	}
	return time.Now()
}

// begin finds the branch and what an interrupted run has left of it. The journal
// comes before the target: the branch may be deleted already. Where the trunk has
// the landed commit, or can be brought to it, begun is true; otherwise the
// journal is discarded, and j holds the branch alone.
func (a *acceptance) begin(ctx context.Context) (j journal, begun bool, err error) {
	branch, nameErr := named(a.Target)
	found := false
	if nameErr == nil {
		if j, found, err = a.store.load(branch); err != nil {
			return journal{}, false, err
		}
	}
	if !found {
		resolved, resolveErr := a.resolve(ctx, branch, nameErr)
		if resolveErr != nil {
			if j, found, err = a.store.byTarget(a.Target); err != nil || !found {
				return journal{}, false, errors.Join(err, resolveErr)
			}
		} else if j, found, err = a.store.load(resolved); err != nil {
			return journal{}, false, err
		}
		branch = resolved
	}
	if !found {
		return journal{Branch: branch}, false, nil
	}
	in, err := a.inTrunk(ctx, j)
	if err == nil && !in {
		in, err = a.settle(ctx, j)
	}
	if err != nil || in {
		return j, in, err
	}
	return journal{Branch: j.Branch}, false, a.store.remove(j.Branch)
}

// resolve finds the branch that the target names.
func (a *acceptance) resolve(ctx context.Context, branch gitx.RefName, nameErr error) (gitx.RefName, error) {
	if a.Resolve != nil {
		return a.Resolve(ctx, a.Target)
	}
	unknown := func() error {
		return refusal.New(refusal.UnknownTarget, "%q is no local branch", a.Target).At("branch").Hint("git branch --list")
	}
	if nameErr != nil || !branch.IsBranch() {
		return "", unknown()
	}
	_, exists, err := a.repo.ResolveRef(ctx, branch)
	if err == nil && !exists {
		err = unknown()
	}
	return branch, err
}

// inTrunk reports whether the trunk contains the landed commit of a journal.
func (a *acceptance) inTrunk(ctx context.Context, j journal) (bool, error) {
	tip, exists, err := a.repo.ResolveRef(ctx, j.Trunk)
	if err != nil || !exists {
		return false, err
	}
	if tip == j.Landed {
		return true, nil
	}
	in, err := a.repo.IsAncestor(ctx, j.Landed, tip)
	var missing *gitx.MissingObjectError
	if errors.As(err, &missing) && missing.Name == j.Landed.String() {
		return false, nil // never landed, and pruned since
	}
	return in, err
}

// abandon ends a run whose trunk did not move. The journal goes unless it is
// needed to mend what git left half done.
func (a *acceptance) abandon(ctx context.Context, j journal, cause error) error {
	if ctx.Err() != nil {
		return cause
	}
	if clean, err := a.trunkClean(ctx, j.Trunk); err != nil || !clean {
		return cause
	}
	return errors.Join(cause, a.store.remove(j.Branch))
}

// finish does what comes after the trunk: each step finds out by itself what an
// earlier run has done.
func (a *acceptance) finish(ctx context.Context, j journal) (Result, error) {
	a.step("trunk")
	result := Result{
		Branch: j.Branch, Trunk: j.Trunk, LandedCommit: j.Landed, Method: j.Method, Note: landing.NoteFailed,
		KeptBecause: "the landing is not noted",
	}
	note, err := a.note(ctx, j)
	if err == nil {
		result.Note, err = landing.WriteNote(ctx, a.repo, note)
	}
	if err != nil {
		return a.unnoted(ctx, result, j, err)
	}
	a.step("note")
	result.KeptBecause, result.WorktreeRemoved, err = a.removeWorktree(ctx, &j)
	if err != nil {
		result.KeptBecause = "its worktree could not be removed"
		return a.unfinished(ctx, result, j, err)
	}
	a.step("worktree")
	if result.KeptBecause == "" {
		if result.KeptBecause, err = a.deleteBranch(ctx, j); err != nil {
			result.KeptBecause = "the branch could not be deleted"
			return a.unfinished(ctx, result, j, err)
		}
		result.BranchDeleted = result.KeptBecause == ""
	}
	a.step("branch")
	if err := a.store.remove(j.Branch); err != nil {
		return a.unfinished(ctx, result, j, err)
	}
	a.step("done")
	return result, nil
}

// unnoted tells of a landing without a note. Where the note of somebody else
// stands in the way and the branch has gone on since, nothing is left that a
// retry could do: the journal must not stop the branch's next landing.
func (a *acceptance) unnoted(ctx context.Context, result Result, j journal, err error) (Result, error) {
	var claim *landing.NoteClaimError
	if errors.As(err, &claim) {
		tip, _, resolveErr := a.repo.ResolveRef(ctx, j.Branch)
		if resolveErr == nil && tip != j.Tip {
			result.Err = err
			return result, a.store.remove(j.Branch)
		}
	}
	return a.unfinished(ctx, result, j, err)
}

// unfinished tells of a step that failed after the trunk had moved.
func (a *acceptance) unfinished(ctx context.Context, result Result, j journal, err error) (Result, error) {
	if ctx.Err() != nil {
		return Result{}, err // interrupted: the journal stands
	}
	result.Err, result.Retry = err, "git await accept "+refusal.Word(j.Branch.Short())
	if strings.HasPrefix(j.Branch.Short(), "refs/") {
		result.Retry = "git await accept " + refusal.Word(string(j.Branch))
	}
	return result, nil
}

// maxNotedGate is how much of a gate's command a note holds, in bytes.
const maxNotedGate = 2 << 10

// note makes the landing note of a journal.
func (a *acceptance) note(ctx context.Context, j journal) (landing.Note, error) {
	tree, err := a.repo.RevParse(ctx, j.Landed.String()+"^{tree}")
	if err != nil {
		return landing.Note{}, fmt.Errorf("find the tree of %s: %w", j.Landed, err)
	}
	claim := landing.Claim{
		Branch: j.Branch, Tip: j.Tip, Trunk: j.Trunk, Method: j.Method, Gate: j.Gate, Receipt: j.Receipt,
	}
	if err := a.count(ctx, j, &claim); err != nil {
		return landing.Note{}, err
	}
	note := landing.Note{Commit: j.Landed, Tree: tree, Claim: claim, AcceptedAt: a.now().UTC().Truncate(time.Second)}
	_, err = landing.EncodeNote(note)
	return note, err
}

// checkNames refuses names that no note can hold.
func checkNames(names ...gitx.RefName) error {
	for _, name := range names {
		if !document.Text(string(name)) {
			return refusal.New(refusal.InvalidArguments, "the name %q is not text in UTF-8, so no note can hold it", name).
				At("branch").Hint("git branch --move")
		}
	}
	return nil
}
