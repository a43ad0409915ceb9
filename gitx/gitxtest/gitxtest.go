// Package gitxtest makes real git repositories for tests.
//
// It stands apart so that gitx itself does not link it. Every repository is
// hermetic: no home, no system or user configuration, a fixed identity, a clock
// that counts instead of running, and the git program that the environment
// variable CONTINUITY_TEST_GIT names (an absolute path), else the first in PATH.
package gitxtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"git-continuity/gitx"
)

// ProgramVar names the environment variable that holds the path of a git that
// knows reftable.
const ProgramVar = "CONTINUITY_TEST_GIT"

// Options say what kind of repository New makes. The zero Options are SHA-1
// objects, refs in files and a work tree.
type Options struct {
	// ObjectFormat is "sha1" or "sha256"; "" is "sha1".
	ObjectFormat string
	// RefFormat is "files" or "reftable"; "" is "files". A git that knows no
	// reftable skips the test.
	RefFormat string
	// Bare makes a repository without a work tree.
	Bare bool
}

// A Repo is a repository in a directory that the test removes when it ends. Its
// trunk is "main", and it begins without a commit.
type Repo struct {
	// Dir is the top level, or the git directory of a bare repository.
	Dir string

	t       testing.TB
	options Options
	world   *world
	extra   []string
}

// A world is what the repositories of one test share.
type world struct {
	root string
	git  string
	env  []string
	tick atomic.Int64
}

// New makes a repository.
func New(t testing.TB, o Options) *Repo {
	t.Helper()
	if o.ObjectFormat == "" {
		o.ObjectFormat = "sha1"
	}
	if o.RefFormat == "" {
		o.RefFormat = "files"
	}
	r := &Repo{t: t, options: o, world: newWorld(t, o.RefFormat)}
	r.Dir = filepath.Join(r.world.root, "repo")
	r.init()
	return r
}

// Sibling makes another repository of the same kind in the same world, in a
// folder of this name beside r.
func (r *Repo) Sibling(name string, o Options) *Repo {
	r.t.Helper()
	if o.ObjectFormat == "" {
		o.ObjectFormat = r.options.ObjectFormat
	}
	if o.RefFormat == "" {
		o.RefFormat = r.options.RefFormat
	}
	s := &Repo{t: r.t, options: o, world: r.world, Dir: filepath.Join(r.world.root, name)}
	s.init()
	return s
}

