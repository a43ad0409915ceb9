package await

import (
	"context"
	"slices"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/continuation"
	"git-continuity/internal/gate"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// keepAlive is how often a blocking call renews its continuation, which would
// else expire while it is waited for.
const keepAlive = 24 * time.Hour

// lastSave bounds the writing of the last observation: a signal ends a wait
// within a second.
const lastSave = 500 * time.Millisecond

// previewTime bounds what comes before an answer that is already known.
const previewTime = 2 * time.Second

// A Result is the answer of one call.
type Result struct {
	Question Question
	Met      bool
	// Handle names the watch; zero where it was met before it had to be stored.
	Handle  continuation.Handle
	Elapsed time.Duration
	// Interrupted: the context ended the call, not the clock.
	Interrupted bool
	// Unsaved is the error that kept the latest observation out of the store.
	Unsaved error
}

// Wait looks, and goes on looking until the condition holds, the timeout has
// passed or ctx ends, whichever comes first; a look that holds wins. The
// continuation is written before the call blocks and then announced with its
// handle. No lock is held while waiting.
func (w *Watch) Wait(ctx context.Context, timeout time.Duration, announce func(continuation.Handle)) (Result, error) {
	deadline := w.began.Add(timeout)
	e := w.eye
	w.openInquiry(ctx)
	if _, err := e.look(ctx, &w.question); err != nil {
		if ctx.Err() != nil {
			return w.finish(ctx), nil
		}
		return Result{}, err
	}
	if w.question.Met() {
		return w.result(ctx, nil), nil
	}
	if err := w.refuseUnheld(ctx, e); err != nil {
		return Result{}, err
	}
	if err := w.save(ctx); err != nil {
		return Result{}, err
	}
	announce(w.record.Handle)
	if time.Until(deadline) <= 0 {
		return w.result(ctx, nil), nil
	}
	err := w.block(ctx, e, deadline)
	if err != nil && ctx.Err() == nil {
		return Result{}, err
	}
	return w.finish(ctx), nil
}

// finish stores the last observation of a call that ends without an answer,
// also when a signal ended it.
func (w *Watch) finish(ctx context.Context) Result {
	if w.question.Met() {
		return w.result(ctx, nil)
	}
	// Somebody who holds the store's lock must not hold up the end of the call.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSave)
	defer cancel()
	return w.result(ctx, w.save(last))
}

func (w *Watch) result(ctx context.Context, unsaved error) Result {
	met := w.question.Met()
	if met && w.service.Repo.Linked() {
		brief, cancel := context.WithTimeout(ctx, previewTime)
		w.preview(brief)
		cancel()
	}
	return Result{
		Question: w.question, Met: met, Handle: w.record.Handle, Elapsed: time.Since(w.began),
		Interrupted: !met && ctx.Err() != nil, Unsaved: unsaved,
	}
}

// preview adds what an update of the caller's checkout would bring. It is a
// courtesy: a checkout that has gone or cannot be compared has none, and the
// answer stands.
func (w *Watch) preview(ctx context.Context) {
	found := map[gitx.OID]*Preview{}
	for i := range w.question.Conditions {
		o := &w.question.Conditions[i].Observed
		incoming := o.Incoming()
		if incoming == nil {
			continue
		}
		p, asked := found[*incoming]
		if !asked {
			p, _ = preview(ctx, w.service.Repo, *incoming)
			found[*incoming] = p
		}
		o.Preview = p
	}
}

// refuseUnheld refuses --green for a branch that no checkout holds: a receipt
// can only be written in one. A watch that is being resumed goes on: its checkout
// may come back.
func (w *Watch) refuseUnheld(ctx context.Context, e *eye) error {
	if !w.record.Handle.IsZero() {
		return nil
	}
	for _, c := range w.question.Conditions {
		if c.Met || c.Kind != Green || c.Observed.ReceiptStatus != gate.NoWorktree {
			continue
		}
		r := refusal.New(refusal.NoWorktree, "no checkout holds %q, so nothing can record that it is green", c.Branch.Short()).At(string(Green))
		holder, err := e.containing(ctx, c, w.question.Trunk)
		if err != nil {
			return err
		}
		if holder != "" {
			r.Hint("git await --green %s", refusal.Word(string(holder)))
		}
		return r.Hint("git await --landed %s", refusal.Word(string(c.Branch)))
	}
	return nil
}

// containing finds a checked-out branch that contains the tip of one that is not.
func (e *eye) containing(ctx context.Context, c Condition, trunk gitx.RefName) (gitx.RefName, error) {
	worktrees, err := e.repo.Worktrees(ctx)
	if err != nil || c.Observed.Tip == nil {
		return "", err
	}
	for _, wt := range worktrees {
		if wt.Branch == "" || wt.Branch == trunk || wt.HEAD.IsZero() {
			continue
		}
		in, err := e.repo.IsAncestor(ctx, *c.Observed.Tip, wt.HEAD)
		if err != nil {
			return "", err
		}
		if in {
			return wt.Branch, nil
		}
	}
	return "", nil
}

// block waits until a look holds, the deadline has passed or ctx ends.
func (w *Watch) block(ctx context.Context, e *eye, deadline time.Time) error {
	g := &glance{eye: e, watch: w, common: w.service.Repo.CommonDir()}
	refs, symbolic, err := e.places(ctx, append([]gitx.RefName{w.question.Trunk}, w.question.branches()...))
	if err != nil {
		return err
	}
	g.refs = append(refs, landing.NotesRef)
	g.unstamped = symbolic || !local(g.common)
	w.waker = newWaker(g.common, g.refs, e.files)
	if e.remote != nil {
		e.remote.start(ctx, w.waker.C)
	}
	err = loop(ctx, time.Until(deadline), w.waker.C, w.waker.interval, g.look, func() { w.renew(ctx) })
	if err == nil && e.pace.owed && !w.question.Met() {
		// The last look of a call leaves nothing out.
		e.pace = pace{}
		_, err = e.look(ctx, &w.question)
	}
	return err
}

// places adds to the refs those that they are symbolic names of: a trunk that
// is an alias moves when the other name does. It reports whether there are any:
// what they stand for may change too.
func (e *eye) places(ctx context.Context, refs []gitx.RefName) (_ []gitx.RefName, symbolic bool, err error) {
	prefixes := make([]string, len(refs))
	for i, ref := range refs {
		prefixes[i] = string(ref)
	}
	found, err := e.repo.Refs(ctx, prefixes...)
	if err != nil {
		return nil, false, err
	}
	for _, ref := range found {
		if ref.Symref != "" && slices.Contains(refs, ref.Name) {
			refs, symbolic = append(refs, ref.Symref), true
		}
	}
	return refs, symbolic, nil
}

// Close ends the processes and the watching behind a watch. It can take some
// milliseconds, so it comes after the answer was printed.
func (w *Watch) Close() {
	if w.eye != nil && w.eye.remote != nil {
		w.eye.remote.stop()
	}
	if w.waker != nil {
		w.waker.close()
	}
	if w.eye != nil {
		_ = w.eye.close()
	}
}

// loop is the waiting itself, apart from everything it waits with: it looks at
// once, at every wake-up and at every tick of the poll.
func loop(ctx context.Context, timeout time.Duration, wake <-chan struct{}, poll time.Duration,
	look func(context.Context) (bool, error), renew func()) error {
	end := time.NewTimer(timeout)
	defer end.Stop()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		met, err := look(ctx)
		if err != nil || met {
			return err
		}
		select {
		case <-wake:
		case <-tick.C:
		case <-alive.C:
			renew()
		case <-end.C:
			_, err := look(ctx)
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Delivered removes the continuation of a watch that was met, once its answer
// has been written. A removal that fails is left to expiry.
func (w *Watch) Delivered(ctx context.Context) {
	if !w.record.Handle.IsZero() {
		_ = w.service.Store.Remove(ctx, w.record.Handle)
	}
}
