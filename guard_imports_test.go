package continuity_test

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	modulePath = "git-continuity"
	kongPath   = "github.com/alecthomas/kong"
)

// allowedImports has every package with what it may import beyond the standard
// library; a path without a dot in its first element is one of ours. A package
// that is not here fails, so that nobody adds one without a thought of where it
// stands. docs/architecture.md draws the same picture.
var allowedImports = map[string][]string{
	".":                     nil,
	"cmd/git-await":         {"internal/cli", "internal/cli/awaitcmd"},
	"gitx":                  nil,
	"gitx/gitxtest":         {"gitx"},
	"internal/accept":       {"gitx", "internal/adminstate", "internal/document", "internal/gate", "internal/landing", "internal/refusal"},
	"internal/adminstate":   {"internal/refusal", "github.com/gofrs/flock", "golang.org/x/sys/unix"},
	"internal/await":        {"gitx", "internal/continuation", "internal/gate", "internal/landing", "internal/refusal", "internal/trunk", "github.com/fsnotify/fsnotify"},
	"internal/cli":          {"gitx", "internal/refusal", "internal/secret", kongPath, "golang.org/x/sys/unix", "golang.org/x/term"},
	"internal/cli/awaitcmd": {"gitx", "internal/accept", "internal/await", "internal/cli", "internal/continuation", "internal/gate", "internal/landing", "internal/refusal", "internal/trunk", kongPath},
	"internal/cli/clitest":  {"internal/cli", "internal/refusal", kongPath, "github.com/google/jsonschema-go/jsonschema"},
	"internal/continuation": {"internal/adminstate", "internal/refusal"},
	"internal/document":     nil,
	"internal/gate":         {"gitx", "internal/adminstate", "internal/document", "internal/refusal"},
	"internal/landing":      {"gitx", "internal/document"},
	"internal/refusal":      nil,
	"internal/secret":       nil,
	"internal/trunk":        {"gitx", "internal/refusal"},
}

// testOnly are modules and packages that tests may import anywhere, and nothing
// that is shipped may: go-git is an oracle, never the storage.
var testOnly = []string{
	"github.com/go-git/go-git/v5",
	"github.com/google/jsonschema-go",
	"github.com/rogpeppe/go-internal",
	"gitx/gitxtest",
	"internal/cli/clitest",
}

// imported is one import of a source, ours without the module's name.
type imported struct {
	path  string
	where string
}

func (m *module) imports(s source) []imported {
	var all []imported
	for _, spec := range s.file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it already
		}
		name = strings.TrimPrefix(name, modulePath+"/")
		all = append(all, imported{path: name, where: m.at(s, spec.Pos())})
	}
	return all
}

// ours reports whether an import is a package of this module.
func ours(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"cmd", "gitx", "hooks", "internal"}, first)
}

// standard reports whether an import is of the standard library.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !ours(name) && !strings.Contains(first, ".")
}

// checkImports holds every package to its line in the table.
func checkImports(m *module) []string {
	var breaches []string
	unknown := map[string]bool{}
	for _, s := range m.sources {
		allowed, known := allowedImports[s.dir]
		if !known && !unknown[s.dir] {
			unknown[s.dir] = true
			breaches = append(breaches, fmt.Sprintf("%s: the package is not in the table of imports", s.dir))
		}
		for _, spec := range s.file.Imports {
			if spec.Name != nil && spec.Name.Name == "." {
				breaches = append(breaches, m.at(s, spec.Pos())+": a dot import hides what is used")
			}
		}
		for _, i := range m.imports(s) {
			if !known || standard(i.path) || slices.Contains(allowed, i.path) || s.test && (s.dir == "." || i.path == s.dir || fromAny(testOnly, i.path)) {
				continue
			}
			breaches = append(breaches, fmt.Sprintf("%s: %s may not import %q", i.where, s.dir, i.path))
		}
	}
	return breaches
}

func fromAny(roots []string, name string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return below(name, root) })
}

// layer is how high a package stands: imports go down, or stay among the
// domain packages. It is independent of the table, which may be edited in haste.
func layer(dir string) int {
	switch {
	case below(dir, "cmd"):
		return 4
	case below(dir, "internal/cli") && dir != "internal/cli":
		return 3
	case dir == "internal/cli":
		return 2
	case below(dir, "internal"):
		return 1
	}
	return 0
}

// checkDirection holds the module to cmd → internal/cli → domain → gitx → the
// standard library.
func checkDirection(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		if s.test || s.dir == "." {
			continue
		}
		for _, i := range m.imports(s) {
			switch {
			case !standard(i.path) && !ours(i.path) && layer(s.dir) == 0 && s.shipped():
				breaches = append(breaches, fmt.Sprintf("%s: %s imports nothing but the standard library, not %q", i.where, s.dir, i.path))
			case ours(i.path) && (layer(i.path) > layer(s.dir) || layer(i.path) == layer(s.dir) && layer(s.dir) > 1):
				breaches = append(breaches, fmt.Sprintf("%s: %s imports %s, which stands above or beside it", i.where, s.dir, i.path))
			}
		}
	}
	return breaches
}

// checkKong keeps the parser library where command lines are read.
func checkKong(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		for _, i := range m.imports(s) {
			if below(i.path, kongPath) && !below(s.dir, "internal/cli") {
				breaches = append(breaches, i.where+": kong is for internal/cli alone")
			}
		}
	}
	return breaches
}

// checkTestImports keeps testing and its helpers out of what is shipped.
func checkTestImports(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		for _, i := range m.imports(s) {
			if s.shipped() && (i.path == "testing" || strings.HasPrefix(i.path, "testing/") || fromAny(testOnly, i.path) || ours(i.path) && helperPackage(path.Base(i.path))) {
				breaches = append(breaches, fmt.Sprintf("%s: %q is for tests alone", i.where, i.path))
			}
		}
	}
	return breaches
}
