//go:build unix

package continuity_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeTour does what README promises a newcomer: the one command that it
// names builds and installs the suite into a home that holds nothing, no cache
// of a build and no identity included, and then every line of the tour answers
// what is printed there. Handles, commits and dates differ; that the same handle
// is meant by two lines does not.
func TestReadmeTour(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const install = "\n```\n./install.sh\n```\n"
	if !strings.Contains(string(readme), install) {
		t.Fatalf("README does not name the command %q", install)
	}
	home := goHome(t)
	env := newcomer(t, home)
	command := exec.Command("./install.sh")
	command.Env = env
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("install.sh: %v\n%s", err, out)
	}
	tour := startTour(t, home, env)
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		for line := range strings.Lines(block[1]) {
			if typed, ok := strings.CutPrefix(line, "$ "); ok {
				tour.say(typed)
			} else {
				tour.expect(strings.TrimSuffix(line, "\n"))
			}
		}
	}
	tour.end()
}

// newcomer is the environment of somebody who has Go and git and nothing else.
// Modules come from where the tests have them, so that this needs no network.
func newcomer(t *testing.T, home string) []string {
	t.Helper()
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	goBin, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	path := []string{filepath.Join(home, ".local", "bin"), filepath.Dir(goBin), "/usr/local/bin", "/usr/bin", "/bin"}
	return []string{
		"HOME=" + home, "PATH=" + strings.Join(path, string(os.PathListSeparator)),
		"GOMODCACHE=" + strings.TrimSpace(string(modules)), "GOFLAGS=-modcacherw", "LC_ALL=C",
	}
}

// A tour is a shell to which lines are typed, and which is read as on a screen.
type tour struct {
	t      *testing.T
	shell  *exec.Cmd
	stdin  io.WriteCloser
	screen *bufio.Reader
	// handles maps the handles that README prints to those that came instead.
	handles map[string]string
}

func startTour(t *testing.T, home string, env []string) *tour {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh")
	shell.Dir, shell.Env = home, env
	stdin, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	shell.Stdout, shell.Stderr = writer, writer
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	return &tour{t: t, shell: shell, stdin: stdin, screen: bufio.NewReader(reader), handles: map[string]string{}}
}

func (o *tour) say(line string) {
	for printed, real := range o.handles {
		line = strings.ReplaceAll(line, printed, real)
	}
	if _, err := io.WriteString(o.stdin, line); err != nil {
		o.t.Fatal(err)
	}
}

var varying = regexp.MustCompile(`C1-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}|[0-9a-f]{40}|[0-9]{4}-[0-9]{2}-[0-9]{2}`)

// expect reads one line and compares it with the one that README prints.
func (o *tour) expect(want string) {
	got, err := o.screen.ReadString('\n')
	if err != nil {
		o.t.Fatalf("README prints %q, and the shell has ended: %v", want, err)
	}
	got = strings.TrimSuffix(got, "\n")
	printed, came := varying.FindAllString(want, -1), varying.FindAllString(got, -1)
	if varying.ReplaceAllString(want, "*") != varying.ReplaceAllString(got, "*") {
		o.t.Fatalf("README prints %q\nwhat came is   %q", want, got)
	}
	for i, handle := range printed {
		if !strings.HasPrefix(handle, "C1-") {
			continue
		}
		if known := o.handles[handle]; known != "" && known != came[i] {
			o.t.Fatalf("README means one handle by %q, and %q and %q came", want, known, came[i])
		}
		o.handles[handle] = came[i]
	}
}

// end checks that nothing more was printed.
func (o *tour) end() {
	o.stdin.Close()
	rest, err := io.ReadAll(o.screen)
	if err != nil || len(rest) > 0 {
		o.t.Errorf("README ends, and the shell goes on with %q (%v)", rest, err)
	}
	if err := o.shell.Wait(); err != nil {
		o.t.Error(err)
	}
}
