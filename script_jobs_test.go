//go:build unix

package continuity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A job is a program that a script started with "start". It leads a process
// group of its own, so that its children can be killed with it.
type job struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	done           chan struct{} // closed when err is set
	err            error
}

// cmdStart starts a program and goes on.
func cmdStart(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "start")
	if len(args) < 2 {
		ts.Fatalf("usage: start NAME program [args...]")
	}
	s := stateOf(ts)
	if s.jobs[args[0]] != nil {
		ts.Fatalf("a job %q was started already", args[0])
	}
	j := &job{cmd: exec.Command(lookPath(ts, args[1]), args[2:]...), done: make(chan struct{})}
	j.cmd.Dir = ts.MkAbs(".")
	j.cmd.Env = append(environ(ts), "PWD="+j.cmd.Dir)
	j.cmd.Stdout, j.cmd.Stderr = &j.stdout, &j.stderr
	ownGroup(j.cmd)
	ts.Check(j.cmd.Start())
	go func() {
		j.err = j.cmd.Wait()
		close(j.done)
	}()
	s.jobs[args[0]] = j
	s.started = append(s.started, j)
}

// environ is the environment as the script has set it so far.
func environ(ts *testscript.TestScript) []string {
	ts.Check(ts.Exec(environCommand))
	var env []string
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &env))
	return env
}

// lookPath finds a program by the PATH of the script, not that of the test.
func lookPath(ts *testscript.TestScript, program string) string {
	if strings.ContainsRune(program, filepath.Separator) {
		return ts.MkAbs(program)
	}
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, program)
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	ts.Fatalf("there is no program %q in PATH", program)
	return ""
}

func jobOf(ts *testscript.TestScript, name string) *job {
	j := stateOf(ts).jobs[name]
	if j == nil {
		ts.Fatalf("no job %q was started", name)
	}
	return j
}

// signals are the ones that a script may send.
var signals = map[string]syscall.Signal{
	"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM,
}

// cmdSignal sends a signal to a job, as kill(1) does, or to its whole group, as
// a terminal does.
func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "signal")
	group := len(args) > 0 && args[0] == "-group"
	if group {
		args = args[1:]
	}
	if len(args) != 2 {
		ts.Fatalf("usage: signal [-group] HUP|INT|KILL|TERM NAME")
	}
	sig, ok := signals[args[0]]
	if !ok {
		ts.Fatalf("%q is not a signal that a script can send", args[0])
	}
	ts.Check(jobOf(ts, args[1]).send(sig, group))
}

// cmdKill9 kills a job and its children at once, and waits for its end.
func cmdKill9(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "kill9")
	if len(args) != 1 {
		ts.Fatalf("usage: kill9 NAME")
	}
	j := jobOf(ts, args[0])
	ts.Check(j.send(syscall.SIGKILL, true))
	<-j.done
	if status := statusOf(ts, j.err); status != 128+int(syscall.SIGKILL) {
		ts.Fatalf("the job %q had ended with %d before it could be killed", args[0], status)
	}
	delete(stateOf(ts).jobs, args[0])
}

// cmdEnds waits for a job and asserts its exact exit status.
func cmdEnds(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "ends")
	if len(args) != 2 {
		ts.Fatalf("usage: ends STATUS NAME")
	}
	want := number(ts, args[0])
	j := jobOf(ts, args[1])
	if !j.endsBefore(stateOf(ts)) {
		ts.Fatalf("the job %q does not end", args[1])
	}
	_, _ = ts.Stdout().Write(j.stdout.Bytes())
	_, _ = ts.Stderr().Write(j.stderr.Bytes())
	delete(stateOf(ts).jobs, args[1])
	if got := statusOf(ts, j.err); got != want {
		ts.Fatalf("the job %q exited with %d, not with %d", args[1], got, want)
	}
}

// ownGroup makes a program that is not yet started lead its own process group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A grandchild that outlives the job and holds its pipes must not hold us.
	cmd.WaitDelay = time.Second
}

// send sends a signal to the job or to its group. It is an error if the job has
// ended: a script that signals too late tests nothing.
func (j *job) send(sig syscall.Signal, group bool) error {
	select {
	case <-j.done:
		return fmt.Errorf("send %v: the job has ended (%v)\n%s", sig, j.err, j.stderr.Bytes())
	default:
	}
	target := j.cmd.Process.Pid
	if group {
		target = -target
	}
	return syscall.Kill(target, sig)
}

// endsBefore waits until the job ends or the script's time is up.
func (j *job) endsBefore(s *state) bool {
	if s.deadline.IsZero() {
		<-j.done
		return true
	}
	timer := time.NewTimer(time.Until(s.deadline))
	defer timer.Stop()
	select {
	case <-j.done:
		return true
	case <-timer.C:
		return false
	}
}

// killJobs leaves nothing running behind a script: neither a job nor a child
// that outlived one.
func (s *state) killJobs() {
	for _, j := range s.started {
		_ = syscall.Kill(-j.cmd.Process.Pid, syscall.SIGKILL)
		<-j.done
	}
}

// waitStatus is the exit status as a shell would have it.
func waitStatus(process *os.ProcessState) int {
	if status, ok := process.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return process.ExitCode()
}
