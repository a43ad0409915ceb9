//go:build unix

package continuity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A recorder is a testscript.T that keeps what a script logs and whether it
// failed, instead of failing the test that runs it.
type recorder struct {
	log    strings.Builder
	failed bool
}

func (r *recorder) Log(args ...any)   { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Skip(args ...any)  { r.Log(args...); runtime.Goexit() }
func (r *recorder) Fatal(args ...any) { r.Log(args...); r.FailNow() }
func (r *recorder) FailNow()          { r.failed = true; runtime.Goexit() }
func (r *recorder) Parallel()         {}
func (r *recorder) Verbose() bool     { return false }

func (r *recorder) Run(_ string, run func(testscript.T)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(r)
	}()
	<-done
}

// TestScriptCommandsFail feeds each command of the harness a script in which it
// has to fail, so that none of them is an assertion that cannot.
func TestScriptCommandsFail(t *testing.T) {
	tests := []struct {
		script, want string
	}{
		{"exits 3 sh -c 'exit 4'", `"sh" exited with 4, not with 3`},
		{"exits 0 sh -c 'exit 1'", `exited with 1, not with 0`},
		{"exits 0 no-such-program", `no-such-program`},
		{"! exits 0 true", `unsupported: ! exits`},
		{"git no-such-command", `exit status 1`},
		{"! git version", `succeeded unexpectedly`},
		{"until -timeout 20ms armed echo idle", `does not match "armed"`},
		{"json doc.json a == 2", `a is 1: == 2 does not hold`},
		{"json doc.json a != 1", `a is 1: != 1 does not hold`},
		{"json doc.json b == 1", `b is not in the document`},
		{"json doc.json list.3 == 1", `list.3 is not in the document`},
		{"json doc.json text =~ ^y", `does not hold`},
		{"json doc.json a ~ 1", `is not an operator`},
		{"json doc.json b", `b: present is false`},
		{"! json doc.json a", `a: present is true`},
		{"json two.json a == 1", `after the document there is more`},
		{"jsonenv X doc.json none", `none is not in the document`},
		{"jsonenv X doc.json null", `null is not in the document`},
		{"validjson await doc.json", `verb is <nil>`},
		{"validjson await two.json", `the document is not one line`},
		{"validjson await both.json", `the body that belongs to it`},
		{"ends 0 nobody", `no job "nobody" was started`},
		{"start a sh -c 'exit 5'\nends 0 a", `the job "a" exited with 5, not with 0`},
		{"start a true\nstart a true", `was started already`},
		{"start a true\nends 0 a\nsignal INT a", `no job "a" was started`},
		{"start a sleep 60\nsignal USR1 a", `not a signal that a script can send`},
		{"untouched .", `there is no snapshot of`},
		{"git init -q r\nsnapshot r\n! untouched r", `is untouched`},
		{"git init -q r\nsnapshot r\nexec touch r/new\nuntouched r", `work tree: new: created`},
		{"git init -q r\nsnapshot r\ngit -C r config a.b c\nuntouched r", `git directory: config: changed`},
		{"[no-such-condition] stop", `unknown condition "no-such-condition"`},
	}
	for _, test := range tests {
		log, failed := runScript(t, test.script)
		if !failed {
			t.Errorf("%q passed", test.script)
		} else if !strings.Contains(log, test.want) {
			t.Errorf("%q: the log has no %q:\n%s", test.script, test.want, log)
		}
	}
}

// TestScriptLeavesNoProcess checks that neither a job which nobody waits for
// nor its child outlives the script: both hold a pipe open that ends with them.
func TestScriptLeavesNoProcess(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 1)
	go func() {
		held, err := os.ReadFile(pipe)
		ended <- fmt.Sprint(string(held), err)
	}()
	log, failed := runScript(t, "start a sh -c 'exec >"+pipe+"; echo held; sleep 600 & echo >ready; wait'\nuntil . ls ready")
	if failed {
		t.Fatal(log)
	}
	select {
	case got := <-ended:
		if want := "held\n<nil>"; got != want {
			t.Errorf("the pipe gave %q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Error("a process of the script is still there")
	}
}

// runScript runs one script, with a few files beside it, in the first pass.
func runScript(t *testing.T, script string) (log string, failed bool) {
	t.Helper()
	files := "\n-- doc.json --\n{\"a\":1,\"text\":\"x\",\"list\":[1],\"null\":null}\n" +
		"-- two.json --\n{\"a\":1}\n{\"a\":1}\n" +
		"-- both.json --\n{\"ok\":true,\"verb\":\"await\",\"version\":1,\"error\":{},\"hints\":[]}\n"
	path := filepath.Join(t.TempDir(), "script.txtar")
	if err := os.WriteFile(path, []byte(script+files), 0o644); err != nil {
		t.Fatal(err)
	}
	params := pass{}.params(t)
	params.Dir, params.Files = "", []string{path}
	r := &recorder{}
	testscript.RunT(r, params)
	return r.log.String(), r.failed
}
