package gitx_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

const mainRef gitx.RefName = "refs/heads/main"

// A pair is a repository with a bare remote "origin" that is ahead of it.
type pair struct {
	here, server, writer *gitxtest.Repo
	// old is what here knows of the server's main; tip is what it is now.
	old, tip gitx.OID
}

func newPair(t *testing.T, here *gitxtest.Repo) pair {
	t.Helper()
	p := pair{here: here}
	p.server = here.Sibling("server.git", gitxtest.Options{Bare: true})
	p.writer = here.Sibling("writer", gitxtest.Options{})
	p.writer.Git("commit", "-q", "--allow-empty", "-m", "base")
	p.writer.Git("remote", "add", "origin", p.server.Dir)
	p.writer.Git("push", "-q", "origin", "main")
	here.Git("remote", "add", "origin", p.server.Dir)
	here.Git("fetch", "-q", "origin")
	p.old = oidOf(t, here.Git("rev-parse", "refs/remotes/origin/main"))
	p.tip = p.advance(t, "next")
	p.writer.Git("tag", "-a", "-m", "v1", "v1")
	p.writer.Git("push", "-q", "origin", "v1")
	return p
}

// advance pushes one more commit with a file in it.
func (p pair) advance(t *testing.T, name string) gitx.OID {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.writer.Dir, name), []byte(name), 0o644); err != nil {
		t.Fatal(err)
	}
	p.writer.Git("add", name)
	p.writer.Git("commit", "-q", "-m", name)
	p.writer.Git("push", "-q", "origin", "main")
	return oidOf(t, p.writer.Git("rev-parse", "HEAD"))
}

func oidOf(t *testing.T, hex string) gitx.OID {
	t.Helper()
	oid, err := gitx.ParseOID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return oid
}

// contents maps every file of a git directory but the objects to its content.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "objects" {
				return fs.SkipDir
			}
			files[path] = "folder"
			return nil
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func checkUntouched(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	after := contents(t, dir)
	for path, content := range after {
		if old, ok := before[path]; !ok || old != content {
			t.Errorf("%s was written: %q, before %q (%v)", path, content, old, ok)
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			t.Errorf("%s is gone", path)
		}
	}
}

// follow asks and fetches as a watch does, and checks that the commit and what
// it reaches have come.
func follow(t *testing.T, repo *gitx.Repo, want gitx.OID, have ...gitx.OID) {
	t.Helper()
	tips, err := repo.LsRemote(t.Context(), "origin", mainRef, "refs/heads/none")
	if err != nil {
		t.Fatal(err)
	}
	if len(tips) != 1 || tips[mainRef] != want {
		t.Fatalf("the remote has %v, want main at %s alone", tips, want)
	}
	if err := repo.FetchObjects(t.Context(), "origin", []gitx.OID{want}, have); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Git(t.Context(), "rev-list", "--objects", want.String()); err != nil {
		t.Errorf("what %s reaches did not come: %v", want, err)
	}
}

func TestRemoteFetchWritesNoRef(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		p := newPair(t, r)
		gitDir := filepath.Join(r.Dir, ".git")
		before := contents(t, gitDir)
		repo := r.Open()
		follow(t, repo, p.tip)
		next := p.advance(t, "more")
		unknown := oidOf(t, strings.Repeat("1", len(next.String())))
		follow(t, repo, next, p.tip, unknown)
		checkUntouched(t, gitDir, before)
	})
}

