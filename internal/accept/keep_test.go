package accept

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *scene, o *Options)
		reason string
	}{
		"on request":   {func(_ *scene, o *Options) { o.Keep = true }, "--keep"},
		"locked":       {func(s *scene, _ *Options) { s.Git("worktree", "lock", "--reason", "in use", s.topic.Dir) }, `locked ("in use")`},
		"caller":       {func(s *scene, o *Options) { o.Dir = s.topic.Dir }, "caller"},
		"caller below": {func(s *scene, o *Options) { o.Dir = filepath.Join(s.topic.Dir, "d") }, "caller"},
		"ignored":      {func(s *scene, _ *Options) { s.topic.Write(gitxtest.Files{"x.o": "kept"}) }, `"x.o"`},
		"not disposable": {func(s *scene, _ *Options) {
			s.topic.Write(gitxtest.Files{"x.o": ""})
			s.Git("config", DisposableSetting, "*.oo")
		}, `"x.o"`},
		"partly": {func(s *scene, _ *Options) {
			s.topic.Write(gitxtest.Files{"x.o": "", "d/y.o": ""})
			s.Git("config", DisposableSetting, "/d/")
		}, `"x.o"`},
		"ignored worktree": {func(s *scene, _ *Options) {
			s.Git("worktree", "add", "-q", "-b", "inner", filepath.Join(s.topic.Dir, "in.o"))
		}, `"in.o/"`},
		"episode": {func(_ *scene, o *Options) {
			o.OpenEpisode = func(_ context.Context, w gitx.Worktree) (bool, error) { return w.Name == "topic", nil }
		}, "episode"},
		"rebased elsewhere": {func(s *scene, _ *Options) {
			dir := filepath.Join(s.Open().CommonDir(), "rebase-merge")
			_ = os.Mkdir(dir, 0o755)
			_ = os.WriteFile(filepath.Join(dir, "head-name"), []byte("refs/heads/topic\n"), 0o644)
		}, "rebased"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
			s.gate()
			o := s.options()
			c.change(s, &o)
			result := s.accept(o)
			if result.BranchDeleted || !strings.Contains(result.KeptBecause, c.reason) || result.Retry != "" {
				t.Errorf("%+v", result)
			}
			if s.Rev("topic") != s.tip || s.Rev("main") != s.tip || len(s.journals()) > 0 {
				t.Error("branch, trunk or journal are not as they should be")
			}
			if _, err := os.Stat(filepath.Join(s.topic.Dir, "d", "c")); (err == nil) == result.WorktreeRemoved {
				t.Errorf("worktree: %v, removed %v", err, result.WorktreeRemoved)
			}
		})
	}
}

func TestDisposableFilesGo(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	s.topic.Write(gitxtest.Files{"x.o": "", "d/y.o": "", "deps.o/z": ""})
	s.Git("config", "--add", DisposableSetting, "/x.o")
	s.Git("config", "--add", DisposableSetting, "d/*.o")
	s.Git("config", "--add", DisposableSetting, "deps.o/")
	s.Git("config", "branch.topic.remote", "nowhere")
	s.landed(s.accept(s.options()).LandedCommit, landing.FastForward)
	if config := s.Git("config", "--list"); strings.Contains(config, "branch.topic.") {
		t.Errorf("the configuration of the branch is left:\n%s", config)
	}
}

func TestMainWorktreeIsKept(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	r.Commit("root", gitxtest.Files{"a": "1\n"})
	r.Git("switch", "-q", "-c", "topic")
	tip := r.Commit("work", gitxtest.Files{"b": "1\n"})
	result, err := Run(context.Background(), r.Open(), Options{Target: "topic", Trunk: "refs/heads/main", Dir: r.Root(), NoGate: true})
	if err != nil || !strings.Contains(result.KeptBecause, "main worktree") || r.Rev("main") != tip || r.Rev("topic") != tip {
		t.Errorf("%+v, %v", result, err)
	}
}

// Whatever stands in the way of the note: the landing stands, nothing is cleared
// away, and the command that is named finishes once the way is free.
func TestFailedNoteKeepsEverything(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	s.Git("notes", "--ref=landings", "add", "-m", "my own", s.tip.String())
	result, err := Run(context.Background(), s.Open(), s.options())
	if err != nil || result.Err == nil || result.Note != landing.NoteFailed || result.BranchDeleted || result.WorktreeRemoved ||
		result.KeptBecause == "" || result.Retry != "git await accept topic" || result.LandedCommit != s.tip {
		t.Fatalf("%+v, %v", result, err)
	}
	if s.Rev("main") != s.tip || !s.exists("refs/heads/topic") || len(s.journals()) != 1 {
		t.Error("trunk, branch or journal are not as they should be")
	}
	if text := s.Git("notes", "--ref=landings", "show", s.tip.String()); text != "my own" {
		t.Errorf("the note in the way is now %q", text)
	}
	s.Git("notes", "--ref=landings", "remove", s.tip.String())
	if result := s.accept(s.options()); result.Note != landing.NoteWritten || !result.BranchDeleted {
		t.Errorf("retry: %+v", result)
	}
	s.landed(s.tip, landing.FastForward)
}

