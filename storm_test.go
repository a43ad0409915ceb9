package continuity_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"git-continuity/gitx/gitxtest"
)

// TestStorm lets a hundred processes wait for a branch each while a thousand
// other refs move and git packs and collects underneath: every one is woken by
// its own landing, none by anything else, and nothing is left behind. Linux
// gives a user 128 watchers, so some of the waiters may have to poll.
func TestStorm(t *testing.T) {
	waiters := 100
	if testing.Short() {
		waiters = 12
	}
	binary := builtBinary(t, "git-await")
	for _, options := range []gitxtest.Options{{}, {ObjectFormat: "sha256", RefFormat: "reftable"}} {
		t.Run(options.ObjectFormat+options.RefFormat, func(t *testing.T) {
			stormOver(t, newStorm(t, gitxtest.New(t, options), binary, waiters))
		})
		waiters = min(waiters, 25) // the same with less, to keep the check short
	}
}

func stormOver(t *testing.T, s *storm) {
	ctx, stop := context.WithCancel(t.Context())
	var weather sync.WaitGroup
	weather.Go(func() { s.moveRefs(ctx) })
	weather.Go(func() { s.housekeep(ctx) })
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(s.waiters)) {
		s.land(i)
	}
	s.collect()
	stop()
	weather.Wait()
	s.nothingLeft()
}

type storm struct {
	t       *testing.T
	repo    *gitxtest.Repo
	base    string
	tips    []string
	trunk   string
	waiters []*stormWaiter
}

type stormWaiter struct {
	cmd    *exec.Cmd
	stdout bytes.Buffer
	armed  chan struct{}
	done   chan error
}

func newStorm(t *testing.T, repo *gitxtest.Repo, binary string, n int) *storm {
	s := &storm{t: t, repo: repo}
	s.base = repo.CommitTo("refs/heads/main", "base").String()
	s.trunk = s.base
	// What a power cut would cost does not matter here, and syncing a thousand
	// refs would be most of the test.
	repo.Git("config", "core.fsync", "none")
	for i := range n {
		tree := repo.Git("rev-parse", "main^{tree}")
		tip := repo.Git("commit-tree", "-p", s.base, "-m", fmt.Sprint("work ", i), tree)
		repo.Git("update-ref", fmt.Sprintf("refs/heads/w/%d/topic", i), tip)
		s.tips = append(s.tips, tip)
	}
	for i := range n {
		s.waiters = append(s.waiters, s.start(binary, i))
	}
	for i, w := range s.waiters {
		select {
		case <-w.armed:
		case err := <-w.done:
			t.Fatalf("waiter %d ended before it waited: %v\n%s", i, err, w.stdout.String())
		}
	}
	return s
}

func (s *storm) start(binary string, i int) *stormWaiter {
	w := &stormWaiter{armed: make(chan struct{}), done: make(chan error, 1)}
	w.cmd = exec.CommandContext(s.t.Context(), binary, "--landed", fmt.Sprintf("w/%d/topic", i), "--timeout", "10m", "--json")
	w.cmd.Dir, w.cmd.Env, w.cmd.Stdout = s.repo.Dir, s.repo.Environ(), &w.stdout
	stderr, err := w.cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "watching ") {
				close(w.armed)
			}
		}
		w.done <- w.cmd.Wait()
	}()
	return w
}

// moveRefs moves a thousand refs, a hundred at a time, until the storm is over.
// No round is cut short: a git that is killed leaves its locks.
func (s *storm) moveRefs(ctx context.Context) {
	for round := 0; ctx.Err() == nil; round++ {
		var input strings.Builder
		for i := range 100 {
			to := s.base
			if (round/10)%2 == 0 {
				to = s.tips[i%len(s.tips)]
			}
			fmt.Fprintf(&input, "update refs/heads/other/%d/x %s\n", 100*(round%10)+i, to)
		}
		// pack-refs holds the same locks now and then: a round that lost is no fault.
		s.weather(input.String(), "update-ref", "--stdin")
	}
}

func (s *storm) housekeep(ctx context.Context) {
	for round := 0; ctx.Err() == nil; round++ {
		if round%4 == 3 {
			s.weather("", "gc", "-q")
		} else {
			s.weather("", "pack-refs", "--all", "--prune")
		}
	}
}

func (s *storm) weather(input string, args ...string) {
	cmd := exec.Command(s.repo.Program(), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.repo.Dir, s.repo.Environ(), strings.NewReader(input)
	_ = cmd.Run()
}

// land merges one topic into the trunk with a merge commit, as a user with a
// retry would while others pack the refs.
func (s *storm) land(i int) {
	tree := s.repo.Git("rev-parse", s.trunk+"^{tree}")
	merge := s.repo.Git("commit-tree", "-p", s.trunk, "-p", s.tips[i], "-m", "merge", tree)
	for deadline := time.Now().Add(time.Minute); ; {
		cmd := exec.CommandContext(s.t.Context(), s.repo.Program(), "update-ref", "refs/heads/main", merge, s.trunk)
		cmd.Dir, cmd.Env = s.repo.Dir, s.repo.Environ()
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("move the trunk: %v\n%s", err, out)
		}
	}
	s.trunk = merge
}

func (s *storm) collect() {
	for i, w := range s.waiters {
		if err := <-w.done; err != nil {
			s.t.Errorf("waiter %d: %v\n%s", i, err, w.stdout.String())
			continue
		}
		var answer struct {
			Data struct {
				Met    bool
				Branch string
			}
		}
		if err := json.Unmarshal(w.stdout.Bytes(), &answer); err != nil || !answer.Data.Met {
			s.t.Errorf("waiter %d answered %s (%v)", i, w.stdout.String(), err)
		}
		if want := fmt.Sprintf("refs/heads/w/%d/topic", i); answer.Data.Branch != want {
			s.t.Errorf("waiter %d answered for %q, not %q", i, answer.Data.Branch, want)
		}
	}
}

// nothingLeft looks for locks, continuations and damage.
func (s *storm) nothingLeft() {
	s.repo.Git("fsck", "--no-dangling")
	common := s.repo.Git("rev-parse", "--path-format=absolute", "--git-common-dir")
	err := filepath.WalkDir(common, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Base(path)
		ours := strings.Contains(path, "continuity")
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(name, ".lock") && !ours:
			s.t.Errorf("a lock was left: %s", path)
		case ours && !entry.IsDir() && !strings.HasPrefix(name, "."):
			s.t.Errorf("a continuation was left: %s", path)
		}
		return nil
	})
	if err != nil {
		s.t.Error(err)
	}
	if got := s.repo.Git("rev-parse", "main"); got != s.trunk {
		s.t.Errorf("the trunk is %s, not %s", got, s.trunk)
	}
}

// builtBinary builds the commands as their users get them, without the race
// detector, and returns the path of one.
func builtBinary(t testing.TB, name string) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", dir+string(filepath.Separator), "./cmd/...").CombinedOutput()
	if err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return filepath.Join(dir, name)
}
