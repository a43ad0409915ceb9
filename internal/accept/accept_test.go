package accept

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/gate"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

// A scene is a repository with a branch "topic" in a worktree of its own, one
// commit ahead of main.
type scene struct {
	*gitxtest.Repo
	t     *testing.T
	topic *gitxtest.Repo
	root  gitx.OID
	tip   gitx.OID
}

func newScene(t *testing.T, r *gitxtest.Repo) *scene {
	t.Helper()
	s := &scene{Repo: r, t: t}
	s.root = r.Commit("root", gitxtest.Files{"a": "old\n", "b": "old\n", ".gitignore": "*.o\n"})
	s.topic = r.AddWorktree("topic", "topic")
	s.topic.Write(gitxtest.Files{"a": "new\n", "d/c": "new\n"})
	s.topic.Git("rm", "-q", "b")
	s.topic.Git("add", "-A")
	s.tip = s.topic.Commit("work", nil)
	return s
}

func (s *scene) gate() {
	s.t.Helper()
	result, err := gate.Run(context.Background(), s.topic.Open(), gate.Options{Argv: []string{"test", "-f", "a"}, Env: s.Env()})
	if err != nil || result.Status != gate.Recorded {
		s.t.Fatalf("%+v, %v", result, err)
	}
}

func (s *scene) options() Options {
	return Options{Target: "topic", Trunk: "refs/heads/main", Dir: s.Dir}
}

func (s *scene) accept(o Options) Result {
	s.t.Helper()
	result, err := Run(context.Background(), s.Open(), o)
	if err != nil {
		s.t.Fatal(err)
	}
	if result.Err != nil {
		s.t.Fatal(result.Err)
	}
	return result
}

// refused runs an acceptance that must be refused, and move nothing.
func (s *scene) refused(o Options, want refusal.Code) *refusal.Refusal {
	s.t.Helper()
	before := s.Git("for-each-ref")
	_, err := Run(context.Background(), s.Open(), o)
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Code != want {
		s.t.Fatalf("%v, want %s", err, want)
	}
	if after := s.Git("for-each-ref"); after != before {
		s.t.Errorf("%s: refs moved:\n%s\nwas\n%s", want, after, before)
	}
	if left := s.journals(); len(left) != 0 {
		s.t.Errorf("%s: journals are left: %q", want, left)
	}
	return r
}

