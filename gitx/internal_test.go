package gitx

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnv(t *testing.T) {
	e := EnvOf("A=1", "B=2", "A=3", "broken", "=C:=x")
	if !slices.Equal(e.vars, []string{"A=3", "B=2"}) {
		t.Fatalf("got %q", e.vars)
	}
	changed := e.With("B=", "C=a=b").Without("A", "missing")
	if !slices.Equal(changed.vars, []string{"B=", "C=a=b"}) {
		t.Fatalf("got %q", changed.vars)
	}
	if value, ok := changed.Lookup("C"); !ok || value != "a=b" {
		t.Fatalf("got %q, %v", value, ok)
	}
	if value, ok := changed.Lookup("A"); ok {
		t.Fatalf("an unset variable is %q", value)
	}
	if value, ok := e.Lookup("A"); !ok || value != "3" {
		t.Fatalf("the first environment changed: A is %q, %v", value, ok)
	}
	t.Setenv("GITX_PROBE", "here")
	if value, _ := (Env{}).Lookup("GITX_PROBE"); value != "here" {
		t.Fatalf("the zero environment says %q", value)
	}
	if value, ok := EnvOf().Lookup("GITX_PROBE"); ok {
		t.Fatalf("the empty environment says %q", value)
	}
}

func TestProgramIgnoresRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	found, err := EnvOf("PATH=.::" + filepath.Dir(real)).program("git")
	if err != nil || found != real {
		t.Fatalf("got %q, %v", found, err)
	}
	if found, err := EnvOf("PATH=.").program("git"); !errors.Is(err, exec.ErrNotFound) {
		t.Fatalf("got %q, %v", found, err)
	}
}

// What git calls local must be known here, in each git that we run with.
func TestLocalVarsAreGits(t *testing.T) {
	program, err := (Env{}).program("git")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "rev-parse", "--local-env-vars").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		passedOn := name == "GIT_CONFIG_PARAMETERS" || name == "GIT_CONFIG_COUNT"
		if slices.Contains(localVars, name) == passedOn {
			t.Errorf("%s: passed on to other repositories: %v", name, !passedOn)
		}
	}
}

func TestVersions(t *testing.T) {
	for answer, want := range map[string]string{
		"git version 2.39.5\n":                  "2.39.5",
		"git version 2.39.5 (Apple Git-154)\n":  "2.39.5",
		"git version 2.45.1.windows.1\n":        "2.45.1.windows.1",
		"git version 2.47.GIT\n":                "2.47.GIT",
		"git version 2.50.0-rc1.12.gabcdef\r\n": "2.50.0-rc1.12.gabcdef",
		"hub version 2.14.2\n":                  "",
		"git version \n":                        "",
		"git version next\n":                    "",
		"":                                      "",
		"jit\ngit version 2.39.5\n":             "",
	} {
		if got, err := parseVersion(answer); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", answer, got, err)
		}
	}
	for _, test := range []struct {
		version string
		want    bool
	}{
		{"2.39.4", true}, {"2.39.5", true}, {"2.39.10", true}, {"2.40.0", true}, {"2.100.0", true},
		{"3.0.0", true}, {"3", true}, {"2.47.GIT", true}, {"2.45.1.windows.1", true}, {"2.40.0-rc0", true},
		{"2.39.3", false}, {"2.39", false}, {"2.39.GIT", false}, {"2.9.9", false}, {"1.99.99", false}, {"2.39.3.windows.9", false},
	} {
		if got := atLeast(test.version, Floor); got != test.want {
			t.Errorf("%s is at least %s: %v", test.version, Floor, got)
		}
	}
}

