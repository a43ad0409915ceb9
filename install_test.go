//go:build unix

package continuity_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// toyMain is a command that has of a real one what install.sh needs.
const toyMain = `package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "completion" && os.Args[2] != os.Getenv("TOY_FAILS") {
		fmt.Println("# completion for", os.Args[2])
		return
	}
	fmt.Println("a toy")
	os.Exit(3)
}
`

// A site is a source tree with install.sh and a prefix to install into, both
// in folders with blanks in their names.
type site struct {
	t      *testing.T
	source string
	prefix string
	home   string
	env    []string
}

// goHome is an empty home for the go command. Go counts its own use in there from
// a process of its own, which may still write when the test is over: such a home
// is removed as well as it goes.
func goHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "home-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for tries := 0; os.RemoveAll(home) != nil && tries < 100; tries++ {
		}
	})
	return home
}

// newSite makes the source tree of a small command, git-toy.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, source: filepath.Join(t.TempDir(), "the source"), home: goHome(t)}
	script, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	s.write("install.sh", string(script))
	s.write("go.mod", "module git-continuity\n\ngo 1.26\n")
	s.write("cmd/git-toy/main.go", toyMain)
	s.write("man/git-toy.1", page("NAME"))
	s.place()
	return s
}

// place chooses the prefix and makes an environment with as little as possible:
// the toolchain's caches, no configuration of git, an empty home.
func (s *site) place() {
	s.prefix = filepath.Join(s.t.TempDir(), "the prefix")
	s.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GOFLAGS=-mod=mod"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			s.t.Fatal(err)
		}
		s.env = append(s.env, name+"="+strings.TrimSpace(string(value)))
	}
}

