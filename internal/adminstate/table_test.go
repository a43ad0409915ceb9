package adminstate

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Table() {
		where := string(p.Scope) + ":" + p.Folder + "/" + p.File
		if seen[where] {
			t.Errorf("%s stands in the table twice", where)
		}
		seen[where] = true
		if p.Holds == "" || p.Lifetime == "" || p.File == "" {
			t.Errorf("%s: the row lacks what it holds, its lifetime or its file", where)
		}
		if p.Scope != Repository && p.Scope != Worktree {
			t.Errorf("%s: scope %q", where, p.Scope)
		}
		if p.Mode != fileMode {
			t.Errorf("%s: mode %o, want 0600", where, p.Mode)
		}
		if p.File != LockName && p.MaxBytes <= 0 {
			t.Errorf("%s: no limit of size", where)
		}
		if strings.ContainsAny(p.File, `/\`) || strings.HasPrefix(p.Folder, "/") || strings.Contains(p.Folder, "..") {
			t.Errorf("%s: not a path below the folder", where)
		}
	}
}

// The page of formats names every file, so that no row is added in silence.
func TestTableIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Table() {
		path := strings.Join(append(p.folders(), p.File), "/")
		if !regexp.MustCompile("(?m)`[^`\n]*" + regexp.QuoteMeta(path) + "`").Match(page) {
			t.Errorf("docs/formats.md does not name `%s`", path)
		}
	}
}

func TestNamesAreReadBack(t *testing.T) {
	p := Place{File: "<id>.json"}
	for _, id := range []string{"a", "C1-0000-0000-C1", ".json", "a.json", "é"} {
		if back, ok := p.ID(p.Name(id)); !ok || back != id {
			t.Errorf("ID(Name(%q)) = %q, %v", id, back, ok)
		}
	}
	for _, name := range []string{"", ".json", "json", "a.jso", "a.json~"} {
		if id, ok := p.ID(name); ok {
			t.Errorf("ID(%q) = %q, want none", name, id)
		}
	}
	fixed := Place{File: "positions.json"}
	if _, ok := fixed.ID("positions.json"); ok || fixed.Name("x") != "positions.json" {
		t.Error("a fixed name takes no id")
	}
}
