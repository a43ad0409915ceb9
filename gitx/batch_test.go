package gitx_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// openBatch returns a batch that the end of the test closes.
func openBatch(t testing.TB, r *gitx.Repo) *gitx.Batch {
	t.Helper()
	b, err := r.NewBatch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close the batch: %v", err)
		}
	})
	return b
}

// wantInfo fails the test unless the batch says that name is want; the zero id
// is missing.
func wantInfo(t *testing.T, b *gitx.Batch, name string, want gitx.OID) {
	t.Helper()
	infos, err := b.Info(name)
	if err != nil || len(infos) != 1 {
		t.Fatalf("Info(%q) = %v, %v", name, infos, err)
	}
	if infos[0].OID != want || infos[0].Missing != want.IsZero() {
		t.Errorf("Info(%q) = %+v, want %q", name, infos[0], want)
	}
}

func TestBatchInfo(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", gitxtest.Files{"a b": "hello\n"})
		r.Git("tag", "-a", "-m", "x", "v1")
		b := openBatch(t, r.Open())
		missing := blobOID(one.Format(), "never stored").String()
		names := []string{
			"refs/heads/main", one.String(), missing, one.String() + "^{tree}", "refs/tags/v1",
			one.String() + ":a b", "HEAD", "refs/heads/none", one.String() + ":none missing", " x", "a missing",
		}
		infos, err := b.Info(names...)
		if err != nil || len(infos) != len(names) {
			t.Fatalf("Info = %v, %v", infos, err)
		}
		want := []gitx.ObjectInfo{
			{OID: one, Type: gitx.TypeCommit}, {OID: one, Type: gitx.TypeCommit}, {Missing: true},
			{OID: r.Rev("HEAD^{tree}"), Type: gitx.TypeTree}, {OID: r.Rev("v1"), Type: gitx.TypeTag},
			{OID: r.Rev("HEAD:a b"), Type: gitx.TypeBlob}, {OID: one, Type: gitx.TypeCommit},
			{Missing: true}, {Missing: true}, {Missing: true}, {Missing: true},
		}
		for i := range infos {
			size := infos[i].Size
			infos[i].Size = 0
			if infos[i] != want[i] || (size == 0) != infos[i].Missing {
				t.Errorf("Info(%q) = %+v of size %d, want %+v", names[i], infos[i], size, want[i])
			}
		}
		for _, bad := range []string{"", "a\nb", "a\r", "a\x00", "x\nflush"} {
			if infos, err := b.Info("HEAD", bad); err == nil {
				t.Errorf("Info(%q) = %v, want an error", bad, infos)
			}
			if _, _, err := b.Contents(bad, 10); err == nil {
				t.Errorf("Contents(%q): no error", bad)
			}
		}
		wantInfo(t, b, "HEAD", one)
		if infos, err := b.Info(); err != nil || len(infos) != 0 {
			t.Errorf("Info of nothing = %v, %v", infos, err)
		}
	})
}

// Whatever happens to a ref between two calls, the second call sees it.
func TestBatchSeesRefsMove(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one, two := r.Commit("one", nil), r.Commit("two", nil)
		b := openBatch(t, r.Open())
		const name = "refs/heads/side/x"
		none := gitx.OID{}
		for _, step := range []struct {
			args []string
			want gitx.OID
		}{
			{[]string{"version"}, none},
			{[]string{"update-ref", name, one.String()}, one},
			{[]string{"update-ref", name, two.String()}, two},
			{[]string{"pack-refs", "--all"}, two},
			{[]string{"update-ref", name, one.String()}, one},
			{[]string{"gc", "--quiet", "--prune=now"}, one},
			{[]string{"update-ref", "-d", name}, none},
			{[]string{"version"}, none},
			{[]string{"update-ref", "refs/heads/side", two.String()}, none},
			{[]string{"update-ref", "-d", "refs/heads/side"}, none},
			{[]string{"update-ref", name, two.String()}, two},
			{[]string{"symbolic-ref", name, "refs/heads/nowhere"}, none},
			{[]string{"symbolic-ref", name, "refs/heads/main"}, two},
			{[]string{"symbolic-ref", "-d", name}, none},
			// A branch of that name, and its end.
			{[]string{"update-ref", "refs/heads/" + name, one.String()}, none},
			{[]string{"update-ref", name, two.String()}, two},
			{[]string{"pack-refs", "--all"}, two},
			{[]string{"update-ref", "-d", name}, none},
			{[]string{"update-ref", "-d", "refs/heads/" + name}, none},
			{[]string{"update-ref", name, one.String()}, one},
		} {
			r.Git(step.args...)
			wantInfo(t, b, name, step.want)
			wantInfo(t, b, name, step.want) // and again, from memory
		}
	})
}