func (s *scene) journals() []string {
	s.t.Helper()
	left, err := filepath.Glob(filepath.Join(s.Open().CommonDir(), "continuity", "accepts", "*.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	return left
}

func (s *scene) exists(ref string) bool {
	s.t.Helper()
	_, ok, err := s.Open().ResolveRef(context.Background(), gitx.RefName(ref))
	if err != nil {
		s.t.Fatal(err)
	}
	return ok
}

// landed checks everything that holds after an acceptance that cleared away.
func (s *scene) landed(commit gitx.OID, method landing.Method) landing.Note {
	s.t.Helper()
	if got := s.Rev("main"); got != commit {
		s.t.Errorf("main is at %s, want %s", got, commit)
	}
	if got, want := s.Rev("main^{tree}"), s.Rev(s.tip.String()+"^{tree}"); got != want {
		s.t.Errorf("the landed tree is %s, not the tip's %s", got, want)
	}
	if _, err := os.Stat(s.topic.Dir); err == nil || s.exists("refs/heads/topic") || len(s.journals()) > 0 {
		s.t.Errorf("worktree (%v), branch (%v) or journals (%q) are left", err, s.exists("refs/heads/topic"), s.journals())
	}
	notes, err := s.Open().Notes(context.Background(), landing.NotesRef)
	if err != nil {
		s.t.Fatal(err)
	}
	data, _, err := notes.ReadNote(context.Background(), commit, landing.MaxNote)
	if err != nil {
		s.t.Fatal(err)
	}
	note, err := landing.DecodeNote(data, commit)
	if err != nil {
		s.t.Fatal(err)
	}
	if c := note.Claim; c.Branch != "refs/heads/topic" || c.Tip != s.tip || c.Trunk != "refs/heads/main" || c.Method != method ||
		c.Files != 3 || c.Insertions != 2 || c.Deletions != 2 {
		s.t.Errorf("claim %+v", c)
	}
	return note
}

func TestMethods(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		for _, method := range []landing.Method{landing.FastForward, landing.Merge, landing.Squash} {
			s := newScene(t, r.Sibling(string(method), gitxtest.Options{}))
			s.gate()
			o := s.options()
			o.Method = method
			result := s.accept(o)
			if result.Method != method || result.Note != landing.NoteWritten || !result.WorktreeRemoved || !result.BranchDeleted ||
				result.KeptBecause != "" || result.Retry != "" {
				t.Errorf("%s: %+v", method, result)
			}
			note := s.landed(result.LandedCommit, method)
			if note.Claim.Gate != "test -f a" || !strings.HasPrefix(note.Claim.Receipt, "sha256:") {
				t.Errorf("%s: gate %+v", method, note.Claim)
			}
			parents := s.Git("log", "-1", "--format=%P", "main")
			want := map[landing.Method]string{
				landing.FastForward: s.root.String(), landing.Merge: s.root.String() + " " + s.tip.String(), landing.Squash: s.root.String(),
			}[method]
			if parents != want || (method == landing.FastForward) != (result.LandedCommit == s.tip) {
				t.Errorf("%s: parents %s", method, parents)
			}
			if out := s.Git("status", "--porcelain"); out != "" {
				t.Errorf("%s: the trunk's checkout has %q", method, out)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	s := newScene(t, r)
	o := s.options()
	no := s.refused(o, refusal.NoReceipt)
	if !strings.Contains(no.Message, "missing") || len(no.Hints) == 0 || !strings.Contains(no.Hints[0], s.topic.Dir) {
		t.Errorf("%s, hints %q", no.Message, no.Hints)
	}
	s.gate()
	with := func(change func(*Options)) Options {
		changed := o
		change(&changed)
		return changed
	}
	s.refused(with(func(o *Options) { o.Trunk = "refs/remotes/origin/main" }), refusal.TrunkReadOnly)
	s.refused(with(func(o *Options) { o.Trunk = "refs/heads/nowhere" }), refusal.NoTrunk)
	s.refused(with(func(o *Options) { o.Target = "nobody" }), refusal.UnknownTarget)
	s.refused(with(func(o *Options) { o.Target = "-x" }), refusal.UnknownTarget)
	s.refused(with(func(o *Options) { o.Target = "main" }), refusal.NothingToLand)
	s.refused(with(func(o *Options) { o.Method = "octopus" }), refusal.InvalidArguments)

	s.Write(gitxtest.Files{"a": "mine\n"})
	dirty := s.refused(o, refusal.TrunkDirty)
	if !strings.Contains(dirty.Message, `"a"`) {
		t.Error(dirty.Message)
	}
	s.Git("checkout", "-q", "--", "a")
	s.Write(gitxtest.Files{"untracked": ""})
	s.refused(o, refusal.TrunkDirty)
	s.Git("clean", "-fq")

	s.topic.Write(gitxtest.Files{"a": "changed since\n"})
	if no := s.refused(o, refusal.NoReceipt); !strings.Contains(no.Message, "dirty") {
		t.Error(no.Message)
	}
	s.topic.Git("checkout", "-q", "--", "a")
	if err := os.WriteFile(filepath.Join(s.Open().GitDir(), "index.lock"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if locked := s.refused(o, refusal.TrunkBlocked); !strings.Contains(locked.Message, "index.lock") {
		t.Error(locked.Message)
	}
	if err := os.Remove(filepath.Join(s.Open().GitDir(), "index.lock")); err != nil {
		t.Error("the lock was deleted: ", err)
	}
	s.Commit("elsewhere", nil)
	s.refused(o, refusal.BehindTrunk)
	s.refused(with(func(o *Options) { o.NoGate = true }), refusal.BehindTrunk)
}

// An ignored file in the way of a file that lands is somebody's too.
func TestIgnoredFileInTheWay(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.topic.Write(gitxtest.Files{"x.o": "landed\n"})
	s.topic.Git("add", "-f", "x.o")
	s.topic.Commit("ignored, and yet tracked", nil)
	s.gate()
	s.Write(gitxtest.Files{"x.o": "mine\n"})
	s.refused(s.options(), refusal.TrunkBlocked)
	if content, err := os.ReadFile(filepath.Join(s.Dir, "x.o")); string(content) != "mine\n" || err != nil {
		t.Errorf("the file is now %q, %v", content, err)
	}
}

func TestWhereTheTrunkIs(t *testing.T) {
	t.Run("nowhere", func(t *testing.T) {
		s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
		s.gate()
		s.Git("switch", "-q", "--detach")
		s.landed(s.accept(s.options()).LandedCommit, landing.FastForward)
		if got := s.Rev("HEAD"); got != s.root {
			t.Errorf("the detached checkout moved to %s", got)
		}
	})
	t.Run("in another worktree", func(t *testing.T) {
		s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
		s.gate()
		s.Git("switch", "-q", "-c", "elsewhere")
		trunk := s.AddWorktree("trunk", "main")
		s.landed(s.accept(s.options()).LandedCommit, landing.FastForward)
		if content, err := os.ReadFile(filepath.Join(trunk.Dir, "d/c")); string(content) != "new\n" || err != nil {
			t.Errorf("the trunk's checkout has %q, %v", content, err)
		}
		if out := trunk.Git("status", "--porcelain"); out != "" {
			t.Errorf("the trunk's checkout has %q", out)
		}
	})
	t.Run("checked out twice", func(t *testing.T) {
		s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
		s.gate()
		s.Git("worktree", "add", "-q", "--force", filepath.Join(s.Root(), "twice"), "main")
		s.refused(s.options(), refusal.TrunkBlocked)
	})
	t.Run("bare", func(t *testing.T) {
		r := gitxtest.New(t, gitxtest.Options{Bare: true})
		root := r.CommitTo("refs/heads/main", "root")
		r.Branch("topic", root.String())
		tip := r.CommitTo("refs/heads/topic", "work")
		o := Options{Target: "refs/heads/topic", Trunk: "refs/heads/main", Dir: r.Root(), NoGate: true}
		result, err := Run(context.Background(), r.Open(), o)
		if err != nil || result.LandedCommit != tip || !result.BranchDeleted || result.WorktreeRemoved || r.Rev("main") != tip {
			t.Errorf("%+v, %v", result, err)
		}
	})
	t.Run("with a worktree inside", func(t *testing.T) {
		s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
		s.gate()
		s.Git("worktree", "add", "-q", "-b", "inner", filepath.Join(s.Dir, "inner"))
		s.landed(s.accept(s.options()).LandedCommit, landing.FastForward)
	})
}
