//go:build unix

// The scripts start programs in process groups and signal them, which only Unix
// has; on other systems the package tests stand alone.

package continuity_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

// environCommand prints its environment; the harness asks it what a script has
// set so far, which testscript does not tell.
const environCommand = "harness-environ"

func TestMain(m *testing.M) {
	programs := map[string]func(){
		environCommand: func() { _ = json.NewEncoder(os.Stdout).Encode(os.Environ()) },
	}
	for name, run := range commands {
		programs[name] = run
	}
	testscript.Main(m, programs)
}

// A pass is one run of all scripts: a git program and the defaults of the
// repositories that it makes.
type pass struct {
	name     string
	git      string // absolute path, or empty for the first in PATH
	reftable bool
	sha256   bool
}

// passes is the matrix. The second pass needs a git that knows reftable.
func passes(t *testing.T) []pass {
	all := []pass{{name: "floor-files-sha1"}}
	const variable = "CONTINUITY_TEST_GIT"
	program := os.Getenv(variable)
	if program == "" {
		t.Logf("%s is not set: the pass newer-reftable-sha256 is skipped", variable)
		return all
	}
	newer := pass{name: "newer-reftable-sha256", git: program, reftable: true, sha256: true}
	if !newer.atLeast(t, 2, 45) {
		t.Logf("%s names a git before 2.45: the pass %s is skipped", variable, newer.name)
		return all
	}
	return append(all, newer)
}

func TestScripts(t *testing.T) {
	for _, p := range passes(t) {
		t.Run(p.name, func(t *testing.T) {
			testscript.Run(t, p.params(t))
		})
	}
}

func (p pass) params(t *testing.T) testscript.Params {
	return testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               p.setup,
		Condition:           func(cond string) (bool, error) { return p.holds(t, cond) },
		Cmds:                scriptCommands,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
}

// setup makes the environment of one script. Nothing of the developer's is in
// it but PATH: testscript starts from an empty one, and HOME does not exist.
func (p pass) setup(env *testscript.Env) error {
	config := filepath.Join(env.WorkDir, ".gitconfig")
	if err := os.WriteFile(config, []byte("[init]\n\tdefaultBranch = main\n"), 0o644); err != nil {
		return err
	}
	if p.git != "" {
		env.Setenv("PATH", filepath.Dir(p.git)+string(filepath.ListSeparator)+env.Getenv("PATH"))
	}
	for _, kind := range []string{"CONFIG", "STATE", "CACHE", "DATA"} {
		env.Setenv("XDG_"+kind+"_HOME", filepath.Join(env.WorkDir, ".xdg", strings.ToLower(kind)))
	}
	for _, setting := range [][2]string{
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_CONFIG_GLOBAL", config},
		{"GIT_CEILING_DIRECTORIES", filepath.Dir(env.WorkDir)},
		{"GIT_TERMINAL_PROMPT", "0"},
		{"GIT_AUTHOR_NAME", "A U Thor"},
		{"GIT_AUTHOR_EMAIL", "author@example.com"},
		{"GIT_COMMITTER_NAME", "C O Mitter"},
		{"GIT_COMMITTER_EMAIL", "committer@example.com"},
		{"TZ", "UTC"},
		{"LC_ALL", "C"},
		{"TERM", "dumb"},
		// The race detector would hold every command for a second at its end.
		{"GORACE", strings.TrimSpace(os.Getenv("GORACE") + " atexit_sleep_ms=10")},
	} {
		env.Setenv(setting[0], setting[1])
	}
	if p.reftable {
		env.Setenv("GIT_DEFAULT_REF_FORMAT", "reftable")
	}
	if p.sha256 {
		env.Setenv("GIT_DEFAULT_HASH", "sha256")
	}
	s := &state{clock: time.Unix(1_800_000_000, 0).UTC(), jobs: map[string]*job{}, snapshots: map[string]snapshot{}}
	if limited, ok := env.T().(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := limited.Deadline(); ok {
			// What a script's failure still has to print and clean up needs time.
			s.deadline = deadline.Add(-10 * time.Second)
		}
	}
	if tb, ok := env.T().(testing.TB); ok {
		s.tb = tb
	}
	env.Setenv("GIT_AUTHOR_DATE", s.date())
	env.Setenv("GIT_COMMITTER_DATE", s.date())
	env.Values[stateKey{}] = s
	env.Defer(s.killJobs)
	return nil
}

var gitCondition = regexp.MustCompile(`^git:(\d+)\.(\d+)$`)

// holds answers the conditions that testscript does not know.
func (p pass) holds(t *testing.T, cond string) (bool, error) {
	switch cond {
	case "reftable":
		return p.reftable, nil
	case "sha256":
		return p.sha256, nil
	case "root":
		return os.Geteuid() == 0, nil
	}
	if m := gitCondition.FindStringSubmatch(cond); m != nil {
		major, _ := strconv.Atoi(m[1])
		minor, _ := strconv.Atoi(m[2])
		return p.atLeast(t, major, minor), nil
	}
	return false, fmt.Errorf("unknown condition %q; testdata/script/README.md lists them", cond)
}

var gitVersion = regexp.MustCompile(`^git version (\d+)\.(\d+)`)

// atLeast reports whether the git of the pass has at least this version.
func (p pass) atLeast(t *testing.T, major, minor int) bool {
	t.Helper()
	program := p.git
	if program == "" {
		program = "git"
	}
	out, err := exec.Command(program, "version").Output()
	if err != nil {
		t.Fatalf("ask %q for its version: %v", program, err)
	}
	m := gitVersion.FindStringSubmatch(string(out))
	if m == nil {
		t.Fatalf("%q does not tell its version: %q", program, out)
	}
	gotMajor, _ := strconv.Atoi(m[1])
	gotMinor, _ := strconv.Atoi(m[2])
	return gotMajor > major || gotMajor == major && gotMinor >= minor
}