func TestBatchBrokenRefIsNotMissing(t *testing.T) {
	for name, spoil := range spoilRef {
		t.Run(name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			one := r.Commit("one", nil)
			b := openBatch(t, r.Open())
			path := filepath.Join(r.Dir, ".git", "refs", "heads", "x")
			wantInfo(t, b, "refs/heads/x", gitx.OID{})
			spoil(t, path)
			var broken *gitx.BrokenRefError
			if infos, err := b.Info("refs/heads/x"); !errors.As(err, &broken) {
				t.Errorf("Info = %v, %v", infos, err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			wantInfo(t, b, "refs/heads/x", gitx.OID{})
			wantInfo(t, b, "refs/heads/main", one)
		})
	}
}

// A ref whose object was lost exists, also among the packed refs.
func TestBatchRefToAMissingObject(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	gone := blobOID(gitx.SHA1, "never stored")
	writeFile(t, filepath.Join(r.Dir, ".git", "packed-refs"), gone.String()+" refs/heads/packed\n")
	writeFile(t, filepath.Join(r.Dir, ".git", "refs", "heads", "loose"), gone.String()+"\n")
	b := openBatch(t, r.Open())
	for _, name := range []string{"refs/heads/packed", "refs/heads/loose"} {
		infos, err := b.Info(name)
		if err != nil || !infos[0].Missing || infos[0].OID != gone {
			t.Errorf("Info(%q) = %+v, %v", name, infos, err)
		}
	}
}

func TestBatchContents(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		big := strings.Repeat("0123456789\n", 30_000)
		one := r.Commit("one", gitxtest.Files{"big": big, "empty": "", "no newline": "x"})
		b := openBatch(t, r.Open())
		for path, want := range map[string]string{"big": big, "empty": "", "no newline": "x"} {
			name := one.String() + ":" + path
			info, content, err := b.Contents(name, int64(len(want)))
			if err != nil || string(content) != want || info.Size != int64(len(want)) || info.Type != gitx.TypeBlob {
				t.Errorf("Contents(%q) = %+v, %d bytes, %v", name, info, len(content), err)
			}
			var large *gitx.ObjectTooLargeError
			info, content, err = b.Contents(name, int64(len(want))-1)
			if !errors.As(err, &large) || large.Size != int64(len(want)) || content != nil || info.OID.IsZero() {
				t.Errorf("Contents(%q) under its size = %+v, %d bytes, %v", name, info, len(content), err)
			}
			wantInfo(t, b, "HEAD", one) // still in step
		}
		var gone *gitx.MissingObjectError
		for _, name := range []string{"refs/heads/none", one.String() + ":none", blobOID(one.Format(), "?").String()} {
			if info, _, err := b.Contents(name, 10); !errors.As(err, &gone) || !info.Missing {
				t.Errorf("Contents(%q) = %+v, %v", name, info, err)
			}
		}
		c, err := b.Commit(one)
		if err != nil || c.Subject() != "one" || c.Author.Name != "A U Thor" {
			t.Errorf("Commit = %+v, %v", c, err)
		}
		tree, err := b.Tree(c.Tree)
		if err != nil || len(tree) != 3 || tree[0].Name != "big" {
			t.Errorf("Tree = %+v, %v", tree, err)
		}
		if c, err := b.Commit(c.Tree); err == nil {
			t.Errorf("a tree was read as the commit %+v", c)
		}
		if _, content, err := b.Contents("refs/heads/main", 1000); err != nil || !bytes.HasPrefix(content, []byte("tree ")) {
			t.Errorf("Contents of a ref = %q, %v", content, err)
		}
	})
}

func TestBatchManyNames(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	b := openBatch(t, r.Open())
	names := make([]string, 20_000)
	for i := range names {
		names[i] = one.String()
		if i%3 == 0 {
			names[i] = fmt.Sprintf("refs-of-nothing/%d", i)
		}
	}
	infos, err := b.Info(names...)
	if err != nil {
		t.Fatal(err)
	}
	for i, info := range infos {
		if info.Missing != (i%3 == 0) {
			t.Fatalf("Info(%q) = %+v", names[i], info)
		}
	}
}

func TestBatchIsConcurrent(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", gitxtest.Files{"a": "a", "b": "bb"})
	b := openBatch(t, r.Open())
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			path, size := "a", int64(1)
			if i%2 == 0 {
				path, size = "b", 2
			}
			for range 50 {
				info, content, err := b.Contents(one.String()+":"+path, 10)
				if err != nil || info.Size != size || int64(len(content)) != size {
					t.Errorf("Contents of %s = %+v, %q, %v", path, info, content, err)
				}
				infos, err := b.Info("refs/heads/main", "refs/heads/none")
				if err != nil || infos[0].OID != one || !infos[1].Missing {
					t.Errorf("Info = %+v, %v", infos, err)
				}
			}
		})
	}
	wait.Wait()
}
