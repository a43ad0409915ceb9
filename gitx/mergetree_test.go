package gitx_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// numbered is a file of eight lines of which line n says text.
func numbered(n int, text string) gitxtest.Files {
	lines := strings.Fields("1 2 3 4 5 6 7 8")
	lines[n-1] = text
	return gitxtest.Files{"f": strings.Join(lines, "\n") + "\n"}
}

// batchOf returns a batch that ends with the test.
func batchOf(t *testing.T, repo *gitx.Repo) *gitx.Batch {
	t.Helper()
	batch, err := repo.NewBatch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = batch.Close() })
	return batch
}

func TestMergeTrees(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		base := r.Commit("base", numbered(1, "1"))
		theirs := r.Commit("theirs", numbered(1, "one"))
		r.Git("reset", "--quiet", "--hard", base.String())
		contested := r.Commit("contested", numbered(1, "ONE"))
		r.Git("reset", "--quiet", "--hard", base.String())
		ours := r.Commit("ours", numbered(8, "eight"))
		tree := func(commit gitx.OID) gitx.OID { return r.Rev(commit.String() + "^{tree}") }
		both := gitxtest.Files{"f": strings.Join(strings.Fields("one 2 3 4 5 6 7 eight"), "\n") + "\n"}
		want := tree(r.Commit("both", both))

		before := r.Git("count-objects", "-v")
		ask := func(ours, theirs gitx.OID) gitx.TreeMerge {
			return gitx.TreeMerge{Base: tree(base), Ours: tree(ours), Theirs: tree(theirs)}
		}
		got, err := batchOf(t, r.Open()).MergeTrees(context.Background(), []gitx.TreeMerge{
			ask(ours, theirs), ask(contested, theirs), ask(theirs, theirs), ask(base, theirs), ask(ours, base),
			{Base: tree(theirs), Ours: want, Theirs: tree(base)},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []gitx.MergedTree{
			{Clean: true, Tree: want}, {}, {Clean: true, Tree: tree(theirs)},
			{Clean: true, Tree: tree(theirs)}, {Clean: true, Tree: tree(ours)}, {Clean: true, Tree: tree(ours)},
		} {
			if got[i] != want {
				t.Errorf("merge %d: got %+v, want %+v", i, got[i], want)
			}
		}
		if after := r.Git("count-objects", "-v"); after != before {
			t.Errorf("the merges left objects behind:\n%s\nafter\n%s", after, before)
		}
		if got, err := batchOf(t, r.Open()).MergeTrees(context.Background(), nil); got != nil || err != nil {
			t.Errorf("no merges: %v, %v", got, err)
		}
	})
}

func TestMergeFiles(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		r.Commit("unborn no more", nil)
		blob := func(n int, text string) gitx.OID {
			return r.Rev(r.Commit(text, numbered(n, text)).String() + ":f")
		}
		base, one, other, far := blob(1, "1"), blob(1, "one"), blob(1, "ONE"), blob(8, "eight")
		both := r.Rev(r.Commit("both", gitxtest.Files{"f": "one\n2\n3\n4\n5\n6\n7\neight\n"}).String() + ":f")
		got, err := batchOf(t, r.Open()).MergeFiles(context.Background(), []gitx.FileMerge{
			{Base: base, Ours: one, Theirs: one}, {Base: base, Ours: both, Theirs: one},
			{Base: base, Ours: far, Theirs: one}, {Base: base, Ours: base, Theirs: one}, {Base: base, Ours: other, Theirs: one},
		})
		want := []gitx.MergedFile{{Clean: true, Ours: true}, {Clean: true, Ours: true}, {Clean: true}, {Clean: true}, {}}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
		if got, err := batchOf(t, r.Open()).MergeFiles(context.Background(), nil); got != nil || err != nil {
			t.Errorf("no merges: %v, %v", got, err)
		}
	})
}

// A repository whose objects lie elsewhere, under a path that looks like two.
func TestMergeTreesOfBorrowedObjects(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	base := r.Commit("base", numbered(1, "1"))
	theirs := r.Commit("theirs", numbered(1, "one"))
	odd := filepath.Join(r.Root(), `a:b "c`)
	r.Git("clone", "--quiet", "--shared", r.Dir, odd)
	tree := func(c gitx.OID) gitx.OID { return r.Rev(c.String() + "^{tree}") }
	for name, extra := range map[string][]string{
		"alternates file": nil,
		"variables": {
			"GIT_OBJECT_DIRECTORY=" + filepath.Join(r.Root(), "elsewhere:new"),
			"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + filepath.Join(r.Dir, ".git", "objects"),
		},
	} {
		if err := os.MkdirAll(filepath.Join(r.Root(), "elsewhere:new"), 0o755); err != nil {
			t.Fatal(err)
		}
		got, err := batchOf(t, r.OpenAt(odd, extra...)).MergeTrees(context.Background(),
			[]gitx.TreeMerge{{Base: tree(base), Ours: tree(base), Theirs: tree(theirs)}})
		if err != nil || !got[0].Clean || got[0].Tree != tree(theirs) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestMergeTreesNamesWhatIsMissing(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		base := r.Rev(r.Commit("base", numbered(1, "1")).String() + "^{tree}")
		theirs := r.Rev(r.Commit("theirs", numbered(1, "one")).String() + "^{tree}")
		ours := r.Rev(r.Commit("ours", numbered(8, "eight")).String() + "^{tree}")
		remove := func(oid gitx.OID) {
			t.Helper()
			hex := oid.String()
			if err := os.Remove(filepath.Join(r.Dir, ".git", "objects", hex[:2], hex[2:])); err != nil {
				t.Fatal(err)
			}
		}
		blob := r.Rev("HEAD:f")
		good := gitx.TreeMerge{Base: base, Ours: base, Theirs: theirs}
		for _, gone := range []gitx.OID{blob, ours} {
			remove(gone)
			got, err := batchOf(t, r.Open()).MergeTrees(context.Background(),
				[]gitx.TreeMerge{good, {Base: base, Ours: ours, Theirs: theirs}})
			if gone == blob && err == nil && !got[1].Clean && got[0] == (gitx.MergedTree{Clean: true, Tree: theirs}) {
				continue // an older git
			}
			var missing *gitx.MissingObjectError
			if !errors.As(err, &missing) || missing.Name != gone.String() {
				t.Errorf("without %s: got %v, %v", gone, got, err)
			}
		}
	})
}

func TestMergeTreesEndsWithItsContext(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tree := r.Rev(r.Commit("base", numbered(1, "1")).String() + "^{tree}")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := batchOf(t, r.Open()).MergeTrees(ctx, []gitx.TreeMerge{{Base: tree, Ours: tree, Theirs: tree}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMergeTreesRefusesWhatIsNoTree(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	tree := r.Rev(r.Commit("base", numbered(1, "1")).String() + "^{tree}")
	commit := r.Rev("HEAD")
	for _, theirs := range []gitx.OID{{}, commit} {
		got, err := batchOf(t, r.Open()).MergeTrees(context.Background(), []gitx.TreeMerge{{Base: tree, Ours: tree, Theirs: theirs}})
		if err == nil {
			t.Errorf("%q was merged to %+v", theirs, got)
		}
	}
}

func TestPartial(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Git("config", "remote.a.url", "nowhere")
	r.Git("config", "remote.a.promisor", "false")
	if r.Open().Partial() {
		t.Error("a whole repository is partial")
	}
	r.Git("config", "remote.b.promisor", "true")
	if !r.Open().Partial() {
		t.Error("a repository with a promisor remote is not partial")
	}
}
