//go:build unix

package continuity_test

import (
	"errors"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the commands that scripts have beside those of testscript.
// testdata/script/README.md documents each.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"ends":      cmdEnds,
	"exits":     cmdExits,
	"git":       cmdGit,
	"json":      cmdJSON,
	"jsonenv":   cmdJSONEnv,
	"kill9":     cmdKill9,
	"signal":    cmdSignal,
	"snapshot":  cmdSnapshot,
	"start":     cmdStart,
	"until":     cmdUntil,
	"untouched": cmdUntouched,
	"validjson": cmdValidJSON,
}

type stateKey struct{}

// A state is what one script's commands remember between lines.
type state struct {
	tb        testing.TB
	clock     time.Time
	deadline  time.Time       // zero if the test has none
	jobs      map[string]*job // those that have not been waited for
	started   []*job
	snapshots map[string]snapshot
}

func stateOf(ts *testscript.TestScript) *state {
	return ts.Value(stateKey{}).(*state)
}

// date is the clock as git reads dates.
func (s *state) date() string {
	return strconv.FormatInt(s.clock.Unix(), 10) + " +0000"
}

// plain refuses the negation of a command for which it means nothing.
func plain(ts *testscript.TestScript, neg bool, name string) {
	if neg {
		ts.Fatalf("unsupported: ! %s", name)
	}
}

// cmdGit runs git with the clock one second on, so that commits differ and
// their order shows.
func cmdGit(ts *testscript.TestScript, neg bool, args []string) {
	s := stateOf(ts)
	s.clock = s.clock.Add(time.Second)
	ts.Setenv("GIT_AUTHOR_DATE", s.date())
	ts.Setenv("GIT_COMMITTER_DATE", s.date())
	err := ts.Exec("git", args...)
	if neg && err == nil {
		ts.Fatalf("git %s succeeded unexpectedly", strings.Join(args, " "))
	}
	if !neg {
		ts.Check(err)
	}
}

// cmdExits runs a command and asserts its exact exit status.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "exits")
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS program [args...]")
	}
	want := number(ts, args[0])
	got := statusOf(ts, ts.Exec(args[1], args[2:]...))
	if got != want {
		ts.Fatalf("%q exited with %d, not with %d", args[1], got, want)
	}
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 255 {
		ts.Fatalf("%q is not an exit status", text)
	}
	return n
}

// statusOf is the exit status as a shell would have it: 128 and the signal for
// a process that a signal ended.
func statusOf(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return waitStatus(exit.ProcessState)
	}
	ts.Fatalf("run the command: %v", err)
	return 0
}

// cmdUntil runs a command again and again until its stdout matches.
func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "until")
	deadline := stateOf(ts).deadline
	if len(args) > 2 && args[0] == "-timeout" {
		limit, err := time.ParseDuration(args[1])
		ts.Check(err)
		if sooner := time.Now().Add(limit); deadline.IsZero() || sooner.Before(deadline) {
			deadline = sooner
		}
		args = args[2:]
	}
	if len(args) < 2 {
		ts.Fatalf("usage: until [-timeout DURATION] REGEXP program [args...]")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for tries := 1; ; tries++ {
		err := ts.Exec(args[1], args[2:]...)
		if pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if !deadline.IsZero() && time.Now().After(deadline) {
			ts.Fatalf("after %d tries the output of %q does not match %q (last error: %v)", tries, args[1], args[0], err)
		}
		<-tick.C
	}
}
