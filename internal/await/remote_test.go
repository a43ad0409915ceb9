package await

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/refusal"
)

func remoteQuestion() Question {
	asked := time.Unix(1_800_000_000, 0).UTC()
	seen := &RemoteSeen{Name: "origin", Status: RemoteOK, AskedAt: &asked, TrunkHead: &commitA, Tip: &commitB}
	return Question{
		Trunk: "refs/heads/main", TrunkStart: commitA, Remote: &RemoteWatch{Name: "origin", Trunk: "refs/heads/main"},
		Conditions: []Condition{{
			Kind: Landed, Branch: "refs/heads/b", Remote: &RemoteSide{Branch: "refs/heads/b", Armed: commitB},
			Observed: Observed{TrunkStart: commitA, TrunkHead: &commitA, Reason: NotInTrunk, Remote: seen,
				BranchSeen: &BranchSeen{Tip: &commitB, Armed: true, Exists: true}},
		}},
	}
}

func TestRemoteQuestionRoundTrip(t *testing.T) {
	unasked := remoteQuestion()
	unasked.TrunkStart = gitx.OID{}
	unasked.noteFailure(RemoteDenied)
	for _, want := range []Question{remoteQuestion(), unasked} {
		doc, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeQuestion(doc)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("round trip of %s:\n%+v\n%+v\n%v", doc, got, want, err)
		}
	}
}

func TestDecodeRemoteQuestionRefuses(t *testing.T) {
	for name, spoil := range map[string]func(q *Question){
		"no name":                 func(q *Question) { q.Remote.Name = "" },
		"trunk is no branch":      func(q *Question) { q.Remote.Trunk = "refs/tags/v1" },
		"trunk is no name":        func(q *Question) { q.Remote.Trunk = "refs/heads/a b" },
		"side is no branch":       func(q *Question) { q.Conditions[0].Remote.Branch = "HEAD" },
		"side is no name":         func(q *Question) { q.Conditions[0].Remote.Branch = "refs/heads/.." },
		"side without a remote":   func(q *Question) { q.Remote = nil },
		"green":                   func(q *Question) { q.Conditions[0].Kind = Green },
		"trunk moved with a side": func(q *Question) { q.Conditions[0].Kind, q.Conditions[0].Branch = TrunkMoved, "" },
		"no start and no remote": func(q *Question) {
			*q = Question{Trunk: q.Trunk, Conditions: []Condition{{Kind: TrunkMoved}}}
		},
	} {
		q := remoteQuestion()
		spoil(&q)
		doc, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeQuestion(doc); err == nil {
			t.Errorf("%s: accepted as %+v", name, got)
		}
	}
}

func TestNoteFailureKeepsWhatWasSeen(t *testing.T) {
	q := remoteQuestion()
	q.Conditions = append(q.Conditions, Condition{Kind: TrunkMoved, Met: true})
	q.noteFailure(RemoteUnreachable)
	want := remoteQuestion().Conditions[0]
	want.Observed.Remote.Status = RemoteUnreachable
	if got := q.Conditions[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("the condition became %+v, want %+v", got, want)
	}
	if q.Conditions[1].Observed.Remote != nil || q.Met() != true {
		t.Errorf("a met condition became %+v", q.Conditions[1])
	}
}

func TestChooseRemote(t *testing.T) {
	url := func(name string) [2]string { return [2]string{"remote." + name + ".url", "../" + name} }
	for _, tt := range []struct {
		name     string
		settings [][2]string
		given    string
		trunk    gitx.RefName
		want     string
		code     refusal.Code
	}{
		{"none", nil, "", "refs/heads/main", "", refusal.NoRemote},
		{"the only one", [][2]string{url("a")}, "", "refs/heads/main", "a", ""},
		{"several", [][2]string{url("a"), url("b")}, "", "refs/heads/main", "", refusal.NoRemote},
		{"origin", [][2]string{url("a"), url("origin")}, "", "refs/heads/main", "origin", ""},
		{"the trunk's", [][2]string{url("a"), url("origin"), {"branch.main.remote", "a"}}, "", "refs/heads/main", "a", ""},
		{"the trunk's is here", [][2]string{url("a"), url("origin"), {"branch.main.remote", "."}}, "", "refs/heads/main", "origin", ""},
		{"of a tracking trunk", [][2]string{url("a/b"), url("origin")}, "", "refs/remotes/a/b/main", "a/b", ""},
		{"setting", [][2]string{url("a"), url("origin"), {RemoteSetting, "a"}}, "", "refs/heads/main", "a", ""},
		{"setting of none", [][2]string{url("origin"), {RemoteSetting, "a"}}, "", "refs/heads/main", "", refusal.NoRemote},
		{"given", [][2]string{url("a"), url("origin"), {RemoteSetting, "origin"}}, "a", "refs/heads/main", "a", ""},
		{"given of none", [][2]string{url("origin")}, "a", "refs/heads/main", "", refusal.NoRemote},
		{"a URL", [][2]string{url("origin")}, "https://x/y", "refs/heads/main", "", refusal.InvalidArguments},
		{"scp", [][2]string{url("origin")}, "host:y", "refs/heads/main", "", refusal.InvalidArguments},
		{"a path", [][2]string{url("origin")}, "../origin", "refs/heads/main", "", refusal.InvalidArguments},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			for _, setting := range tt.settings {
				r.Git("config", setting[0], setting[1])
			}
			got, err := chooseRemote(r.Open(), tt.given, tt.trunk)
			if tt.code != "" && refusal.CodeOf(err) != tt.code || tt.code == "" && (err != nil || got != tt.want) {
				t.Errorf("got %q, %v; want %q, %q", got, err, tt.want, tt.code)
			}
			if err != nil && strings.Contains(err.Error(), "://") {
				t.Errorf("the refusal repeats the URL: %v", err)
			}
		})
	}
}

func TestNamedThere(t *testing.T) {
	for target, want := range map[string]gitx.RefName{
		"topic":                    "refs/heads/topic",
		"a/b":                      "refs/heads/a/b",
		"refs/heads/topic":         "refs/heads/topic",
		"refs/remotes/origin/a/b":  "refs/heads/a/b",
		"refs/remotes/other/topic": "",
		"refs/tags/v1":             "",
		"refs/heads/a b":           "",
		"-x":                       "",
		"../worktree":              "",
		"":                         "",
	} {
		if got := namedThere(target, "origin"); got != want {
			t.Errorf("%q is %q there, want %q", target, got, want)
		}
	}
}

func TestCheckRemoteAgain(t *testing.T) {
	name := func(s string) *string { return &s }
	with, without := remoteQuestion(), sampleQuestion()
	for _, tt := range []struct {
		q     *Question
		given *string
		ok    bool
	}{
		{&with, nil, true}, {&with, name(""), true}, {&with, name("origin"), true}, {&with, name("other"), false},
		{&without, nil, true}, {&without, name(""), false}, {&without, name("origin"), false},
	} {
		err := tt.q.checkRemoteAgain(tt.given)
		var r *refusal.Refusal
		if (err == nil) != tt.ok || err != nil && (!errors.As(err, &r) || r.Code != refusal.InvalidArguments || r.Field != "remote") {
			t.Errorf("%v for %+v: %v", tt.given, tt.q.Remote, err)
		}
	}
}
