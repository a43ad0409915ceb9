package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"git-continuity/internal/refusal"
)

func TestDocuments(t *testing.T) {
	type data struct {
		Branch string `json:"branch"`
	}
	for _, test := range []struct {
		doc  Document
		want string
	}{
		{Answer("await", data{"<&>\x1b\u202e"}, []string{"a && b"}),
			`{"ok":true,"verb":"await","version":1,"data":{"branch":"<&>\u001b` + "\u202e" + `"},"hints":["a && b"]}`},
		{Answer("await list", struct{}{}, nil),
			`{"ok":true,"verb":"await list","version":1,"data":{},"hints":[]}`},
		{Failure("await", refusal.New(refusal.UnknownTarget, "%q is no branch", "x").At("landed").Hint("git branch")),
			`{"ok":false,"verb":"await","version":1,"error":{"code":"unknown_target","message":"\"x\" is no branch","field":"landed"},"hints":["git branch"]}`},
		{Failure("await", errors.New("read https://u:p@h.example/x")),
			`{"ok":false,"verb":"await","version":1,"error":{"code":"fatal","message":"read https://h.example/x"},"hints":[]}`},
		{Failure("await", fmt.Errorf("look: %w", &SignalError{syscall.SIGTERM})),
			`{"ok":false,"verb":"await","version":1,"error":{"code":"interrupted","message":"look: terminated"},"hints":[]}`},
	} {
		var out countingWriter
		if err := (Streams{Stdout: &out}).WriteDocument(test.doc); err != nil {
			t.Error(err)
		}
		if got := out.String(); got != test.want+"\n" || out.writes != 1 {
			t.Errorf("in %d writes\n got %s\nwant %s", out.writes, got, test.want)
		}
	}
}

type countingWriter struct {
	bytes.Buffer
	writes int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.writes++
	return w.Buffer.Write(p)
}

func TestDocumentWholeOrNotAtAll(t *testing.T) {
	var out bytes.Buffer
	err := Streams{Stdout: &out}.WriteDocument(Answer("await", func() {}, nil))
	if err == nil || out.Len() != 0 {
		t.Errorf("%v after %q", err, out.String())
	}
}

func TestUnwrittenDocumentIsReported(t *testing.T) {
	reader, writer := io.Pipe()
	_ = reader.CloseWithError(syscall.EPIPE)
	var talk bytes.Buffer
	s := Streams{Stdout: writer, Stderr: &talk}
	if err := s.WriteDocument(Answer("await", struct{}{}, nil)); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("got %v", err)
	}
	status := s.Fail("await", true, refusal.New(refusal.NoTrunk, "no trunk"))
	if status != int(Fatal) || talk.String() != "error: no trunk\nfatal: write the answer: broken pipe\n" {
		t.Errorf("status %d, %q", status, talk.String())
	}
}

func TestStatusOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Status
	}{
		{nil, OK},
		{errors.New("x"), Fatal},
		{refusal.New(refusal.InvalidArguments, "x"), Usage},
		{refusal.New(refusal.NoRepository, "x"), Fatal},
		{refusal.New(refusal.GitTooOld, "x"), Fatal},
		{refusal.New(refusal.Fatal, "x"), Fatal},
		{refusal.New(refusal.UnknownTarget, "x"), Refused},
		{refusal.New(refusal.WriteAccess, "x"), Refused},
		{fmt.Errorf("look: %w", refusal.New(refusal.NoTrunk, "x")), Refused},
		{refusal.New(refusal.Interrupted, "x"), Interrupted},
		{refusal.New(refusal.Interrupted, "wait: %w", &SignalError{syscall.SIGINT}), Interrupted},
		{refusal.New(refusal.Interrupted, "wait: %w", &SignalError{syscall.SIGTERM}), Terminated},
		{&SignalError{syscall.SIGTERM}, Terminated},
	} {
		if got := StatusOf(test.err); got != test.want {
			t.Errorf("%v: %d, want %d", test.err, got, test.want)
		}
	}
}

