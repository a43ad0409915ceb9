package gate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/document"
)

func TestStatusOfACheckout(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n", ".gitignore": "*.o\n"})
	if got, _, err := Status(context.Background(), nil, "refs/heads/main", tip); got != NoWorktree || err != nil {
		t.Errorf("no checkout: %s, %v", got, err)
	}
	run(t, r, "test -f a")
	r.Write(gitxtest.Files{"x.o": ""})
	if got := status(t, r, "main", tip); got != Honored {
		t.Errorf("with an ignored file: %s", got)
	}
	r.Write(gitxtest.Files{"new": ""})
	if got := status(t, r, "main", tip); got != Dirty {
		t.Errorf("with an untracked file: %s", got)
	}
	r.Git("clean", "-fq")
	r.Write(gitxtest.Files{"a": "2\n"})
	if got := status(t, r, "main", tip); got != Dirty {
		t.Errorf("with an edited file: %s", got)
	}
	r.Git("checkout", "-q", "--", "a")
	index := filepath.Join(r.Open().GitDir(), "index")
	kept, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(index, []byte("no index"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := status(t, r, "main", tip); got != Dirty {
		t.Errorf("with an unreadable index: %s", got)
	}
	if err := os.WriteFile(index, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := status(t, r, "main", tip); got != Honored {
		t.Errorf("in the end: %s", got)
	}
	if got := status(t, r, "main", r.Commit("more", nil)); got != Stale {
		t.Errorf("after a commit: %s", got)
	}
}

// The receipt of a commit beside the branch, in the checkout that holds the
// branch a moment later, is not the branch's.
func TestDetachedReceiptIsNotTheBranchs(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	r.Git("checkout", "-q", "--detach")
	if got := run(t, r, "test -f a").Status; got != Recorded {
		t.Fatalf("detached: %s", got)
	}
	if got := status(t, r, "main", tip); got != NoWorktree {
		t.Errorf("the tip itself, detached: %s", got)
	}
	side := r.Commit("side", nil)
	run(t, r, "test -f a")
	if got := status(t, r, "main", side); got != NoWorktree {
		t.Errorf("a side commit, detached: %s", got)
	}
	r.Git("checkout", "-q", "main")
	if got := status(t, r, "main", tip); got != Stale {
		t.Errorf("back on the branch: %s", got)
	}
	if got := status(t, r, "main", side); got != Stale {
		t.Errorf("back on the branch, asked for the side commit: %s", got)
	}
}

func TestReceiptDiesWithItsWorktree(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tip := r.Commit("work", gitxtest.Files{"a": "1\n"})
	w := r.AddWorktree("side", "topic")
	run(t, w, "test -f a")
	if got := status(t, w, "topic", tip); got != Honored {
		t.Errorf("in its worktree: %s", got)
	}
	if got := status(t, r, "main", tip); got != Missing {
		t.Errorf("in the other one: %s", got)
	}
	r.Git("worktree", "remove", w.Dir)
	if got := status(t, r.AddWorktree("side", "topic"), "topic", tip); got != Missing {
		t.Errorf("in a new one of the same name: %s", got)
	}
}

func goodReceipt(t testing.TB) Receipt {
	commit, err := gitx.ParseOID(strings.Repeat("a", 40))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000, 7).UTC()
	return Receipt{Commit: commit, Tree: commit, Command: "make <x> & y", Started: at, Finished: at, Version: "1", Output: digest(nil)}
}

func TestReceiptCodec(t *testing.T) {
	good := goodReceipt(t)
	data, err := EncodeReceipt(good)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeReceipt(data); err != nil || got != good {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, change := range map[string]func(*Receipt){
		"no commit":     func(r *Receipt) { r.Commit = gitx.OID{} },
		"no tree":       func(r *Receipt) { r.Tree = gitx.OID{} },
		"failed":        func(r *Receipt) { r.Exit = 1 },
		"no command":    func(r *Receipt) { r.Command = "" },
		"not UTF-8":     func(r *Receipt) { r.Version = "\xff" },
		"no digest":     func(r *Receipt) { r.Output = "" },
		"other digest":  func(r *Receipt) { r.Output = "md5:00" },
		"upper digest":  func(r *Receipt) { r.Output = strings.ToUpper(r.Output) },
		"short digest":  func(r *Receipt) { r.Output = r.Output[:30] },
		"other formats": func(r *Receipt) { r.Tree, _ = gitx.ParseOID(strings.Repeat("a", 64)) },
	} {
		bad := good
		change(&bad)
		if _, err := EncodeReceipt(bad); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
	for old, replacement := range map[string]string{
		`"exit":0`: `"exit":1`, `"version":"1"`: `"version":"1","x":1`, "Z\"": "+00:00\"", "/v1": "/v0",
	} {
		bad := bytes.ReplaceAll(data, []byte(old), []byte(replacement))
		if _, err := DecodeReceipt(bad); err == nil || errors.Is(err, document.ErrNewer) || bytes.Equal(bad, data) {
			t.Errorf("with %s: %v", replacement, err)
		}
	}
	if _, err := DecodeReceipt(bytes.ReplaceAll(data, []byte("/v1"), []byte("/v2"))); !errors.Is(err, document.ErrNewer) {
		t.Errorf("newer: %v", err)
	}
}

func FuzzDecodeReceipt(f *testing.F) {
	data, err := EncodeReceipt(goodReceipt(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.ReplaceAll(data, []byte("/v1"), []byte("/v2")))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeReceipt(data)
		if err != nil {
			return
		}
		if again, err := EncodeReceipt(r); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%q is read and written as %q, %v", data, again, err)
		}
	})
}
