package gitx_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// forked makes main with two commits and side with one beside the second.
func forked(r *gitxtest.Repo) (base, main, side gitx.OID) {
	base = r.Commit("base", gitxtest.Files{"a": "a"})
	r.Git("checkout", "-q", "-b", "side")
	side = r.Commit("side", gitxtest.Files{"s": "s"})
	r.Git("checkout", "-q", "main")
	main = r.Commit("main", gitxtest.Files{"m": "m"})
	return base, main, side
}

func TestHistory(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		base, main, side := forked(r)
		r.Git("merge", "-q", "--no-edit", "side")
		merge := r.Rev("HEAD")
		repo := r.Open()
		b := openBatch(t, repo)
		for _, c := range []struct {
			a, b gitx.OID
			want bool
		}{
			{base, main, true}, {main, base, false}, {side, merge, true}, {side, main, false}, {main, main, true},
			{base, merge, true},
		} {
			if got, err := repo.IsAncestor(t.Context(), c.a, c.b); err != nil || got != c.want {
				t.Errorf("IsAncestor(%s, %s) = %v, %v", c.a, c.b, got, err)
			}
			found, complete, err := b.ReachesWithin(c.b, c.a, 10)
			if err != nil || found != c.want || !complete {
				t.Errorf("ReachesWithin(%s, %s) = %v, %v, %v", c.b, c.a, found, complete, err)
			}
		}
		if bases, err := repo.MergeBases(t.Context(), main, side); err != nil || !slices.Equal(bases, []gitx.OID{base}) {
			t.Errorf("MergeBases = %v, %v", bases, err)
		}
		if ahead, behind, err := repo.AheadBehind(t.Context(), merge, side); err != nil || ahead != 2 || behind != 0 {
			t.Errorf("AheadBehind = %d, %d, %v", ahead, behind, err)
		}
		if n, err := repo.CountCommits(t.Context(), []gitx.OID{merge}, []gitx.OID{main}); err != nil || n != 2 {
			t.Errorf("CountCommits = %d, %v", n, err)
		}
		if n, err := repo.CountCommits(t.Context(), nil, nil); err != nil || n != 0 {
			t.Errorf("CountCommits of nothing = %d, %v", n, err)
		}
		r.Git("checkout", "-q", "--orphan", "island")
		island := r.Commit("island", nil)
		if bases, err := repo.MergeBases(t.Context(), main, island); err != nil || len(bases) != 0 {
			t.Errorf("MergeBases of unrelated histories = %v, %v", bases, err)
		}
	})
}

// A missing object is never "no".
func TestHistoryMissingObject(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", nil)
		repo := r.Open()
		b := openBatch(t, repo)
		gone := blobOID(one.Format(), "never stored")
		var errs []error
		for _, pair := range [][2]gitx.OID{{one, gone}, {gone, one}} {
			_, err := repo.IsAncestor(t.Context(), pair[0], pair[1])
			errs = append(errs, err)
			_, err = repo.MergeBases(t.Context(), pair[0], pair[1])
			errs = append(errs, err)
			_, err = repo.CountCommits(t.Context(), pair[:1], pair[1:])
			errs = append(errs, err)
			_, _, err = repo.AheadBehind(t.Context(), pair[0], pair[1])
			errs = append(errs, err)
			_, err = repo.ChangedPaths(t.Context(), pair[0], pair[1])
			errs = append(errs, err)
		}
		for i, err := range errs {
			var missing *gitx.MissingObjectError
			if !errors.As(err, &missing) || missing.Name != gone.String() {
				t.Errorf("question %d: %v", i, err)
			}
		}
		if found, complete, err := b.ReachesWithin(gone, one, 10); found || complete || err != nil {
			t.Errorf("ReachesWithin from a missing commit = %v, %v, %v", found, complete, err)
		}
		if ok, err := repo.IsAncestor(t.Context(), r.Rev("HEAD^{tree}"), one); err == nil {
			t.Errorf("a tree is an ancestor: %v", ok)
		}
		wantInfo(t, b, "HEAD", one)
	})
}

