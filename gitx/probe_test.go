package gitx_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

// probeVar makes the test binary a program that git runs, as a hook or an alias:
// it opens the repository that it finds itself in and writes what it saw to the
// file that the variable names.
const probeVar = "GITX_TEST_PROBE"

// probeOtherVar names a directory that the probe opens with AtWorktree as well.
const probeOtherVar = "GITX_TEST_PROBE_OTHER"

// probeCommandVar holds git commands, one a line, that the probe runs in what
// it opened.
const probeCommandVar = "GITX_TEST_PROBE_COMMANDS"

// A sighting is what a probe saw.
type sighting struct {
	Err                         string
	TopLevel, GitDir, CommonDir string
	Name                        string
	Bare                        bool
	Setting                     string // probe.key
	Said                        []string
	Other                       *sighting
}

// view describes a repository.
func view(ctx context.Context, repo *gitx.Repo, commands []string) sighting {
	setting, _ := repo.Config().String("probe.key")
	s := sighting{
		TopLevel: repo.TopLevel(), GitDir: repo.GitDir(), CommonDir: repo.CommonDir(),
		Name: repo.WorktreeName(), Bare: repo.Bare(), Setting: setting,
	}
	for _, command := range commands {
		out, err := repo.Git(ctx, strings.Fields(command)...)
		if err != nil {
			out = []byte(err.Error())
		}
		s.Said = append(s.Said, strings.TrimSpace(string(out)))
	}
	return s
}

// probe is the program behind probeVar.
func probe(file string) error {
	ctx := context.Background()
	var seen sighting
	var commands []string
	if lines := os.Getenv(probeCommandVar); lines != "" {
		commands = strings.Split(lines, "\n")
	}
	repo, err := gitx.Open(ctx, gitx.OpenOptions{})
	if err != nil {
		seen.Err = err.Error()
	} else {
		seen = view(ctx, repo, commands)
		if dir := os.Getenv(probeOtherVar); dir != "" {
			other, err := repo.AtWorktree(ctx, dir)
			if err != nil {
				return err
			}
			s := view(ctx, other, commands)
			seen.Other = &s
		}
	}
	content, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}

func TestMain(m *testing.M) {
	if file := os.Getenv(probeVar); file != "" {
		if err := probe(file); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A prober runs git commands that run the probe.
type prober struct {
	t    *testing.T
	r    *gitxtest.Repo
	file string
	// Other is a directory to be opened with AtWorktree.
	Other string
	// Commands are run in each repository that is opened.
	Commands []string
}

// newProber installs the probe as the alias "probe" and makes it ready as a hook.
func newProber(t *testing.T, r *gitxtest.Repo) *prober {
	t.Helper()
	p := &prober{t: t, r: r, file: filepath.Join(t.TempDir(), "seen")}
	r.Git("config", "alias.probe", "!'"+p.program()+"'")
	return p
}

// program returns the path of the test binary.
func (p *prober) program() string {
	p.t.Helper()
	path, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	return path
}

// hook makes the probe a hook of a repository; its input is read by nobody.
func (p *prober) hook(name string) {
	p.t.Helper()
	dir := p.r.Git("rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Symlink(p.program(), filepath.Join(dir, name)); err != nil {
		p.t.Fatal(err)
	}
}

// run runs git in dir, with extra variables, and returns what the probe saw.
func (p *prober) run(dir string, env []string, args ...string) sighting {
	p.t.Helper()
	at := p.r.At(dir).WithEnv(append(env,
		probeVar+"="+p.file, probeOtherVar+"="+p.Other,
		probeCommandVar+"="+strings.Join(p.Commands, "\n"))...)
	at.Git(args...)
	content, err := os.ReadFile(p.file)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.Remove(p.file); err != nil {
		p.t.Fatal(err)
	}
	var seen sighting
	if err := json.Unmarshal(content, &seen); err != nil {
		p.t.Fatal(err)
	}
	if seen.Err != "" {
		p.t.Fatal(seen.Err)
	}
	return seen
}
