package await

import (
	"context"
	"maps"
	"time"

	"git-continuity/internal/refusal"
)

// RemoteNotAsked: the remote has not answered since the watch began.
const RemoteNotAsked Reason = "remote_not_asked"

// firstAnswerBy is until when the first question of a call may last.
func (w *Watch) firstAnswerBy() time.Time {
	limit := firstAnswer
	if w.timeout > 0 {
		limit = min(limit, w.timeout)
	}
	return w.began.Add(limit)
}

// openInquiry asks the remote of a watch, if it has one, for the first look.
func (w *Watch) openInquiry(ctx context.Context) {
	if w.question.Remote == nil {
		return
	}
	in := newInquiry(w.service, &w.question, w.first)
	w.eye.remote = in
	limited, cancel := context.WithDeadline(ctx, w.firstAnswerBy())
	defer cancel()
	in.publish(in.ask(limited, firstAnswer, firstAnswer))
}

// lookThere is a look of a watch about a remote. It judges when the remote has
// answered. In between it only notices that a local branch moved: whether a tip
// is work can be said only beside a trunk that was read after it.
func (e *eye) lookThere(ctx context.Context, q *Question) (changed bool, err error) {
	r := e.remote.take()
	if r == nil {
		tips, err := tipsOf(e.batch, e.remote.here)
		if err == nil && !maps.Equal(tips, e.here) {
			e.here = tips
			e.remote.hurry()
		}
		return false, err
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if r.err != nil {
		q.noteFailure(statusOf(r.err))
		return false, nil
	}
	e.here = r.here
	if q.TrunkStart.IsZero() && !r.trunk.IsZero() {
		q.TrunkStart, changed = r.trunk, true
	}
	for i := range q.Conditions {
		c := &q.Conditions[i]
		if c.Met {
			continue
		}
		moved, err := e.judgeThere(ctx, q, c, r)
		if err != nil {
			return false, err
		}
		changed = changed || moved
	}
	return changed, nil
}

// noteFailure keeps what was seen and says that the remote could not be asked.
func (q *Question) noteFailure(status RemoteStatus) {
	for i := range q.Conditions {
		c := &q.Conditions[i]
		switch {
		case c.Met:
		case c.Observed.Remote != nil:
			c.Observed.Remote.Status = status
		default:
			c.Observed = Observed{Reason: RemoteNotAsked, Remote: &RemoteSeen{Name: q.Remote.Name, Status: status}}
		}
	}
}

// judgeThere judges one condition by the trunk of the remote: the tip armed by
// its branch, then the one armed by the local branch. It reports whether
// something was seen that must not be lost.
func (e *eye) judgeThere(ctx context.Context, q *Question, c *Condition, r *report) (changed bool, err error) {
	seen := &RemoteSeen{Name: q.Remote.Name, Status: RemoteOK, AskedAt: &r.at, TrunkHead: known(r.trunk)}
	if c.Kind == TrunkMoved {
		err := e.judgeCondition(ctx, q, c, view{trunk: r.trunk})
		c.Observed.Remote = seen
		return c.Met, err
	}
	here, there := *c, Condition{Kind: c.Kind, Branch: c.Branch}
	if c.Remote != nil {
		there.Branch, there.Armed = c.Remote.Branch, c.Remote.Armed
		seen.Tip = known(r.there[there.Branch])
		err = e.judgeCondition(ctx, q, &there, view{r.trunk, r.there})
		if err != nil && !(lost(err) && !here.Armed.IsZero()) {
			return false, err
		}
	}
	if !there.Met {
		err = e.judgeCondition(ctx, q, &here, view{r.trunk, r.here})
		if err != nil && !(lost(err) && !there.Armed.IsZero()) {
			return false, err
		}
	}
	changed = there.Met || here.Met || here.Armed != c.Armed
	if c.Remote != nil {
		changed = changed || there.Armed != c.Remote.Armed
		c.Remote = &RemoteSide{Branch: there.Branch, Armed: there.Armed}
	}
	c.Met, c.Armed = there.Met || here.Met, here.Armed
	c.Observed = leading(here, there).Observed
	_, exists := r.here[here.Branch]
	c.Observed.Exists = exists || seen.Tip != nil
	c.Observed.Remote = seen
	return changed, nil
}

// lost reports whether the evidence of one side is gone; the other one's may do.
func lost(err error) bool { return refusal.CodeOf(err) == refusal.BaselineLost }

// leading returns the side whose observation tells more.
func leading(here, there Condition) Condition {
	switch {
	case there.Met:
		return there
	case here.Met || !here.Armed.IsZero() || there.Observed.BranchSeen == nil:
		return here
	case there.Armed.IsZero() && here.Observed.Exists:
		return here
	}
	return there
}