func (s *site) write(name, content string) {
	s.t.Helper()
	path := filepath.Join(s.source, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// run runs install.sh from an unrelated folder and asserts whether it succeeds.
func (s *site) run(succeeds bool, args ...string) (output string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.source, "install.sh"), args...)
	cmd.Dir, cmd.Env = s.t.TempDir(), s.env
	out, err := cmd.CombinedOutput()
	if (err == nil) != succeeds {
		s.t.Fatalf("install.sh %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// installed lists what stands below the prefix.
func (s *site) installed() []string {
	s.t.Helper()
	var all []string
	err := filepath.WalkDir(s.prefix, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(s.prefix, path)
		all = append(all, name)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return all
}

func (s *site) gone() {
	s.t.Helper()
	if _, err := os.Lstat(s.prefix); !os.IsNotExist(err) {
		s.t.Errorf("of the installation is left: %q (%v)", s.installed(), err)
	}
}

func has(t *testing.T, output, want string) {
	t.Helper()
	if !strings.Contains(output, want) {
		t.Errorf("no %q in:\n%s", want, output)
	}
}

func TestInstallPutsAndRemovesExactlyItsFiles(t *testing.T) {
	s := newSite(t)
	out := s.run(true, "--prefix", s.prefix)
	has(t, out, `export PATH="`+s.prefix+`/bin:$PATH"`)
	if strings.Contains(out, "MANPATH") {
		t.Errorf("speaks of MANPATH, which is not set:\n%s", out)
	}
	want := []string{
		"bin/git-toy",
		"share/bash-completion/completions/git-toy",
		"share/fish/vendor_completions.d/git-toy.fish",
		"share/git-continuity/manifest",
		"share/man/man1/git-toy.1",
		"share/zsh/site-functions/_git-toy",
	}
	if got := s.installed(); !slices.Equal(got, want) {
		t.Fatalf("installed %q, want %q", got, want)
	}

	// A second installation replaces the first, removes what is no longer part
	// of it, and knows that the prefix is in PATH.
	if err := os.Remove(filepath.Join(s.source, "man/git-toy.1")); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "PATH="+s.prefix+"/bin:"+os.Getenv("PATH"), "MANPATH=/usr/share/man")
	out = s.run(true, "--prefix="+s.prefix)
	if strings.Contains(out, "export PATH") {
		t.Errorf("tells to add to PATH what is there:\n%s", out)
	}
	has(t, out, `export MANPATH="`+s.prefix+`/share/man:$MANPATH"`)
	if got := s.installed(); slices.Contains(got, "share/man/man1/git-toy.1") {
		t.Errorf("the page of the first installation is still there")
	}

	// What somebody else puts beside it stays.
	foreign := filepath.Join(s.prefix, "bin/foreign")
	if err := os.WriteFile(foreign, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.run(true, "--uninstall", "--prefix", s.prefix)
	if got := s.installed(); !slices.Equal(got, []string{"bin/foreign"}) {
		t.Errorf("left %q, want only what was foreign", got)
	}
	has(t, s.run(false, "--uninstall", "--prefix", s.prefix), "nothing is installed below")
}

func TestUninstallLeavesNothing(t *testing.T) {
	s := newSite(t)
	s.run(true, "--prefix", s.prefix)
	s.run(true, "--uninstall", "--prefix", s.prefix)
	s.gone()
}

func TestInstallRefusesBeforeItTouches(t *testing.T) {
	fakeGit := t.TempDir()
	if err := os.WriteFile(filepath.Join(fakeGit, "git"), []byte("#!/bin/sh\necho git version 2.39.3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		spoil func(s *site)
		args  []string
		want  string
	}{
		"a build that fails": {func(s *site) { s.write("cmd/git-toy/main.go", "package main\n") }, nil, "building git-toy failed"},
		"a completion that fails": {func(s *site) { s.env = append(s.env, "TOY_FAILS=fish") }, nil,
			"cannot print its completion for fish"},
		"go too old":  {func(s *site) { s.write("go.mod", "module git-continuity\n\ngo 9.9.0\n") }, nil, "needs 9.9.0 or newer"},
		"no go":       {func(s *site) { s.env = append(s.env, "GO=no-such-go") }, nil, "go is not in PATH"},
		"git too old": {func(s *site) { s.env = append(s.env, "PATH="+fakeGit+":"+os.Getenv("PATH")) }, nil, "git is 2.39.3; git-continuity needs 2.39.4"},
		"no command": {func(s *site) {
			if err := os.RemoveAll(filepath.Join(s.source, "cmd")); err != nil {
				s.t.Fatal(err)
			}
		}, nil, "no command to build"},
		"no home":             {func(s *site) { s.env = append(s.env, "HOME=") }, []string{}, "HOME is not set"},
		"an unknown argument": {func(*site) {}, []string{"--everything"}, `unknown argument "--everything"`},
		"a missing argument":  {func(*site) {}, []string{"--prefix"}, "--prefix needs a directory"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			test.spoil(s)
			args := test.args
			if args == nil {
				args = []string{"--prefix", s.prefix}
			}
			has(t, s.run(false, args...), test.want)
			s.gone()
		})
	}
}

func TestInstallRefusesForeignFiles(t *testing.T) {
	s := newSite(t)
	foreign := filepath.Join(s.prefix, "bin/git-toy")
	if err := os.MkdirAll(filepath.Dir(foreign), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(foreign, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	has(t, s.run(false, "--prefix", s.prefix), "was not installed by this script")
	if content, err := os.ReadFile(foreign); err != nil || string(content) != "theirs" {
		t.Errorf("the foreign file has become %q (%v)", content, err)
	}
	if got := s.installed(); !slices.Equal(got, []string{"bin/git-toy"}) {
		t.Errorf("something was installed: %q", got)
	}
}

// TestUninstallStaysBelowThePrefix checks that a manifest which was tampered
// with does not lead out of the prefix.
func TestUninstallStaysBelowThePrefix(t *testing.T) {
	s := newSite(t)
	outside := filepath.Join(filepath.Dir(s.prefix), "outside")
	manifest := filepath.Join(s.prefix, "share/git-continuity/manifest")
	if err := os.MkdirAll(filepath.Dir(manifest), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{outside: "", manifest: "file ../outside\n"} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	has(t, s.run(false, "--uninstall", "--prefix", s.prefix), "outside the prefix")
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}

// TestInstallWhatIsBuiltHere installs the real commands from a tree that cannot
// be written, and calls each through git.
func TestInstallWhatIsBuiltHere(t *testing.T) {
	mains, err := filepath.Glob("cmd/*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(mains) == 0 {
		t.Skip("cmd holds no command yet")
	}
	source, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, source: source, home: goHome(t)}
	s.place()
	s.env = slices.DeleteFunc(s.env, func(setting string) bool { return strings.HasPrefix(setting, "GOFLAGS=") })
	s.run(true, "--prefix", s.prefix)
	for _, main := range mains {
		name := filepath.Base(filepath.Dir(main))
		cmd := exec.Command("git", strings.TrimPrefix(name, "git-"), "-h")
		cmd.Dir, cmd.Env = t.TempDir(), append(slices.Clone(s.env), "PATH="+s.prefix+"/bin:"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(bytes.ToLower(out), []byte("usage")) {
			t.Errorf("%q: %v\n%s", cmd.Args, err, out)
		}
	}
	s.run(true, "--uninstall", "--prefix", s.prefix)
	s.gone()
}
