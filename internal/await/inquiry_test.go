package await

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestPauseBacksOff(t *testing.T) {
	for _, tt := range []struct {
		interval time.Duration
		failures int
		want     time.Duration
	}{
		{20 * time.Second, 0, 20 * time.Second},
		{20 * time.Second, 1, 40 * time.Second},
		{20 * time.Second, 3, 160 * time.Second},
		{20 * time.Second, 4, maxPause},
		{20 * time.Second, 1 << 40, maxPause},
		{time.Second, 2, 4 * time.Second},
		{time.Hour, 0, time.Hour},
		{time.Hour, 5, time.Hour},
	} {
		if got := pause(tt.interval, tt.failures); got != tt.want {
			t.Errorf("pause(%s, %d) = %s, want %s", tt.interval, tt.failures, got, tt.want)
		}
	}
}

// A local change brings the next question forward, but neither at once nor into
// a backing off.
func TestRestIsShortenedByHurry(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failures int
		hurry    bool
		want     time.Duration
	}{
		{"nothing new", 0, false, 20 * time.Second},
		{"hurried", 0, true, 5 * time.Second},
		{"hurried while backing off", 1, true, 40 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			in := &inquiry{interval: RemoteInterval, kick: make(chan struct{}, 1)}
			if tt.hurry {
				in.hurry()
				in.hurry()
			}
			began := time.Now()
			if !in.rest(t.Context(), tt.failures) || time.Since(began) != tt.want {
				t.Errorf("%s: rested %s, want %s", tt.name, time.Since(began), tt.want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		in := &inquiry{interval: RemoteInterval, kick: make(chan struct{}, 1)}
		if in.rest(ctx, 0) {
			t.Error("a rest went on after its context")
		}
	})
}

// there is a repository with a remote, and an inquiry about main and topic.
func there(t *testing.T) (here, server *gitxtest.Repo, in *inquiry) {
	t.Helper()
	here = gitxtest.New(t, gitxtest.Options{})
	server = here.Sibling("server", gitxtest.Options{})
	server.Git("commit", "-q", "--allow-empty", "-m", "base")
	here.Git("remote", "add", "origin", server.Dir)
	q := &Question{
		Trunk: "refs/heads/main", Remote: &RemoteWatch{Name: "origin", Trunk: "refs/heads/main"},
		Conditions: []Condition{{Kind: Landed, Branch: "refs/heads/topic", Remote: &RemoteSide{Branch: "refs/heads/topic"}}},
	}
	return here, server, newInquiry(&Service{Repo: here.Open()}, q, nil)
}

// The tips of the first listing are judged beside the trunk of the second one:
// a branch made in between from the new trunk must not look like work.
func TestAskReadsTheTrunkAfterTheTips(t *testing.T) {
	here, server, in := there(t)
	old := mustOID(server.Git("rev-parse", "main"))
	server.Git("commit", "-q", "--allow-empty", "-m", "next")
	server.Git("branch", "topic")
	next := mustOID(server.Git("rev-parse", "main"))
	in.first = &listing{tips: map[gitx.RefName]gitx.OID{"refs/heads/main": old, "refs/heads/topic": next}}
	r := in.ask(t.Context(), time.Minute, time.Minute)
	if r.err != nil || r.trunk != next || r.there["refs/heads/topic"] != next {
		t.Fatalf("the report is %+v, want both at %s", r, next)
	}
	here.Git("cat-file", "-e", next.String())
}

// A tip that the remote lost before the fetch is not the end of it.
func TestAskGoesOnWhenTheRemoteMoved(t *testing.T) {
	_, server, in := there(t)
	main := mustOID(server.Git("rev-parse", "main"))
	in.first = &listing{tips: map[gitx.RefName]gitx.OID{"refs/heads/main": main, "refs/heads/topic": commitA}}
	r := in.ask(t.Context(), time.Minute, time.Minute)
	if r.err != nil || r.trunk != main || len(r.there) != 0 {
		t.Errorf("the report is %+v, want main alone at %s", r, main)
	}
}

func TestAskFailsWithoutAnAnswer(t *testing.T) {
	here, _, in := there(t)
	before := in.ask(t.Context(), time.Minute, time.Minute)
	here.Git("remote", "set-url", "origin", "../gone")
	r := in.ask(t.Context(), time.Minute, time.Minute)
	if statusOf(r.err) != RemoteUnreachable || !r.trunk.IsZero() {
		t.Errorf("the report is %+v", r)
	}
	if in.last.trunk != before.trunk || in.last.err == nil {
		t.Errorf("the last answer became %+v, was %+v", in.last, before)
	}
	here.Git("remote", "remove", "origin")
	if r := in.ask(t.Context(), time.Minute, time.Minute); statusOf(r.err) != RemoteUnknown {
		t.Errorf("a remote that is gone: %v", r.err)
	}
}
