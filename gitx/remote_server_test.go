//go:build unix

package gitx_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// listen serves each connection on a free port of the loopback until the test
// ends, and returns the address.
func listen(t *testing.T, serve func(*net.TCPConn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn.(*net.TCPConn))
		}
	}()
	return listener.Addr().String()
}

// daemon serves the repositories below root with git daemon, one process for
// each connection, as inetd does: so no port has to be guessed.
func daemon(t *testing.T, r *gitxtest.Repo) string {
	t.Helper()
	exe := strings.TrimSpace(r.Git("--exec-path"))
	if _, err := os.Stat(filepath.Join(exe, "git-daemon")); err != nil {
		t.Skip("git daemon is not installed")
	}
	return listen(t, func(conn *net.TCPConn) {
		defer func() { _ = conn.Close() }()
		file, err := conn.File()
		if err != nil {
			return
		}
		defer func() { _ = file.Close() }()
		cmd := exec.Command(r.Program(), "daemon", "--inetd", "--export-all", "--base-path="+r.Root())
		cmd.Env, cmd.Stdin, cmd.Stdout = r.Environ(), file, file
		_ = cmd.Run() // a client that goes away ends it
	})
}

// smartHTTP serves the repositories below root with git http-backend.
func smartHTTP(t *testing.T, r *gitxtest.Repo) string {
	t.Helper()
	exe := strings.TrimSpace(r.Git("--exec-path"))
	for _, name := range []string{"git-http-backend", "git-remote-http"} {
		if _, err := os.Stat(filepath.Join(exe, name)); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	server := httptest.NewServer(&cgi.Handler{
		Path: filepath.Join(exe, "git-http-backend"),
		Env:  append(r.Environ(), "GIT_PROJECT_ROOT="+r.Root(), "GIT_HTTP_EXPORT_ALL=1"),
	})
	t.Cleanup(server.Close)
	return server.URL
}

func TestRemoteOverEachTransport(t *testing.T) {
	for name, url := range map[string]func(t *testing.T, r *gitxtest.Repo) string{
		"path":   func(*testing.T, *gitxtest.Repo) string { return "../server.git" },
		"file":   func(_ *testing.T, r *gitxtest.Repo) string { return "file://" + r.Root() + "/server.git" },
		"daemon": func(t *testing.T, r *gitxtest.Repo) string { return "git://" + daemon(t, r) + "/server.git" },
		"http":   func(t *testing.T, r *gitxtest.Repo) string { return smartHTTP(t, r) + "/server.git" },
	} {
		for _, protocol := range []string{"0", "2"} {
			t.Run(name+"-v"+protocol, func(t *testing.T) {
				r := gitxtest.New(t, gitxtest.Options{})
				p := newPair(t, r)
				r.Git("remote", "set-url", "origin", url(t, r))
				r.Git("config", "protocol.version", protocol)
				before := contents(t, filepath.Join(r.Dir, ".git"))
				follow(t, r.Open(), p.tip)
				checkUntouched(t, filepath.Join(r.Dir, ".git"), before)
			})
		}
	}
}

// The questions of these tests are ended by the first of these bounds where the
// server would never answer; else the second one only keeps a fault from hanging.
const (
	bound  = 700 * time.Millisecond
	ample  = time.Minute
	settle = 5 * time.Millisecond
)

// asked asks main of a remote at url within a limit, from a repository whose
// processes carry a mark, and checks that none of them is left.
func asked(t *testing.T, r *gitxtest.Repo, url string, limit time.Duration, extra ...string) error {
	t.Helper()
	r.Git("remote", "set-url", "origin", url)
	before := contents(t, filepath.Join(r.Dir, ".git"))
	mark := "CONTINUITY_MARK=" + filepath.Base(r.Root()) + t.Name()
	repo := r.OpenAt(r.Dir, append(extra, mark)...)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	_, err := repo.LsRemote(ctx, "origin", mainRef)
	if err == nil {
		t.Error("the question was answered")
	}
	checkNoneLeft(t, mark)
	checkUntouched(t, filepath.Join(r.Dir, ".git"), before)
	return err
}

// checkNoneLeft looks for living processes with the mark in their environment.
// A killed one needs a moment to go; one that was not killed stays.
func checkNoneLeft(t *testing.T, mark string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	tick := time.NewTicker(settle)
	defer tick.Stop()
	left := processesWith(t, mark)
	for deadline := time.Now().Add(10 * time.Second); left != "" && time.Now().Before(deadline); left = processesWith(t, mark) {
		<-tick.C
	}
	if left != "" {
		t.Errorf("processes are left: %s", left)
	}
}

func processesWith(t *testing.T, mark string) (found string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("the processes cannot be listed: %v", err)
	}
	for _, dir := range dirs {
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if strings.Contains(string(env), mark) {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			found += fmt.Sprintf("%s %q ", dir, line)
		}
	}
	return found
}

