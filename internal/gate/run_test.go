package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/refusal"
)

func run(t *testing.T, r *gitxtest.Repo, script string) Result {
	t.Helper()
	result, err := Run(context.Background(), r.Open(), options(r, script))
	if err != nil {
		t.Fatalf("gate %q: %v", script, err)
	}
	return result
}

func options(r *gitxtest.Repo, script string) Options {
	return Options{Argv: []string{"sh", "-c", script}, Env: r.Env(), Version: "test"}
}

func status(t *testing.T, r *gitxtest.Repo, branch string, tip gitx.OID) ReceiptStatus {
	t.Helper()
	got, receipt, err := Status(context.Background(), r.Open(), gitx.RefName("refs/heads/"+branch), tip)
	if err != nil {
		t.Fatal(err)
	}
	if got == Honored && (receipt == nil || receipt.Commit != tip) {
		t.Fatalf("honored, with the receipt %+v", receipt)
	}
	return got
}

func receiptPath(r *gitxtest.Repo) string {
	return filepath.Join(r.Open().GitDir(), "continuity", "receipt.json")
}

func TestRunRecords(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		tip := r.Commit("work", gitxtest.Files{"a": "1\n", ".gitignore": "*.o\n"})
		if got := status(t, r, "main", tip); got != Missing {
			t.Errorf("before: %s", got)
		}
		var stdout, stderr bytes.Buffer
		o := options(r, "pwd; echo talk >&2; : >built.o; cat a")
		o.Stdout, o.Stderr = &stdout, &stderr
		start := time.Unix(1_700_000_000, 5)
		o.Now = func() time.Time { start = start.Add(1500 * time.Millisecond); return start }
		result, err := Run(context.Background(), r.Open(), o)
		if err != nil {
			t.Fatal(err)
		}
		if result.Status != Recorded || result.Commit != tip || result.Exit != 0 || result.ElapsedMS != 1500 || result.Dirty == nil {
			t.Errorf("result %+v", result)
		}
		if stdout.String() != r.Dir+"\n1\n" || stderr.String() != "talk\n" {
			t.Errorf("passed through %q and %q", stdout.String(), stderr.String())
		}
		_, receipt, err := Status(context.Background(), r.Open(), "refs/heads/main", tip)
		if err != nil || receipt == nil {
			t.Fatal(err)
		}
		if receipt.Tree != r.Rev("HEAD^{tree}") || receipt.Version != "test" || receipt.Command != "sh -c 'pwd; echo talk >&2; : >built.o; cat a'" ||
			receipt.Finished.Sub(receipt.Started) != 1500*time.Millisecond {
			t.Errorf("receipt %+v", receipt)
		}
		if got := status(t, r, "main", tip); got != Honored {
			t.Errorf("after: %s", got)
		}
		if out := r.Git("status", "--porcelain"); out != "" {
			t.Errorf("the gate left %q", out)
		}
	})
}

func TestRunDigestsTheOutput(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	run(t, r, "printf one; test -f a")
	_, receipt, err := Status(context.Background(), r.Open(), "refs/heads/main", tip)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("one"))
	if want := "sha256:" + hex.EncodeToString(sum[:]); receipt.Output != want {
		t.Errorf("output %s, want %s", receipt.Output, want)
	}
}

func TestRunSkips(t *testing.T) {
	for name, c := range map[string]struct {
		before func(r *gitxtest.Repo)
		script string
		want   Outcome
		dirty  []string
	}{
		"edited":            {func(r *gitxtest.Repo) { r.Write(gitxtest.Files{"a": "2\n"}) }, "test -f a", SkippedDirty, []string{"a"}},
		"untracked":         {func(r *gitxtest.Repo) { r.Write(gitxtest.Files{"d/x": "", "d/y": ""}) }, "test -f a", SkippedDirty, []string{"d/x", "d/y"}},
		"cleaned meanwhile": {func(r *gitxtest.Repo) { r.Write(gitxtest.Files{"x": ""}) }, "rm x", SkippedDirty, []string{"x"}},
		"dirtied":           {func(*gitxtest.Repo) {}, "echo >b; test -f a", SkippedDirty, []string{"b"}},
		"many":              {func(*gitxtest.Repo) {}, "touch 1 2 3 4 5 6 7 8", SkippedDirty, []string{"1", "2", "3", "4", "5", "6"}},
		"committed":         {func(*gitxtest.Repo) {}, "git commit -q --allow-empty -m more", SkippedHeadMoved, nil},
		"committed, dirty":  {func(*gitxtest.Repo) {}, "git commit -q --allow-empty -m more; touch x", SkippedHeadMoved, []string{"x"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			first := r.Commit("first", gitxtest.Files{"a": "1\n"})
			if got := run(t, r, "test -f a").Status; got != Recorded {
				t.Fatalf("first run: %s", got)
			}
			earlier, err := os.ReadFile(receiptPath(r))
			if err != nil {
				t.Fatal(err)
			}
			second := r.Commit("second", nil)
			c.before(r)
			result := run(t, r, c.script)
			if result.Status != c.want || !slices.Equal(result.Dirty, c.dirty) && len(result.Dirty)+len(c.dirty) > 0 || result.Exit != 0 || result.Commit != second {
				t.Errorf("result %+v, want %s %q", result, c.want, c.dirty)
			}
			if now, err := os.ReadFile(receiptPath(r)); err != nil || !bytes.Equal(now, earlier) {
				t.Errorf("the receipt of %s did not stay: %q, %v", first, now, err)
			}
			if got := status(t, r, "main", second); got != Stale {
				t.Errorf("status %s", got)
			}
		})
	}
}

