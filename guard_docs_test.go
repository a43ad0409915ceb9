package continuity_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode"
)

// minDocWords is how long a package comment is at least: one that says why the
// package exists apart has more to say than a name.
const minDocWords = 20

// checkPackageDocs asks every package for one comment that introduces it.
func checkPackageDocs(m *module) []string {
	docs := map[string][]source{} // a package without a comment is there too
	for _, s := range m.sources {
		switch {
		case s.test:
		case s.file.Doc != nil:
			docs[s.dir] = append(docs[s.dir], s)
		case docs[s.dir] == nil:
			docs[s.dir] = []source{}
		}
	}
	var breaches []string
	for dir, with := range docs {
		if len(with) != 1 {
			breaches = append(breaches, fmt.Sprintf("%s: %d files have a package comment, one must", dir, len(with)))
			continue
		}
		text := with[0].file.Doc.Text()
		name := with[0].file.Name.Name
		switch {
		case name == "main":
			// A command is introduced by what it does; its manual says the rest.
			continue
		case !strings.HasPrefix(text, "Package "+name+" "):
			breaches = append(breaches, fmt.Sprintf("%s: the package comment does not begin with %q", with[0].path, "Package "+name))
		case len(strings.Fields(text)) < minDocWords:
			breaches = append(breaches, fmt.Sprintf("%s: the package comment is too short to say why the package exists apart", with[0].path))
		}
	}
	slices.Sort(breaches)
	return breaches
}

// checkNameDocs asks every exported name for a comment; one on a type or
// function begins with the name, as godoc shows it.
func checkNameDocs(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		if s.test || s.file.Name.Name == "main" {
			continue
		}
		for _, decl := range s.file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() && exportedReceiver(decl) && !introduces(decl.Doc, decl.Name.Name) {
					breaches = append(breaches, fmt.Sprintf("%s: %s has no comment that begins with its name", m.at(s, decl.Pos()), decl.Name.Name))
				}
			case *ast.GenDecl:
				breaches = append(breaches, m.undocumented(s, decl)...)
			}
		}
	}
	return breaches
}

// undocumented reports the exported names of a declaration that lack a comment.
// Constants and variables may share the comment of their group.
func (m *module) undocumented(s source, decl *ast.GenDecl) []string {
	var breaches []string
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			doc := spec.Doc
			if doc == nil && !decl.Lparen.IsValid() {
				doc = decl.Doc
			}
			if spec.Name.IsExported() && !introduces(doc, spec.Name.Name) {
				breaches = append(breaches, fmt.Sprintf("%s: %s has no comment that begins with its name", m.at(s, spec.Pos()), spec.Name.Name))
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() && spec.Doc == nil && spec.Comment == nil && decl.Doc == nil {
					breaches = append(breaches, fmt.Sprintf("%s: %s has no comment", m.at(s, name.Pos()), name.Name))
				}
			}
		}
	}
	return breaches
}

// introduces reports whether a comment begins with a name, perhaps after an
// article.
func introduces(doc *ast.CommentGroup, name string) bool {
	if doc == nil {
		return false
	}
	words := strings.Fields(doc.Text())
	if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		words = words[1:]
	}
	return len(words) > 1 && strings.TrimRight(words[0], ",.:") == name
}

// exportedReceiver reports whether a function is no method, or one of an
// exported type: godoc shows no others.
func exportedReceiver(decl *ast.FuncDecl) bool {
	if decl.Recv == nil {
		return true
	}
	receiver := decl.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return false
		}
	}
}

// checkGetters refuses names such as GetBranch: the noun says it.
func checkGetters(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		for _, decl := range s.file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			rest, found := strings.CutPrefix(fn.Name.Name, "Get")
			if found && rest != "" && unicode.IsUpper([]rune(rest)[0]) {
				breaches = append(breaches, fmt.Sprintf("%s: %s: a getter is called by its noun", m.at(s, fn.Pos()), fn.Name.Name))
			}
		}
	}
	return breaches
}

// The sizes up to which a reader keeps the whole in mind, in lines.
const (
	maxFileLines     = 400
	maxTestFileLines = 500
	maxFuncLines     = 80
)

// checkSizes holds files and functions to their limits.
func checkSizes(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		limit := maxFileLines
		if !s.shipped() {
			limit = maxTestFileLines
		}
		if lines := strings.Count(m.files[s.path], "\n"); lines > limit {
			breaches = append(breaches, fmt.Sprintf("%s: %d lines, over the %d of a file", s.path, lines, limit))
		}
		for _, decl := range s.file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if lines := m.line(fn.End()) - m.line(fn.Pos()) + 1; lines > maxFuncLines {
					breaches = append(breaches, fmt.Sprintf("%s: %s has %d lines, over the %d of a function", m.at(s, fn.Pos()), fn.Name.Name, lines, maxFuncLines))
				}
			}
		}
	}
	return breaches
}

func (m *module) line(pos token.Pos) int { return m.fset.Position(pos).Line }

// checkFileNames refuses names that say nothing about what is inside.
func checkFileNames(m *module) []string {
	empty := []string{"util", "utils", "common", "helper", "helpers", "misc"}
	var breaches []string
	for _, name := range m.paths() {
		for _, part := range strings.Split(name, "/") {
			stem, _, _ := strings.Cut(strings.TrimSuffix(part, "_test.go"), ".")
			if slices.Contains(empty, strings.ToLower(stem)) {
				breaches = append(breaches, fmt.Sprintf("%s: %q names nothing", name, path.Base(part)))
			}
		}
	}
	return breaches
}
