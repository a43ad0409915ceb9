package gitx_test

import (
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

const box gitx.RefName = "refs/continuity/box"

// wantConflict fails the test unless err tells of a conflict with got.
func wantConflict(t *testing.T, err error, name gitx.RefName, got gitx.OID) {
	t.Helper()
	var conflict *gitx.ConflictError
	if !errors.As(err, &conflict) || conflict.Edit.Name != name || conflict.Got != got {
		t.Errorf("got %v, want a conflict of %s with %q", err, name, got)
	}
}

func TestUpdateRef(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one, two := r.Commit("one", nil), r.Commit("two", nil)
		repo := r.Open()
		update := func(old gitx.Expect, oid gitx.OID) error {
			return repo.UpdateRef(t.Context(), gitx.RefEdit{Name: box, New: oid, Old: old}, "test: update")
		}
		if err := update(gitx.Absent(), one); err != nil {
			t.Fatal(err)
		}
		wantRef(t, repo, box, one)
		wantConflict(t, update(gitx.Absent(), two), box, one)
		wantConflict(t, update(gitx.At(two), two), box, one)
		wantConflict(t, update(gitx.At(two), gitx.OID{}), box, one)
		wantRef(t, repo, box, one)
		if err := update(gitx.At(one), two); err != nil {
			t.Fatal(err)
		}
		if err := update(gitx.Anything(), one); err != nil {
			t.Fatal(err)
		}
		wantRef(t, repo, box, one)
		if err := update(gitx.At(one), gitx.OID{}); err != nil {
			t.Fatal(err)
		}
		wantRef(t, repo, box, gitx.OID{})
		wantConflict(t, update(gitx.At(one), two), box, gitx.OID{})
		wantConflict(t, update(gitx.At(one), gitx.OID{}), box, gitx.OID{})
		wantRef(t, repo, box, gitx.OID{})
	})
}

func TestUpdateRefRefuses(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", nil)
		repo := r.Open()
		other := gitx.HashObject(gitx.SHA1, gitx.TypeBlob, nil)
		if repo.ObjectFormat() == gitx.SHA1 {
			other = gitx.HashObject(gitx.SHA256, gitx.TypeBlob, nil)
		}
		for what, edit := range map[string]gitx.RefEdit{
			"no expectation":              {Name: box, New: one},
			"At nothing":                  {Name: box, New: one, Old: gitx.At(gitx.OID{})},
			"delete of an absent ref":     {Name: box, Old: gitx.Absent()},
			"other object format":         {Name: box, New: other, Old: gitx.Absent()},
			"expected id of other format": {Name: box, New: one, Old: gitx.At(other)},
			"short name":                  {Name: "box", New: one, Old: gitx.Absent()},
			"bad name":                    {Name: "refs/x\x00refs/y", New: one, Old: gitx.Absent()},
		} {
			if err := repo.UpdateRef(t.Context(), edit, ""); err == nil {
				t.Errorf("%s: no error", what)
			}
		}
		missing := blobOID(repo.ObjectFormat(), "never stored")
		err := repo.UpdateRef(t.Context(), gitx.RefEdit{Name: box, New: missing, Old: gitx.Absent()}, "")
		var gone *gitx.MissingObjectError
		if !errors.As(err, &gone) || gone.Name != missing.String() {
			t.Errorf("a ref to an object that does not exist: %v", err)
		}
		wantRef(t, repo, box, gitx.OID{})
		// One ref cannot be a folder of another.
		below := gitx.RefName("refs/heads/main/below")
		err = repo.UpdateRef(t.Context(), gitx.RefEdit{Name: below, New: one, Old: gitx.Absent()}, "")
		var conflict *gitx.ConflictError
		if _, exited := gitx.Status(err); !exited || errors.As(err, &conflict) {
			t.Errorf("a ref below another: %v", err)
		}
		wantRef(t, repo, below, gitx.OID{})
		wantRef(t, repo, "refs/heads/main", one)
	})
}

func TestUpdateRefMeetsALock(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one, two := r.Commit("one", nil), r.Commit("two", nil)
	r.Git("config", "core.filesRefLockTimeout", "0")
	r.Git("update-ref", string(box), one.String())
	repo := r.Open()
	lock := filepath.Join(repo.CommonDir(), string(box)+".lock")
	writeFile(t, lock, "")
	err := repo.UpdateRef(t.Context(), gitx.RefEdit{Name: box, New: two, Old: gitx.At(one)}, "")
	var conflict *gitx.ConflictError
	if err == nil || errors.As(err, &conflict) || !strings.Contains(err.Error(), ".lock") {
		t.Errorf("under another's lock: %v", err)
	}
	wantRef(t, repo, box, one)
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("the lock of another was taken away: %v", err)
	}
}

