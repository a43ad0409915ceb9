package await

import (
	"git-continuity/gitx"
)

// A Reason says why a condition does not hold; it is part of the JSON contract.
type Reason string

// The reasons of a condition that is not met.
const (
	// NoWorkSeen: the branch stands in the trunk, and no look saw work on it.
	NoWorkSeen Reason = "no_work_seen"
	// NeverSeen: the branch is gone, and no look saw work on it.
	NeverSeen Reason = "never_seen"
	// NotInTrunk: the work that was seen is not in the trunk.
	NotInTrunk Reason = "not_in_trunk"
	// Abandoned: the branch was moved back into the trunk without its work.
	Abandoned Reason = "abandoned"
	// TrunkMissing: the trunk does not exist now.
	TrunkMissing Reason = "trunk_missing"
	// CannotTell: the history here is cut off before the answer.
	CannotTell Reason = "cannot_tell"
	// ObjectMissing: an object that would answer is not in this clone.
	ObjectMissing Reason = "object_missing"
	// TrunkUnchanged: the trunk stands where it stood.
	TrunkUnchanged Reason = "trunk_unchanged"
)

// A ReceiptStatus says what became of the receipt that --green needs.
type ReceiptStatus string

// The states of a receipt, as far as a look can find them.
const (
	ReceiptMissing    ReceiptStatus = "missing"
	ReceiptNoWorktree ReceiptStatus = "no_worktree"
)

// ViaTrunk is the evidence of --trunk-moved: the position of the trunk itself.
const ViaTrunk = "trunk"

// Observed is what one look saw for one condition. It is shown, and stored
// with the watch, so that a killed call loses nothing that was seen. What was
// not looked at is left out.
type Observed struct {
	// Via is the evidence; empty while the condition does not hold.
	Via    string `json:"via,omitempty"`
	Reason Reason `json:"reason,omitempty"`
	// TrunkStart and TrunkHead are the trunk when the watch began and now; the
	// latter is nil for a trunk that was deleted.
	TrunkStart gitx.OID  `json:"trunk_start"`
	TrunkHead  *gitx.OID `json:"trunk_head"`
	// Rewritten: the trunk no longer contains the place where it stood.
	Rewritten bool `json:"rewritten,omitempty"`
	// BranchSeen is nil for TrunkMoved.
	*BranchSeen
	// Preview is there when the condition was met in a linked worktree.
	*Preview
}

// BranchSeen is what a look saw of the branch that a condition follows.
type BranchSeen struct {
	// Tip is the commit that was judged: the last armed tip, else the branch's
	// own; nil where there is neither.
	Tip *gitx.OID `json:"tip,omitempty"`
	// Armed: a tip outside the trunk has been seen.
	Armed bool `json:"armed"`
	// Landed: that work has reached the trunk.
	Landed bool `json:"landed"`
	Exists bool `json:"branch_exists"`
	// Ahead counts the commits of a branch that went on after its landing.
	Ahead *int `json:"ahead,omitempty"`
	// ReceiptStatus and Worktree (the checkout that holds the branch, by its
	// administrative name) are for Green only.
	ReceiptStatus ReceiptStatus `json:"receipt_status,omitempty"`
	Worktree      string        `json:"worktree,omitempty"`
}

// A Preview says what bringing the checkout up to date would mean.
type Preview struct {
	// Behind counts the commits that the checkout lacks.
	Behind int `json:"behind"`
	// IncomingOverlap lists at most MaxOverlap of the checkout's own changed files
	// that the incoming commits also touch; OverlapTotal counts them all.
	IncomingOverlap []string `json:"incoming_overlap"`
	OverlapTotal    int      `json:"overlap_total"`
}

// MaxOverlap bounds the files that a preview names.
const MaxOverlap = 20

func known(oid gitx.OID) *gitx.OID {
	if oid.IsZero() {
		return nil
	}
	return &oid
}
