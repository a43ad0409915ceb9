package awaitcmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostile are branch names that git allows and that a shell would act on.
var hostile = []string{
	"main",
	"topic/é",
	"a;touch${IFS}pwned",
	"$(touch${IFS}pwned)",
	"`touch${IFS}pwned`",
	"a&touch${IFS}pwned",
	"a|b>pwned",
	"it's",
	`say"x"`,
	"{a,b}",
	"#note",
	"!bang",
	"(x)",
}

// completionRepo is a repository with the hostile branches, and a git await on
// the path that knows two watches. It returns the environment to run in.
func completionRepo(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	bin := t.TempDir()
	fake := "#!/bin/sh\nprintf '%s\\n' 'C1-0000-0000-00  landed  $(touch pwned)' 'C1-ABCD-EFGH-JK  green x' 'no watch'\n"
	if err := os.WriteFile(filepath.Join(bin, "git-await"), []byte(fake), 0o755); err != nil {
		t.Fatal(err)
	}
	env = append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	git := func(args ...string) string {
		return runIn(t, dir, env, append([]string{"git"}, args...)...)
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "root")
	git("remote", "add", "origin", "../x")
	git("remote", "add", "up/stream", "../y")
	for _, name := range hostile[1:] {
		git("update-ref", "refs/heads/"+name, "HEAD")
	}
	return dir, env
}

func runIn(t *testing.T, dir string, env []string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	var talk strings.Builder
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v: %s", command, err, talk.String())
	}
	if talk.Len() > 0 {
		t.Errorf("%q says %s", command, talk.String())
	}
	return string(out)
}

// shellWith returns the path of a shell and of the script made for it.
func shellWith(t *testing.T, shell string) (path, script string) {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("%s is not installed", shell)
	}
	text, err := Completion(shell)
	if err != nil {
		t.Fatal(err)
	}
	script = filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, script
}

func checkNotPwned(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a branch name was run")
	}
}

// bashDriver stands in for git's own completion: it fills the variables that
// git's gives to _git_await, and prints each candidate twice, as it would be
// inserted and as the shell then reads it.
const bashDriver = `
__gitcomp () { local w; for w in $1; do [[ $w == "$cur"* ]] && COMPREPLY+=("$w"); done; }
__gitcomp_nl () { local IFS=$'\n' w; for w in $1; do [[ $w == "${3-$cur}"* ]] && COMPREPLY+=("$2$w"); done; }
__git () { git "$@"; }
source "$1"; shift
words=("$@"); cword=$((${#words[@]} - 1)); cur=${words[cword]}; prev=${words[cword-1]}
__git_cmd_idx=1 COMPREPLY=()
set -f
_git_await
for w in "${COMPREPLY[@]}"; do eval "printf '%s\n' $w"; done
`

func TestCompletionInBash(t *testing.T) {
	bash, script := shellWith(t, "bash")
	dir, env := completionRepo(t)
	for _, test := range completionCases {
		args := append([]string{bash, "--norc", "-c", bashDriver, "bash", script, "git", "await"}, test.words...)
		got := strings.Fields(runIn(t, dir, env, args...))
		checkCandidates(t, test, got)
	}
	checkNotPwned(t, dir)
}

// completionCases are command lines after "git await", the last word being the
// one to complete, and some of the candidates that must and must not appear.
var completionCases = []completionCase{
	{[]string{""}, []string{"list", "forget", "completion"}, []string{"main", "git await"}},
	{[]string{"--landed", ""}, hostile, []string{"list"}},
	{[]string{"--landed=ma"}, []string{"main"}, []string{"topic/é"}},
	{[]string{"--trunk", "to"}, []string{"topic/é"}, []string{"main"}},
	{[]string{"--resume", ""}, []string{"C1-0000-0000-00", "C1-ABCD-EFGH-JK"}, []string{"no", "$(touch"}},
	{[]string{"forget", "C1-A"}, []string{"C1-ABCD-EFGH-JK"}, []string{"C1-0000-0000-00", "main"}},
	{[]string{"completion", ""}, []string{"bash", "zsh", "fish"}, []string{"list"}},
	{[]string{"--timeout", ""}, nil, []string{"main", "list"}},
	{[]string{"--rem"}, []string{"--remote"}, []string{"origin"}},
	{[]string{"--remote="}, []string{"origin", "up/stream"}, []string{"main"}},
	{[]string{"--remote=u"}, []string{"up/stream"}, []string{"origin"}},
	{[]string{"--remote", ""}, []string{"list"}, []string{"origin"}},
	{[]string{"list", "--j"}, []string{"--json"}, []string{"--landed="}},
	{[]string{"--landed", "list", "--trunk-"}, []string{"--trunk-moved"}, nil},
}

type completionCase struct {
	words     []string
	want, not []string
}

func checkCandidates(t *testing.T, test completionCase, got []string) {
	t.Helper()
	for _, want := range test.want {
		if !slices.Contains(got, want) {
			t.Errorf("%q: %q lacks %q", test.words, got, want)
		}
	}
	for _, not := range test.not {
		if slices.Contains(got, not) {
			t.Errorf("%q: %q has %q", test.words, got, not)
		}
	}
}

func TestCompletionInFish(t *testing.T) {
	fish, script := shellWith(t, "fish")
	dir, env := completionRepo(t)
	for _, test := range completionCases {
		line := "git-await " + strings.Join(test.words, " ")
		out := runIn(t, dir, env, fish, "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line)
		var got []string
		for row := range strings.Lines(out) {
			candidate, _, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
			// fish completes a joined value together with its option.
			_, value, joined := strings.Cut(candidate, "=")
			if joined && strings.HasPrefix(candidate, "--") {
				candidate = value
			}
			got = append(got, candidate)
		}
		checkCandidates(t, test, got)
	}
	checkNotPwned(t, dir)
}

// zshDriver lets the script's own functions run outside the line editor.
const zshDriver = `
_arguments () { : }
_wanted () { shift 3; "$@" }
compadd () { print -rl -- ${(P)argv[-1]} }
source $1
$2
`

func TestCompletionInZsh(t *testing.T) {
	zsh, script := shellWith(t, "zsh")
	dir, env := completionRepo(t)
	runIn(t, dir, env, zsh, "-n", script)
	for _, test := range []completionCase{
		{[]string{"__git_await_branches"}, hostile, nil},
		{[]string{"__git_await_remotes"}, []string{"origin", "up/stream"}, []string{"main"}},
		{[]string{"__git_await_handles"}, []string{"C1-0000-0000-00", "C1-ABCD-EFGH-JK"}, []string{"no", "no watch"}},
	} {
		out := runIn(t, dir, env, zsh, "-f", "-c", zshDriver, "zsh", script, test.words[0])
		checkCandidates(t, test, strings.Split(out, "\n"))
	}
	checkNotPwned(t, dir)
}

func TestCompletionOfAnotherShell(t *testing.T) {
	if script, err := Completion("tcsh"); err == nil {
		t.Errorf("got %q", script)
	}
}