func TestUpdateRefsIsOneTransaction(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one, two := r.Commit("one", nil), r.Commit("two", nil)
		repo := r.Open()
		a, b := gitx.RefName("refs/continuity/a"), gitx.RefName(`refs/continuity/"é"`)
		edits := []gitx.RefEdit{{Name: a, New: one, Old: gitx.Absent()}, {Name: b, New: two, Old: gitx.At(one)}}
		wantConflict(t, repo.UpdateRefs(t.Context(), edits, ""), b, gitx.OID{})
		wantRef(t, repo, a, gitx.OID{})
		edits[1].Old = gitx.Absent()
		if err := repo.UpdateRefs(t.Context(), edits, "test: both"); err != nil {
			t.Fatal(err)
		}
		wantRef(t, repo, a, one)
		wantRef(t, repo, b, two)
		if err := repo.UpdateRefs(t.Context(), []gitx.RefEdit{edits[0], edits[0]}, ""); err == nil {
			t.Error("one ref was edited twice")
		}
		if err := repo.UpdateRefs(t.Context(), nil, ""); err != nil {
			t.Errorf("no edits: %v", err)
		}
	})
}

func TestUpdateRefWritesTheReflog(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one, two := r.Commit("one", nil), r.Commit("two", nil)
		r.Branch("side", one.String())
		repo := r.Open()
		edit := gitx.RefEdit{Name: "refs/heads/side", New: two, Old: gitx.At(one)}
		if err := repo.UpdateRef(t.Context(), edit, "accept: a\nb\x00c"); err != nil {
			t.Fatal(err)
		}
		if got := r.Git("log", "-g", "-1", "--format=%gs", "side"); got != "accept: a b c" {
			t.Errorf("the reflog says %q", got)
		}
	})
}

func TestCancelledUpdateLeavesNoLock(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", nil)
		hook := filepath.Join(r.Dir, ".git", "hooks", "reference-transaction")
		ready := filepath.Join(r.Root(), "ready")
		if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
			t.Fatal(err)
		}
		// The hook runs while the refs are locked, says so, and does not end.
		script := fmt.Sprintf("#!/bin/sh\ntest \"$1\" = prepared || exit 0\necho > %q\nexec sleep 600\n", ready)
		if err := os.WriteFile(hook, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := mkfifo(ready); err != nil {
			t.Skipf("no named pipes here: %v", err)
		}
		repo := r.Open()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- repo.UpdateRef(ctx, gitx.RefEdit{Name: box, New: one, Old: gitx.Absent()}, "")
		}()
		if _, err := os.ReadFile(ready); err != nil { // waits for the hook
			t.Fatal(err)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled update: %v", err)
		}
		if err := os.Remove(hook); err != nil {
			t.Fatal(err)
		}
		wantRef(t, repo, box, gitx.OID{})
		if err := repo.UpdateRef(t.Context(), gitx.RefEdit{Name: box, New: one, Old: gitx.Absent()}, ""); err != nil {
			t.Errorf("the next update: %v", err)
		}
	})
}

// Eight writers count one ref up by fifty each. A lost update would leave the
// ref short of the sum.
func TestGuardedUpdatesLoseNothing(t *testing.T) {
	const writers, each = 8, 15
	for _, refs := range []string{"files", "reftable"} {
		t.Run(refs, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{RefFormat: refs})
			numbers := numberBlobs(r, writers*each)
			repo := r.Open()
			batch := openBatch(t, repo)
			first := gitx.RefEdit{Name: box, New: numbers.oids[0], Old: gitx.Absent()}
			if err := repo.UpdateRef(t.Context(), first, ""); err != nil {
				t.Fatal(err)
			}
			var wait sync.WaitGroup
			for w := range writers {
				wait.Go(func() {
					for range each {
						if err := numbers.increment(repo, batch); err != nil {
							t.Errorf("writer %d: %v", w, err)
							return
						}
					}
				})
			}
			wait.Wait()
			wantRef(t, repo, box, numbers.oids[writers*each])
		})
	}
}

// numbers are blobs that stand for 0, 1, 2 and so on.
type numbers struct {
	oids []gitx.OID
	of   map[gitx.OID]int
}

func numberBlobs(r *gitxtest.Repo, last int) numbers {
	n := numbers{of: map[gitx.OID]int{}}
	files := gitxtest.Files{}
	for i := range last + 1 {
		content := fmt.Sprintf("number %d\n", i)
		files[fmt.Sprintf("numbers/%d", i)] = content
		n.oids = append(n.oids, gitx.HashObject(gitx.SHA1, gitx.TypeBlob, []byte(content)))
		n.of[n.oids[i]] = i
	}
	r.Commit("numbers", files)
	return n
}

// increment counts the box up by one, as often as it takes.
func (n numbers) increment(repo *gitx.Repo, batch *gitx.Batch) error {
	for {
		infos, err := batch.Info(string(box))
		if err != nil {
			return err
		}
		at := infos[0].OID
		edit := gitx.RefEdit{Name: box, New: n.oids[n.of[at]+1], Old: gitx.At(at)}
		err = repo.UpdateRef(context.Background(), edit, "")
		var conflict *gitx.ConflictError
		if !errors.As(err, &conflict) {
			return err
		}
	}
}
