package continuity_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// A use is one mention of a name of an imported package, such as os.Exit. The
// rules look at mentions, not at calls: a function passed on is used as well.
type use struct {
	name  string // import path, dot, name
	where string
}

// uses lists the mentions in a source, whatever the package was renamed to. A
// variable that is called like an imported package counts as the package: it
// would mislead a reader too.
func (m *module) uses(s source) []use {
	local := map[string]string{}
	for _, spec := range s.file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		base := name[strings.LastIndex(name, "/")+1:]
		if spec.Name != nil {
			base = spec.Name.Name
		}
		local[base] = name
	}
	var all []use
	ast.Inspect(s.file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := selector.X.(*ast.Ident); ok && local[pkg.Name] != "" {
			all = append(all, use{local[pkg.Name] + "." + selector.Sel.Name, m.at(s, selector.Pos())})
		}
		return true
	})
	return all
}

// processStarters are the packages that may start a process, with the reason.
var processStarters = map[string]string{
	"gitx": "the one place that sets git's environment, bounds its output and ends it",
}

var processNames = []string{
	"os.StartProcess", "syscall.Exec", "syscall.ForkExec", "syscall.StartProcess",
	"golang.org/x/sys/unix.Exec", "golang.org/x/sys/unix.ForkExec",
}

// checkProcesses keeps the starting of processes where it is done with care.
func checkProcesses(m *module) []string {
	var breaches []string
	for _, s := range m.sources {
		if !s.shipped() || processStarters[s.dir] != "" {
			continue
		}
		for _, i := range m.imports(s) {
			if i.path == "os/exec" || i.path == "golang.org/x/sys/execabs" {
				breaches = append(breaches, i.where+": only gitx starts processes")
			}
		}
		for _, u := range m.uses(s) {
			if slices.Contains(processNames, u.name) {
				breaches = append(breaches, fmt.Sprintf("%s: %s: only gitx starts processes", u.where, u.name))
			}
		}
	}
	return breaches
}

// checkExit keeps the end of the process in the mains, where nothing is left to
// be cleaned up.
func checkExit(m *module) []string {
	exits := []string{
		"os.Exit", "syscall.Exit", "golang.org/x/sys/unix.Exit", "runtime.Goexit",
		"log.Fatal", "log.Fatalf", "log.Fatalln",
	}
	return m.forbid(exits, "only a main ends the process", func(s source) bool {
		return s.shipped() && !below(s.dir, "cmd")
	})
}

// checkEnvironment keeps the environment where it is read on purpose. The
// functions of os that find a user's directories read it too.
func checkEnvironment(m *module) []string {
	reads := []string{
		"os.Environ", "os.Getenv", "os.LookupEnv", "os.ExpandEnv", "os.Setenv", "os.Unsetenv", "os.Clearenv",
		"os.UserHomeDir", "os.UserConfigDir", "os.UserCacheDir",
		"syscall.Environ", "syscall.Getenv", "syscall.Setenv",
		"golang.org/x/sys/unix.Environ", "golang.org/x/sys/unix.Getenv",
	}
	return m.forbid(reads, "only internal/cli and gitx know the environment", func(s source) bool {
		return s.shipped() && s.dir != "internal/cli" && s.dir != "gitx"
	})
}

// checkSleep keeps tests from waiting for time instead of for what they wait for.
func checkSleep(m *module) []string {
	return m.forbid([]string{"time.Sleep"}, "a test waits for what happens, not for time", func(s source) bool {
		return !s.shipped()
	})
}

// forbid reports each mention of one of names in the sources that it applies to.
func (m *module) forbid(names []string, why string, applies func(source) bool) []string {
	var breaches []string
	for _, s := range m.sources {
		if !applies(s) {
			continue
		}
		for _, u := range m.uses(s) {
			if slices.Contains(names, u.name) {
				breaches = append(breaches, fmt.Sprintf("%s: %s: %s", u.where, u.name, why))
			}
		}
	}
	return breaches
}