// Settings that make a plain fetch write refs, prune them, or do more.
func TestRemoteFetchIgnoresSettings(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	p := newPair(t, r)
	gitDir := filepath.Join(r.Dir, ".git")
	r.Git("commit", "-q", "--allow-empty", "-m", "own")
	r.Git("branch", "own")
	r.Git("update-ref", "refs/remotes/origin/gone", "HEAD")
	bundle := filepath.Join(r.Root(), "all.bundle")
	p.writer.Git("bundle", "create", bundle, "--all")
	for _, setting := range [][2]string{
		{"remote.origin.fetch", "+refs/*:refs/*"}, {"remote.origin.mirror", "true"},
		{"remote.origin.tagOpt", "--tags"}, {"remote.origin.prune", "true"}, {"remote.origin.pruneTags", "true"},
		{"remote.origin.followRemoteHEAD", "always"}, {"fetch.prune", "true"}, {"fetch.pruneTags", "true"},
		{"fetch.recurseSubmodules", "true"}, {"submodule.recurse", "true"}, {"fetch.writeCommitGraph", "true"},
		{"fetch.all", "true"}, {"fetch.parallel", "4"}, {"fetch.bundleURI", bundle}, {"transfer.bundleURI", "true"},
		{"gc.auto", "1"}, {"maintenance.auto", "true"}, {"push.followTags", "true"},
	} {
		r.Git("config", "--add", setting[0], setting[1])
	}
	hook := "#!/bin/sh\necho \"$0\" >>" + filepath.Join(gitDir, "hook-ran") + "\n"
	for _, name := range []string{"reference-transaction", "post-checkout", "pre-auto-gc"} {
		if err := os.WriteFile(filepath.Join(gitDir, "hooks", name), []byte(hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, gitDir)
	follow(t, r.Open(), p.tip)
	checkUntouched(t, gitDir, before)
}

func TestRemoteFetchKeepsShallowAndPartialClones(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	p := newPair(t, r)
	p.server.Git("config", "uploadpack.allowFilter", "true")
	for name, option := range map[string]string{"shallow": "--depth=1", "partial": "--filter=blob:none"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(r.Root(), name)
			r.Git("clone", "-q", option, "file://"+p.server.Dir, dir)
			clone := r.For(t).At(dir)
			before := contents(t, filepath.Join(dir, ".git"))
			tip := p.advance(t, name)
			repo := clone.Open()
			if err := repo.FetchObjects(t.Context(), "origin", []gitx.OID{tip}, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := repo.Git(t.Context(), "cat-file", "-e", tip.String()); err != nil {
				t.Error(err)
			}
			checkUntouched(t, filepath.Join(dir, ".git"), before)
		})
	}
}

func TestRemotesAreThoseWithAURL(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Git("remote", "add", "b.c/d", "https://user:s3cret@example.com/x.git")
	r.Git("remote", "add", "a", "../a.git")
	r.Git("config", "remote.half.fetch", "+refs/heads/*:refs/remotes/half/*")
	repo := r.Open()
	if got, want := repo.Remotes(), []string{"b.c/d", "a"}; !slices.Equal(got, want) {
		t.Errorf("the remotes are %q, want %q", got, want)
	}
	if url, ok := repo.RemoteURL("b.c/d"); !ok || url != "https://example.com/x.git" {
		t.Errorf("the URL is %q, %v", url, ok)
	}
}

// git takes what is no remote for a path or a URL; both must be refused, also
// when the remote has gone since the repository was opened.
func TestRemoteIsAlwaysAConfiguredName(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	p := newPair(t, r)
	r.Git("config", "remote.half.fetch", "+refs/heads/*:refs/remotes/half/*")
	repo := r.Open()
	r.Git("remote", "remove", "origin")
	for _, name := range []string{"", "origin", "half", p.server.Dir, "file://" + p.server.Dir, "../server.git", "--upload-pack=touch x", "a\nb"} {
		_, err := repo.LsRemote(t.Context(), name, mainRef)
		if gitx.FaultOf(err) != gitx.RemoteUnknown {
			t.Errorf("LsRemote(%q): %v", name, err)
		}
		err = repo.FetchObjects(t.Context(), name, []gitx.OID{p.tip}, nil)
		if gitx.FaultOf(err) != gitx.RemoteUnknown {
			t.Errorf("FetchObjects(%q): %v", name, err)
		}
	}
}

// A tip that the server lost between the question and the fetch.
func TestRemoteMoved(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	p := newPair(t, r)
	p.server.Git("update-ref", string(mainRef), p.old.String())
	p.server.Git("tag", "-d", "v1")
	p.server.Git("gc", "-q", "--prune=now")
	err := r.Open().FetchObjects(t.Context(), "origin", []gitx.OID{p.tip}, nil)
	if gitx.FaultOf(err) != gitx.RemoteMoved {
		t.Errorf("a lost tip: %v", err)
	}
}

func TestRemoteEndsWithItsContext(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	newPair(t, r)
	repo := r.Open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.LsRemote(ctx, "origin", mainRef); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
}
