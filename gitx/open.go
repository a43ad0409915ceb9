package gitx

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// OpenOptions say where a repository is looked for.
type OpenOptions struct {
	// Dir is where the search begins; "" is the working directory.
	Dir string
	// Env is the environment; the zero Env is that of the process.
	Env Env
}

// Open finds the repository of a directory as git finds it, GIT_DIR and its
// kind included, and reads its settings.
//
// The errors are *NotRepositoryError, *VersionError, and *ExitError with git's
// own message for a repository that git refuses: one of another owner, or of a
// format that this git does not know.
func Open(ctx context.Context, o OpenOptions) (*Repo, error) {
	outer := o.Env.resolved()
	if err := enterable(o.Dir); err != nil {
		return nil, &NotRepositoryError{Dir: o.Dir, Err: err}
	}
	program, err := outer.program("git")
	if err != nil {
		return nil, fmt.Errorf("find git in PATH: %w", err)
	}
	q := discovery{program: program, dir: o.Dir, env: outer.quiet().With("GIT_OPTIONAL_LOCKS=0")}
	// Three processes side by side cost about as much time as one.
	var (
		version string
		at      place
		config  *Config
		errs    [3]error
		wait    sync.WaitGroup
	)
	wait.Go(func() { version, errs[0] = q.version(ctx) })
	wait.Go(func() { at, errs[1] = q.place(ctx) })
	wait.Go(func() { config, errs[2] = q.config(ctx) })
	wait.Wait()
	// In this order: an old git may misunderstand the other questions, and
	// outside a repository the settings do not matter.
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return &Repo{
		program: program, env: pin(outer.quiet(), at, o.Dir), outer: outer,
		config: config, version: version, place: at,
	}, nil
}

// enterable reports why a directory cannot be the start of a search.
func enterable(dir string) error {
	if dir == "" {
		_, err := os.Getwd()
		return err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%q is not a directory", dir)
	}
	return err
}

// A discovery asks git about a directory.
type discovery struct {
	program, dir string
	env          Env
}

// ask runs one question.
func (q discovery) ask(ctx context.Context, args ...string) ([]byte, error) {
	in := invocation{program: q.program, args: args, dir: q.dir, env: q.env, maxStdout: DefaultMaxStdout, grace: Grace}
	return in.output(ctx)
}

// version returns the version of git, or a *VersionError.
func (q discovery) version(ctx context.Context) (string, error) {
	out, err := q.ask(ctx, "version")
	if err != nil {
		return "", err
	}
	found, err := parseVersion(string(out))
	if err != nil {
		return "", err
	}
	if !atLeast(found, Floor) {
		return "", &VersionError{Found: found, Floor: Floor}
	}
	return found, nil
}

// config returns the settings that hold in the directory.
func (q discovery) config(ctx context.Context) (*Config, error) {
	out, err := q.ask(ctx, "config", "--list", "-z", "--show-scope", "--show-origin")
	if err != nil {
		return nil, err
	}
	return parseConfig(out)
}

// place asks everything about the directory in one question. The last part of
// it is an error where there is no work tree; what was asked before has been
// answered then.
func (q discovery) place(ctx context.Context) (place, error) {
	// A path may hold a newline, so each ends in a word that no path holds:
	// rev-parse repeats an option that it does not know.
	separator := "--" + rand.Text()
	out, err := q.ask(ctx, "rev-parse", "--path-format=absolute",
		"--is-bare-repository", "--is-shallow-repository", "--show-object-format",
		"--git-dir", separator, "--git-common-dir", separator,
		"--git-path", "index", separator, "--git-path", "objects", separator,
		"--show-toplevel", separator)
	fields := strings.Split(string(out), "\n"+separator+"\n")
	if _, exited := Status(err); err != nil && (!exited || len(fields) != 5) {
		return place{}, q.refused(err)
	}
	facts := strings.SplitN(fields[0], "\n", 4)
	if len(facts) != 4 || len(fields) < 5 {
		return place{}, fmt.Errorf("read the answer of git rev-parse: %q", out)
	}
	format, err := ParseObjectFormat(facts[2])
	if err != nil {
		return place{}, err
	}
	return place{
		bare: facts[0] == "true", shallow: facts[1] == "true", format: format,
		gitDir: facts[3], commonDir: fields[1], indexFile: fields[2],
		objectDir: fields[3], topLevel: fields[4],
	}, nil
}

// pin returns env, found to mean a place when git ran in dir, with every variable
// that names a part of it made absolute, so that each child finds this repository
// and no other. The object directories and the
// shallow file stay where they were inherited: a hook of receive-pack sees
// objects in quarantine through them.
func pin(env Env, at place, dir string) Env {
	base := at.topLevel // git goes there before it reads them
	if base == "" {
		// Only the working directory could be unknown, and Open has looked.
		base, _ = filepath.Abs(dir)
	}
	var set []string
	for _, key := range []string{"GIT_SHALLOW_FILE", "GIT_QUARANTINE_PATH"} {
		if path, ok := env.Lookup(key); ok && path != "" {
			set = append(set, key+"="+absolute(base, path))
		}
	}
	if _, ok := env.Lookup("GIT_OBJECT_DIRECTORY"); ok {
		set = append(set, "GIT_OBJECT_DIRECTORY="+at.objectDir)
	}
	if _, ok := env.Lookup("GIT_INDEX_FILE"); ok {
		set = append(set, "GIT_INDEX_FILE="+at.indexFile)
	}
	if _, ok := env.Lookup("GIT_COMMON_DIR"); ok {
		set = append(set, "GIT_COMMON_DIR="+at.commonDir)
	}
	if at.topLevel != "" {
		set = append(set, "GIT_WORK_TREE="+at.topLevel)
	} else {
		// Without this git takes the directory it runs in for the work tree.
		set = append(set, "GIT_IMPLICIT_WORK_TREE=0")
	}
	return env.Without(placeVars...).With(append(set, "GIT_DIR="+at.gitDir)...)
}

// absolute returns path as seen from base.
func absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

// refused tells a directory outside any repository from a repository that git
// does not open. git has one status for both, so its words must decide; they
// are in the C locale.
func (q discovery) refused(err error) error {
	var exit *ExitError
	if errors.As(err, &exit) && strings.Contains("\n"+exit.Stderr, "\nfatal: not a git repository") {
		return &NotRepositoryError{Dir: q.dir, Stderr: exit.Stderr}
	}
	return err
}