// At the edge of a shallow clone "no" cannot be told from "not fetched".
func TestHistoryOfAShallowClone(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	base, main, side := forked(r)
	r.Git("merge", "-q", "--no-edit", "side")
	tip := r.Commit("tip", nil)
	dir := filepath.Join(r.Root(), "shallow")
	r.Git("clone", "--quiet", "--depth=2", "file://"+r.Dir, dir)
	// Base comes in on its own, without a path to it from the tip.
	r.At(dir).Git("fetch", "--quiet", "--depth=1", "origin", base.String()+":refs/heads/base")
	repo := r.OpenAt(dir)
	b := openBatch(t, repo)
	var cut *gitx.ShallowError
	if ok, err := repo.IsAncestor(t.Context(), base, tip); !errors.As(err, &cut) {
		t.Errorf("IsAncestor beyond the edge = %v, %v", ok, err)
	}
	var missing *gitx.MissingObjectError
	if ok, err := repo.IsAncestor(t.Context(), side, tip); !errors.As(err, &missing) {
		t.Errorf("IsAncestor of a commit that was not fetched = %v, %v", ok, err)
	}
	merge := r.Rev("main~1")
	if ok, err := repo.IsAncestor(t.Context(), merge, tip); err != nil || !ok {
		t.Errorf("IsAncestor within reach = %v, %v", ok, err)
	}
	// The tip is on no way down from the merge, whatever lies beyond the edge:
	// what could lead to it would have to contain itself.
	if ok, err := repo.IsAncestor(t.Context(), tip, merge); err != nil || ok {
		t.Errorf("IsAncestor against the direction = %v, %v", ok, err)
	}
	if found, complete, err := b.ReachesWithin(tip, main, 10); !found || !complete || err != nil {
		t.Errorf("ReachesWithin to the parent beyond the edge = %v, %v, %v", found, complete, err)
	}
	if found, complete, err := b.ReachesWithin(tip, base, 10); found || complete || err != nil {
		t.Errorf("ReachesWithin beyond the edge = %v, %v, %v", found, complete, err)
	}
}

func TestReachesWithin(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	var line []gitx.OID
	for i := range 12 {
		line = append(line, r.Commit(fmt.Sprint(i), nil))
	}
	repo := r.Open()
	b := openBatch(t, repo)
	tip := line[11]
	for _, c := range []struct {
		target          gitx.OID
		limit           int
		exclude         []gitx.OID
		found, complete bool
	}{
		{tip, 0, nil, true, true},
		{line[10], 1, nil, true, true},
		{line[10], 0, nil, false, false},
		{line[9], 1, nil, false, false},
		{line[0], 11, nil, true, true},
		{line[0], 10, nil, false, false},
		{blobOID(gitx.SHA1, "x"), 12, nil, false, true},
		{blobOID(gitx.SHA1, "x"), 11, nil, false, false},
		{blobOID(gitx.SHA1, "x"), 3, line[8:9], false, true},
		{line[8], 3, line[8:9], true, true},
	} {
		found, complete, err := b.ReachesWithin(tip, c.target, c.limit, c.exclude...)
		if err != nil || found != c.found || complete != c.complete {
			t.Errorf("ReachesWithin(%s, %d, %v) = %v, %v, %v", c.target, c.limit, c.exclude, found, complete, err)
		}
	}
	if found, _, err := b.ReachesWithin(r.Rev("HEAD^{tree}"), tip, 3); err == nil || found {
		t.Errorf("a tree was walked: %v", err)
	}
	wantInfo(t, b, "HEAD", tip)
}

func TestChangedPaths(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", gitxtest.Files{"old": "same content\n", "kept": "x", "dir/gone": "y"})
		r.Git("mv", "old", "new -> old")
		r.Git("rm", "-q", "dir/gone")
		two := r.Commit("two", gitxtest.Files{"line\nend": "z", `"q"`: "q", "é": "e", " ": "blank"})
		repo := r.Open()
		got, err := repo.ChangedPaths(t.Context(), one, two)
		want := []string{" ", `"q"`, "dir/gone", "line\nend", "new -> old", "old", "é"}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("ChangedPaths = %q, %v; want %q", got, err, want)
		}
		got, err = repo.ChangedPaths(t.Context(), gitx.OID{}, one)
		if want := []string{"dir/gone", "kept", "old"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("ChangedPaths from nothing = %q, %v; want %q", got, err, want)
		}
		if got, err := repo.ChangedPaths(t.Context(), two, two); err != nil || len(got) != 0 {
			t.Errorf("ChangedPaths of one commit = %q, %v", got, err)
		}
	})
}

func BenchmarkBatchInfoOfThreeRefs(b *testing.B) {
	r := gitxtest.New(b, gitxtest.Options{})
	r.Commit("one", nil)
	r.Branch("side", "")
	batch := openBatch(b, r.Open())
	for b.Loop() {
		if _, err := batch.Info("refs/heads/main", "refs/heads/side", "refs/notes/landings"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIsAncestor(b *testing.B) {
	r := gitxtest.New(b, gitxtest.Options{})
	one, two := r.Commit("one", nil), r.Commit("two", nil)
	repo := r.Open()
	batch := openBatch(b, repo)
	b.Run("process", func(b *testing.B) {
		for b.Loop() {
			if ok, err := repo.IsAncestor(b.Context(), one, two); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("batch", func(b *testing.B) {
		for b.Loop() {
			if ok, _, err := batch.ReachesWithin(two, one, 64); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
}
