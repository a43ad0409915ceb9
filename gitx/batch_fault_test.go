package gitx_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// wrapGit puts a git in front of the path that notes the process id of every
// command it becomes. It returns the variable that does so and a reader of the
// ids, those of one command or ("") of all.
func wrapGit(t *testing.T, r *gitxtest.Repo) (env string, pids func(command string) []int) {
	t.Helper()
	dir := t.TempDir()
	list := filepath.Join(dir, "pids")
	script := "#!/bin/sh\necho $$ \"$1\" >>'" + list + "'\nexec '" + r.Program() + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	path, _ := r.Env().Lookup("PATH")
	return "PATH=" + dir + string(os.PathListSeparator) + path, func(command string) []int {
		content, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		var ids []int
		for line := range strings.Lines(string(content)) {
			fields := strings.Fields(line)
			if command != "" && fields[1] != command {
				continue
			}
			id, err := strconv.Atoi(fields[0])
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		return ids
	}
}

func batchAlive(pid int) bool {
	return exec.Command("kill", "-0", strconv.Itoa(pid)).Run() == nil
}

func TestBatchSurvivesTheDeathOfItsProcess(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", gitxtest.Files{"a": "text"})
	env, pids := wrapGit(t, r)
	b, err := r.OpenAt(r.Dir, env).NewBatch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantInfo(t, b, one.String(), one)
	for range 3 {
		ids := pids("cat-file")
		last := ids[len(ids)-1]
		if err := exec.Command("kill", "-KILL", strconv.Itoa(last)).Run(); err != nil {
			t.Fatal(err)
		}
		wantInfo(t, b, "refs/heads/main", one)
		if _, content, err := b.Contents(one.String()+":a", 10); err != nil || string(content) != "text" {
			t.Errorf("Contents = %q, %v", content, err)
		}
	}
	if n := len(pids("cat-file")); n != 4 {
		t.Errorf("%d processes were started, want 4", n)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range pids("cat-file") {
		if batchAlive(pid) {
			t.Errorf("process %d outlives Close", pid)
		}
	}
	if _, err := b.Info(one.String()); !errors.Is(err, gitx.ErrBatchClosed) {
		t.Errorf("Info after Close: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
}

// A process that dies again at once is not started for ever.
func TestBatchThatCannotLive(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	env, pids := wrapGit(t, r)
	b := openBatch(t, r.OpenAt(r.Dir, env))
	wantInfo(t, b, one.String(), one)
	if err := os.Remove(filepath.Join(r.Dir, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-KILL", strconv.Itoa(pids("cat-file")[0])).Run(); err != nil {
		t.Fatal(err)
	}
	infos, err := b.Info(one.String())
	if status, exited := gitx.Status(err); !exited || status != 128 {
		t.Errorf("Info = %v, %v; want git's own refusal", infos, err)
	}
}

func TestBatchEndsWithItsContext(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	ctx, cancel := context.WithCancel(t.Context())
	b, err := r.Open().NewBatch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	wantInfo(t, b, one.String(), one)
	cancel()
	if infos, err := b.Info(one.String()); err == nil {
		// The process may have answered before the signal came; not twice.
		if infos[0].OID != one {
			t.Errorf("Info = %v", infos)
		}
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("Info after the end of the context: %v", err)
	}
}

// In a partial clone git does not say that an object is missing: it dies of it.
func TestBatchInAPartialClone(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", gitxtest.Files{"a": "text", "b": "more"})
	r.Git("config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(r.Root(), "partial")
	r.Git("clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://"+r.Dir, dir)
	b := openBatch(t, r.OpenAt(dir))
	a, c := r.Rev("HEAD:a").String(), r.Rev("HEAD:b").String()
	infos, err := b.Info(one.String(), a, "refs/heads/main", c, a, "refs/heads/none", one.String())
	if err != nil {
		t.Fatal(err)
	}
	for i, missing := range []bool{false, true, false, true, true, true, false} {
		if infos[i].Missing != missing || !missing && infos[i].OID != one {
			t.Errorf("answer %d is %+v", i, infos[i])
		}
	}
	var gone *gitx.MissingObjectError
	if _, _, err := b.Contents(a, 10); !errors.As(err, &gone) || gone.Name != a {
		t.Errorf("Contents of a missing blob: %v", err)
	}
	wantInfo(t, b, "refs/heads/main", one)
	if out := r.At(dir).Git("rev-list", "--objects", "--missing=print", "HEAD"); !strings.Contains(out, "?"+a) {
		t.Errorf("the missing blob was fetched:\n%s", out)
	}
}

// Once it has looked, a batch asks again and again without another process,
// also about a ref that does not exist.
func TestBatchStartsNoProcess(t *testing.T) {
	for _, refs := range []string{"files", "reftable"} {
		t.Run(refs, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{RefFormat: refs})
			one := r.Commit("one", nil)
			r.Git("pack-refs", "--all")
			env, pids := wrapGit(t, r)
			b := openBatch(t, r.OpenAt(r.Dir, env))
			look := func() {
				wantInfo(t, b, "refs/heads/main", one)
				wantInfo(t, b, "refs/notes/landings", gitx.OID{})
			}
			look()
			before := len(pids(""))
			for range 10 {
				look()
			}
			if after := len(pids("")); after != before {
				t.Errorf("%d processes were started", after-before)
			}
		})
	}
}

// git takes a name that ends like the output of git describe for the commit.
func TestBatchDoesNotDescribe(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", nil)
		b := openBatch(t, r.Open())
		name := "refs/heads/x-g" + one.Abbrev()
		for range 2 {
			wantInfo(t, b, name, gitx.OID{})
		}
		r.Git("update-ref", name, one.String())
		wantInfo(t, b, name, one)
	})
}

func TestBatchAmbiguous(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	prefix := storeTwins(r)
	b := openBatch(t, r.Open())
	var ambiguous *gitx.AmbiguousError
	if infos, err := b.Info(one.String(), prefix, one.String()); !errors.As(err, &ambiguous) || ambiguous.Rev != prefix {
		t.Errorf("Info(%q) = %v, %v", prefix, infos, err)
	}
	if _, _, err := b.Contents(prefix, 10); !errors.As(err, &ambiguous) {
		t.Errorf("Contents(%q): %v", prefix, err)
	}
	wantInfo(t, b, one.String(), one)
}
