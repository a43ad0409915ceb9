package landing_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"testing"

	"git-continuity/gitx/gitxtest"
)

// importer writes the commits of a large history for git fast-import.
type importer struct {
	bytes.Buffer
	mark, clock int
}

// commit adds a commit to a ref that edits one of 200 files in 20 folders; from
// is a commit to begin at, or "".
func (i *importer) commit(ref, from string, file, line int) {
	i.mark++
	i.clock++
	content := lines(30, map[int]string{line: fmt.Sprint("edit ", i.mark)})
	fmt.Fprintf(i, "commit %s\nmark :%d\ncommitter C <c@example.com> %d +0000\ndata 0\n", ref, i.mark, 1_600_000_000+i.clock)
	if from != "" {
		fmt.Fprintf(i, "from %s\n", from)
	}
	fmt.Fprintf(i, "M 100644 inline d%d/f%d\ndata %d\n%s\n", file%20, file%200, len(content), content)
}

// BenchmarkTrunkMoved times one evaluation of a branch of 300 commits after a
// move of 50, on a trunk of 100,000, beside what git takes for its patch ids. The
// trunk touches half of the branch's files, or all of them.
func BenchmarkTrunkMoved(b *testing.B) {
	for name, files := range map[string]int{"half of 200 files": 200, "all of 40 files": 40} {
		b.Run(name, func(b *testing.B) { benchmarkTrunkMoved(b, files) })
	}
}

func benchmarkTrunkMoved(b *testing.B, files int) {
	r := gitxtest.New(b, gitxtest.Options{Bare: true})
	i := &importer{}
	for n := range 100_000 {
		i.commit("refs/heads/main", "", n, 1+n%12)
	}
	base := fmt.Sprint(":", i.mark)
	for n := range 300 {
		from := ""
		if n == 0 {
			from = base
		}
		i.commit("refs/heads/topic", from, n%files, 18+n%10)
	}
	for n := range 100 {
		from := ""
		if n == 0 {
			from = base
		}
		i.commit("refs/heads/main", from, n%files, 1+n%12)
	}
	r.GitInput(i.String(), "fast-import", "--quiet")
	r.Git("repack", "-adfq") // what fast-import writes is slow to read
	s := &stage{Repo: r, t: b}
	b.Run("judge", func(b *testing.B) {
		repo := r.Open()
		tip, old, moved := s.Rev("topic"), s.Rev("main~50"), s.Rev("main")
		for b.Loop() {
			b.StopTimer()
			j := newJudge(b, repo)
			if _, err := j.Landed(context.Background(), tip, old); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if v, err := j.Landed(context.Background(), tip, moved); err != nil || v.Landed {
				b.Fatalf("%+v, %v", v, err)
			}
		}
	})
	for _, args := range [][]string{
		{"log", "--cherry-pick", "--right-only", "--format=%H", "main...topic"},
		{"cherry", "main", "topic"},
	} {
		b.Run("git "+args[0], func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(r.Program(), args...)
				cmd.Dir, cmd.Env = r.Dir, r.Environ()
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}
