package awaitcmd

import (
	"os/exec"
	"strings"
	"testing"

	"git-continuity/internal/cli/clitest"
)

func TestHelpPages(t *testing.T) {
	clitest.CheckPages(t, Command, &grammar{})
}

func TestManual(t *testing.T) {
	clitest.CheckManual(t, Command, &grammar{}, "CONDITIONS", "REMOTES", "HANDLES", "OUTPUT", "CONFIGURATION")
	text := string(clitest.ReadFile(t, "man/git-await.1"))
	for _, needed := range []string{
		"continuity.trunk", "continuity.remote", "await.maxCall", "await.remoteInterval", "set \\-e", "|| status=$?",
		"\n.B 0\n", "\n.B 1\n", "\n.B 124\n", "\n.B 128\n", "\n.B 129\n", "\n.BR 130 \", \" 143\n",
	} {
		if !strings.Contains(text, needed) {
			t.Errorf("the manual page lacks %q", needed)
		}
	}
}

func TestManualRenders(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-Tascii", "-ww", "-z")
	cmd.Stdin = strings.NewReader(string(clitest.ReadFile(t, "man/git-await.1")))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// The idiom for scripts is copied by readers: it must survive "set -e".
func TestManualIdiomSurvivesErrexit(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed")
	}
	manual := string(clitest.ReadFile(t, "man/git-await.1"))
	_, idiom, _ := strings.Cut(manual, "\n.nf\nstatus=0\n")
	idiom, _, found := strings.Cut(idiom, ".fi\n")
	if !found {
		t.Fatal("the idiom is not where it was")
	}
	idiom = "status=0\n" + strings.ReplaceAll(idiom, `\-`, "-")
	for status, want := range map[string]string{"0": "merge main\nafter\n", "124": "not yet\nafter\n", "128": ""} {
		script := "set -e\ngit () { if test \"$1\" = await; then return " + status +
			"; else echo \"$@\"; fi; }\n" + idiom + "echo after\n"
		out, err := exec.Command(sh, "-c", script).Output()
		if string(out) != want || (err == nil) != (want != "") {
			t.Errorf("status %s: %q, %v", status, out, err)
		}
	}
}

func TestHelpNeedsNoGrammar(t *testing.T) {
	for _, test := range []struct {
		args string
		page string // the topic, or "-" where a page is not wanted
	}{
		{"-h", ""},
		{"--help", ""},
		{"help", ""},
		{"help list", "list"},
		{"help unknown", ""},
		{"list -h", "list"},
		{"forget C1-0000-0000-00 --help", "forget"},
		{"completion -h", "completion"},
		{"--landed topic -h", ""},
		{"--landed list -h", ""},
		{"--landed help", "-"},
		{"--landed=-h", "-"},
		{"list", "-"},
		{"list -- -h", "-"},
		{"", "-"},
	} {
		page, wanted := Command.Page(strings.Fields(test.args))
		if wanted != (test.page != "-") || wanted && page != Command.Pages[test.page] {
			t.Errorf("%q: %t, %q", test.args, wanted, page)
		}
	}
	version, wanted := Command.Page([]string{"list", "--version"})
	if !wanted || !strings.HasPrefix(version, "git-await ") || strings.Count(version, "\n") != 1 {
		t.Errorf("the version is %q", version)
	}
}
