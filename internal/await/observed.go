package await

import (
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/gate"
	"git-continuity/internal/landing"
)

// A Reason says why a condition does not hold; it is part of the JSON contract.
type Reason string

// The reasons of a condition that is not met, beside those by which package
// landing cannot tell.
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
	// The history here is cut off before the answer, or an object that would give
	// it is not in this clone.
	Shallow       = Reason(landing.Shallow)
	MissingObject = Reason(landing.MissingObject)
	// TrunkUnchanged: the trunk stands where it stood.
	TrunkUnchanged Reason = "trunk_unchanged"
)

// The kinds of evidence beside those of package landing.
const (
	// ViaTrunk is the position of the trunk itself, for TrunkMoved.
	ViaTrunk = "trunk"
	// ViaReceipt is a valid receipt of the gate for the tip, for Green.
	ViaReceipt = "receipt"
	// ViaNote is a landing note.
	ViaNote = "note"
)

// Observed is what one look saw for one condition. It is shown, and stored
// with the watch, so that a killed call loses nothing that was seen. What was
// not looked at is left out.
type Observed struct {
	// Via is the evidence; empty while the condition does not hold.
	Via    string `json:"via,omitempty"`
	Reason Reason `json:"reason,omitempty"`
	// TrunkStart and TrunkHead are the trunk when the watch began and now; the
	// latter is nil for a trunk that was deleted. Both are those of the remote in a
	// watch about one, and the former is zero until it has answered.
	TrunkStart gitx.OID  `json:"trunk_start,omitzero"`
	TrunkHead  *gitx.OID `json:"trunk_head"`
	// Rewritten: the trunk no longer contains the place where it stood.
	Rewritten bool `json:"rewritten,omitempty"`
	// BranchSeen is nil for TrunkMoved.
	*BranchSeen
	// Remote is nil unless the watch is about one.
	Remote *RemoteSeen `json:"remote,omitempty"`
	// Preview is there when the condition was met in a linked worktree.
	*Preview
}

// Incoming returns the commit that whoever waited now wants: the tip that is
// green, else the trunk. It is nil where the condition does not hold.
func (o *Observed) Incoming() *gitx.OID {
	switch o.Via {
	case "":
		return nil
	case ViaReceipt:
		return o.Tip
	}
	return o.TrunkHead
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
	// LandedAs is the commit of the trunk that holds its content, where that is
	// the evidence; Undone: the trunk no longer holds it.
	LandedAs *gitx.OID `json:"landed_as,omitempty"`
	Undone   bool      `json:"undone,omitempty"`
	// NoteCommit and NoteDate are those of a landing note of the branch: the
	// evidence, or, on a branch that stands, only a hint that the name was used.
	NoteCommit *gitx.OID  `json:"note_commit,omitempty"`
	NoteDate   *time.Time `json:"note_date,omitempty"`
	Exists     bool       `json:"branch_exists"`
	// Ahead counts the commits of a branch that went on after its landing.
	Ahead *int `json:"ahead,omitempty"`
	// ReceiptStatus and Worktree (the checkout that holds the branch, by its
	// administrative name) are for Green only.
	ReceiptStatus gate.ReceiptStatus `json:"receipt_status,omitempty"`
	Worktree      string             `json:"worktree,omitempty"`
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
