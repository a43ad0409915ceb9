//go:build unix

package gitx_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// A hook sees the repository, the work tree and the index that git is at work
// on, in the main and in a linked worktree, and another checkout as itself.
func TestOpenInHooks(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		r.Commit("one", gitxtest.Files{"a": "1\n", "b": "1\n", "sub/c": "1\n"})
		linked := r.AddWorktree("linked", "topic")
		p := newProber(t, r)
		p.hook("pre-commit")
		p.Commands = []string{"diff --cached --name-only", "diff --name-only", "rev-parse --show-prefix"}
		git := r.Dir + "/.git"
		main := sighting{TopLevel: r.Dir, GitDir: git, CommonDir: git}
		topic := sighting{TopLevel: linked.Dir, GitDir: git + "/worktrees/linked", CommonDir: git, Name: "linked"}
		for _, test := range []struct {
			name, in    string
			here, other sighting
			args        []string
			staged      string
			dirty       string
		}{
			{"commit", r.Dir, main, topic, []string{"commit", "-m", "x"}, "", "a\nb"},
			{"commit -a", r.Dir, main, topic, []string{"commit", "-a", "-m", "x"}, "a\nb", ""},
			{"commit -a below", r.Dir + "/sub", main, topic, []string{"commit", "-a", "-m", "x"}, "a\nb", ""},
			{"commit path", r.Dir, main, topic, []string{"commit", "-m", "x", "--", "b"}, "b", "a"},
			{"linked commit -a", linked.Dir, topic, main, []string{"commit", "-a", "-m", "x"}, "a\nb", ""},
			{"linked below", linked.Dir + "/sub", topic, main, []string{"commit", "-a", "-m", "x"}, "a\nb", ""},
			{"by --git-dir", r.Root(), main, topic, []string{"--git-dir=repo/.git", "--work-tree=repo", "commit", "-a", "-m", "x"}, "a\nb", ""},
		} {
			t.Run(test.name, func(t *testing.T) {
				p := *p
				p.t, p.r = t, r.For(t)
				p.Other = test.other.TopLevel
				at := r.For(t).At(test.here.TopLevel)
				at.Write(gitxtest.Files{"a": test.name, "b": test.name})
				args := append(test.args[:len(test.args):len(test.args)], "--allow-empty")
				if test.name == "commit path" {
					args = test.args
				}
				seen := p.run(test.in, nil, args...)
				test.here.Said = []string{test.staged, test.dirty, ""}
				if got := seen; got.Other == nil || !reflect.DeepEqual(*got.Other, with(test.other, "", "", "")) {
					t.Errorf("the other checkout: got %+v", got.Other)
				}
				seen.Other = nil
				if !reflect.DeepEqual(seen, test.here) {
					t.Errorf("got %+v, want %+v", seen, test.here)
				}
				at.Git("commit", "--quiet", "--no-verify", "--allow-empty", "-a", "-m", "settle")
			})
		}
	})
}

// with returns s with what its commands said.
func with(s sighting, said ...string) sighting {
	s.Said = said
	return s
}

