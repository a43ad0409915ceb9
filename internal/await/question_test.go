package await

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"git-continuity/gitx"
)

var (
	commitA = mustOID(strings.Repeat("a", 40))
	commitB = mustOID(strings.Repeat("b", 40))
)

func mustOID(hex string) gitx.OID {
	oid, err := gitx.ParseOID(hex)
	if err != nil {
		panic(err)
	}
	return oid
}

func sampleQuestion() Question {
	ahead := 3
	return Question{
		Mode: All, Trunk: "refs/heads/main", TrunkStart: commitA,
		Conditions: []Condition{
			{Kind: TrunkMoved, Observed: Observed{TrunkStart: commitA, TrunkHead: &commitA, Reason: TrunkUnchanged}},
			{Kind: Landed, Branch: "refs/heads/b", Armed: commitB, Met: true, Observed: Observed{
				TrunkStart: commitA, Via: "ancestor",
				BranchSeen: &BranchSeen{Tip: &commitB, Armed: true, Landed: true, Exists: true, Ahead: &ahead},
				Preview:    &Preview{Behind: 1, IncomingOverlap: []string{"f"}, OverlapTotal: 1},
			}},
		},
	}
}

func TestQuestionRoundTrip(t *testing.T) {
	want := sampleQuestion()
	doc, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeQuestion(doc)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("round trip of %s changed it:\n%+v\n%+v", doc, got, want)
	}
}

func TestDecodeQuestionRefuses(t *testing.T) {
	good, err := json.Marshal(sampleQuestion())
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("the sample has no %q: %s", old, good)
		}
		return strings.Replace(string(good), old, new, 1)
	}
	for name, doc := range map[string]string{
		"empty":               "",
		"not an object":       "[]",
		"torn":                string(good[:len(good)/2]),
		"two documents":       string(good) + "{}",
		"unknown key":         edit(`"mode"`, `"extra":1,"mode"`),
		"unknown mode":        edit(`"all"`, `"some"`),
		"unknown condition":   edit(`"landed"`, `"burnt"`),
		"mode left out":       edit(`"mode":"all",`, ""),
		"no conditions":       `{"trunk":"refs/heads/main","trunk_start":"` + commitA.String() + `","conditions":[]}`,
		"no trunk":            edit(`"refs/heads/main"`, `""`),
		"no trunk start":      edit(`"trunk_start":"`+commitA.String()+`"`, `"trunk_start":""`),
		"branch that is none": edit(`"refs/heads/b"`, `"b c"`),
		"trunk with a branch": edit(`"condition":"trunk_moved"`, `"condition":"trunk_moved","branch":"refs/heads/x"`),
		"short object id":     edit(commitB.String(), "bbbb"),
	} {
		if q, err := decodeQuestion([]byte(doc)); err == nil {
			t.Errorf("%s: accepted as %+v", name, q)
		}
	}
}

func TestQuestionMet(t *testing.T) {
	question := func(mode Mode, met ...bool) *Question {
		q := &Question{Mode: mode}
		for _, m := range met {
			q.Conditions = append(q.Conditions, Condition{Met: m})
		}
		return q
	}
	for _, tt := range []struct {
		q    *Question
		want bool
	}{
		{question("", false), false}, {question("", true), true},
		{question(Any, false, false), false}, {question(Any, false, true), true},
		{question(All, true, false), false}, {question(All, true, true), true},
	} {
		if got := tt.q.Met(); got != tt.want {
			t.Errorf("%+v: Met = %v", tt.q, got)
		}
	}
}

// Two calls may work on one watch: neither takes back what the other has seen.
func TestQuestionAdopt(t *testing.T) {
	with := func(armed gitx.OID, met bool) Question {
		q := sampleQuestion()
		q.Conditions[1].Armed, q.Conditions[1].Met = armed, met
		return q
	}
	doc := func(q Question) []byte {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	none := gitx.OID{}
	for _, tt := range []struct {
		name               string
		base, stored, mine Question
		armed              gitx.OID
		met                bool
	}{
		{"only the other has armed", with(none, false), with(commitA, false), with(none, false), commitA, false},
		{"only this one has armed", with(none, false), with(none, false), with(commitB, false), commitB, false},
		{"both have: the one that looks now", with(none, false), with(commitA, false), with(commitB, false), commitB, false},
		{"the other has disarmed", with(commitA, false), with(none, false), with(commitA, false), none, false},
		{"the other has met it", with(commitA, false), with(commitA, true), with(commitB, false), commitA, true},
		{"this one has met it", with(commitA, false), with(commitA, false), with(commitA, true), commitA, true},
	} {
		mine := tt.mine
		mine.adopt(doc(tt.base), doc(tt.stored))
		if got := mine.Conditions[1]; got.Armed != tt.armed || got.Met != tt.met {
			t.Errorf("%s: armed %s, met %v", tt.name, got.Armed, got.Met)
		}
	}
	mine := with(commitB, false)
	mine.adopt(doc(mine), []byte("{"))
	if mine.Conditions[1].Armed != commitB {
		t.Error("a record that cannot be read was taken over")
	}
}

func FuzzDecodeQuestion(f *testing.F) {
	good, err := json.Marshal(sampleQuestion())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	remote, err := json.Marshal(remoteQuestion())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(remote)
	f.Add([]byte(`{"trunk":"refs/heads/main","conditions":[{"condition":"landed"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		q, err := decodeQuestion(doc)
		if err != nil {
			return
		}
		again, err := json.Marshal(q)
		if err != nil {
			t.Fatalf("accepted and cannot be written: %v", err)
		}
		back, err := decodeQuestion(again)
		if err != nil || !reflect.DeepEqual(q, back) {
			t.Fatalf("accepted, written as %s, read back as %+v, %v", again, back, err)
		}
	})
}
