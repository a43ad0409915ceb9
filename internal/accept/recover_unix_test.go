//go:build unix

package accept

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// interrupted is a scene in which an acceptance was killed after a step.
func interrupted(t *testing.T, step string) *scene {
	t.Helper()
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	s.killedAt(step, landing.FastForward)
	return s
}

// A merge that was cut short leaves files of both commits, in the work tree and
// in the index.
func TestHalfMovedTrunkIsFinished(t *testing.T) {
	for name, leave := range map[string]func(s *scene){
		"one file":     func(s *scene) { s.Write(gitxtest.Files{"a": "new\n"}) },
		"a new file":   func(s *scene) { s.Write(gitxtest.Files{"d/c": "new\n"}) },
		"a removal":    func(s *scene) { _ = os.Remove(filepath.Join(s.Dir, "b")) },
		"files, index": func(s *scene) { s.Git("read-tree", "--reset", "-u", s.tip.String()) },
		"index alone":  func(s *scene) { s.Git("read-tree", s.tip.String()) },
		"mixed": func(s *scene) {
			s.Git("read-tree", s.tip.String())
			s.Write(gitxtest.Files{"a": "new\n"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := interrupted(t, "journal")
			leave(s)
			if s.Git("status", "--porcelain") == "" {
				t.Fatal("nothing was left half done")
			}
			s.finished(name, landing.FastForward)
		})
	}
}

func TestHalfMovedTrunkWithSomebodysWork(t *testing.T) {
	for name, c := range map[string]struct {
		leave func(s *scene)
		path  string
	}{
		"edited":    {func(s *scene) { s.Write(gitxtest.Files{"a": "mine\n"}) }, "a"},
		"untracked": {func(s *scene) { s.Write(gitxtest.Files{"x": "mine\n"}) }, "x"},
		"staged": {func(s *scene) {
			s.Write(gitxtest.Files{"a": "mine\n"})
			s.Git("add", "a")
			s.Write(gitxtest.Files{"a": "new\n"})
		}, "a"},
		"mode": {func(s *scene) { _ = os.Chmod(filepath.Join(s.Dir, "a"), 0o755) }, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			s := interrupted(t, "journal")
			s.Write(gitxtest.Files{"d/c": "new\n"})
			c.leave(s)
			before := s.Git("status", "--porcelain")
			_, err := Run(context.Background(), s.Open(), s.options())
			if refusal.CodeOf(err) != refusal.TrunkDirty || !strings.Contains(err.Error(), `["`+c.path+`"]`) {
				t.Fatalf("%v", err)
			}
			if after := s.Git("status", "--porcelain"); after != before || s.Rev("main") != s.root || len(s.journals()) != 1 {
				t.Errorf("the checkout has\n%s\nwas\n%s", after, before)
			}
			s.Git("reset", "-q", "--", c.path)
			if c.path == "x" {
				s.Git("clean", "-fq", "--", c.path)
			} else {
				s.Git("checkout", "-q", "--", c.path)
			}
			s.finished(name, landing.FastForward)
		})
	}
}

func TestHalfRemovedWorktreeIsFinished(t *testing.T) {
	for name, paths := range map[string][]string{
		"a file": {"a"}, "its link": {".git"}, "both": {"a", ".git"}, "all files": {"a", "d", ".gitignore"}, "everything": {""},
	} {
		t.Run(name, func(t *testing.T) {
			s := interrupted(t, "removal-begun")
			for _, path := range paths {
				if err := os.RemoveAll(filepath.Join(s.topic.Dir, path)); err != nil {
					t.Fatal(err)
				}
			}
			s.finished(name, landing.FastForward)
		})
	}
}

// Work that was done in a worktree after its removal had begun is work.
func TestHalfRemovedWorktreeWithSomebodysWork(t *testing.T) {
	for name, file := range map[string]string{"edited": "d/c", "untracked": "x", "ignored": "x.o"} {
		t.Run(name, func(t *testing.T) {
			s := interrupted(t, "removal-begun")
			if err := os.Remove(filepath.Join(s.topic.Dir, ".git")); err != nil {
				t.Fatal(err)
			}
			s.topic.Write(gitxtest.Files{file: "mine\n"})
			result := s.accept(s.options())
			if result.WorktreeRemoved || result.BranchDeleted || !strings.Contains(result.KeptBecause, file) {
				t.Errorf("%+v", result)
			}
			if content, err := os.ReadFile(filepath.Join(s.topic.Dir, file)); string(content) != "mine\n" || err != nil {
				t.Errorf("the file is now %q, %v", content, err)
			}
		})
	}
}

