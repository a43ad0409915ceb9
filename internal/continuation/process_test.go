package continuation

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The test binary is its own crowd: with roleVariable set it plays one process
// of it on the repository in dirVariable, until its input or work ends.
const (
	roleVariable = "CONTINUATION_TEST_ROLE"
	dirVariable  = "CONTINUATION_TEST_DIR"
)

func TestMain(m *testing.M) {
	role, ok := os.LookupEnv(roleVariable)
	if !ok {
		os.Exit(m.Run())
	}
	store := Open(os.Getenv(dirVariable), Options{})
	if err := map[string]func(*Store) error{"crowd": crowd, "victim": victim}[role](store); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crowd creates 12 records, saves each twice and removes every third; it prints
// what it leaves.
func crowd(s *Store) error {
	for n := range 12 {
		r, err := s.Create(bg, watch(n))
		if err != nil {
			return err
		}
		for range 2 {
			r.Watch = watch(n + 1000)
			if err := s.Save(bg, &r, nil); err != nil {
				return err
			}
		}
		if n%3 != 0 {
			fmt.Println(r.Handle, n+1000)
			continue
		}
		if err := s.Remove(bg, r.Handle); err != nil {
			return err
		}
	}
	return nil
}

// victim creates and saves for ever, and prints each record after the store has
// taken it.
func victim(s *Store) error {
	for n := 0; ; n++ {
		r, err := s.Create(bg, watch(n))
		if err != nil {
			return err
		}
		fmt.Println(r.Handle, n)
		r.Watch = watch(n + 1000)
		if err := s.Save(bg, &r, nil); err != nil {
			return err
		}
		fmt.Println(r.Handle, n+1000)
	}
}

func player(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, dirVariable+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// acknowledged reads "handle n" lines; the last line of a handle counts. A last
// line without its end was not acknowledged.
func acknowledged(t *testing.T, into map[Handle]string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		text, n, ok := strings.Cut(line, " ")
		h, err := Parse(text)
		if err != nil || !ok {
			t.Fatalf("a player printed %q", line)
		}
		into[h] = fmt.Sprintf(`{"n":%s}`, n)
	}
}

func TestManyProcesses(t *testing.T) {
	dir := t.TempDir()
	const players = 10
	outputs := make(chan string, players)
	for range players {
		cmd := player(t, "crowd", dir)
		go func() {
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("a player failed: %v", err)
			}
			outputs <- string(out)
		}()
	}
	want := map[Handle]string{}
	for range players {
		acknowledged(t, want, strings.Split(strings.TrimSpace(<-outputs), "\n")...)
	}
	if len(want) != players*8 {
		t.Fatalf("the players left %d records, want %d", len(want), players*8)
	}
	list, err := Open(dir, Options{}).List(bg)
	if err != nil || len(list) != len(want) {
		t.Fatalf("List has %d records, %v; want %d", len(list), err, len(want))
	}
	seen := map[uint64]Handle{}
	for _, l := range list {
		if l.Err != nil || string(l.Record.Watch) != want[l.Handle] {
			t.Errorf("%v: %s, %v; want %s", l.Handle, l.Record.Watch, l.Err, want[l.Handle])
		}
		if other, taken := seen[l.Record.Seq]; taken {
			t.Errorf("%v and %v have the same number %d", other, l.Handle, l.Record.Seq)
		}
		seen[l.Record.Seq] = l.Handle
	}
}

func TestManyProcessesAtTheLimit(t *testing.T) {
	s, c := rigged(t)
	// All of these are older than what the players write, and go before it.
	c.at = time.Now().Add(-time.Hour)
	fill(t, s, c, Limit-4)
	done := make(chan error)
	const players = 4
	for range players {
		cmd := player(t, "crowd", s.commonDir)
		go func() { done <- cmd.Run() }()
	}
	for range players {
		if err := <-done; err != nil {
			t.Errorf("a player failed: %v", err)
		}
	}
	if n := len(files(t, s)); n > Limit {
		t.Errorf("%d records, want at most %d", n, Limit)
	}
	list, err := s.List(bg)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.Err != nil {
			t.Errorf("%v: %v", l.Handle, l.Err)
		}
	}
}

func TestKilledWritersLoseNothing(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir, Options{})
	want := map[Handle]string{}
	for range 25 {
		maybe := killOne(t, dir, want)
		ctx, cancel := context.WithTimeout(bg, 10*time.Second)
		if err := s.Probe(ctx); err != nil {
			t.Fatalf("after a kill: %v", err)
		}
		list, err := s.List(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		verify(t, list, want, maybe)
	}
	create(t, s, 1)
	for _, name := range files(t, s) {
		if _, ok := handleOf(name); !ok {
			t.Errorf("the sweep left %q", name)
		}
	}
}

// killOne kills a victim after some of its acknowledgements, at whatever
// instruction it then is, and returns the handle it acknowledged last: of that
// one a later save may have come through.
func killOne(t *testing.T, dir string, want map[Handle]string) Handle {
	t.Helper()
	cmd := player(t, "victim", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var last string
	stop := 1 + rand.IntN(12)
	for n := 0; lines.Scan(); n++ {
		last = lines.Text()
		acknowledged(t, want, last)
		if n == stop {
			// Some work of no meaning moves the kill away from the print.
			for range rand.IntN(20) {
				_ = mustNew(t, seeded(0))
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	text, _, _ := strings.Cut(last, " ")
	h, err := Parse(text)
	if err != nil {
		t.Fatalf("the victim printed %q at last", last)
	}
	return h
}

func verify(t *testing.T, list []Listed, want map[Handle]string, maybe Handle) {
	t.Helper()
	found := map[Handle]bool{}
	for _, l := range list {
		found[l.Handle] = true
		if l.Err != nil {
			t.Errorf("half a record under its name: %v", l.Err)
			continue
		}
		got := string(l.Record.Watch)
		if expected, ok := want[l.Handle]; ok && got != expected && l.Handle != maybe {
			t.Errorf("%v holds %s, acknowledged was %s", l.Handle, got, expected)
		}
		want[l.Handle] = got
	}
	for h := range want {
		if !found[h] {
			t.Errorf("%v was acknowledged, and is lost", h)
		}
	}
}
