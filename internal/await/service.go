package await

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/continuation"
	"git-continuity/internal/refusal"
	"git-continuity/internal/trunk"
)

// A Service starts, resumes, lists and forgets the watches of one repository.
type Service struct {
	// Repo is the repository as opened in the caller's checkout.
	Repo *gitx.Repo
	// Store keeps the continuations, in the common directory.
	Store *continuation.Store
	// Dir is the caller's working directory, from which a target's relative path
	// counts.
	Dir string
	// RemoteInterval is how often a remote is asked: 0 is the constant of that
	// name, less than MinRemoteInterval counts as that.
	RemoteInterval time.Duration
}

// A Request is what a caller wants watched: Asks for a new watch, or Resume.
type Request struct {
	Mode Mode
	Asks []Ask
	// Trunk is the --trunk option; on a resumed watch it may only repeat.
	Trunk string
	// Resume is the handle of a watch to go on with, as typed.
	Resume string
	// Remote is the name of the remote that the watch is about, "" for the one that
	// stands out; nil for a watch about this repository alone. On a resumed watch
	// it may only repeat.
	Remote *string
	// Timeout is how long the call may last. It shortens the first question to a
	// remote; 0, which asks once, does not.
	Timeout time.Duration
}

// A Watch is one question while a call works on it.
type Watch struct {
	service  *Service
	question Question
	// record is the stored continuation; its handle is zero before the first one.
	record continuation.Record
	// unsaved is set while the store lacks something that a look has seen.
	unsaved bool
	began   time.Time
	// eye is there from Open on, waker from the first block on.
	eye     *eye
	waker   *waker
	timeout time.Duration
	// first is what the remote said when the target was looked for.
	first *listing
}

// Open resolves a request into a watch, which Close ends. It writes nothing.
func (s *Service) Open(ctx context.Context, req Request) (*Watch, error) {
	w := &Watch{service: s, began: time.Now(), timeout: req.Timeout}
	var err error
	if w.eye, err = openEye(ctx, s.Repo); err != nil {
		return nil, err
	}
	if req.Resume != "" {
		err = w.resume(ctx, req)
	} else {
		err = w.ask(ctx, req)
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func (w *Watch) ask(ctx context.Context, req Request) error {
	s := w.service
	line, err := trunk.Resolve(ctx, s.Repo, req.Trunk)
	if err != nil {
		return err
	}
	w.question = Question{Mode: req.Mode, Trunk: line.Ref, TrunkStart: line.Tip}
	if req.Remote != nil {
		if err := w.askThere(ctx, req); err != nil {
			return err
		}
	}
	for _, ask := range req.Asks {
		c := Condition{Kind: ask.Kind, Observed: Observed{TrunkStart: line.Tip, TrunkHead: known(line.Tip)}}
		if ask.Kind != TrunkMoved {
			c.Observed.BranchSeen = &BranchSeen{}
			if err := w.resolve(ctx, &c, ask, line.Tip); err != nil {
				return err
			}
			if w.question.isTrunk(c) {
				return refusal.New(refusal.InvalidArguments, "%q is the trunk: its work has nowhere to land", c.Branch.Short()).
					At(string(ask.Kind)).Hint("git await --trunk-moved")
			}
		}
		w.question.Conditions = append(w.question.Conditions, c)
	}
	if err := w.question.validate(); err != nil {
		return refusal.New(refusal.InvalidArguments, "%w", err)
	}
	return nil
}

// resolve finds the ref of a target. A branch that does not exist may have
// landed and gone before anybody asked: its landing note answers then.
func (w *Watch) resolve(ctx context.Context, c *Condition, ask Ask, trunk gitx.OID) (err error) {
	err = w.target(ctx, c, ask)
	if refusal.CodeOf(err) != refusal.UnknownTarget {
		return err
	}
	branch, invalid := gitx.ParseRefName(ask.Target)
	if invalid != nil {
		branch, invalid = gitx.BranchRef(ask.Target)
	}
	if invalid != nil {
		return err
	}
	c.Branch = branch
	if found, noteErr := w.eye.noted(ctx, c, trunk); found || noteErr != nil {
		return noteErr
	}
	return err
}

func (w *Watch) resume(ctx context.Context, req Request) error {
	handle, err := continuation.Parse(req.Resume)
	if err != nil {
		return err
	}
	if w.record, err = w.service.Store.Load(ctx, handle); err != nil {
		return err
	}
	if w.question, err = decodeQuestion(w.record.Watch); err != nil {
		return corrupt(err)
	}
	if err := w.question.checkRemoteAgain(req.Remote); err != nil || req.Trunk == "" {
		return err
	}
	line, err := trunk.Resolve(ctx, w.service.Repo, req.Trunk)
	if err != nil && refusal.CodeOf(err) != refusal.NoTrunk {
		return err
	}
	if line.Ref != w.question.Trunk {
		return refusal.New(refusal.TrunkMismatch, "the watch is about the trunk %q, not %q", w.question.Trunk, req.Trunk).
			At("trunk").Hint("resume it without --trunk, or start a new watch")
	}
	return nil
}

func corrupt(err error) error {
	return refusal.New(refusal.HandleCorrupt, "the stored watch cannot be read: %w", err).At("resume").
		Hint("start again from the condition: git await --landed <branch>").Hint("git await forget removes it")
}

// A Listed is a stored watch as git await list shows it.
type Listed struct {
	Record   continuation.Record
	Question Question
	// Err says why the record cannot be read; the rest is empty then, but for the
	// handle, under which it can be forgotten.
	Err error
}

// List returns the watches that can be resumed, oldest first, and after them
// those that cannot be read.
func (s *Service) List(ctx context.Context) ([]Listed, error) {
	records, err := s.Store.List(ctx)
	if err != nil {
		return nil, err
	}
	listed := make([]Listed, 0, len(records))
	for _, rec := range records {
		row := Listed{Record: rec.Record, Err: rec.Err}
		if row.Err == nil {
			row.Question, row.Err = decodeQuestion(rec.Record.Watch)
		}
		row.Record.Handle = rec.Handle
		listed = append(listed, row)
	}
	return listed, nil
}

// save stores what the looks have seen: the first time under a new handle.
func (w *Watch) save(ctx context.Context) error {
	doc, err := json.Marshal(w.question)
	if err != nil {
		return err
	}
	if w.record.Handle.IsZero() {
		w.record, err = w.service.Store.Create(ctx, doc)
	} else {
		base := w.record.Watch
		w.record.Watch = doc
		err = w.service.Store.Save(ctx, &w.record, func(stored, _ []byte) ([]byte, error) {
			w.question.adopt(base, stored)
			return json.Marshal(w.question)
		})
	}
	if errors.Is(err, continuation.ErrMet) {
		// Another call on the same watch has its answer; this one will find it too.
		err = nil
	}
	w.unsaved = err != nil
	return err
}

// renew keeps the record of a blocking call from expiring. Where it cannot be
// written now, the next looks try again.
func (w *Watch) renew(ctx context.Context) {
	w.unsaved = w.service.Store.Touch(ctx, &w.record) != nil || w.unsaved
}