type gitError struct{}

func (gitError) Error() string { return "git fetch: exit status 128" }
func (gitError) GitStderr() string {
	return "fatal: 'https://u:p@h.example/x' \x1b[31m\nhint: run me\n"
}

func TestFailPrints(t *testing.T) {
	for _, test := range []struct {
		err    error
		json   bool
		status Status
		out    string
		talk   string
	}{
		{refusal.New(refusal.UnknownTarget, "no %s", "x\x1b\n").Hint("git branch").Hint("a\nb"), false, Refused,
			"", "error: no x\\x1b\\n\nhint: git branch\nhint: a\\nb\n"},
		{fmt.Errorf("sync: %w", gitError{}), false, Fatal,
			"", "fatal: sync: git fetch: exit status 128\n| fatal: 'https://h.example/x' \\x1b[31m\n| hint: run me\n"},
		{refusal.New(refusal.NoTrunk, "no trunk"), true, Refused,
			`{"ok":false,"verb":"await","version":1,"error":{"code":"no_trunk","message":"no trunk"},"hints":[]}` + "\n", ""},
	} {
		var out, talk bytes.Buffer
		status := Streams{Stdout: &out, Stderr: &talk}.Fail("await", test.json, test.err)
		if status != int(test.status) || out.String() != test.out || talk.String() != test.talk {
			t.Errorf("status %d\nout  %q\ntalk %q", status, out.String(), talk.String())
		}
	}
}

func TestTalk(t *testing.T) {
	var talk bytes.Buffer
	s := Streams{Stderr: &talk}
	s.Warn("%s", "odd\u202e")
	s.Say("watching %s", "C1\x07")
	s.Hints([]string{"go on"})
	s.Hints(nil)
	if want := "warning: odd\\u202e\nwatching C1\\x07\nhint: go on\n"; talk.String() != want {
		t.Errorf("got %q", talk.String())
	}
}

func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, pair := range pairs {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
}

func TestColourOnlyWhereWanted(t *testing.T) {
	for _, test := range []struct {
		tty, noColor bool
		env          []string
		want         bool
	}{
		{true, false, nil, true},
		{true, false, []string{"NO_COLOR=", "TERM=xterm"}, true},
		{false, false, nil, false},
		{true, true, nil, false},
		{true, false, []string{"NO_COLOR=1"}, false},
		{true, false, []string{"TERM=dumb"}, false},
	} {
		s := Streams{StdoutTTY: test.tty, StderrTTY: test.tty, NoColor: test.noColor, LookupEnv: environment(test.env...)}
		for name, style := range map[string]Style{"out": s.OutStyle(), "err": s.ErrStyle()} {
			if got := style.Paint(Red, "x") == "\x1b[31mx\x1b[0m"; got != test.want {
				t.Errorf("%s %+v: colour %t", name, test, got)
			}
		}
	}
	if s := (Streams{StdoutTTY: true}); s.ErrStyle().Paint(Red, "x") != "x" {
		t.Error("a terminal on stdout colours stderr")
	}
}

func TestProgressOnlyOnATerminal(t *testing.T) {
	show := func(s Streams) string {
		var talk bytes.Buffer
		s.Stderr = &talk
		p := s.Progress()
		p.Clear()
		p.Show("step %d\x1b", 1)
		p.Show("%s", strings.Repeat("x", 200))
		p.Clear()
		p.Clear()
		return talk.String()
	}
	want := "\r\x1b[Kstep 1\\x1b\r\x1b[K" + strings.Repeat("x", 78) + "…\r\x1b[K"
	if got := show(Streams{StderrTTY: true}); got != want {
		t.Errorf("got %q", got)
	}
	if got := show(Streams{StdoutTTY: true}) + show(Streams{StderrTTY: true, LookupEnv: environment("TERM=dumb")}); got != "" {
		t.Errorf("got %q where nothing may be shown", got)
	}
}
