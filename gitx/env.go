package gitx

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An Env is an environment: an immutable list of KEY=value entries. The zero
// Env stands for the environment of the process.
type Env struct {
	vars []string
}

// EnvOf returns an environment that holds vars ("KEY=value") and nothing else.
// Of two entries for one key the later wins.
func EnvOf(vars ...string) Env {
	return Env{vars: merge(nil, vars)}
}

// With returns e with vars ("KEY=value") set.
func (e Env) With(vars ...string) Env {
	return Env{vars: merge(e.resolved().vars, vars)}
}

// Without returns e with the variables of these names unset.
func (e Env) Without(keys ...string) Env {
	gone := make(map[string]bool, len(keys))
	for _, key := range keys {
		gone[key] = true
	}
	kept := []string{}
	for _, v := range e.resolved().vars {
		if key, _, _ := strings.Cut(v, "="); !gone[key] {
			kept = append(kept, v)
		}
	}
	return Env{vars: kept}
}

// Lookup returns the value of a variable, and whether it is set.
func (e Env) Lookup(key string) (string, bool) {
	for _, v := range e.resolved().vars {
		if name, value, ok := strings.Cut(v, "="); ok && name == key {
			return value, true
		}
	}
	return "", false
}

// resolved returns e, or the environment of the process where e is zero.
func (e Env) resolved() Env {
	if e.vars != nil {
		return e
	}
	return EnvOf(os.Environ()...)
}

// merge returns a fresh list of old and then added entries, one per key. An
// entry without a key is dropped: it can name nothing.
func merge(old, added []string) []string {
	vars := make([]string, 0, len(old)+len(added))
	at := make(map[string]int, len(old)+len(added))
	for _, list := range [][]string{old, added} {
		for _, v := range list {
			key, _, ok := strings.Cut(v, "=")
			if !ok || key == "" {
				continue
			}
			if i, seen := at[key]; seen {
				vars[i] = v
				continue
			}
			at[key] = len(vars)
			vars = append(vars, v)
		}
	}
	return vars
}

// program finds an executable in the PATH of e. A relative entry of PATH is
// passed over, so that no checkout can put its own program in the way.
func (e Env) program(name string) (string, error) {
	path, _ := e.Lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// localVars are the variables that tie a process to one repository or one of
// its checkouts: what `git rev-parse --local-env-vars` lists, and the two that
// receive-pack adds. The two that carry settings (GIT_CONFIG_PARAMETERS and
// GIT_CONFIG_COUNT) are not among them: git itself passes them on to other
// repositories.
var localVars = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR",
	"GIT_INDEX_FILE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_QUARANTINE_PATH",
}

// placeVars are those of localVars that a Repo replaces by absolute paths.
var placeVars = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR",
	"GIT_INDEX_FILE", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX",
}

// meaningVars change what the arguments of a command mean, or what
// `git config` reads. They belong to the command that the user typed, not to
// the ones that follow from it.
var meaningVars = []string{
	"GIT_CONFIG", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
	"GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_REPLACE_REF_BASE",
}

// noFile names a file that cannot exist: the null device is no directory. The
// null device itself will not do for GIT_GRAFT_FILE, since git prints advice
// about every grafts file that it can open.
var noFile = filepath.Join(os.DevNull, "none")

// quiet returns e as every git child gets it: locale C, no questions, no
// replacement objects or grafts.
func (e Env) quiet() Env {
	return e.Without(meaningVars...).With(
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=",
		"SSH_ASKPASS=",
		"GCM_INTERACTIVE=never",
		"GIT_PAGER=cat",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE="+noFile,
	)
}