// Git looks once more before it removes: what came after the look is kept, and a
// file that is deleted after that is uncommitted work again.
func TestWorkBetweenTheLookAndTheRemoval(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	o := s.options()
	o.Step = func(step string) {
		if step == "removal-begun" {
			s.topic.Write(gitxtest.Files{"x": "mine\n"})
		}
	}
	result, err := Run(context.Background(), s.Open(), o)
	if err != nil || result.Err == nil || result.WorktreeRemoved || result.Retry == "" || !s.exists("refs/heads/topic") {
		t.Fatalf("%+v, %v", result, err)
	}
	if err := os.Remove(filepath.Join(s.topic.Dir, "x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.topic.Dir, "a")); err != nil {
		t.Fatal(err)
	}
	if result := s.accept(s.options()); result.WorktreeRemoved || !strings.Contains(result.KeptBecause, `"a"`) {
		t.Errorf("%+v", result)
	}
}

func TestInterruptedAndOvertaken(t *testing.T) {
	t.Run("the branch went on", func(t *testing.T) {
		s := interrupted(t, "trunk")
		next := s.topic.Commit("more", gitxtest.Files{"e": "1\n"})
		result := s.accept(s.options())
		if result.Note != landing.NoteWritten || !strings.Contains(result.KeptBecause, "went on") || s.Rev("topic") != next || len(s.journals()) > 0 {
			t.Errorf("%+v", result)
		}
	})
	t.Run("the branch went on after its worktree had gone", func(t *testing.T) {
		s := interrupted(t, "worktree")
		next := s.CommitTo("refs/heads/topic", "more")
		result := s.accept(s.options())
		if result.BranchDeleted || !strings.Contains(result.KeptBecause, "went on") || s.Rev("topic") != next {
			t.Errorf("%+v", result)
		}
	})
	t.Run("the trunk went on before", func(t *testing.T) {
		s := interrupted(t, "journal")
		s.Commit("elsewhere", nil)
		s.refused(s.options(), refusal.BehindTrunk)
	})
	t.Run("the trunk went on after", func(t *testing.T) {
		s := interrupted(t, "trunk")
		next := s.Commit("elsewhere", nil)
		if result := s.accept(s.options()); result.LandedCommit != s.tip || !result.BranchDeleted || s.Rev("main") != next {
			t.Errorf("%+v", result)
		}
	})
	t.Run("another method", func(t *testing.T) {
		s := interrupted(t, "journal")
		o := s.options()
		o.Method = landing.Squash
		s.landed(s.accept(o).LandedCommit, landing.Squash)
	})
	t.Run("by the worktree's name, which has gone", func(t *testing.T) {
		s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
		o := s.options()
		o.Target, o.NoGate = s.topic.Dir, true
		o.Resolve = func(_ context.Context, path string) (gitx.RefName, error) {
			if _, err := os.Stat(path); err != nil {
				return "", refusal.New(refusal.UnknownTarget, "%q is nothing", path)
			}
			return "refs/heads/topic", nil
		}
		ctx, cancel := context.WithCancel(context.Background())
		o.Step = func(step string) {
			if step == "worktree" {
				cancel()
			}
		}
		if _, err := Run(ctx, s.Open(), o); err == nil || len(s.journals()) != 1 {
			t.Fatalf("%v, journals %q", err, s.journals())
		}
		o.Step = nil
		s.landed(s.accept(o).LandedCommit, landing.FastForward)
		if _, err := Run(context.Background(), s.Open(), o); refusal.CodeOf(err) != refusal.UnknownTarget {
			t.Errorf("once more: %v", err)
		}
	})
}

func TestJournalsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]refusal.Code{
		`{"schema":"git-continuity-accept/v2"}`: refusal.JournalNewer, "": refusal.JournalCorrupt, "{}": refusal.JournalCorrupt,
	} {
		s := interrupted(t, "journal")
		name := s.journals()[0]
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), s.Open(), s.options()); refusal.CodeOf(err) != want {
			t.Errorf("%q: %v", text, err)
		}
		if now, err := os.ReadFile(name); string(now) != text || err != nil || s.Rev("main") != s.root {
			t.Errorf("%q: the journal is now %q, %v", text, now, err)
		}
	}
}

// Two at once land once; and of two branches the second is behind.
func TestAtOnce(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	commands := []*exec.Cmd{s.command(landing.FastForward, ""), s.command(landing.FastForward, ""), s.command(landing.FastForward, "")}
	outputs := make([]bytes.Buffer, len(commands))
	landings := 0
	for i, cmd := range commands {
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, cmd := range commands {
		if cmd.Wait() == nil {
			landings++
		} else if out := outputs[i].String(); !strings.HasPrefix(out, string(refusal.UnknownTarget)) {
			t.Errorf("a rival says %s", out)
		}
	}
	if landings != 1 {
		t.Errorf("%d landings", landings)
	}
	s.landed(s.tip, landing.FastForward)
}

func FuzzDecodeJournal(f *testing.F) {
	oid := gitx.HashObject(gitx.SHA1, gitx.TypeBlob, nil)
	j := journal{Schema: journalSchema, Target: "t", Branch: "refs/heads/t", Tip: oid, Trunk: "refs/heads/main", Old: oid, Landed: oid, Method: landing.Squash}
	file, err := j.file()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file.Data)
	f.Add([]byte(`{"schema":"git-continuity-accept/v2"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := decodeJournal(data)
		if err != nil {
			return
		}
		if again, err := j.file(); err != nil || !bytes.Equal(again.Data, data) {
			t.Errorf("%q is read and written as %q, %v", data, again.Data, err)
		}
	})
}
