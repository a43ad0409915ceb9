package continuity_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"git-continuity/gitx/gitxtest"
)

var benchTable = flag.Bool("bench.table", false, "measure the commands beside git and print a table")

// TestBenchTable prints what docs/performance.md quotes: each figure beside a
// floor that was measured in the same run, since absolute times mean nothing on
// a shared machine. It asserts nothing; make bench runs it.
func TestBenchTable(t *testing.T) {
	if !*benchTable {
		t.Skip("make bench runs it: go test -run TestBenchTable . -bench.table")
	}
	b := newBench(t)
	defer b.table.Flush()
	fmt.Fprintln(b.table, "what\tmedian\tp99\tbeside\tratio")
	b.startUp()
	b.oneLook()
	b.wakeUp()
	b.pollingLoops()
	b.idle()
}

type bench struct {
	t     *testing.T
	repo  *gitxtest.Repo
	bin   string
	table *tabwriter.Writer
	tip   string
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, repo: gitxtest.New(t, gitxtest.Options{}), bin: filepath.Dir(builtBinary(t, "git-await"))}
	b.table = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	b.tip = b.repo.CommitTo("refs/heads/main", "base").String()
	b.repo.Git("branch", "topic")
	return b
}

func (b *bench) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.t.Context(), name, args...)
	cmd.Dir = b.repo.Dir
	cmd.Env = append(b.repo.Environ(), "PATH="+b.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// times runs two commands in turn, so that both meet the same machine.
func (b *bench) times(n int, commands ...[]string) [][]time.Duration {
	taken := make([][]time.Duration, len(commands))
	for range n {
		for i, args := range commands {
			cmd := b.command(args[0], args[1:]...)
			began := time.Now()
			_ = cmd.Run()
			taken[i] = append(taken[i], time.Since(began))
		}
	}
	return taken
}

func (b *bench) row(what string, taken []time.Duration, beside string, floor []time.Duration) {
	fmt.Fprintf(b.table, "%s\t%v\t%v\t%s %v\t%.2f\n", what, round(quantile(taken, 0.5)), round(quantile(taken, 0.99)),
		beside, round(quantile(floor, 0.5)), float64(quantile(taken, 0.5))/float64(quantile(floor, 0.5)))
}

func quantile(d []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func round(d time.Duration) time.Duration {
	if d < time.Millisecond {
		return d.Round(time.Microsecond)
	}
	return d.Round(10 * time.Microsecond)
}

// startUp compares "git await -h" with what git takes to dispatch to any
// external program, here the smallest one that Go builds.
func (b *bench) startUp() {
	source := filepath.Join(b.t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.t.Fatal(err)
	}
	foo := filepath.Join(b.bin, "git-foo")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", foo, source).CombinedOutput(); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
	taken := b.times(200, []string{"git", "await", "-h"}, []string{"git", "foo"})
	b.row("git await -h", taken[0], "git foo", taken[1])
	taken = b.times(200, []string{"git", "await", "--trunk-moved", "--timeout", "0"}, []string{"git", "rev-parse", "HEAD"})
	b.row("git await --timeout 0, whole process", taken[0], "git rev-parse", taken[1])
}

// oneLook is measured in process by its package; the row is printed here so
// that one table has it all.
func (b *bench) oneLook() {
	for _, pkg := range []string{"./internal/await", "./internal/continuation", "./gitx"} {
		cmd := exec.CommandContext(b.t.Context(), "go", "test", "-run", "^$", "-bench", ".", "-benchtime", "300ms", pkg)
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.t.Fatalf("%v\n%s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "Benchmark") {
				fmt.Fprintln(b.table, strings.Join(strings.Fields(line), " "))
			}
		}
	}
}

// A waiting is one blocking process whose first line of stderr has been read.
type waiting struct {
	cmd    *exec.Cmd
	answer chan time.Time
	gone   chan time.Time
}

func (b *bench) wait(cmd *exec.Cmd, announced string) *waiting {
	w := &waiting{cmd: cmd, answer: make(chan time.Time, 1), gone: make(chan time.Time, 1)}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	go func() {
		lines := bufio.NewReader(stdout)
		_, _ = lines.ReadString('\n')
		w.answer <- time.Now()
		_, _ = io.Copy(io.Discard, lines)
		_ = cmd.Wait()
		w.gone <- time.Now()
	}()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, announced) {
		b.t.Fatalf("waiter said %q (%v)", line, err)
	}
	return w
}

