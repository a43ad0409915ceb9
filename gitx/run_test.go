//go:build unix

package gitx_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// long is the sleep of a child that must never be waited for. A test that waits
// for it fails by the limit of the test binary, or by the assertion on pids.
const long = "1000"

// alias makes git run a shell line as one of its commands.
func alias(r *gitxtest.Repo, line string) gitx.Command {
	r.Git("config", "alias.probe", "!"+line)
	return gitx.Command{Args: []string{"probe"}}
}

// alive reports whether a process exists and is no zombie.
func alive(t *testing.T, pid int) bool {
	t.Helper()
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

// ends reports whether a process that was sent SIGKILL is gone: on a busy machine
// the kernel takes a moment to see to it. One that was not would stay.
func ends(t *testing.T, pid int) bool {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if !alive(t, pid) {
			return true
		}
	}
	return false
}

// pidIn reads a pid that a child wrote.
func pidIn(t *testing.T, path string) int {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// fifo makes a named pipe that a child writes to once it is ready.
func fifo(t *testing.T, r *gitxtest.Repo) (path string, ready func()) {
	t.Helper()
	path = filepath.Join(r.Root(), "ready")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, func() {
		if _, err := os.ReadFile(path); err != nil { // blocks until written
			t.Error(err)
		}
	}
}

func TestRunIsNotHeldByGrandchild(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	pidFile := filepath.Join(r.Root(), "pid")
	c := alias(r, "sleep "+long+" & echo $! >'"+pidFile+"'; echo said")
	began := time.Now()
	out, err := r.Open().Run(t.Context(), c)
	took := time.Since(began)
	pid := pidIn(t, pidFile)
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	if err != nil || string(out) != "said\n" {
		t.Fatalf("got %q, %v", out, err)
	}
	if !alive(t, pid) {
		t.Fatal("the grandchild was to hold the pipe for longer than Run, and did not")
	}
	if took < gitx.Grace {
		t.Fatalf("the pipe was given up after %v, before the grace", took)
	}
}

func TestRunCancelledLeavesNoOrphan(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	repo := r.Open()
	for name, trap := range map[string]string{
		"ends on SIGTERM": "",
		"ignores SIGTERM": "trap '' TERM; ",
		"answers SIGTERM": "trap 'echo cleaned >\"$0.cleaned\"; exit 3' TERM; ",
	} {
		t.Run(name, func(t *testing.T) {
			script := filepath.Join(t.TempDir(), "child")
			ready, wait := fifo(t, r)
			t.Cleanup(func() { _ = os.Remove(ready) })
			body := "#!/bin/sh\n" + trap + "sh -c 'trap \"\" TERM; echo $$ >\"$0.pid\"; echo r >\"" + ready +
				"\"; while :; do sleep 1; done' \"$0\" &\nwhile :; do sleep 1; done\n"
			if err := os.WriteFile(script, []byte(body), 0o700); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough")
			go func() { wait(); cancel(enough) }()
			_, err := repo.Run(ctx, alias(r, "'"+script+"'"))
			var exit *gitx.ExitError
			if !errors.As(err, &exit) || !errors.Is(err, enough) {
				t.Fatalf("got %v", err)
			}
			if pid := pidIn(t, script+".pid"); !ends(t, pid) {
				t.Fatalf("process %d was left behind", pid)
			}
			_, cleaned := os.Stat(script + ".cleaned")
			if want := strings.HasPrefix(name, "answers"); (cleaned == nil) != want {
				t.Fatalf("cleaned: %v", cleaned)
			}
		})
	}
}

func TestRunBeforeItBegan(t *testing.T) {
	repo := gitxtest.New(t, gitxtest.Options{}).Open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.Git(ctx, "version"); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestRunOutputTooLarge(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	pidFile := filepath.Join(r.Root(), "pid")
	c := alias(r, "echo $$ >'"+pidFile+"'; exec cat /dev/zero")
	c.MaxStdout = 100_000
	out, err := r.Open().Run(t.Context(), c)
	var large *gitx.OutputTooLargeError
	if !errors.As(err, &large) || large.Limit != c.MaxStdout || out != nil {
		t.Fatalf("got %d bytes, %v", len(out), err)
	}
	if alive(t, pidIn(t, pidFile)) {
		t.Fatal("the child was left behind")
	}
	c = alias(r, "head -c 100000 /dev/zero")
	c.MaxStdout = 100_000
	if out, err := r.Open().Run(t.Context(), c); err != nil || len(out) != 100_000 {
		t.Fatalf("exactly the limit: got %d bytes, %v", len(out), err)
	}
}

func TestRunKeepsHeadAndTailOfStderr(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	c := alias(r, "(echo first; yes middle | head -c 7000000; echo https://user:tok@host/x; echo last) >&2; echo no; exit 7")
	out, err := r.Open().Run(t.Context(), c)
	var exit *gitx.ExitError
	if !errors.As(err, &exit) || exit.Status != 7 {
		t.Fatalf("got %v", err)
	}
	if string(out) != "no\n" {
		t.Fatalf("stdout of a failing command: %q", out)
	}
	if s := exit.Stderr; !strings.HasPrefix(s, "first\nmiddle\n") || !strings.HasSuffix(s, "\nhttps://host/x\nlast") ||
		!strings.Contains(s, " bytes left out]") || len(s) > 9000 {
		t.Fatalf("%d bytes: %.200q … %q", len(s), s, s[max(0, len(s)-100):])
	}
}

func TestRunHidesUserInfo(t *testing.T) {
	repo := gitxtest.New(t, gitxtest.Options{}).Open()
	_, err := repo.Git(t.Context(), "ls-remote", "no-such-helper://user:t0ken@host/path")
	var exit *gitx.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("got %v", err)
	}
	for _, text := range append(exit.Args, exit.Stderr, err.Error()) {
		if strings.Contains(text, "t0ken") {
			t.Fatalf("a token was repeated in %q", text)
		}
	}
}

func TestRunHasNoTerminal(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	out, err := r.Open().Run(t.Context(), alias(r, "if (: </dev/tty) 2>/dev/null; then echo asks; else echo mute; fi; ps -o sid= -p $$"))
	if err != nil {
		t.Fatal(err)
	}
	answer, session, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	own, err := exec.Command("ps", "-o", "sid=", "-p", strconv.Itoa(os.Getpid())).Output()
	if err != nil {
		t.Fatal(err)
	}
	if answer != "mute" || strings.TrimSpace(session) == strings.TrimSpace(string(own)) {
		t.Fatalf("got %q in session %s", answer, session)
	}
}

func TestRunPassesStdinAndEnv(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	c := alias(r, `cat; printf %s "$LC_ALL|$GIT_TERMINAL_PROMPT|$GIT_ASKPASS|$SSH_ASKPASS|$GCM_INTERACTIVE|$GIT_PAGER|$GIT_NO_REPLACE_OBJECTS|$GIT_NO_LAZY_FETCH|$GIT_OPTIONAL_LOCKS|$EXTRA|$GIT_SSH_COMMAND"`)
	c.Stdin, c.Env = []byte("in\x00put "), []string{"EXTRA=more"}
	repo := r.OpenAt(r.Dir, "LC_ALL=de_DE.UTF-8", "GIT_ASKPASS=ask", "GIT_TERMINAL_PROMPT=1")
	for _, test := range []struct {
		write, network bool
		want           string
	}{
		{false, false, "C|0|||never|cat|1|1|0|more|"},
		{true, false, "C|0|||never|cat|1|1||more|"},
		{true, true, "C|0|||never|cat|1|||more|ssh -oBatchMode=yes"},
	} {
		c.Write, c.Network = test.write, test.network
		out, err := repo.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := bytes.CutPrefix(out, []byte("in\x00put "))
		if !ok || string(got) != test.want {
			t.Errorf("write %v network %v: got %q, want %q", test.write, test.network, got, test.want)
		}
	}
}
