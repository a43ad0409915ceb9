package awaitcmd

import (
	"fmt"
	"strings"

	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/continuation"
	"git-continuity/internal/gate"
	"git-continuity/internal/refusal"
)

// answer is the data of "await" in JSON; docs/json.md describes the fields.
type answer struct {
	*conditionAnswer
	Mode       await.Mode        `json:"mode,omitempty"`
	Conditions []conditionAnswer `json:"conditions,omitempty"`

	Trunk             string               `json:"trunk"`
	Remote            string               `json:"remote,omitempty"`
	Met               bool                 `json:"met"`
	ElapsedMS         int64                `json:"elapsed_ms"`
	TimeoutS          float64              `json:"timeout_s"`
	TimeoutBasis      await.Basis          `json:"timeout_basis"`
	RequestedTimeoutS *float64             `json:"requested_timeout_s,omitempty"`
	Resume            *continuation.Handle `json:"resume"`
	RetryAfterS       float64              `json:"retry_after_s"`
	RetryBasis        await.Basis          `json:"retry_basis"`
}

// conditionAnswer is one condition: alone in the answer, or in its list.
type conditionAnswer struct {
	Condition await.Kind `json:"condition"`
	// Branch is null for trunk_moved.
	Branch   *string        `json:"branch"`
	Met      bool           `json:"met"`
	Observed await.Observed `json:"observed"`
}

func answerOf(r await.Result, length await.Length) answer {
	a := answer{
		Trunk: string(r.Question.Trunk), Met: r.Met, ElapsedMS: r.Elapsed.Milliseconds(),
		TimeoutS: length.Timeout.Seconds(), TimeoutBasis: length.Basis,
		RetryAfterS: length.Retry.Seconds(), RetryBasis: length.RetryBasis,
	}
	if r.Question.Remote != nil {
		a.Remote = r.Question.Remote.Name
	}
	if length.Requested > 0 {
		requested := length.Requested.Seconds()
		a.RequestedTimeoutS = &requested
	}
	if !r.Met && !r.Handle.IsZero() {
		a.Resume = &r.Handle
	}
	for _, c := range r.Question.Conditions {
		a.Conditions = append(a.Conditions, conditionOf(c))
	}
	if r.Question.Mode == "" {
		a.conditionAnswer, a.Conditions = &a.Conditions[0], nil
	} else {
		a.Mode = r.Question.Mode
	}
	return a
}

func conditionOf(c await.Condition) conditionAnswer {
	return conditionAnswer{Condition: c.Kind, Branch: branchOf(c), Met: c.Met, Observed: c.Observed}
}

func branchOf(c await.Condition) *string {
	if c.Branch == "" {
		return nil
	}
	branch := string(c.Branch)
	return &branch
}

// hintsOf says what to do next. A hint never names a branch that acceptance may
// delete, only the commit.
func hintsOf(call Call, service *await.Service, r await.Result, length await.Length) []string {
	if !r.Met {
		if r.Handle.IsZero() {
			return nil
		}
		command := "git await --resume " + r.Handle.String()
		if length.RetryBasis == await.BasisExplicit {
			command += " --timeout " + cli.FormatDuration(length.Retry)
		}
		if call.Notify != "" {
			command += " --notify " + refusal.Word(call.Notify)
		}
		hints := append(cluesOf(r.Question), command, "continue until it holds or the user stops the watch")
		if remote := unanswered(r.Question); remote != nil {
			hints = append(hints, "git ls-remote "+refusal.Word(remote.Name))
		}
		return hints
	}
	for _, c := range r.Question.Conditions {
		incoming := c.Observed.Incoming()
		switch {
		case incoming == nil:
		case !service.Repo.Linked():
			return []string{fmt.Sprintf("git worktree add <path> %s", incoming)}
		case c.Observed.Preview != nil && c.Observed.Preview.Behind > 0:
			return []string{fmt.Sprintf("git merge %s", incoming), fmt.Sprintf("git rebase %s", incoming)}
		}
	}
	return nil
}

// cluesOf says what else may explain that a condition does not hold.
func cluesOf(q await.Question) []string {
	var clues []string
	for _, c := range q.Conditions {
		o := c.Observed
		switch {
		case c.Met || o.BranchSeen == nil:
		case o.NoteCommit != nil:
			clues = append(clues, fmt.Sprintf("a branch of this name landed as %s", o.NoteCommit))
		case o.ReceiptStatus == gate.Missing || o.ReceiptStatus == gate.Stale:
			clues = append(clues, "in its worktree: git await gate -- <command>")
		}
	}
	return clues
}

