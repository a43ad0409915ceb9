package gitx_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestMainline(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		root := r.Commit("root", gitxtest.Files{"f": "f\n", "d/g": "long enough\nto be found again\n"})
		r.Branch("side", "")
		edit := r.Commit("edit", gitxtest.Files{"f": "edited\n"})
		r.Git("checkout", "--quiet", "side")
		side := r.Commit("side", gitxtest.Files{"s\nt": "s\n", "ü": "u\n"})
		r.Git("checkout", "--quiet", "main")
		r.Git("merge", "--quiet", "--no-ff", "--no-edit", "side")
		merge := r.Rev("HEAD")
		empty := r.Commit("empty", nil)
		r.Git("mv", "d/g", "h")
		moved := r.Commit("move", nil)
		want := []gitx.MainlineCommit{
			{OID: edit, Changes: []gitx.PathChange{{Path: "f"}}},
			{OID: merge, Changes: []gitx.PathChange{{Path: "s\nt"}, {Path: "ü"}}},
			{OID: empty},
			{OID: moved, Changes: []gitx.PathChange{{Path: "h", From: "d/g"}}},
		}
		repo := r.Open()
		got, err := repo.Mainline(context.Background(), moved, root)
		if err != nil || len(got) != len(want) {
			t.Fatalf("got %v, %v", got, err)
		}
		for i, w := range want {
			if parent := r.Rev(w.OID.String() + "^"); got[i].Parents[0] != parent {
				t.Errorf("commit %d: parents %s, want %s first", i, got[i].Parents, parent)
			}
			if got[i].OID != w.OID || got[i].Tree != r.Rev(w.OID.String()+"^{tree}") || !slices.Equal(got[i].Changes, w.Changes) {
				t.Errorf("commit %d: got %+v, want %+v", i, got[i], w)
			}
		}
		if parents := got[1].Parents; len(parents) != 2 || parents[1] != side {
			t.Errorf("the merge has parents %s", parents)
		}
		if all, err := repo.Mainline(context.Background(), moved); err != nil || len(all) != 5 || len(all[0].Changes) != 2 {
			t.Errorf("from the root: got %v, %v", all, err)
		}
		if none, err := repo.Mainline(context.Background(), root, moved); err != nil || len(none) != 0 {
			t.Errorf("backwards: got %v, %v", none, err)
		}
		commits, err := repo.Commits(context.Background(), []gitx.OID{merge}, []gitx.OID{edit})
		if err != nil || len(commits) != 2 || !slices.Contains(commits, side) || !slices.Contains(commits, merge) {
			t.Errorf("Commits: got %v, %v", commits, err)
		}
		if none, err := repo.Commits(context.Background(), nil, []gitx.OID{edit}); err != nil || len(none) != 0 {
			t.Errorf("Commits of nothing: got %v, %v", none, err)
		}
	})
}

func TestMainlineOfAMissingCommit(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	root := r.Commit("root", nil)
	gone := gitx.HashObject(gitx.SHA1, gitx.TypeCommit, []byte("gone"))
	_, tipErr := r.Open().Mainline(context.Background(), gone)
	_, excludeErr := r.Open().Mainline(context.Background(), root, gone)
	_, commitsErr := r.Open().Commits(context.Background(), []gitx.OID{root}, []gitx.OID{gone})
	for _, err := range []error{tipErr, excludeErr, commitsErr} {
		var missing *gitx.MissingObjectError
		if !errors.As(err, &missing) || missing.Name != gone.String() {
			t.Errorf("got %v", err)
		}
	}
}
