//go:build unix

package accept

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

var soak = flag.Int("soak", 6, "how many acceptances are killed at random points")

// acceptVar makes the test binary one acceptance: method and, after a colon, the
// step after which it kills itself ("" for none).
const acceptVar = "CONTINUITY_TEST_ACCEPT"

func TestMain(m *testing.M) {
	if order, ok := os.LookupEnv(acceptVar); ok {
		os.Exit(acceptOnce(order))
	}
	os.Exit(m.Run())
}

func acceptOnce(order string) int {
	method, last, _ := strings.Cut(order, ":")
	ctx := context.Background()
	repo, err := gitx.Open(ctx, gitx.OpenOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	result, err := Run(ctx, repo, Options{
		Target: "topic", Trunk: "refs/heads/main", Method: landing.Method(method),
		Step: func(step string) {
			if step == last {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		},
	})
	if err == nil {
		err = result.Err
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, refusal.CodeOf(err), err)
		return 1
	}
	_ = json.NewEncoder(os.Stdout).Encode(result)
	return 0
}

// command is an acceptance in a process of its own, in the main checkout.
func (s *scene) command(method landing.Method, last string) *exec.Cmd {
	s.t.Helper()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Dir, cmd.Env = s.Dir, s.Environ(acceptVar+"="+string(method)+":"+last)
	return cmd
}

// safe checks what must hold after a kill at any point: nobody's work is lost.
func (s *scene) safe(at string) {
	s.t.Helper()
	s.Git("fsck", "--connectivity-only", "--no-dangling")
	main := s.Rev("main")
	if main != s.root {
		if got := s.Rev("main^{tree}"); got != s.Rev(s.tip.String()+"^{tree}") {
			s.t.Errorf("%s: main is at %s, with the tree %s", at, main, got)
		}
	}
	noted := false
	if notes, err := s.Open().Notes(context.Background(), landing.NotesRef); err != nil {
		s.t.Errorf("%s: %v", at, err)
	} else if data, found, err := notes.ReadNote(context.Background(), main, landing.MaxNote); found && err == nil {
		_, err = landing.DecodeNote(data, main)
		noted = err == nil
	}
	_, statErr := os.Stat(filepath.Join(s.topic.Dir, "d", "c"))
	if gone := statErr != nil || !s.exists("refs/heads/topic"); gone && (!noted || main == s.root) {
		s.t.Errorf("%s: worktree or branch went before the landing was noted", at)
	}
	if s.exists("refs/heads/topic") && s.Rev("topic") != s.tip {
		s.t.Errorf("%s: the branch moved", at)
	}
}

// finished runs the same command again and checks that all is done. The killed
// run may have come to its end, so that nothing is left to accept.
func (s *scene) finished(at string, method landing.Method) {
	s.t.Helper()
	out, err := s.command(method, "").CombinedOutput()
	if err != nil {
		done := len(s.journals()) == 0 && !s.exists("refs/heads/topic")
		if !done || !strings.HasPrefix(string(out), string(refusal.UnknownTarget)) {
			s.t.Fatalf("%s: the same command again: %v: %s", at, err, out)
		}
	}
	s.landed(s.Rev("main"), method)
	if out := s.Git("status", "--porcelain"); out != "" {
		s.t.Errorf("%s: the trunk's checkout has %q", at, out)
	}
	if s.t.Failed() {
		s.t.Fatalf("%s: failed", at)
	}
}

// reset brings a scene back to its beginning.
func (s *scene) reset() {
	s.t.Helper()
	s.Git("reset", "-q", "--hard", s.root.String())
	s.Git("clean", "-fdq")
	s.Git("update-ref", "-d", string(landing.NotesRef))
	s.Git("branch", "topic", s.tip.String())
	s.topic = s.AddWorktree("topic", "topic")
	s.gate()
}

func TestKilledBetweenSteps(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	steps := []string{"locked", "checked", "committed", "journal", "trunk", "note", "removal-begun", "worktree", "branch", "done"}
	for i, step := range steps {
		method := []landing.Method{landing.FastForward, landing.Merge, landing.Squash}[i%3]
		s.killedAt(step, method)
		s.safe(step)
		s.finished(step, method)
		s.reset()
	}
}

// killedAt runs an acceptance that kills itself after a step.
func (s *scene) killedAt(step string, method landing.Method) {
	s.t.Helper()
	err := s.command(method, step).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
		s.t.Fatalf("%s: the run was not killed: %v", step, err)
	}
}

// TestKilledAnywhere kills at random times, up to four in a row, and with what git
// left running: -soak=1000 is the long form.
func TestKilledAnywhere(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	whole := time.Duration(0)
	for round := range *soak {
		method := []landing.Method{landing.FastForward, landing.Merge, landing.Squash}[round%3]
		at := fmt.Sprintf("seed %d, round %d", seed, round)
		if round == 0 { // how long a run takes here and now
			begin := time.Now()
			s.finished(at, method)
			whole = time.Since(begin)
			s.reset()
			continue
		}
		for range 1 + random.IntN(4) {
			s.killAfter(method, time.Duration(random.Int64N(int64(whole))))
			s.safe(at)
		}
		s.finished(at, method)
		s.reset()
	}
}

// killAfter starts an acceptance and kills it, but not what it has started, unless
// it has ended by then.
func (s *scene) killAfter(method landing.Method, delay time.Duration) {
	s.t.Helper()
	cmd := s.command(method, "")
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	timer := time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	timer.Stop()
}
