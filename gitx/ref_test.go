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

// wantRef fails the test unless the ref holds want; the zero id is absence.
func wantRef(t *testing.T, r *gitx.Repo, name gitx.RefName, want gitx.OID) {
	t.Helper()
	got, exists, err := r.ResolveRef(context.Background(), name)
	if err != nil || got != want || exists == want.IsZero() {
		t.Errorf("%s holds %q (%v), %v; want %q", name, got, exists, err, want)
	}
}

func TestResolveRef(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		repo := r.Open()
		wantRef(t, repo, gitx.HEAD, gitx.OID{}) // unborn
		one := r.Commit("one", nil)
		r.Git("tag", "-a", "-m", "x", "v1")
		r.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
		r.Git("symbolic-ref", "refs/heads/dangling", "refs/heads/nowhere")
		wantRef(t, repo, "refs/heads/main", one)
		wantRef(t, repo, "refs/heads/alias", one)
		wantRef(t, repo, gitx.HEAD, one)
		wantRef(t, repo, "refs/heads/dangling", gitx.OID{})
		wantRef(t, repo, "refs/heads/none", gitx.OID{})
		wantRef(t, repo, "refs/heads/main/below", gitx.OID{})
		wantRef(t, repo, "refs/heads", gitx.OID{})
		wantRef(t, repo, "refs/tags/v1", r.Rev("v1"))
		r.Git("checkout", "-q", "--detach")
		wantRef(t, repo, gitx.HEAD, one)
		r.Git("pack-refs", "--all")
		wantRef(t, repo, "refs/heads/main", one)
		if _, _, err := repo.ResolveRef(context.Background(), "main"); err == nil {
			t.Error("a short name was resolved")
		}
	})
}

// A branch may be called like the full name of another: the harvest of a
// mistyped push. It must answer for nothing but itself.
func TestResolveRefIsExact(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", nil)
		r.Git("update-ref", "refs/heads/refs/heads/x", one.String())
		repo := r.Open()
		wantRef(t, repo, "refs/heads/x", gitx.OID{})
		wantRef(t, repo, "refs/heads/refs/heads/x", one)
	})
}

// spoilRef makes a loose ref that git cannot read, in one of several ways.
var spoilRef = map[string]func(t *testing.T, path string){
	"garbage": func(t *testing.T, path string) { writeFile(t, path, "garbage\n") },
	"empty":   func(t *testing.T, path string) { writeFile(t, path, "") },
	"short":   func(t *testing.T, path string) { writeFile(t, path, "1234\n") },
	"loop": func(t *testing.T, path string) {
		if err := os.Symlink(filepath.Base(path), path); err != nil {
			t.Fatal(err)
		}
	},
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBrokenRefIsNotAbsent(t *testing.T) {
	for name, spoil := range spoilRef {
		t.Run(name, func(t *testing.T) {
			r := gitxtest.New(t, gitxtest.Options{})
			one := r.Commit("one", nil)
			spoil(t, filepath.Join(r.Dir, ".git", "refs", "heads", "broken"))
			repo := r.Open()
			var broken *gitx.BrokenRefError
			if oid, exists, err := repo.ResolveRef(t.Context(), "refs/heads/broken"); !errors.As(err, &broken) {
				t.Errorf("ResolveRef = %q, %v, %v", oid, exists, err)
			}
			r.Git("symbolic-ref", "refs/heads/alias", "refs/heads/broken")
			if oid, exists, err := repo.ResolveRef(t.Context(), "refs/heads/alias"); !errors.As(err, &broken) {
				t.Errorf("through an alias: ResolveRef = %q, %v, %v", oid, exists, err)
			}
			for _, old := range []gitx.Expect{gitx.Absent(), gitx.At(one)} {
				err := repo.UpdateRef(t.Context(), gitx.RefEdit{Name: "refs/heads/broken", New: one, Old: old}, "")
				if err == nil {
					t.Fatalf("a broken ref was taken for %s", old)
				}
			}
		})
	}
}

func TestRefs(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", nil)
		for _, name := range []string{"refs/heads/é", "refs/heads/a;b", `refs/heads/"q"`, "refs/continuity/records"} {
			r.Git("update-ref", name, one.String())
		}
		r.Git("tag", "-a", "-m", "x", "v1")
		r.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
		repo := r.Open()
		all, err := repo.Refs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, ref := range all {
			names = append(names, string(ref.Name))
			switch {
			case ref.Name == "refs/tags/v1" && (ref.Type != gitx.TypeTag || ref.OID == one),
				ref.Name != "refs/tags/v1" && (ref.Type != gitx.TypeCommit || ref.OID != one),
				(ref.Symref != "") != (ref.Name == "refs/heads/alias"):
				t.Errorf("unexpected %+v", ref)
			}
		}
		want := []string{"refs/continuity/records", `refs/heads/"q"`, "refs/heads/a;b", "refs/heads/alias", "refs/heads/main", "refs/heads/é", "refs/tags/v1"}
		if !slices.Equal(names, want) {
			t.Errorf("Refs lists %q, want %q", names, want)
		}
		for _, prefix := range []string{"refs/continuity", "refs/continuity/", "refs/continuity/records"} {
			if some, err := repo.Refs(t.Context(), prefix); err != nil || len(some) != 1 {
				t.Errorf("Refs(%q) = %v, %v", prefix, some, err)
			}
		}
		for _, bad := range []string{"", "refs/heads/*", "--all", "main"} {
			if some, err := repo.Refs(t.Context(), bad); err == nil {
				t.Errorf("Refs(%q) = %v, want an error", bad, some)
			}
		}
	})
}

