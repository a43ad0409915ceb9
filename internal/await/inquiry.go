package await

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"git-continuity/gitx"
)

const (
	// RemoteInterval is how often a remote is asked unless a Service says otherwise.
	RemoteInterval = 20 * time.Second
	// MinRemoteInterval is the least that a Service can say.
	MinRemoteInterval = time.Second
	// maxPause is where the backing off ends while a remote cannot be asked.
	maxPause = 5 * time.Minute
	// firstAnswer bounds the first question of a call, which it waits for.
	firstAnswer = 10 * time.Second
	// laterAnswer bounds the questions beside the waiting; laterObjects is long, so
	// that a clone that is far behind gets there.
	laterAnswer  = 30 * time.Second
	laterObjects = 10 * time.Minute
	// maxTries bounds how often a remote is asked anew because what it had named
	// was gone at the fetch.
	maxTries = 3
)

// A listing is what a remote says about its branches, or why it does not.
type listing struct {
	tips map[gitx.RefName]gitx.OID
	err  error
}

// A report is one question to the remote, with everything that judging by its
// answer needs. The trunk was read after all the tips: a fresh branch beside an
// older trunk would look like work.
type report struct {
	at    time.Time
	trunk gitx.OID
	// here and there are the tips of the local branches and of the remote's.
	here, there map[gitx.RefName]gitx.OID
	err         error
}

// A tip is where a branch stood.
type tip struct {
	branch gitx.RefName
	oid    gitx.OID
}

// An inquiry asks a remote, beside the waiting. It writes nothing but objects.
type inquiry struct {
	repo   *gitx.Repo
	remote RemoteWatch
	// here and there are the branches that are followed on either side.
	here, there []gitx.RefName
	interval    time.Duration
	first       *listing
	// last is the latest answer; known are its tips, which have been judged, and
	// before the first answer the armed ones of the question.
	last  report
	known map[tip]bool

	kick   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}

	mu   sync.Mutex
	news *report
}

func newInquiry(s *Service, q *Question, first *listing) *inquiry {
	in := &inquiry{
		repo: s.Repo, remote: *q.Remote, here: q.branches(), interval: s.RemoteInterval,
		first: first, known: map[tip]bool{}, kick: make(chan struct{}, 1),
	}
	if in.interval == 0 {
		in.interval = RemoteInterval
	}
	in.interval = max(in.interval, MinRemoteInterval)
	for _, c := range q.Conditions {
		in.known[tip{c.Branch, c.Armed}] = true
		if c.Remote != nil {
			in.known[tip{c.Remote.Branch, c.Remote.Armed}] = true
			if !slices.Contains(in.there, c.Remote.Branch) {
				in.there = append(in.there, c.Remote.Branch)
			}
		}
	}
	return in
}

// start goes on asking until stop, and wakes the waiting after each question.
func (in *inquiry) start(ctx context.Context, wake chan<- struct{}) {
	ctx, in.cancel = context.WithCancel(ctx)
	in.done = make(chan struct{})
	go func() {
		defer close(in.done)
		failures := 0
		if in.last.err != nil {
			failures = 1
		}
		for in.rest(ctx, failures) {
			r := in.ask(ctx, laterAnswer, laterObjects)
			if ctx.Err() != nil {
				return
			}
			failures++
			if r.err == nil {
				failures = 0
			}
			in.publish(r)
			select {
			case wake <- struct{}{}:
			default:
			}
		}
	}()
}

// stop ends the asking with its processes.
func (in *inquiry) stop() {
	if in.cancel != nil {
		in.cancel()
		<-in.done
	}
}

// pause is the time between two questions: the interval, and twice as long after
// each failure, up to maxPause.
func pause(interval time.Duration, failures int) time.Duration {
	longest := max(interval, maxPause)
	for ; failures > 0 && interval < longest; failures-- {
		interval *= 2
	}
	return min(interval, longest)
}

// rest waits for the next question; it is false when ctx has ended. A local
// branch that moved brings it forward, but not into a backing off.
func (in *inquiry) rest(ctx context.Context, failures int) bool {
	full := time.NewTimer(pause(in.interval, failures))
	defer full.Stop()
	soon := time.NewTimer(in.interval / 4)
	defer soon.Stop()
	var kicked <-chan struct{}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-full.C:
			return true
		case <-soon.C:
			if failures == 0 {
				kicked = in.kick
			}
		case <-kicked:
			return true
		}
	}
}

// hurry asks for an early question.
func (in *inquiry) hurry() {
	select {
	case in.kick <- struct{}{}:
	default:
	}
}

func (in *inquiry) publish(r report) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.news = &r
}