// newWorld makes the folder and the environment of a test.
func newWorld(t testing.TB, refFormat string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{root: root, git: program(t, refFormat)}
	w.env = []string{
		"PATH=" + filepath.Dir(w.git) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + filepath.Join(root, "no-home"),
		"XDG_CONFIG_HOME=" + filepath.Join(root, "no-home"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.com",
		"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.com",
		"GIT_CEILING_DIRECTORIES=" + root,
		"TMPDIR=" + os.TempDir(),
		// How long a program under the race detector, the test binary run again
		// say, lingers at its end.
		"GORACE=" + os.Getenv("GORACE"),
	}
	w.tick.Store(1_700_000_000)
	return w
}

// program returns the path of the git program under test: the one in PATH, and
// for refs in a reftable, which it may not know, the newer one that ProgramVar
// names. So one run of the tests covers both.
func program(t testing.TB, refFormat string) string {
	t.Helper()
	if path := os.Getenv(ProgramVar); path != "" && refFormat == "reftable" {
		return path
	}
	path, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// knowsReftable says, once, whether the git under test can make a repository
// with reftable.
var knowsReftable = sync.OnceValue(func() bool {
	path := os.Getenv(ProgramVar)
	if path == "" {
		path = "git"
	}
	// Usage goes to stdout with status 129; only the text matters here.
	usage, _ := exec.Command(path, "init", "-h").CombinedOutput()
	return bytes.Contains(usage, []byte("--ref-format"))
})

// init makes the repository on disk.
func (r *Repo) init() {
	r.t.Helper()
	args := []string{"init", "--quiet", "--initial-branch=main", "--object-format=" + r.options.ObjectFormat}
	if r.options.RefFormat != "files" {
		if !knowsReftable() {
			r.t.Skipf("refs in a reftable need git 2.45 or later; name one in %s", ProgramVar)
		}
		args = append(args, "--ref-format="+r.options.RefFormat)
	}
	if r.options.Bare {
		args = append(args, "--bare")
	}
	r.run(r.world.root, append(args, r.Dir))
}

// Each runs a test for every kind of repository: SHA-1 and SHA-256 objects, refs
// in files and in a reftable. A git that knows no reftable skips those two.
func Each(t *testing.T, test func(t *testing.T, r *Repo)) {
	t.Helper()
	for _, refs := range []string{"files", "reftable"} {
		for _, objects := range []string{"sha1", "sha256"} {
			t.Run(objects+"-"+refs, func(t *testing.T) {
				test(t, New(t, Options{ObjectFormat: objects, RefFormat: refs}))
			})
		}
	}
}

// Root returns the folder that holds the repositories of the test.
func (r *Repo) Root() string { return r.world.root }

// Program returns the path of the git program under test.
func (r *Repo) Program() string { return r.world.git }

// Env returns the environment in which the repository was made, with extra
// variables, for gitx.OpenOptions and for processes that a test starts.
func (r *Repo) Env(extra ...string) gitx.Env {
	return gitx.EnvOf(r.Environ(extra...)...)
}

// Environ is Env as a list, for exec.Cmd.
func (r *Repo) Environ(extra ...string) []string {
	return slices.Concat(r.world.env, r.extra, extra)
}

// Open opens the repository with gitx, in its top level.
func (r *Repo) Open() *gitx.Repo {
	r.t.Helper()
	return r.OpenAt(r.Dir)
}

// OpenAt opens the repository of dir with gitx, with extra variables.
func (r *Repo) OpenAt(dir string, extra ...string) *gitx.Repo {
	r.t.Helper()
	repo, err := gitx.Open(context.Background(), gitx.OpenOptions{Dir: dir, Env: r.Env(extra...)})
	if err != nil {
		r.t.Fatal(err)
	}
	return repo
}

// At returns the same world with dir for the directory in which Git runs, for
// example a worktree.
func (r *Repo) At(dir string) *Repo {
	at := *r
	at.Dir = dir
	return &at
}

// For returns the same repository for a subtest.
func (r *Repo) For(t testing.TB) *Repo {
	sub := *r
	sub.t = t
	return &sub
}

// WithEnv returns the same repository with variables ("KEY=value") added to its
// environment, in which Git and its kind run.
func (r *Repo) WithEnv(vars ...string) *Repo {
	with := *r
	with.extra = slices.Concat(r.extra, vars)
	return &with
}

// Git runs git in the repository, fails the test if git fails, and returns
// stdout without the last newline. Each call is one second later than the one
// before.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	return r.run(r.Dir, args)
}

// GitInput is Git with something to read on stdin.
func (r *Repo) GitInput(input string, args ...string) string {
	r.t.Helper()
	out, stderr, err := r.attempt(r.Dir, input, args)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return out
}

// GitError runs git, fails the test if git does not fail, and returns stderr.
func (r *Repo) GitError(args ...string) string {
	r.t.Helper()
	out, stderr, err := r.attempt(r.Dir, "", args)
	if err == nil {
		r.t.Fatalf("git %s: succeeded with %q", strings.Join(args, " "), out)
	}
	return stderr
}

// run runs git in dir.
func (r *Repo) run(dir string, args []string) string {
	r.t.Helper()
	out, stderr, err := r.attempt(dir, "", args)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return out
}

// attempt runs git in dir and does not mind how it ends.
func (r *Repo) attempt(dir, input string, args []string) (stdout, stderr string, err error) {
	now := fmt.Sprintf("%d +0000", r.world.tick.Add(1))
	cmd := exec.Command(r.world.git, args...)
	cmd.Dir = dir
	cmd.Env = r.Environ("GIT_AUTHOR_DATE="+now, "GIT_COMMITTER_DATE="+now)
	cmd.Stdin = strings.NewReader(input)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	return strings.TrimSuffix(out.String(), "\n"), errOut.String(), err
}
