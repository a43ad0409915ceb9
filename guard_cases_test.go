package continuity_test

import (
	"strings"
	"testing"
	"testing/fstest"
)

// A breach is a small module that breaks one rule.
type breach struct {
	rule  string
	files map[string]string
	want  string // what the report contains; empty if the rule must be silent
}

const (
	fooDoc  = "// Package foo is here so that a rule has something to look at, and it is explained at such length that nobody can object.\n"
	longRun = "\tprintln()\n"
)

func one(name, content string) map[string]string { return map[string]string{name: content} }

// breaches has at least one module for each rule that breaks it, and where a
// rule has an exception, one that does not.
var breaches = []breach{
	{"imports", one("internal/foo/foo.go", "package foo"), "internal/foo: the package is not in the table"},
	{"imports", one("internal/refusal/a.go", "package refusal\nimport \"git-continuity/gitx\""), `internal/refusal may not import "gitx"`},
	{"imports", one("gitx/a.go", "package gitx\nimport \"github.com/gofrs/flock\""), `gitx may not import "github.com/gofrs/flock"`},
	{"imports", one("gitx/a.go", "package gitx\nimport . \"os\""), "gitx/a.go:2: a dot import"},
	{"imports", one("gitx/a_test.go", "package gitx\nimport \"github.com/alecthomas/kong\""), "may not import"},
	{"imports", one("gitx/a_test.go", "package gitx_test\nimport (\n\"os\"\n\"git-continuity/gitx\"\n\"git-continuity/gitx/gitxtest\"\n\"github.com/go-git/go-git/v5/plumbing\"\n)"), ""},
	{"direction", one("gitx/a.go", "package gitx\nimport \"git-continuity/internal/refusal\""), "gitx imports internal/refusal, which stands above"},
	{"direction", one("gitx/a.go", "package gitx\nimport \"golang.org/x/sys/unix\""), "nothing but the standard library"},
	{"direction", one("internal/await/a.go", "package await\nimport \"git-continuity/internal/cli\""), "stands above or beside"},
	{"direction", one("internal/cli/a.go", "package cli\nimport \"git-continuity/internal/cli/awaitcmd\""), "stands above or beside"},
	{"direction", one("internal/cli/awaitcmd/a.go", "package awaitcmd\nimport \"git-continuity/internal/cli/handovercmd\""), "stands above or beside"},
	{"direction", one("internal/await/a.go", "package await\nimport (\n\"git-continuity/internal/refusal\"\n\"git-continuity/gitx\"\n)"), ""},
	{"kong", one("internal/await/a.go", "package await\nimport \"github.com/alecthomas/kong\""), "kong is for internal/cli alone"},
	{"kong", one("internal/await/a_test.go", "package await\nimport \"github.com/alecthomas/kong\""), "kong is for internal/cli alone"},
	{"kong", one("internal/cli/awaitcmd/a.go", "package awaitcmd\nimport \"github.com/alecthomas/kong\""), ""},
	{"test code", one("gitx/a.go", "package gitx\nimport \"testing\""), `"testing" is for tests alone`},
	{"test code", one("gitx/a.go", "package gitx\nimport \"testing/fstest\""), `"testing/fstest" is for tests alone`},
	{"test code", one("gitx/a.go", "package gitx\nimport \"github.com/go-git/go-git/v5/plumbing\""), "is for tests alone"},
	{"test code", one("internal/await/a.go", "package await\nimport \"git-continuity/gitx/gitxtest\""), "is for tests alone"},
	{"test code", one("gitx/gitxtest/a.go", "package gitxtest\nimport \"testing\""), ""},
	{"processes", one("internal/await/a.go", "package await\nimport \"os/exec\""), "only gitx starts processes"},
	{"processes", one("internal/await/a.go", "package await\nimport o \"os\"\nvar _ = o.StartProcess"), "os.StartProcess: only gitx"},
	{"processes", one("internal/await/a.go", "package await\nimport \"syscall\"\nfunc f() { syscall.ForkExec(\"\", nil, nil) }"), "syscall.ForkExec: only gitx"},
	{"processes", one("gitx/a.go", "package gitx\nimport \"os/exec\""), ""},
	{"processes", one("internal/await/a_test.go", "package await\nimport \"os/exec\""), ""},
	{"exit", one("internal/cli/a.go", "package cli\nimport \"os\"\nfunc f() { os.Exit(1) }"), "internal/cli/a.go:3: os.Exit"},
	{"exit", one("gitx/a.go", "package gitx\nimport \"log\"\nfunc f() { log.Fatalf(\"\") }"), "log.Fatalf"},
	{"exit", one("cmd/git-await/main.go", "package main\nimport \"os\"\nfunc main() { os.Exit(1) }"), ""},
	{"environment", one("internal/await/a.go", "package await\nimport \"os\"\nvar _ = os.Getenv(\"X\")"), "os.Getenv: only internal/cli"},
	{"environment", one("internal/cli/awaitcmd/a.go", "package awaitcmd\nimport \"os\"\nvar _ = os.Environ()"), "os.Environ: only internal/cli"},
	{"environment", one("internal/trust/a.go", "package trust\nimport \"os\"\nvar _, _ = os.UserHomeDir()"), "os.UserHomeDir: only internal/cli"},
	{"environment", one("internal/cli/a.go", "package cli\nimport \"os\"\nvar _, _ = os.LookupEnv(\"X\")"), ""},
	{"sleep", one("gitx/a_test.go", "package gitx\nimport \"time\"\nfunc f() { time.Sleep(1) }"), "gitx/a_test.go:3: time.Sleep"},
	{"sleep", one("gitx/gitxtest/a.go", "package gitxtest\nimport \"time\"\nfunc f() { time.Sleep(1) }"), "time.Sleep"},
	{"sleep", one("gitx/a.go", "package gitx\nimport \"time\"\nfunc f() { time.Sleep(1) }"), ""},
	{"package docs", one("foo/a.go", "package foo"), "0 files have a package comment"},
	{"package docs", map[string]string{"foo/a.go": fooDoc + "package foo", "foo/b.go": fooDoc + "package foo"}, "2 files have a package comment"},
	{"package docs", one("foo/a.go", "// Foo does things.\npackage foo"), `does not begin with "Package foo"`},
	{"package docs", one("foo/a.go", "// Package foo does things.\npackage foo"), "too short"},
	{"package docs", one("cmd/x/main.go", "package main"), "0 files have a package comment"},
	{"package docs", map[string]string{"foo/a.go": fooDoc + "package foo", "foo/a_test.go": "package foo"}, ""},
	{"name docs", one("foo/a.go", "package foo\nfunc Run() {}"), "foo/a.go:2: Run has no comment"},
	{"name docs", one("foo/a.go", "package foo\n// Starts it.\nfunc Run() {}"), "Run has no comment that begins"},
	{"name docs", one("foo/a.go", "package foo\n// A T is one.\ntype T[V any] struct{}\nfunc (t *T[V]) Run() {}"), "Run has no comment"},
	{"name docs", one("foo/a.go", "package foo\ntype T int"), "T has no comment"},
	{"name docs", one("foo/a.go", "package foo\n// Kinds.\ntype (\nT int\n)"), "T has no comment"},
	{"name docs", one("foo/a.go", "package foo\nvar A, B = 1, 2"), "B has no comment"},
	{"name docs", one("foo/a.go", "package foo\n// The kinds.\nconst (\nA = 1\nB = 2\n)\ntype t int\nfunc (t) Run() {}\n// An Edit changes.\ntype Edit int"), ""},
	{"getters", one("foo/a.go", "package foo\nfunc GetRef() {}"), "GetRef: a getter is called by its noun"},
	{"getters", one("foo/a.go", "package foo\nfunc Getter() {}\nfunc Get() {}"), ""},
	{"sizes", one("foo/a.go", "package foo\n"+strings.Repeat("\n", 400)), "401 lines, over the 400"},
	{"sizes", one("foo/a_test.go", "package foo\n"+strings.Repeat("\n", 500)), "501 lines, over the 500"},
	{"sizes", one("foo/a.go", "package foo\nfunc f() {\n"+strings.Repeat(longRun, 79)+"}\n"), "f has 81 lines, over the 80"},
	{"sizes", one("foo/a.go", "package foo\nfunc f() {\n"+strings.Repeat(longRun, 78)+"}\n"+strings.Repeat("\n", 319)), ""},
	{"file names", one("internal/utils/a.go", "package utils"), `internal/utils/a.go: "utils" names nothing`},
	{"file names", one("foo/common.go", "package foo"), "names nothing"},
	{"file names", one("foo/helpers_test.go", "package foo"), "names nothing"},
	{"file names", one("foo/commonly.go", "package foo"), ""},
	{"markers", one("foo/a.go", "package foo // TO"+"DO: more"), "foo/a.go:1:"},
	{"markers", one("README.md", "one\nFIX"+"ME"), "README.md:2:"},
	{"markers", one("docs/a.md", "C1-XX"+"XX-XX"+"XX-XX"), ""},
	{"surroundings", one("docs/a.md", "see /wo"+"rk/notes"), "docs/a.md:1:"},
	{"surroundings", one("foo/a.go", "package foo\nvar _ = \"/ro"+"ot/x\""), "foo/a.go:2:"},
	{"surroundings", one("Makefile", "X=/ho"+"me/me/bin"), "Makefile:1:"},
	{"surroundings", one("Makefile", "../shar"+"ed/tool"), "outside the project"},
	{"surroundings", one(".ci/run", "../shar"+"ed/tool"), ""},
	{"surroundings", one("a.md", "$X/wo"+"rk/a and a/wo"+"rk/b"), ""},
	{"manual pages", one("cmd/git-await/main.go", "package main"), "there is no man/git-await.1"},
	{"manual pages", map[string]string{"cmd/git-x/main.go": "package main", "man/git-x.1": page("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES")}, `"EXIT STATUS" is not there`},
	{"manual pages", map[string]string{"cmd/git-x/main.go": "package main", "man/git-x.1": page("NAME", "DESCRIPTION", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES")}, `"DESCRIPTION" is not there, or not in its place`},
	{"manual pages", map[string]string{"cmd/git-x/main.go": "package main", "man/git-x.1": page("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "OUTPUT", "EXIT STATUS", "EXAMPLES")}, ""},
	{"scripted", one("cmd/git-nothing/main.go", "package main"), "cmd/git-nothing: commands_test.go does not have it"},
	{"dependencies", map[string]string{"go.mod": "module x\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0 // indirect\n)\n", "docs/decisions/0001.md": "example.com/a"}, "names `example.com/a`"},
	{"dependencies", one("go.mod", "module x\nrequire example.com/a v1.0.0\n"), "names `example.com/a`"},
	{"dependencies", map[string]string{"go.mod": "require (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0 // indirect\n)\n", "docs/decisions/0001.md": "`example.com/a`: because"}, ""},
}

// page is a manual page with these sections.
func page(sections ...string) string {
	return ".Dd today\n.Sh " + strings.Join(sections, "\n.Pp\n.Sh ") + "\n"
}

// TestGuardCatches breaks every rule in a small module, so that no rule is one
// that cannot fail.
func TestGuardCatches(t *testing.T) {
	caught := map[string]bool{}
	for _, b := range breaches {
		root := fstest.MapFS{}
		for name, content := range b.files {
			root[name] = &fstest.MapFile{Data: []byte(content)}
		}
		m, err := load(root)
		if err != nil {
			t.Fatalf("%s: %v: %v", b.rule, b.files, err)
		}
		report := strings.Join(rules[b.rule](m), "\n")
		if b.want == "" {
			if report != "" {
				t.Errorf("%s: reported without need:\n%s\nin %q", b.rule, report, b.files)
			}
			continue
		}
		caught[b.rule] = true
		if !strings.Contains(report, b.want) {
			t.Errorf("%s: no %q in the report %q on %q", b.rule, b.want, report, b.files)
		}
	}
	for name := range rules {
		if !caught[name] {
			t.Errorf("no breach shows that the rule %q can fail", name)
		}
	}
}