// unread reports whether a question has ended that no look has seen.
func (in *inquiry) unread() bool {
	if in == nil {
		return false
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.news != nil
}

// take returns the newest unseen report, or nil.
func (in *inquiry) take() *report {
	in.mu.Lock()
	defer in.mu.Unlock()
	r := in.news
	in.news = nil
	return r
}

// ask puts one question: what points where, and the objects of it. Each listing
// is bounded by answer, the fetch by objects.
func (in *inquiry) ask(ctx context.Context, answer, objects time.Duration) report {
	var r report
	for range maxTries {
		r = in.try(ctx, answer, objects)
		if gitx.FaultOf(r.err) != gitx.RemoteMoved {
			break
		}
	}
	if r.err == nil {
		in.known = map[tip]bool{}
		for _, tips := range []map[gitx.RefName]gitx.OID{r.here, r.there} {
			for branch, oid := range tips {
				in.known[tip{branch, oid}] = true
			}
		}
		in.last = r
	} else {
		in.last.err = r.err
	}
	return r
}

func (in *inquiry) try(ctx context.Context, answer, objects time.Duration) report {
	// A checkout that has gone takes its place for relative URLs with it.
	repo := in.repo
	if _, err := os.Stat(repo.TopLevel()); err != nil {
		repo = repo.Common()
	}
	l := in.first
	if in.first = nil; l == nil {
		l = list(ctx, answer, repo, in.remote.Name, append([]gitx.RefName{in.remote.Trunk}, in.there...))
	}
	if l.err != nil {
		return report{err: l.err}
	}
	batch, err := repo.Common().NewBatch(ctx)
	if err != nil {
		return report{err: err}
	}
	defer func() { _ = batch.Close() }()
	r := report{trunk: l.tips[in.remote.Trunk], there: map[gitx.RefName]gitx.OID{}}
	for _, ref := range in.there {
		if oid := l.tips[ref]; !oid.IsZero() {
			r.there[ref] = oid
		}
	}
	if r.here, err = tipsOf(batch, in.here); err != nil {
		return report{err: err}
	}
	if in.unknown(r.here) || in.unknown(r.there) {
		l = list(ctx, answer, repo, in.remote.Name, []gitx.RefName{in.remote.Trunk})
		if l.err != nil {
			return report{err: l.err}
		}
		r.trunk = l.tips[in.remote.Trunk]
	}
	r.at = time.Now().UTC().Truncate(time.Millisecond)
	r.err = in.bring(ctx, objects, repo, batch, r)
	return r
}

func list(ctx context.Context, limit time.Duration, repo *gitx.Repo, remote string, refs []gitx.RefName) *listing {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tips, err := repo.LsRemote(ctx, remote, refs...)
	return &listing{tips, err}
}

func tipsOf(batch *gitx.Batch, refs []gitx.RefName) (map[gitx.RefName]gitx.OID, error) {
	tips := map[gitx.RefName]gitx.OID{}
	if len(refs) == 0 {
		return tips, nil
	}
	oids, err := (&eye{batch: batch}).read(refs)
	for i, oid := range oids {
		if !oid.IsZero() {
			tips[refs[i]] = oid
		}
	}
	return tips, err
}

// unknown reports whether one of the tips has not been judged before.
func (in *inquiry) unknown(tips map[gitx.RefName]gitx.OID) bool {
	for branch, oid := range tips {
		if !in.known[tip{branch, oid}] {
			return true
		}
	}
	return false
}

// bring fetches what the answer names and the object store lacks.
func (in *inquiry) bring(ctx context.Context, limit time.Duration, repo *gitx.Repo, batch *gitx.Batch, r report) error {
	var oids []gitx.OID
	for _, oid := range r.there {
		oids = append(oids, oid)
	}
	if !r.trunk.IsZero() {
		oids = append(oids, r.trunk)
	}
	lacking, err := absent(batch, oids)
	if err != nil || len(lacking) == 0 {
		return err
	}
	var have []gitx.OID
	if !in.last.trunk.IsZero() {
		have = append(have, in.last.trunk)
	}
	for k := range in.known {
		if !k.oid.IsZero() {
			have = append(have, k.oid)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := repo.FetchObjects(ctx, in.remote.Name, lacking, have); err != nil {
		return err
	}
	lacking, err = absent(batch, oids)
	if err == nil && len(lacking) > 0 {
		err = fmt.Errorf("fetch %s from %q: it did not come", lacking[0], in.remote.Name)
	}
	return err
}

// absent returns those of the commits that are not here. Anything but a commit
// is an error: branches point at commits.
func absent(batch *gitx.Batch, oids []gitx.OID) ([]gitx.OID, error) {
	names := make([]string, len(oids))
	for i, oid := range oids {
		names[i] = oid.String()
	}
	infos, err := batch.Info(names...)
	if err != nil {
		return nil, err
	}
	var lacking []gitx.OID
	for i, info := range infos {
		switch {
		case info.Missing:
			lacking = append(lacking, oids[i])
		case info.Type != gitx.TypeCommit:
			return nil, fmt.Errorf("a branch of the remote points at the %s %s", info.Type, oids[i])
		}
	}
	return lacking, nil
}