func TestFailedRunRemovesTheReceipt(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	run(t, r, "test -f a")
	result := run(t, r, "exit 7")
	if result.Status != Failed || result.Exit != 7 {
		t.Errorf("result %+v", result)
	}
	if got := status(t, r, "main", tip); got != Missing {
		t.Errorf("status %s", got)
	}
	if result := run(t, r, "kill -9 $$"); result.Status != Failed || result.Exit != 137 {
		t.Errorf("killed: %+v", result)
	}
}

func TestRunTheConfiguredLine(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("work", gitxtest.Files{"sub/a": "1\n"})
	r.Git("config", Setting, "test -f sub/a && echo \"fine\"")
	repo := r.OpenAt(filepath.Join(r.Dir, "sub"))
	result, err := Run(context.Background(), repo, Options{Env: r.Env()})
	if err != nil || result.Status != Recorded || result.Command != `test -f sub/a && echo "fine"` {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestRunRefusals(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	bare := r.Sibling("bare", gitxtest.Options{Bare: true})
	refused := func(name string, r *gitxtest.Repo, o Options, want refusal.Code) {
		t.Helper()
		o.Env = r.Env()
		ran := filepath.Join(r.Root(), "ran")
		if o.Argv == nil && want != refusal.NoGate {
			o.Argv = []string{"touch", ran}
		}
		_, err := Run(context.Background(), r.Open(), o)
		if refusal.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: the command was run", name)
		}
	}
	refused("unborn", r, Options{}, refusal.NoCommit)
	refused("bare", bare, Options{}, refusal.NoWorktree)
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	refused("none", r, Options{}, refusal.NoGate)
	refused("true", r, Options{Argv: []string{"/usr/bin/true"}}, refusal.GateCannotFail)
	refused("sh", r, Options{Argv: []string{"sh", "-c", "exit 0"}}, refusal.GateCannotFail)
	refused("bytes", r, Options{Argv: []string{"touch", "\xff"}}, refusal.InvalidArguments)
	refused("long", r, Options{Argv: []string{"touch", strings.Repeat("x", maxCommand)}}, refusal.InvalidArguments)

	path := receiptPath(r)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	newer := []byte(`{"schema":"git-continuity-receipt/v2","anything":1}`)
	if err := os.WriteFile(path, newer, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("newer", r, Options{}, refusal.ReceiptNewer)
	if got := status(t, r, "main", tip); got != Unreadable {
		t.Errorf("newer receipt: %s", got)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, newer) {
		t.Errorf("the newer receipt is now %q, %v", now, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", path); err != nil {
		t.Fatal(err)
	}
	refused("link", r, Options{}, refusal.UnsafeState)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("not writable", r, Options{}, refusal.WriteAccess)
}

// A newer version may write its receipt while the gate runs.
func TestNewerReceiptMeanwhileStays(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("work", gitxtest.Files{"a": "1\n"})
	for _, end := range []string{"test -f a", "exit 1"} {
		_, err := Run(context.Background(), r.Open(), options(r,
			`mkdir -p .git/continuity; printf '{"schema":"git-continuity-receipt/v9"}' >.git/continuity/receipt.json; `+end))
		if refusal.CodeOf(err) != refusal.ReceiptNewer {
			t.Errorf("%s: %v", end, err)
		}
		if now, err := os.ReadFile(receiptPath(r)); err != nil || !strings.Contains(string(now), "/v9") {
			t.Errorf("%s: the newer receipt is now %q, %v", end, now, err)
		}
		if err := os.Remove(receiptPath(r)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGrandchildDoesNotKeepTheGate(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	fifo := filepath.Join(r.Root(), "held")
	var out bytes.Buffer
	o := options(r, `mkfifo "$0"; (cat "$0") & echo started`)
	o.Argv = append(o.Argv, fifo)
	o.Stdout = &out
	result, err := Run(context.Background(), r.Open(), o)
	if err != nil || result.Status != Recorded || out.String() != "started\n" {
		t.Errorf("%+v, %q, %v", result, out.String(), err)
	}
	if got := status(t, r, "main", tip); got != Honored {
		t.Errorf("status %s", got)
	}
	release, err := os.OpenFile(fifo, os.O_WRONLY, 0) // ends the cat
	if err != nil {
		t.Fatal(err)
	}
	_ = release.Close()
}

func TestCancelledRunLeavesTheReceipt(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	run(t, r, "test -f a")
	ctx, cancel := context.WithCancel(context.Background())
	o := options(r, "echo begun; cat <&3 3<&0; exec sleep 600")
	o.Stdout = writerFunc(func([]byte) { cancel() })
	if _, err := Run(ctx, r.Open(), o); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v", err)
	}
	if got := status(t, r, "main", tip); got != Honored {
		t.Errorf("status %s", got)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }
