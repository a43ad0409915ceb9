package continuity_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rules are what the guard holds the module to. A rule reports each breach as
// "path: what is wrong"; guard_cases_test.go has a breach for each.
var rules = map[string]func(*module) []string{
	"imports":      checkImports,
	"direction":    checkDirection,
	"kong":         checkKong,
	"test code":    checkTestImports,
	"processes":    checkProcesses,
	"exit":         checkExit,
	"environment":  checkEnvironment,
	"sleep":        checkSleep,
	"package docs": checkPackageDocs,
	"name docs":    checkNameDocs,
	"getters":      checkGetters,
	"sizes":        checkSizes,
	"file names":   checkFileNames,
	"markers":      checkMarkers,
	"surroundings": checkSurroundings,
	"manual pages": checkManualPages,
	"scripted":     checkScripted,
	"dependencies": checkDependencies,
}

func TestGuard(t *testing.T) {
	m, err := load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.sources) == 0 {
		t.Fatal("the guard sees no Go file")
	}
	for name, check := range rules {
		t.Run(name, func(t *testing.T) {
			for _, breach := range check(m) {
				t.Error(breach)
			}
		})
	}
}

// A module is what the rules look at: all its files, the Go files parsed.
type module struct {
	files   map[string]string // by slash-separated path
	sources []source          // sorted by path
	fset    *token.FileSet
}

// A source is one Go file.
type source struct {
	path string
	dir  string // "." for the root
	test bool   // ends in _test.go
	file *ast.File
}

// load reads the module below root. What git ignores here is left out: bin,
// hidden folders other than those of CI, and the leavings of go test.
func load(root fs.FS) (*module, error) {
	m := &module{files: map[string]string{}, fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		switch {
		case entry.IsDir() && (name == "bin" || strings.HasPrefix(base, ".") && name != "." && name != ".ci" && name != ".github"):
			return fs.SkipDir
		case !entry.Type().IsRegular(), base == ".git", strings.HasSuffix(base, ".test"), strings.HasSuffix(base, ".prof"):
			return nil
		}
		content, err := fs.ReadFile(root, name)
		m.files[name] = string(content)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the module: %w", err)
	}
	return m, m.parse()
}

// parse parses the Go files that are compiled: those below testdata are not.
func (m *module) parse() error {
	for _, name := range m.paths() {
		if path.Ext(name) != ".go" || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		file, err := parser.ParseFile(m.fset, name, m.files[name], parser.ParseComments)
		if err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		m.sources = append(m.sources, source{
			path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), file: file,
		})
	}
	return nil
}

// paths are the paths of all files, sorted.
func (m *module) paths() []string {
	paths := make([]string, 0, len(m.files))
	for name := range m.files {
		paths = append(paths, name)
	}
	slices.Sort(paths)
	return paths
}

// commandNames are the directories of cmd.
func (m *module) commandNames() []string {
	var names []string
	for name := range m.files {
		if parts := strings.Split(name, "/"); len(parts) > 2 && parts[0] == "cmd" {
			names = append(names, parts[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// shipped reports whether a file is part of what users run: no test, and no
// package that only tests import.
func (s source) shipped() bool {
	return !s.test && !helperPackage(s.dir)
}

// helperPackage reports whether a package is one that only tests import.
func helperPackage(dir string) bool {
	return strings.HasSuffix(filepath.Base(dir), "test")
}

// below reports whether dir is root or lies below it.
func below(dir, root string) bool {
	return dir == root || strings.HasPrefix(dir, root+"/")
}

// at names a place in a source for a breach.
func (m *module) at(s source, pos token.Pos) string {
	return fmt.Sprintf("%s:%d", s.path, m.fset.Position(pos).Line)
}
