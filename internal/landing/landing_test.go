package landing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
)

// cases are those of docs/landing.md, by the names that stand there. Each builds a
// history and says what is right for topic.
var cases = map[string]func(s *stage) landing.Verdict{
	"fast-forward": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Git("merge", "--quiet", "--ff-only", "topic")
		return landing.Verdict{Landed: true, Via: landing.Ancestor}
	},
	"merge": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		s.Git("merge", "--quiet", "--no-edit", "topic")
		return landing.Verdict{Landed: true, Via: landing.Ancestor}
	},
	"nothing has landed": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		return not(landing.NotInTrunk)
	},
	"trunk has not moved": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		return not(landing.NotInTrunk)
	},
	"squash": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.Commit("more work", one(map[int]string{5: "five", 6: "six"}))
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		landed := s.squash("topic")
		s.Commit("later", gitxtest.Files{"g": "g\n"})
		return byContent(landed)
	},
	"squash with the trunk merged in": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		s.on("topic")
		s.Git("merge", "--quiet", "--no-edit", "main")
		s.Commit("more work", one(map[int]string{5: "five", 10: "ten", 30: "thirty"}))
		landed := s.squash("topic")
		s.Commit("later", gitxtest.Files{"g": "g\n"})
		return byContent(landed)
	},
	"squash of a branch that contains a merge": func(s *stage) landing.Verdict {
		s.Git("checkout", "--quiet", "-b", "helper")
		s.Commit("help", one(map[int]string{20: "twenty"}))
		s.on("topic")
		s.Commit("work", one(map[int]string{5: "five"}))
		s.Git("merge", "--quiet", "--no-edit", "helper")
		s.Commit("more work", one(map[int]string{5: "five", 10: "ten", 20: "twenty"}))
		return byContent(s.squash("topic"))
	},
	"rebase with a commit dropped as empty": func(s *stage) landing.Verdict {
		s.Commit("fix", one(map[int]string{5: "five"}))
		s.Commit("work", one(map[int]string{5: "five", 20: "twenty"}))
		s.on("main")
		s.Commit("the same fix", one(map[int]string{5: "five"}))
		s.Git("branch", "rebased", "topic")
		s.Git("rebase", "--quiet", "main", "rebased")
		s.on("main")
		s.Git("merge", "--quiet", "--ff-only", "rebased")
		return byContent(s.Rev("main"))
	},
	"an empty trigger commit": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.Commit("run the checks again", nil)
		return byContent(s.squash("topic"))
	},
	"nothing but an empty commit": func(s *stage) landing.Verdict {
		s.Commit("run the checks", nil)
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		return not(landing.EmptyChange)
	},
	"work that takes itself back": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.Git("revert", "--no-edit", "HEAD")
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		return not(landing.EmptyChange)
	},
	"a branch stacked on another that was squashed first": func(s *stage) landing.Verdict {
		s.Commit("lower", one(map[int]string{5: "five"}))
		s.Git("branch", "lower")
		s.Commit("upper", one(map[int]string{5: "five", 20: "twenty"}))
		s.squash("lower")
		return byContent(s.squash("topic"))
	},
	"the lower of two stacked branches alone": func(s *stage) landing.Verdict {
		s.Commit("lower", one(map[int]string{5: "five"}))
		s.Git("branch", "lower")
		s.Commit("upper", one(map[int]string{5: "five", 20: "twenty"}))
		s.squash("lower")
		return not(landing.NotInTrunk)
	},
	"a merge queue's commit of two branches": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.Git("checkout", "--quiet", "-b", "other", "main")
		s.Commit("other work", one(map[int]string{20: "twenty"}))
		s.on("main")
		s.Git("merge", "--quiet", "--squash", "topic")
		s.Git("commit", "--quiet", "-m", "queue: topic")
		s.Git("merge", "--quiet", "--squash", "other")
		s.Git("commit", "--quiet", "--amend", "-m", "queue: topic and other")
		return byContent(s.Rev("main"))
	},
	"a larger commit that contains the change": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		return byContent(s.Commit("the same and more", gitxtest.Files{
			"f": lines(40, map[int]string{5: "five", 25: "25"}), "g": "g\n",
		}))
	},
	"a rename while the trunk edited the file": func(s *stage) landing.Verdict {
		s.Git("mv", "f", "g")
		s.Commit("rename", nil)
		s.on("main")
		s.Commit("edit", one(map[int]string{30: "thirty"}))
		return byContent(s.squash("topic"))
	},
	"an edit while the trunk renamed the file": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Git("mv", "f", "g")
		s.Commit("rename", nil)
		landed := s.squash("topic")
		s.Commit("later", gitxtest.Files{"g": lines(40, map[int]string{5: "five", 30: "thirty"})})
		return byContent(landed)
	},
	"an edit two lines away": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("other", one(map[int]string{7: "seven"}))
		landed := s.squash("topic")
		s.Commit("later", one(map[int]string{3: "three", 5: "five", 7: "seven"}))
		return byContent(landed)
	},
	"a mode": func(s *stage) landing.Verdict {
		s.Git("update-index", "--chmod=+x", "f")
		s.Git("commit", "--quiet", "-m", "executable")
		s.Git("reset", "--quiet", "--hard")
		s.on("main")
		s.Commit("other", one(map[int]string{5: "five"}))
		return byContent(s.squash("topic"))
	},
	"a mode that did not land": func(s *stage) landing.Verdict {
		s.Git("update-index", "--chmod=+x", "f")
		s.Git("commit", "--quiet", "-m", "executable")
		s.Git("reset", "--quiet", "--hard")
		s.Commit("edited", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("edit alone", one(map[int]string{5: "five"}))
		return not(landing.NotInTrunk)
	},
	"a binary file": func(s *stage) landing.Verdict {
		s.Commit("work", gitxtest.Files{"b": "\x00\x01\x02"})
		s.on("main")
		s.Commit("other", gitxtest.Files{"g": "g\n"})
		return byContent(s.squash("topic"))
	},
	"another binary file": func(s *stage) landing.Verdict {
		s.Commit("work", gitxtest.Files{"b": "\x00\x01\x02"})
		s.on("main")
		s.Commit("other", gitxtest.Files{"b": "\x00\x01\x03"})
		return not(landing.Conflict)
	},
	"a symlink": func(s *stage) landing.Verdict {
		s.link("l", "one")
		s.on("main")
		s.Commit("other", gitxtest.Files{"g": "g\n"})
		return byContent(s.squash("topic"))
	},
	"a symlink that leads elsewhere": func(s *stage) landing.Verdict {
		s.link("l", "one")
		s.on("main")
		s.link("l", "two")
		return not(landing.Conflict)
	},
	"a submodule": func(s *stage) landing.Verdict {
		s.gitlink("sub", "1")
		s.on("main")
		s.Git("commit", "--quiet", "--allow-empty", "-m", "other")
		s.gitlink("sub", "1")
		return byContent(s.Rev("main"))
	},
	"a submodule at another commit": func(s *stage) landing.Verdict {
		s.gitlink("sub", "1")
		s.on("main")
		s.gitlink("sub", "2")
		return not(landing.Conflict)
	},
	"a partial cherry-pick": func(s *stage) landing.Verdict {
		s.Commit("one", one(map[int]string{5: "five"}))
		s.Commit("two", one(map[int]string{5: "five", 20: "twenty"}))
		s.on("main")
		s.Git("cherry-pick", "topic~1")
		return not(landing.NotInTrunk)
	},
	"a cherry-pick of every commit": func(s *stage) landing.Verdict {
		s.Commit("one", one(map[int]string{5: "five"}))
		s.Commit("two", one(map[int]string{5: "five", 20: "twenty"}))
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		s.Git("cherry-pick", "topic~1")
		s.Commit("between", one(map[int]string{5: "five", 30: "thirty", 35: "35"}))
		s.Git("cherry-pick", "topic")
		return byContent(s.Rev("main"))
	},
	"a squash whose conflict was resolved": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("same line", one(map[int]string{5: "FIVE"}))
		s.Commit("squash, resolved", one(map[int]string{5: "five and FIVE"}))
		return not(landing.Conflict)
	},
	"criss-cross": func(s *stage) landing.Verdict {
		s.Commit("work", one(map[int]string{5: "five"}))
		s.on("main")
		s.Commit("other", one(map[int]string{30: "thirty"}))
		s.Git("branch", "old")
		s.Git("merge", "--quiet", "--no-edit", "topic")
		s.on("topic")
		s.Git("merge", "--quiet", "--no-edit", "old")
		s.Commit("more", one(map[int]string{5: "five", 20: "twenty", 30: "thirty"}))
		return not(landing.SeveralBases)
	},
	"unrelated histories": func(s *stage) landing.Verdict {
		s.Git("checkout", "--quiet", "--orphan", "island")
		s.Commit("island", one(map[int]string{5: "five"}))
		s.Git("branch", "-f", "topic")
		return not(landing.NoBase)
	},
	"a deletion": func(s *stage) landing.Verdict {
		s.Git("rm", "--quiet", "f")
		s.Commit("delete", nil)
		s.on("main")
		s.Commit("other", gitxtest.Files{"g": "g\n"})
		return byContent(s.squash("topic"))
	},
	"a deletion of what the trunk moved": func(s *stage) landing.Verdict {
		s.Git("rm", "--quiet", "f")
		s.Commit("delete", gitxtest.Files{"g": "g\n"})
		s.on("main")
		s.Git("mv", "f", "h")
		s.Commit("rename", gitxtest.Files{"g": "g\n"})
		return not(landing.Conflict)
	},
}

func TestLanded(t *testing.T) {
	for name, build := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, one(nil))
			want := build(s)
			if got := s.ask(s.judge(), "topic", "main"); got != want {
				t.Errorf("the judge says %+v, want %+v", got, want)
			}
			sifting := s.judge()
			landing.SiftAlways(sifting)
			if got := s.ask(sifting, "topic", "main"); got != want {
				t.Errorf("sifting, the judge says %+v, want %+v", got, want)
			}
		})
	}
}

// link commits a symlink.
func (s *stage) link(name, target string) {
	s.t.Helper()
	path := filepath.Join(s.Dir, name)
	if err := os.Symlink(target, path); err != nil {
		s.t.Fatal(err)
	}
	s.Git("add", "--", name)
	s.Git("commit", "--quiet", "-m", "link")
}

// gitlink commits a submodule at a commit that is not here, as usual.
func (s *stage) gitlink(name, digit string) {
	s.t.Helper()
	s.Git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat(digit, 40)+","+name)
	s.Git("commit", "--quiet", "-m", "submodule")
	s.Git("update-index", "--force-remove", name)
	s.Git("reset", "--quiet", "--hard")
}