// describe tells the result to a person, a line for each condition.
func describe(style cli.Style, r await.Result) string {
	var text strings.Builder
	for _, c := range r.Question.Conditions {
		label, colour := "not yet:", cli.Yellow
		if c.Met {
			label, colour = labelOf(c), cli.Green
		}
		fmt.Fprintf(&text, "%s %s\n", style.Paint(colour, label), cli.Inert(sentence(c, trunkOf(r.Question))))
		if p := c.Observed.Preview; c.Met && p != nil && p.OverlapTotal > 0 {
			fmt.Fprintf(&text, "%d of your changed files also changed there: %s\n", p.OverlapTotal, cli.Inert(strings.Join(p.IncomingOverlap, ", ")))
		}
	}
	return text.String()
}

// trunkOf is the trunk as a sentence names it.
func trunkOf(q await.Question) string {
	if q.Remote != nil {
		return q.Remote.Trunk.Short() + " of " + q.Remote.Name
	}
	return q.Trunk.Short()
}

// unanswered returns what is known of a remote that could not be asked the last
// time, or nil.
func unanswered(q await.Question) *await.RemoteSeen {
	for _, c := range q.Conditions {
		if seen := c.Observed.Remote; !c.Met && seen != nil && seen.Status != await.RemoteOK {
			return seen
		}
	}
	return nil
}

func labelOf(c await.Condition) string {
	switch {
	case c.Kind == await.TrunkMoved:
		return "moved:"
	case c.Observed.Via == await.ViaReceipt:
		return "green:"
	}
	return "landed:"
}

func sentence(c await.Condition, trunk string) string {
	branch := c.Branch.Short()
	switch {
	case c.Kind == await.TrunkMoved && c.Met && c.Observed.TrunkHead == nil:
		return trunk + " is gone"
	case c.Kind == await.TrunkMoved && c.Met && c.Observed.Rewritten:
		return trunk + ", rewritten"
	case c.Kind == await.TrunkMoved && c.Met:
		return trunk
	case c.Kind == await.TrunkMoved:
		return trunk + " has not moved" + because(c.Observed)
	case c.Observed.Via == await.ViaReceipt:
		return fmt.Sprintf("%s passed its gate at %s", branch, c.Observed.Tip.Abbrev())
	case c.Met && c.Observed.Undone:
		return fmt.Sprintf("%s came into %s as %s, and was undone since", branch, trunk, c.Observed.LandedAs.Abbrev())
	case c.Met && c.Observed.Ahead != nil:
		return fmt.Sprintf("%s is in %s, and has gone on by %d", branch, trunk, *c.Observed.Ahead)
	case c.Met && c.Observed.LandedAs != nil:
		return fmt.Sprintf("%s is in %s, as %s", branch, trunk, c.Observed.LandedAs.Abbrev())
	case c.Met && c.Observed.Via == await.ViaNote:
		return fmt.Sprintf("%s is in %s, by the note on %s", branch, trunk, c.Observed.NoteCommit.Abbrev())
	case c.Met:
		return fmt.Sprintf("%s is in %s", branch, trunk)
	case c.Kind == await.Green:
		return branch + " is not green" + because(c.Observed)
	}
	return fmt.Sprintf("%s has not landed on %s", branch, trunk) + because(c.Observed)
}

var whyNotGreen = map[gate.ReceiptStatus]string{
	gate.Missing:    " (no receipt in its worktree)",
	gate.Stale:      " (the receipt is of another commit)",
	gate.Dirty:      " (its worktree is not clean)",
	gate.Unreadable: " (the receipt cannot be read)",
	gate.NoWorktree: " (no checkout holds it)",
}

// because adds the reason where it is not plain from the sentence itself.
func because(o await.Observed) string {
	switch {
	case o.Remote != nil && o.Remote.Status != await.RemoteOK:
		return fmt.Sprintf(" as far as is known (%s could not be asked: %s)", o.Remote.Name, o.Remote.Status)
	case o.Reason == await.NoWorkSeen:
		return " (no work was seen on it yet)"
	case o.Reason == await.NeverSeen:
		return " (the branch is gone, and no work was seen on it)"
	case o.Reason == await.Abandoned:
		return " (its work was abandoned)"
	case o.Reason == await.TrunkMissing:
		return " (there is no trunk now)"
	}
	if o.BranchSeen == nil {
		return ""
	}
	return whyNotGreen[o.ReceiptStatus]
}
