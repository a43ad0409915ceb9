//go:build unix

package gitx_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestShellResult(t *testing.T) {
	for _, test := range []struct {
		name    string
		command gitx.ShellCommand
		result  gitx.ShellResult
		stdout  string
		stderr  string
	}{
		{"line", gitx.ShellCommand{Line: "echo a; echo b >&2"}, gitx.ShellResult{}, "a\n", "b\n"},
		{"status", gitx.ShellCommand{Line: "exit 124"}, gitx.ShellResult{Status: 124}, "", ""},
		{"signal", gitx.ShellCommand{Line: "kill -KILL $$"}, gitx.ShellResult{Status: 137, Signal: "killed"}, "", ""},
		{"program", gitx.ShellCommand{Argv: []string{"printf", "%s|", "a b", "$HOME", "*"}}, gitx.ShellResult{}, "a b|$HOME|*|", ""},
		{"stdin", gitx.ShellCommand{Line: "cat", Stdin: []byte("bytes\x00 and more")}, gitx.ShellResult{}, "bytes\x00 and more", ""},
		{"no stdin", gitx.ShellCommand{Line: "cat"}, gitx.ShellResult{}, "", ""},
		{"stdin nobody reads", gitx.ShellCommand{Line: "exit 0", Stdin: make([]byte, 1<<20)}, gitx.ShellResult{}, "", ""},
		{"env", gitx.ShellCommand{Line: `printf %s "$MORE"`, Env: []string{"MORE=than 'words'"}}, gitx.ShellResult{}, "than 'words'", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			test.command.Stdout, test.command.Stderr = &stdout, &stderr
			result, err := gitx.Shell(t.Context(), test.command)
			if err != nil || result != test.result {
				t.Fatalf("got %+v, %v", result, err)
			}
			if stdout.String() != test.stdout || stderr.String() != test.stderr {
				t.Fatalf("got %q and %q", stdout.String(), stderr.String())
			}
		})
	}
}

func TestShellRefuses(t *testing.T) {
	for name, c := range map[string]gitx.ShellCommand{
		"nothing":      {},
		"both":         {Line: "true", Argv: []string{"true"}},
		"no program":   {Argv: []string{"no-such-program-anywhere"}},
		"no file":      {Argv: []string{"./no-such-program-anywhere"}},
		"no directory": {Line: "true", Dir: "/no/such/directory"},
	} {
		if _, err := gitx.Shell(t.Context(), c); err == nil {
			t.Errorf("%s: it ran", name)
		}
	}
	if _, err := gitx.Shell(t.Context(), gitx.ShellCommand{Argv: []string{"no-such-program-anywhere"}}); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestShellIsNotHeldByGrandchild(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var buffer bytes.Buffer
	for name, out := range map[string]io.Writer{"pipe": &buffer, "file": file} {
		t.Run(name, func(t *testing.T) {
			result, err := gitx.Shell(t.Context(), gitx.ShellCommand{
				Line: "sleep " + long + " & echo $! >pid; echo said; exit 5", Dir: dir, Stdout: out, Stderr: out,
			})
			pid := pidIn(t, filepath.Join(dir, "pid"))
			t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			if err != nil || result.Status != 5 {
				t.Fatalf("got %+v, %v", result, err)
			}
			if !alive(t, pid) {
				t.Fatal("the grandchild was to outlive the command, and did not")
			}
		})
	}
	written, err := os.ReadFile(file.Name())
	if err != nil || string(written) != "said\n" || buffer.String() != "said\n" {
		t.Fatalf("got %q and %q, %v", written, buffer.String(), err)
	}
}

func TestShellCancelledLeavesNoOrphan(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	ready, wait := fifo(t, r)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { wait(); cancel() }()
	_, err := gitx.Shell(ctx, gitx.ShellCommand{
		Line: "sh -c 'trap \"\" TERM; echo $$ >pid; echo r >" + ready + "; while :; do sleep 1; done' & wait",
		Dir:  r.Root(), Stdout: io.Discard,
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if pid := pidIn(t, filepath.Join(r.Root(), "pid")); !ends(t, pid) {
		t.Fatalf("process %d was left behind", pid)
	}
}

func TestShellRepositoryOfDir(t *testing.T) {
	a := gitxtest.New(t, gitxtest.Options{})
	b := a.Sibling("b", gitxtest.Options{})
	base := a.Env("GIT_DIR="+a.Dir+"/.git", "GIT_INDEX_FILE="+a.Dir+"/.git/index.lock")
	for _, test := range []struct{ dir, want string }{
		{b.Dir, b.Dir + "/.git|"},
		{"", a.Dir + "/.git|" + a.Dir + "/.git/index.lock"},
	} {
		var out bytes.Buffer
		_, err := gitx.Shell(t.Context(), gitx.ShellCommand{
			Line: `printf '%s|%s' "$(git rev-parse --absolute-git-dir)" "$GIT_INDEX_FILE"`,
			Dir:  test.dir, Base: base, Stdout: &out,
		})
		if err != nil || strings.TrimSpace(out.String()) != test.want {
			t.Errorf("in %q: got %q, %v", test.dir, out.String(), err)
		}
	}
}