// move moves the trunk and returns when it began and when git was done.
func (b *bench) move() (began, ended time.Time) {
	tree := b.repo.Git("rev-parse", b.tip+"^{tree}")
	next := b.repo.Git("commit-tree", "-p", b.tip, "-m", "next", tree)
	cmd := b.command("git", "update-ref", "refs/heads/main", next, b.tip)
	began = time.Now()
	if err := cmd.Run(); err != nil {
		b.t.Fatal(err)
	}
	b.tip = next
	return began, time.Now()
}

func (b *bench) wakeUp() {
	var answered, seen, ended []time.Duration
	for range 100 {
		w := b.wait(b.command(filepath.Join(b.bin, "git-await"), "--trunk-moved"), "watching")
		settle(w.cmd.Process.Pid)
		began, done := b.move()
		answer, gone := <-w.answer, <-w.gone
		answered = append(answered, answer.Sub(began))
		seen = append(seen, answer.Sub(done))
		ended = append(ended, gone.Sub(began))
	}
	fmt.Fprintf(b.table, "wake-up: answer after update-ref starts\t%v\t%v\n", round(quantile(answered, 0.5)), round(quantile(answered, 0.99)))
	fmt.Fprintf(b.table, "wake-up: answer after update-ref has ended\t%v\t%v\n", round(quantile(seen, 0.5)), round(quantile(seen, 0.99)))
	fmt.Fprintf(b.table, "wake-up: process gone after update-ref starts\t%v\t%v\n", round(quantile(ended, 0.5)), round(quantile(ended, 0.99)))
}

// loopScript is what people write today, with its period as an argument.
const loopScript = `echo polling >&2
start=$(git rev-parse main)
while test "$(git rev-parse main)" = "$start"; do sleep "$1"; done
echo moved`

func (b *bench) pollingLoops() {
	for _, period := range []string{"1", "2"} {
		var answered []time.Duration
		for range 12 {
			w := b.wait(b.command("sh", "-c", loopScript, "sh", period), "polling")
			<-time.After(time.Duration(500+rand.IntN(2000)) * time.Millisecond)
			began, _ := b.move()
			answered = append(answered, (<-w.answer).Sub(began))
			<-w.gone
		}
		fmt.Fprintf(b.table, "wake-up of a polling loop, every %s s\t%v\t%v\n", period, round(quantile(answered, 0.5)), round(quantile(answered, 0.99)))
	}
}

// idle compares processor time and memory of a waiter with a loop's. A second
// waiter runs beside it, since what two processes share is private to neither.
func (b *bench) idle() {
	const span = 20 * time.Second
	w := b.wait(b.command(filepath.Join(b.bin, "git-await"), "--landed", "topic"), "watching")
	other := b.wait(b.command(filepath.Join(b.bin, "git-await"), "--landed", "topic"), "watching")
	l := b.wait(b.command("sh", "-c", loopScript, "sh", "1"), "polling")
	settle(w.cmd.Process.Pid)
	started := cpuOf(w.cmd.Process.Pid)
	<-time.After(span)
	memory := memoryOf(w.cmd.Process.Pid)
	cpu := cpuOf(w.cmd.Process.Pid) - started
	b.move()
	for _, waiter := range []*waiting{w, other} {
		_ = waiter.cmd.Process.Kill()
		<-waiter.gone
	}
	<-l.gone
	state := l.cmd.ProcessState
	loop := state.UserTime() + state.SystemTime()
	minutes := span.Minutes()
	fmt.Fprintf(b.table, "processor time of a waiter and its git, a minute\t%v\t\tloop of 1 s %v\t%.3f\n",
		round(time.Duration(float64(cpu)/minutes)), round(time.Duration(float64(loop)/minutes)), float64(cpu)/float64(loop))
	fmt.Fprintf(b.table, "memory of a waiter\t%s\n", memory)
}

// settle returns once the process sleeps, waiting for its events.
func settle(pid int) {
	for range 500 {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return
		}
		if _, state, _ := bytes.Cut(data, []byte(") ")); len(state) > 0 && state[0] == 'S' {
			<-time.After(20 * time.Millisecond)
			return
		}
		<-time.After(time.Millisecond)
	}
}
