package awaitcmd

import (
	"errors"
	"git-continuity/internal/await"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"git-continuity/internal/refusal"
)

func seconds(n int) *time.Duration {
	d := time.Duration(n) * time.Second
	return &d
}

func landed(target string) await.Ask { return await.Ask{Kind: await.Landed, Target: target} }
func green(target string) await.Ask  { return await.Ask{Kind: await.Green, Target: target} }
func trunkMoved() await.Ask          { return await.Ask{Kind: await.TrunkMoved} }
func text(s string) *string          { return &s }

func TestParse(t *testing.T) {
	for _, test := range []struct {
		args string // split at blanks
		want Call
	}{
		{"--landed A", Call{Conditions: []await.Ask{landed("A")}}},
		{"--landed=A", Call{Conditions: []await.Ask{landed("A")}}},
		{"--landed list", Call{Conditions: []await.Ask{landed("list")}}},
		{"--landed help", Call{Conditions: []await.Ask{landed("help")}}},
		{"--landed a,b", Call{Conditions: []await.Ask{landed("a,b")}}},
		{`--landed a\`, Call{Conditions: []await.Ask{landed(`a\`)}}},
		{"--landed=-x", Call{Conditions: []await.Ask{landed("-x")}}},
		{"--landed=--all", Call{Conditions: []await.Ask{landed("--all")}}},
		{"--landed ~/x", Call{Conditions: []await.Ask{landed("~/x")}}},
		{"--landed ${HOME}", Call{Conditions: []await.Ask{landed("${HOME}")}}},
		{"--landed @file", Call{Conditions: []await.Ask{landed("@file")}}},
		{"--green A --trunk dev", Call{Conditions: []await.Ask{green("A")}, Trunk: "dev"}},
		{"--trunk-moved", Call{Conditions: []await.Ask{trunkMoved()}}},
		{"--any --landed A", Call{Mode: await.Any, Conditions: []await.Ask{landed("A")}}},
		{"--all --landed A --trunk-moved --green B --landed C", Call{Mode: await.All, Conditions: []await.Ask{
			landed("A"), trunkMoved(), green("B"), landed("C")}}},
		{"--resume C1-AAAA-AAAA-AA", Call{Resume: "C1-AAAA-AAAA-AA"}},
		{"--resume x --trunk main --timeout 0 --notify say", Call{
			Resume: "x", Trunk: "main", Timeout: seconds(0), Notify: "say"}},
		{"--trunk-moved --timeout 1h30m", Call{
			Conditions: []await.Ask{trunkMoved()}, Timeout: seconds(5400)}},
		{"--trunk-moved --timeout 5 --timeout 6", Call{
			Conditions: []await.Ask{trunkMoved()}, Timeout: seconds(6)}},
		{"--trunk-moved --json --no-color", Call{
			Conditions: []await.Ask{trunkMoved()}, JSON: true, NoColor: true}},
		{"--trunk-moved --json --json=false", Call{Conditions: []await.Ask{trunkMoved()}}},
		{"--remote --landed A", Call{Conditions: []await.Ask{landed("A")}, Remote: text("")}},
		{"--landed A --remote", Call{Conditions: []await.Ask{landed("A")}, Remote: text("")}},
		{"--landed A --remote=up/stream", Call{Conditions: []await.Ask{landed("A")}, Remote: text("up/stream")}},
		{"--remote=a --trunk-moved --remote=false", Call{Conditions: []await.Ask{trunkMoved()}, Remote: text("false")}},
		{"--remote=a --trunk-moved --remote", Call{Conditions: []await.Ask{trunkMoved()}, Remote: text("")}},
		{"--resume x --remote=a", Call{Resume: "x", Remote: text("a")}},
		{"list", Call{Verb: VerbList}},
		{"list --json", Call{Verb: VerbList, JSON: true}},
		{"--json list", Call{Verb: VerbList, JSON: true}},
		{"forget a b --json", Call{Verb: VerbForget, Handles: []string{"a", "b"}, JSON: true}},
		{"forget a,b", Call{Verb: VerbForget, Handles: []string{"a,b"}}},
		{"forget list", Call{Verb: VerbForget, Handles: []string{"list"}}},
		{"completion zsh", Call{Verb: VerbCompletion, Shell: "zsh"}},
	} {
		if test.want.Verb == "" {
			test.want.Verb = VerbAwait
		}
		got, err := Parse(strings.Split(test.args, " "))
		if err != nil {
			t.Errorf("%s: %v", test.args, err)
		} else if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", test.args, got, test.want)
		}
	}
}

var refused = []struct {
	args    string // split at blanks; "" is no argument at all
	field   string
	message string // a part of it
}{
	{"", "", "nothing to wait for"},
	{"--json", "", "nothing to wait for"},
	{"--any", "", "nothing to wait for"},
	{"--landed", "", "landed"},
	{"--landed=", "landed", "target of --landed is empty"},
	{"--all --landed A --green=", "green", "target of --green is empty"},
	{"--landed --green", "", "--landed"},
	{"--landed -x", "", "--landed"},
	{"--landed A --landed B", "any", "2 conditions need --any or --all"},
	{"--landed A --trunk-moved", "any", "2 conditions"},
	{"--any --all --landed A", "all", "exclude each other"},
	{"--any --trunk-moved --trunk-moved", "trunk_moved", "2 times"},
	{"--trunk-moved --trunk-moved", "trunk_moved", "2 times"},
	{"--trunk-moved=false", "", "nothing to wait for"},
	{"--resume x --landed A", "resume", "takes no other"},
	{"--resume x --trunk-moved", "resume", "takes no other"},
	{"--resume x --any", "any", "not to --resume"},
	{"--resume x --all", "all", "not to --resume"},
	{"--resume=", "resume", "empty"},
	{"--trunk-moved --trunk=", "trunk", "empty"},
	{"--trunk-moved --notify=", "notify", "empty"},
	{"--trunk-moved --timeout -1", "", "--timeout"},
	{"--trunk-moved --timeout=-1", "timeout", "not a duration"},
	{"--trunk-moved --timeout soon", "timeout", "not a duration"},
	{"--trunk-moved --timeout=", "timeout", "not a duration"},
	{"junk", "", "unexpected argument junk"},
	{"wait", "", "unexpected argument wait"},
	{"wait --landed A", "", "unexpected argument wait"},
	{"--landed A junk", "", "unexpected argument junk"},
	{"--landed A list", "", `"git await", not "list"`},
	{"--landed A -- junk", "", "unexpected argument junk"},
	{"--laned A", "", "did you mean"},
	{"--remote --green A", "remote", "without --remote"},
	{"--any --landed A --green B --remote=x", "remote", "without --remote"},
	{"--remote= --landed A", "remote", "empty"},
	{"--remote origin --landed A", "", "unexpected argument origin"},
	{"--landed A --remote origin", "", "unexpected argument origin"},
	{"--no-remote --landed A", "", "unknown flag"},
	{"list --remote", "", "unknown flag"},
	{"list --landed A", "", "unknown flag"},
	{"list junk", "", "unexpected argument"},
	{"forget", "", "handle"},
	{"forget ", "handle", "empty"},
	{"completion", "", "shell"},
	{"completion tcsh", "", "bash"},
	{"completion bash --json", "json", "no JSON form"},
	{"frobnicate", "", "unexpected argument frobnicate"},
	{"accept", "", "expected \"<branch>\""},
	{"accept --method=rebase topic", "", "--method must be one of"},
	{"accept topic -m text", "message", "a fast-forward makes no commit"},
	{"accept topic --method=merge --message=", "message", "--message is empty"},
	{"accept topic --trunk=", "trunk", "--trunk is empty"},
	{"accept a b", "", "unexpected argument b"},
	{"gate --landed x", "", "unknown flag --landed"},
}

func TestParseRefuses(t *testing.T) {
	for _, test := range refused {
		var args []string
		if test.args != "" {
			args = strings.Split(test.args, " ")
		}
		call, err := Parse(args)
		var r *refusal.Refusal
		if !errors.As(err, &r) {
			t.Errorf("%q: got %+v, %v; want a refusal", test.args, call, err)
			continue
		}
		if r.Code != refusal.InvalidArguments || r.Field != test.field || !strings.Contains(r.Message, test.message) {
			t.Errorf("%q: %s at %q: %s; want field %q and %q", test.args, r.Code, r.Field, r.Message, test.field, test.message)
		}
		if !slices.Contains(r.Hints, "git await -h") {
			t.Errorf("%q: hints %q", test.args, r.Hints)
		}
		if strings.Contains(r.Message, "\n") || strings.HasSuffix(r.Message, ".") {
			t.Errorf("%q: message %q", test.args, r.Message)
		}
	}
}

// The parser needs a name for the default verb; nobody may type it.
func TestParseRefusesTheDefaultVerbByName(t *testing.T) {
	_, err := Parse([]string{"git await", "--landed", "A"})
	if refusal.CodeOf(err) != refusal.InvalidArguments || !strings.Contains(err.Error(), "unexpected argument") {
		t.Error(err)
	}
}

func TestParseCountsConditions(t *testing.T) {
	args := []string{"--any"}
	for range await.MaxConditions {
		args = append(args, "--landed", "A")
	}
	if call, err := Parse(args); err != nil || len(call.Conditions) != await.MaxConditions {
		t.Errorf("%d conditions: %d, %v", await.MaxConditions, len(call.Conditions), err)
	}
	_, err := Parse(append(args, "--trunk-moved"))
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Field != "any" || !strings.Contains(r.Message, "17") {
		t.Errorf("one more: %v", err)
	}
}

// An error about the arguments themselves must still be shown in the form that
// was asked for.
func TestParseKnowsTheFormOfItsError(t *testing.T) {
	for _, test := range []struct {
		args string
		json bool
	}{
		{"--jsn --json", true},
		{"--json=yes junk", true},
		{"--json=false junk", false},
		{"junk -- --json", false},
		{"junk", false},
	} {
		call, err := Parse(strings.Split(test.args, " "))
		if err == nil || call.JSON != test.json || call.Verb != VerbAwait {
			t.Errorf("%q: %+v, %v", test.args, call, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("--landed A")
	f.Add("--any\x00--landed=A\x00--trunk-moved")
	f.Add("forget\x00C1-0000-0000-00\x00--json")
	f.Add("--resume=x\x00--timeout\x0090s")
	f.Fuzz(func(t *testing.T, joined string) {
		call, err := Parse(strings.Split(joined, "\x00"))
		if err != nil {
			if refusal.CodeOf(err) != refusal.InvalidArguments {
				t.Fatalf("%q: %v", joined, err)
			}
			return
		}
		n := len(call.Conditions)
		asks := call.Verb == VerbAwait
		if asks && (n > 0) == (call.Resume != "") {
			t.Fatalf("%q asks no question or two: %+v", joined, call)
		}
		if n > await.MaxConditions || n > 1 && call.Mode == "" || !asks && n > 0 {
			t.Fatalf("%q: %+v", joined, call)
		}
	})
}
