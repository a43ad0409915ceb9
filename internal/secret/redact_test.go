package secret

import (
	"strings"
	"testing"
)

func TestRedactLeavesHarmlessTextAlone(t *testing.T) {
	for _, text := range []string{
		"", "fatal: not a git repository (or any of the parent directories): .git",
		"error: failed to push some refs to 'https://example.com/team/x.git'",
		"git@example.com: Permission denied (publickey).",
		"Author: Bob <bob@example.com>", "docker://alpine:3@sha256:0123", "https://example.com/@scope/x@1.2.3",
		"\xff\xfe\x00",
	} {
		if got := Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestRedactDropsUserInfo(t *testing.T) {
	for text, want := range map[string]string{
		"unable to access 'https://bob@example.com/x.git/'":    "unable to access 'https://example.com/x.git/'",
		"ssh://git@example.com:22/x":                           "ssh://example.com:22/x",
		"https://bob:" + "hunter22@example.com":                "https://example.com",
		"https://a@b:" + "c@d@example.com/e@f":                 "https://example.com/e@f",
		"two https://a@x.org and https://b:" + "c@y.org end":   "two https://x.org and https://y.org end",
		`{"url":"https:\/\/bob:` + `hunter22@example.com\/x"}`: `{"url":"https:\/\/example.com\/x"}`,
		"https://user:${PASSWORD}@example.com":                 "https://example.com",
		"a://b://c@d":                                          "a://b://d",
	} {
		if got := Redact(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestRedactNamesTheRule(t *testing.T) {
	s := newSource("redact")
	first, second := v1Samples[0], v1Samples[len(v1Samples)-1]
	text := "used " + first.make(s) + " and '" + second.make(s) + "'\n"
	want := "used [redacted: " + first.rule + "] and '[redacted: " + second.rule + "]'\n"
	if Redact(text) != want {
		t.Error("the text around two credentials changed")
	}
	header := "Authorization: Bearer " + s.value(32, tAlnum) + "\n"
	if got, want := Redact(header), "Authorization: Bearer [redacted: "+ruleAuthorization+"]\n"; got != want {
		t.Errorf("a header became %q, want %q", got, want)
	}
}

func checkText(t *testing.T, text string) {
	t.Helper()
	last := 0
	for _, f := range Find(text) {
		if f.Rule == "" || f.Start < last || f.End <= f.Start || f.End > len(text) {
			t.Fatalf("bad finding of rule %q: %d to %d in %d bytes, behind %d", f.Rule, f.Start, f.End, len(text), last)
		}
		last = f.End
	}
	clean := Redact(text)
	if left := Find(clean); left != nil {
		t.Fatalf("after redaction still found: %q", rules(left))
	}
	if Redact(clean) != clean {
		t.Fatal("redacting twice is not redacting once")
	}
}

// Neighbours are where boundaries go wrong: every sample beside every separator
// and another sample, cut at both ends.
func TestRedactNeighbours(t *testing.T) {
	s := newSource("neighbours")
	separators := []string{"", ".", "/", "=", ":", "@", "-", "+", "://", "%3D", `\n`, "Authorization: Bearer ", "aws_secret=", " "}
	for i, sm := range v1Samples {
		other := v1Samples[(i*7+3)%len(v1Samples)]
		for _, separator := range separators {
			text := sm.make(s) + separator + other.make(s) + separator
			checkText(t, text)
			checkText(t, text[1:len(text)-1])
		}
	}
}

func FuzzFind(f *testing.F) {
	s := newSource("fuzz")
	for _, sm := range v1Samples {
		f.Add(sm.make(s))
	}
	for _, c := range contexts {
		f.Add(inContext(c, v1Samples[0].make(s)))
	}
	f.Add("https://a:" + "b@c:d@e https:\\/\\/x@y ://@ ://:@")
	f.Add("Authorization: Basic " + strings.Repeat("Og", 9) + "== authorization=bearer+" + "authorization=bearer+1a")
	f.Add("aws_secret_access_key=" + s.value(40, tStd))
	f.Add(armour("-----", "PRIVATE KEY", "\n", s.take(20, tStd)))
	f.Fuzz(checkText)
}