// A note that can never be written must not stop the branch's next landing.
func TestFailedNoteDoesNotBlockTheName(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	o := s.options()
	o.NoGate = true
	s.Git("notes", "--ref=landings", "add", "-m", "my own", s.tip.String())
	if result, err := Run(context.Background(), s.Open(), o); err != nil || result.Err == nil {
		t.Fatalf("%+v, %v", result, err)
	}
	next := s.topic.Commit("more", gitxtest.Files{"e": "1\n"})
	if result, err := Run(context.Background(), s.Open(), o); err != nil || result.Err == nil || result.Retry != "" || len(s.journals()) > 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	if result := s.accept(o); result.LandedCommit != next || !result.BranchDeleted {
		t.Errorf("%+v", result)
	}
}

// Without an identity nothing moves where a commit is needed, and nothing is
// amiss where none is.
func TestMissingIdentity(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.gate()
	s.Git("config", "user.useConfigOnly", "true")
	var vars []string
	for _, v := range s.Environ() {
		if !strings.HasPrefix(v, "GIT_AUTHOR_") && !strings.HasPrefix(v, "GIT_COMMITTER_") {
			vars = append(vars, v)
		}
	}
	nobody, err := gitx.Open(context.Background(), gitx.OpenOptions{Dir: s.Dir, Env: gitx.EnvOf(vars...)})
	if err != nil {
		t.Fatal(err)
	}
	before := s.Git("for-each-ref")
	for _, method := range []landing.Method{landing.Merge, landing.Squash} {
		o := s.options()
		o.Method = method
		if _, err := Run(context.Background(), nobody, o); refusal.CodeOf(err) != refusal.NoIdentity {
			t.Errorf("%s: %v", method, err)
		}
		if after := s.Git("for-each-ref"); after != before || len(s.journals()) > 0 {
			t.Errorf("%s: refs moved, or a journal is left:\n%s", method, after)
		}
	}
	if result, err := Run(context.Background(), nobody, s.options()); err != nil || result.Err != nil {
		t.Fatalf("%+v, %v", result, err)
	}
	s.landed(s.tip, landing.FastForward)
}

func TestSquashAndMergeAreTheUsers(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	other := s.topic.WithEnv("GIT_AUTHOR_NAME=Other <One>", "GIT_AUTHOR_EMAIL=other@example.com")
	other.Commit("second\n\nCo-authored-by: Third <third@example.com>", gitxtest.Files{"e": "1\n"})
	last := s.topic.WithEnv("GIT_AUTHOR_NAME=Läst", "GIT_AUTHOR_EMAIL=last@example.com")
	s.tip = last.Commit("third", gitxtest.Files{"f": "1\n"})
	o := s.options()
	o.NoGate, o.Method, o.Keep = true, landing.Squash, true
	commit := s.accept(o).LandedCommit
	want := "Läst last@example.com C O Mitter " + s.Git("log", "-1", "--format=%ad", "--date=raw", s.tip.String()) +
		"\nSquash branch 'topic'\n\n* work\n* second\n* third\n\nCo-authored-by: A U Thor <author@example.com>\n" +
		"Co-authored-by: Other One <other@example.com>\nCo-authored-by: Third <third@example.com>"
	if got := s.Git("log", "-1", "--format=%an %ae %cn %ad%n%B", "--date=raw", commit.String()); strings.TrimSpace(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSquashMessages(t *testing.T) {
	one := work{{name: "A", email: "a@x", message: "subject\n\nbody\n\nSigned-off-by: A <a@x>"}}
	two := append(work{{name: "B", email: "b@x", message: "tip"}}, one...)
	for _, c := range []struct {
		work        work
		given, want string
	}{
		{one, "", "subject\n\nbody\n\nSigned-off-by: A <a@x>"},
		{one, "mine", "mine"},
		{two, "mine", "mine\n\nCo-authored-by: A <a@x>"},
		{two, "mine\n\nRefs: 7", "mine\n\nRefs: 7\nCo-authored-by: A <a@x>"},
		{two, "mine\n\nco-authored-by: A <A@x>", "mine\n\nco-authored-by: A <A@x>"},
		{two, "Fix: mine", "Fix: mine\n\nCo-authored-by: A <a@x>"},
		{two, "", "Squash branch 'topic'\n\n* subject\n* tip\n\nCo-authored-by: A <a@x>"},
	} {
		if got := c.work.message(c.given, "refs/heads/topic"); got != c.want {
			t.Errorf("%q gives\n%s\nwant\n%s", c.given, got, c.want)
		}
	}
}

// What cannot be signed does not land.
func TestSigning(t *testing.T) {
	s := newScene(t, gitxtest.New(t, gitxtest.Options{}))
	s.Git("config", "commit.gpgSign", "true")
	s.Git("config", "gpg.program", "false")
	o := s.options()
	o.NoGate, o.Method = true, landing.Merge
	s.refused(o, refusal.NoIdentity)
	signer := filepath.Join(s.Root(), "signer")
	script := "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'\necho '-----END PGP SIGNATURE-----'\n"
	if err := os.WriteFile(signer, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s.Git("config", "gpg.program", signer)
	commit := s.accept(o).LandedCommit
	if raw := s.Git("cat-file", "commit", commit.String()); !strings.Contains(raw, "gpgsig -----BEGIN PGP") {
		t.Errorf("not signed:\n%s", raw)
	}
	if raw := s.Git("cat-file", "commit", string(landing.NotesRef)); strings.Contains(raw, "gpgsig") {
		t.Errorf("the note is signed:\n%s", raw)
	}
}