func TestWithoutUserInfo(t *testing.T) {
	for in, want := range map[string]string{
		"fatal: 'https://user:tok@host/a.git' not found": "fatal: 'https://host/a.git' not found",
		"https://tok@host":                   "https://host",
		"https://a:p@ss@host/x":              "https://host/x",
		"ssh://git@host:22/x https://b:c@d/": "ssh://host:22/x https://d/",
		"HTTPS://u:p@h/":                     "HTTPS://h/",
		"git+ssh://u@h/":                     "git+ssh://h/",
		"https://host/user@place":            "https://host/user@place",
		"https://host/ mail a@b":             "https://host/ mail a@b",
		"git@host:path":                      "git@host:path",
		"refs/heads/a@b":                     "refs/heads/a@b",
	} {
		if got := withoutUserInfo(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// However the writes are cut, no part of a password survives at the seams, and
// what is held stays bounded.
func TestExcerptSeams(t *testing.T) {
	const secret = "https://user:0123456789abcdef@host/path"
	for offset := range len(secret) + 2 {
		for _, chunk := range []int{1, 7, 4096, 1 << 20} {
			text := strings.Repeat("x", excerptPart-offset-1) + " " + secret + " " +
				strings.Repeat("y ", 3*excerptPart) + secret + " " + strings.Repeat("z", excerptPart-offset-1)
			e := &excerpt{}
			for part := range slices.Chunk([]byte(text), chunk) {
				if n, err := e.Write(part); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			got := e.String()
			if len(e.head) > excerptPart || len(e.tail) > excerptPart || len(got) > 2*excerptPart+100 {
				t.Fatalf("holds %d and %d bytes", len(e.head), len(e.tail))
			}
			for _, piece := range []string{"user:", "0123", "cdef", "ef@"} {
				if strings.Contains(got, piece) {
					t.Fatalf("offset %d: %q is in the excerpt", offset, piece)
				}
			}
		}
	}
}

func TestExcerptCutBothWaysAddsUp(t *testing.T) {
	e := &excerpt{}
	_, _ = e.Write([]byte(strings.Repeat("a ", excerptPart) + strings.Repeat("b ", excerptPart)))
	got := e.String()
	kept := len(strings.Fields(got)) - len(strings.Fields("[1 bytes left out]"))
	if !strings.Contains(got, "bytes left out]") || kept > excerptPart || kept < excerptPart-2 {
		t.Fatalf("kept %d words: %.50q", kept, got)
	}
}

func TestBatchSSH(t *testing.T) {
	config := func(out string) *Config {
		c, err := parseConfig([]byte(out))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	none := config("")
	own := config("global\x00file:x\x00core.sshcommand\nssh -i 'my key'\x00")
	simple := config("global\x00file:x\x00ssh.variant\nsimple\x00")
	for _, test := range []struct {
		name   string
		env    Env
		config *Config
		want   string
	}{
		{"default", EnvOf(), none, "ssh -oBatchMode=yes"},
		{"setting", EnvOf("GIT_SSH=/other"), own, "ssh -i 'my key' -oBatchMode=yes"},
		{"variable first", EnvOf("GIT_SSH_COMMAND=ssh -p 1", "GIT_SSH=/other"), own, "ssh -p 1 -oBatchMode=yes"},
		{"program", EnvOf("GIT_SSH=/my tools/ssh"), none, "'/my tools/ssh' -oBatchMode=yes"},
		{"quote", EnvOf("GIT_SSH=/it's/ssh"), none, `'/it'\''s/ssh' -oBatchMode=yes`},
		{"plink", EnvOf("GIT_SSH=/c/my tools/plink.exe"), none, "'/c/my tools/plink.exe' -batch"},
		{"empty variable", EnvOf("GIT_SSH_COMMAND="), own, "ssh -i 'my key' -oBatchMode=yes"},
		{"declared plink", EnvOf("GIT_SSH_COMMAND=wrap", "GIT_SSH_VARIANT=tortoiseplink"), none, "wrap -batch"},
		{"wrapper", EnvOf("GIT_SSH_COMMAND=my-wrapper"), none, "my-wrapper -oBatchMode=yes"},
		{"simple", EnvOf("GIT_SSH_COMMAND=wrap"), simple, ""},
		{"auto", EnvOf("GIT_SSH_COMMAND=plink", "GIT_SSH_VARIANT=auto"), simple, "plink -batch"},
	} {
		got := strings.Join(batchSSH(test.env, test.config), "\n")
		if want := "GIT_SSH_COMMAND=" + test.want; got != want && (test.want != "" || got != "") {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}

// Since 2.48 git may write the path of a worktree relative to its administrative
// folder. A folder without a path is no worktree.
func TestWorktreeNamesRelative(t *testing.T) {
	common := filepath.Join(t.TempDir(), "repo", ".git")
	for name, gitdir := range map[string]string{
		"near": "../../../../near/.git\n", "far": "/else where/far/.git\n", "broken": "",
	} {
		admin := filepath.Join(common, "worktrees", name)
		if err := os.MkdirAll(admin, 0o700); err != nil {
			t.Fatal(err)
		}
		if gitdir == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(admin, "gitdir"), []byte(gitdir), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names, err := (&Repo{place: place{commonDir: common}}).worktreeNames()
	near := filepath.Join(filepath.Dir(filepath.Dir(common)), "near")
	if want := map[string]string{near: "near", "/else where/far": "far"}; err != nil || !maps.Equal(names, want) {
		t.Errorf("got %q, %v", names, err)
	}
}

func TestParseWorktreesRefusesNonsense(t *testing.T) {
	for _, out := range []string{
		"HEAD 0000\x00", "worktree /a\x00HEAD xyz\x00\x00", "worktree /a\x00branch no ref..\x00\x00",
	} {
		if list, err := parseWorktrees([]byte(out)); err == nil {
			t.Errorf("%q: got %+v", out, list)
		}
	}
	if list, err := parseWorktrees([]byte("worktree /a\x00later news\x00\x00")); err != nil || len(list) != 1 {
		t.Errorf("an attribute of a later git: got %+v, %v", list, err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("local\x00file:x\x00a.b\nc\x00")
	f.Add("local\x00file:x\x00a.b\x00global\x00file:\x00a.B.c\n\n\x00")
	f.Add("x\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, out string) {
		c, err := parseConfig([]byte(out))
		if err != nil {
			return
		}
		var again strings.Builder
		for _, s := range c.settings {
			again.WriteString(s.Scope + "\x00" + s.Origin + "\x00" + s.Key)
			if s.HasValue {
				again.WriteString("\n" + s.Value)
			}
			again.WriteString("\x00")
		}
		if again.String() != out {
			t.Fatalf("%q came back as %q", out, again.String())
		}
	})
}

func FuzzParseWorktrees(f *testing.F) {
	f.Add("worktree /a\x00HEAD 0123456789012345678901234567890123456789\x00branch refs/heads/x\x00\x00")
	f.Add("worktree /a b\n\x00bare\x00locked why\x00\x00")
	f.Fuzz(func(t *testing.T, out string) {
		list, err := parseWorktrees([]byte(out))
		if err == nil && len(list) > strings.Count(out, "worktree") {
			t.Fatalf("%d worktrees in %q", len(list), out)
		}
	})
}