func TestOpenFromAliasAndExec(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", gitxtest.Files{"sub/a": "1\n"})
	r.Commit("two", nil)
	linked := r.AddWorktree("linked", "topic")
	p := newProber(t, r)
	git := r.Dir + "/.git"
	main := sighting{TopLevel: r.Dir, GitDir: git, CommonDir: git}
	topic := sighting{TopLevel: linked.Dir, GitDir: git + "/worktrees/linked", CommonDir: git, Name: "linked"}
	// With literal pathspecs this would find nothing.
	p.Commands = []string{"ls-files -- :/sub"}
	main, topic = with(main, "sub/a"), with(topic, "sub/a")
	set := func(s sighting) sighting { s.Setting = "from the line"; return s }
	for _, test := range []struct {
		name, in string
		env      []string
		args     []string
		want     sighting
	}{
		{"alias", r.Dir, nil, []string{"probe"}, main},
		{"alias below", r.Dir + "/sub", nil, []string{"probe"}, main},
		{"alias linked", linked.Dir + "/sub", nil, []string{"probe"}, topic},
		{"-c", r.Dir, nil, []string{"-c", "probe.key=from the line", "probe"}, set(main)},
		{"--git-dir", r.Root(), nil, []string{"--git-dir=repo/.git", "--work-tree=repo", "probe"}, main},
		{"--git-dir linked", r.Root(), nil, []string{"--git-dir=repo/.git/worktrees/linked", "--work-tree=linked", "probe"}, topic},
		{"-C", r.Root(), nil, []string{"-C", "linked", "probe"}, topic},
		{"rebase", r.Dir, nil, []string{"rebase", "--quiet", "--exec=git probe", "HEAD~1"}, main},
		{"rebase linked", linked.Dir, nil, []string{"rebase", "--quiet", "--exec=git probe", "HEAD~1"}, topic},
		{"literal paths", r.Dir, nil, []string{"--literal-pathspecs", "probe"}, main},
		{"count", r.Dir, []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=probe.key", "GIT_CONFIG_VALUE_0=from the line"}, []string{"probe"}, set(main)},
		{"GIT_CONFIG", r.Dir, []string{"GIT_CONFIG=/dev/null"}, []string{"-c", "probe.key=from the line", "probe"}, set(main)},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := *p
			p.t, p.r = t, r.For(t)
			if got := p.run(test.in, test.env, test.args...); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// What a push brings is visible in quarantine, here and in a linked worktree of
// the receiver.
func TestOpenInReceiveHook(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	bare := r.CloneBare("bare.git")
	linked := bare.AddWorktree("linked", "side")
	pushed := r.Commit("two", nil)
	p := newProber(t, bare)
	p.hook("pre-receive")
	p.Other = linked.Dir
	p.Commands = []string{"cat-file -t " + pushed.String()}
	seen := p.run(r.Dir, nil, "push", "--quiet", bare.Dir, "main")
	want := sighting{GitDir: bare.Dir, CommonDir: bare.Dir, Bare: true, Said: []string{"commit"}, Other: &sighting{
		TopLevel: linked.Dir, GitDir: bare.Dir + "/worktrees/linked", CommonDir: bare.Dir, Name: "linked", Said: []string{"commit"},
	}}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("got %+v and %+v", seen, seen.Other)
	}
}

// Every variable that ties a process to repository A is set; B is B all the same.
func TestAtWorktreeOfAnotherRepository(t *testing.T) {
	a := gitxtest.New(t, gitxtest.Options{})
	a.Commit("in a", gitxtest.Files{"a": "a\n"})
	a.Git("config", "probe.key", "a")
	b := a.Sibling("b", gitxtest.Options{ObjectFormat: "sha256"})
	tip := b.Commit("in b", gitxtest.Files{"b": "b\n"})
	b.Git("config", "probe.key", "b")
	fromA := a.OpenAt(a.Root(), "GIT_DIR="+a.Dir+"/.git", "GIT_WORK_TREE="+a.Dir,
		"GIT_COMMON_DIR="+a.Dir+"/.git", "GIT_INDEX_FILE="+a.Dir+"/.git/index", "GIT_PREFIX=sub/",
		"GIT_OBJECT_DIRECTORY="+a.Dir+"/.git/objects", "GIT_ALTERNATE_OBJECT_DIRECTORIES="+a.Dir+"/.git/objects",
		"GIT_SHALLOW_FILE=", "GIT_QUARANTINE_PATH="+a.Dir, "GIT_CONFIG="+a.Dir+"/.git/config")
	if fromA.TopLevel() != a.Dir {
		t.Fatalf("a is %q", fromA.TopLevel())
	}
	at, err := fromA.AtWorktree(t.Context(), b.Dir)
	if err != nil {
		t.Fatal(err)
	}
	commands := []string{"ls-files", "rev-parse HEAD", "cat-file -t HEAD", "config probe.key", "rev-parse --git-path objects"}
	want := with(sighting{TopLevel: b.Dir, GitDir: b.Dir + "/.git", CommonDir: b.Dir + "/.git", Setting: "b"},
		"b", tip.String(), "commit", "b", b.Dir+"/.git/objects")
	if got := view(t.Context(), at, commands); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if at.ObjectFormat().String() != "sha256" {
		t.Errorf("object format %v", at.ObjectFormat())
	}
	write := gitx.Command{Args: []string{"update-ref", "refs/heads/new", tip.String()}, Write: true}
	if _, err := at.Run(t.Context(), write); err != nil {
		t.Error(err)
	}
}

// A repository of another owner is git's to refuse, in git's words.
func TestOpenOfAnotherOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs the right to give files away")
	}
	r := gitxtest.New(t, gitxtest.Options{})
	other := r.Sibling("other", gitxtest.Options{})
	home := r.Open()
	for _, path := range []string{other.Dir, filepath.Join(other.Dir, ".git")} {
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	check := func(_ *gitx.Repo, err error) {
		t.Helper()
		var exit *gitx.ExitError
		var outside *gitx.NotRepositoryError
		if !errors.As(err, &exit) || errors.As(err, &outside) || !strings.Contains(exit.Stderr, "safe.directory") {
			t.Errorf("got %v", err)
		}
	}
	check(gitx.Open(t.Context(), gitx.OpenOptions{Dir: other.Dir, Env: r.Env()}))
	check(home.AtWorktree(t.Context(), other.Dir))
}

func TestOpenWithOldGit(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$1\" in version) echo git version 2.30.2;; *) echo usage >&2; exit 129;; esac\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := gitx.Open(t.Context(), gitx.OpenOptions{Dir: r.Dir, Env: r.Env("PATH=" + bin)})
	var old *gitx.VersionError
	if !errors.As(err, &old) || old.Found != "2.30.2" || old.Floor != gitx.Floor {
		t.Errorf("got %v", err)
	}
}

// A repository of a format that git does not know is no "not a repository".
func TestOpenOfUnknownFormat(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Git("config", "core.repositoryformatversion", "1")
	r.Git("config", "extensions.refstorage", "papyrus")
	_, err := gitx.Open(t.Context(), gitx.OpenOptions{Dir: r.Dir, Env: r.Env()})
	var exit *gitx.ExitError
	if !errors.As(err, &exit) || exit.Status != 128 || !strings.Contains(strings.ToLower(exit.Stderr), "refstorage") {
		t.Errorf("got %v", err)
	}
}