func TestSymbolicRef(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		repo := r.Open()
		if name, ok, err := repo.SymbolicRef(t.Context(), gitx.HEAD); name != "refs/heads/main" || !ok || err != nil {
			t.Errorf("unborn HEAD leads to %q, %v, %v", name, ok, err)
		}
		r.Commit("one", nil)
		r.Git("checkout", "-q", "--detach")
		for _, name := range []gitx.RefName{gitx.HEAD, "refs/heads/main", "refs/heads/none"} {
			if target, ok, err := repo.SymbolicRef(t.Context(), name); target != "" || ok || err != nil {
				t.Errorf("%s leads to %q, %v, %v", name, target, ok, err)
			}
		}
	})
}

func TestRevParse(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		one := r.Commit("one", gitxtest.Files{"a b": "x"})
		r.Git("update-ref", "refs/heads/--all", one.String())
		repo := r.Open()
		for _, rev := range []string{"main", "HEAD", "HEAD^{commit}", "--all", one.String(), one.Abbrev(), "heads/main", "HEAD^0"} {
			if oid, err := repo.RevParse(t.Context(), rev); err != nil || oid != one {
				t.Errorf("RevParse(%q) = %q, %v", rev, oid, err)
			}
		}
		if oid, err := repo.RevParse(t.Context(), "HEAD:a b"); err != nil || oid != r.Rev("HEAD:a b") {
			t.Errorf("RevParse of a path = %q, %v", oid, err)
		}
		var unknown *gitx.NotFoundError
		for _, rev := range []string{"", "none", "--verify", "-x", "HEAD~5", "a\x00b", "main..main", "^main", "main --all", strings.Repeat("x", 5000)} {
			if oid, err := repo.RevParse(t.Context(), rev); !errors.As(err, &unknown) {
				t.Errorf("RevParse(%q) = %q, %v", rev, oid, err)
			}
		}
	})
}

func TestRevParseAmbiguous(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	prefix := storeTwins(r)
	var ambiguous *gitx.AmbiguousError
	if oid, err := r.Open().RevParse(t.Context(), prefix); !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Errorf("RevParse(%q) = %q, %v", prefix, oid, err)
	}
}

// storeTwins stores two blobs whose ids have the first four digits in common,
// and returns these. The repository must be of format SHA-1.
func storeTwins(r *gitxtest.Repo) string {
	seen := map[string]string{}
	for i := 0; ; i++ {
		content := strings.Repeat("x", i)
		prefix := gitx.HashObject(gitx.SHA1, gitx.TypeBlob, []byte(content)).String()[:4]
		if twin, found := seen[prefix]; found {
			r.GitInput(content, "hash-object", "-w", "--stdin")
			r.GitInput(twin, "hash-object", "-w", "--stdin")
			return prefix
		}
		seen[prefix] = content
	}
}
