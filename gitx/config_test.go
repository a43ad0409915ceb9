package gitx_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// Every source that git knows is in the snapshot, in git's order.
func TestConfigSources(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("one", nil)
	linked := r.AddWorktree("linked", "topic")
	write := func(name, text string) string {
		path := filepath.Join(r.Root(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	included := write("included", "[probe]\n\tkey = included\n")
	conditional := write("conditional", "[probe]\n\tkey = conditional\n")
	never := write("never", "[probe]\n\tkey = never\n")
	global := write("global", "[probe]\n\tkey = global\n[include]\n\tpath = "+included+"\n"+
		"[includeIf \"gitdir:"+r.Dir+"/\"]\n\tpath = "+conditional+"\n[includeIf \"onbranch:no-such\"]\n\tpath = "+never+"\n")
	r.Git("config", "extensions.worktreeConfig", "true")
	r.Git("config", "--add", "probe.key", "local")
	linked.Git("config", "--worktree", "probe.key", "worktree")
	repo := r.OpenAt(linked.Dir, "GIT_CONFIG_GLOBAL="+global,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=probe.key", "GIT_CONFIG_VALUE_0=counted",
		"GIT_CONFIG_PARAMETERS='probe.key'='given'")
	want := []string{"global", "included", "conditional", "local", "worktree", "counted", "given"}
	if got := repo.Config().All("probe.key"); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if value, ok := repo.Config().String("PROBE.Key"); !ok || value != "given" {
		t.Errorf("what counts: %q, %v", value, ok)
	}
	var scopes []string
	for _, s := range repo.Config().Settings("probe.key") {
		scopes = append(scopes, s.Scope)
	}
	if !slices.Equal(scopes, []string{"global", "global", "global", "local", "worktree", "command", "command"}) {
		t.Errorf("scopes %q", scopes)
	}
	if s := repo.Config().Settings("probe.key")[1]; s.Origin != "file:"+included {
		t.Errorf("origin %q", s.Origin)
	}
	main := r.OpenAt(r.Dir, "GIT_CONFIG_GLOBAL="+global)
	if value, _ := main.Config().String("probe.key"); value != "local" {
		t.Errorf("the main worktree reads %q", value)
	}
}

func TestConfigShapes(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	value := "two\nlines = [odd]\n"
	r.Git("config", "probe.lines", value)
	r.Git("config", "probe.Sub.With.Dots.KEY", "1")
	r.Git("config", "probe.sub.with.dots.key", "2")
	r.Git("config", "remote.one.url", "x")
	r.Git("config", "remote.a.b.url", "y")
	r.Git("config", "remote.one.fetch", "z")
	r.Git("config", "probe.empty", "")
	file, err := os.OpenFile(r.Dir+"/.git/config", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("[remote]\n\tpushDefault = one\n[probe]\n\tbare\n"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	c := r.Open().Config()
	for key, want := range map[string]string{
		"probe.lines": value, "probe.Sub.With.Dots.key": "1", "Probe.sub.with.dots.Key": "2", "probe.empty": "", "probe.bare": "",
	} {
		if got, ok := c.String(key); !ok || got != want {
			t.Errorf("%s: got %q, %v", key, got, ok)
		}
	}
	for _, key := range []string{"probe.SUB.with.dots.key", "probe.missing", "probe", "", "."} {
		if got, ok := c.Lookup(key); ok {
			t.Errorf("%s: got %+v", key, got)
		}
	}
	if s, _ := c.Lookup("probe.bare"); s.HasValue {
		t.Error("a key without a value has one")
	}
	if s, _ := c.Lookup("probe.empty"); !s.HasValue {
		t.Error("a key with an empty value has none")
	}
	if got := c.Subsections("Remote"); !slices.Equal(got, []string{"one", "a.b"}) {
		t.Errorf("remotes %q", got)
	}
}

// Booleans and numbers are read as git itself reads them: git is the oracle.
func TestConfigTypesAreGits(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	values := []string{
		"", "true", "TRUE", "Yes", "on", "false", "No", "OFF", "0", "1", "2", "-1", "00", "maybe", "truee", " ", "t", "y",
		"1k", "1K", "2m", "3G", "-2k", "1kb", "k", "0k", "1 k", "+5", "+-5", "--5", "5 ", "010", "0x10", "0X1fk", "08", "0b1", "0o7", "1_000", "1.5", "1e3",
		"2147483647", "2147483648", "-2147483648", "2g", "1g", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"9007199254740991k", "9007199254740992k", "8589934591g", "8589934592g", "-8589934592g", "0x", "0xk", "-0x10", "\t7", "1t",
	}
	key := func(i int) string { return "probe." + strconv.Itoa(i) + ".key" }
	for i, value := range values {
		r.Git("config", key(i), value)
	}
	repo := r.Open()
	for i, value := range values {
		for _, kind := range []string{"bool", "int"} {
			out, refused := repo.Git(t.Context(), "config", "--type="+kind, key(i))
			got, err := typed(repo.Config(), kind, key(i))
			var bad *gitx.ConfigError
			if got != strings.TrimSpace(string(out)) || (err != nil) != (refused != nil) || (err != nil && !errors.As(err, &bad)) {
				t.Errorf("%q as %s: got %q, %v; git says %q, %v", value, kind, got, err, out, refused)
			}
		}
	}
}

// typed reads a key and prints it as git does.
func typed(c *gitx.Config, kind, key string) (string, error) {
	if kind == "bool" {
		value, ok, err := c.Bool(key)
		if err != nil || !ok {
			return "", err
		}
		return strconv.FormatBool(value), nil
	}
	value, ok, err := c.Int(key)
	if err != nil || !ok {
		return "", err
	}
	return strconv.FormatInt(value, 10), nil
}

func TestConfigUnset(t *testing.T) {
	for name, c := range map[string]*gitx.Config{
		"repository": gitxtest.New(t, gitxtest.Options{}).Open().Config(), "nil": nil,
	} {
		if _, ok, err := c.Bool("probe.key"); ok || err != nil {
			t.Errorf("%s: Bool says %v, %v", name, ok, err)
		}
		if _, ok, err := c.Int("probe.key"); ok || err != nil {
			t.Errorf("%s: Int says %v, %v", name, ok, err)
		}
		if got := c.All("probe.key"); got != nil {
			t.Errorf("%s: All says %q", name, got)
		}
		if got := c.Subsections("probe"); got != nil {
			t.Errorf("%s: Subsections says %q", name, got)
		}
	}
}