func TestRemoteThatHangsIsBounded(t *testing.T) {
	silent := listen(t, func(conn *net.TCPConn) { _, _ = io.Copy(io.Discard, conn) })
	for name, url := range map[string]string{
		"git":  "git://" + silent + "/x.git",
		"http": "http://" + silent + "/x.git",
		"ssh":  "ssh://nobody@127.0.0.1/x.git",
	} {
		t.Run(name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			newPair(t, r)
			// A connection program that does not end when it is asked to.
			err := asked(t, r, url, bound, "GIT_SSH_COMMAND=trap '' TERM; sleep 600; true")
			if gitx.FaultOf(err) != gitx.RemoteUnreachable || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a silent server: %v", err)
			}
		})
	}
}

func TestRemoteThatRefusesOrVanishes(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = gone.Close()
	closing := listen(t, func(conn *net.TCPConn) { _ = conn.Close() })
	for name, url := range map[string]string{
		"refuses":  "git://" + gone.Addr().String() + "/x.git",
		"http":     "http://" + gone.Addr().String() + "/x.git",
		"vanishes": "git://" + closing + "/x.git",
		"path":     "../no-such.git",
	} {
		t.Run(name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			newPair(t, r)
			if err := asked(t, r, url, ample); gitx.FaultOf(err) != gitx.RemoteUnreachable {
				t.Errorf("%v", err)
			}
		})
	}
}

// A remote that wants a password gets none: nobody is asked, nothing of the
// credentials in the URL is in the error.
func TestRemoteThatWantsAPassword(t *testing.T) {
	for name, userInfo := range map[string]string{"none": "", "wrong": "someone:s3cret@"} {
		t.Run(name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			newPair(t, r)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				w.WriteHeader(http.StatusUnauthorized)
			}))
			defer server.Close()
			asking := filepath.Join(r.Root(), "asking")
			program := filepath.Join(r.Root(), "askpass")
			if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+asking+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			r.Git("config", "core.askPass", program)
			url := strings.Replace(server.URL, "://", "://"+userInfo, 1) + "/x.git"
			err := asked(t, r, url, ample, "GIT_ASKPASS="+program, "SSH_ASKPASS="+program, "GIT_TERMINAL_PROMPT=1")
			var remote *gitx.RemoteError
			if !errors.As(err, &remote) || remote.Fault != gitx.RemoteDenied {
				t.Fatalf("a password is wanted: %v", err)
			}
			if text := err.Error() + remote.GitStderr(); strings.Contains(text, "s3cret") || strings.Contains(text, "someone") {
				t.Errorf("the error tells the credentials: %s", text)
			}
			if _, err := os.Stat(asking); err == nil {
				t.Error("somebody was asked for the password")
			}
		})
	}
}

// A pack that stalls midway: bounded, and what is there stays sound.
func TestRemotePackThatStalls(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	p := newPair(t, r)
	noise := make([]byte, 1<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		noise[i] = byte(x)
	}
	if err := os.WriteFile(filepath.Join(p.writer.Dir, "noise"), noise, 0o644); err != nil {
		t.Fatal(err)
	}
	p.writer.Git("add", "noise")
	tip := p.advance(t, "large")
	upstream := daemon(t, r)
	stalling := listen(t, func(conn *net.TCPConn) {
		server, err := net.Dial("tcp", upstream)
		if err != nil {
			return
		}
		go func() { _, _ = io.Copy(server, conn) }()
		_, _ = io.CopyN(conn, server, 100<<10)
		_, _ = io.Copy(io.Discard, conn)
	})
	r.Git("remote", "set-url", "origin", "git://"+stalling+"/server.git")
	before := contents(t, filepath.Join(r.Dir, ".git"))
	mark := "CONTINUITY_MARK=" + r.Root()
	repo := r.OpenAt(r.Dir, mark)
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	err := repo.FetchObjects(ctx, "origin", []gitx.OID{tip}, nil)
	if gitx.FaultOf(err) != gitx.RemoteUnreachable || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a stalled pack: %v", err)
	}
	checkNoneLeft(t, mark)
	checkUntouched(t, filepath.Join(r.Dir, ".git"), before)
	r.Git("fsck", "--connectivity-only")
	r.Git("remote", "set-url", "origin", "git://"+upstream+"/server.git")
	follow(t, repo, tip)
}
