package landing_test

import (
	"os"
	"path/filepath"
	"testing"

	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
)

// Each of these makes git itself take "the topic deletes a line that the trunk
// edited" for a merge that leaves the trunk as it is.
var drivers = map[string]struct {
	attribute string
	config    []string
}{
	"ours":             {"merge=ours", []string{"merge.ours.driver", "true"}},
	"union":            {"merge=union", nil},
	"own":              {"merge=own", []string{"merge.own.driver", "cp %A %A.copy && mv %A.copy %A"}},
	"an equals sign":   {"merge=a=b", []string{"merge.a=b.driver", "true"}},
	"text redefined":   {"merge=text", []string{"merge.text.driver", "true"}},
	"union redefined":  {"merge=union", []string{"merge.union.driver", "true"}},
	"binary redefined": {"merge=binary", []string{"merge.binary.driver", "true"}},
	"default":          {"text", []string{"merge.default", "union"}},
	"default of user":  {"text", []string{"merge.default", "ours", "merge.ours.driver", "true"}},
}

// places are where git finds attributes.
var places = map[string]func(s *stage, line string){
	"committed": func(s *stage, line string) {
		s.Commit("attributes", gitxtest.Files{".gitattributes": line})
	},
	"info": func(s *stage, line string) {
		s.write(filepath.Join(s.Dir, ".git", "info", "attributes"), line)
	},
	"user": func(s *stage, line string) {
		path := filepath.Join(s.Root(), "attributes")
		s.write(path, line)
		s.Git("config", "core.attributesFile", path)
	},
}

func (s *stage) write(path, content string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// contested lets topic delete what the trunk edits.
func contested(s *stage) {
	s.Commit("delete", one(map[int]string{5: "-"}))
	s.on("main")
	s.Commit("edit", one(map[int]string{5: "FIVE"}))
}

func TestMergeDriversProveNothing(t *testing.T) {
	for place, put := range places {
		for name, driver := range drivers {
			// The places that git is kept from need no list of their own.
			if place != "info" && name != "ours" && name != "union" && name != "default" {
				continue
			}
			t.Run(place+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := &stage{Repo: gitxtest.New(t, gitxtest.Options{}), t: t}
				s.Commit("root", nil)
				put(s, "* "+driver.attribute+"\n")
				for kv := driver.config; len(kv) > 0; kv = kv[2:] {
					s.Git("config", kv[0], kv[1])
				}
				s.begin(one(nil))
				contested(s)
				if tree := s.Rev("main^{tree}").String(); s.Git("merge-tree", "--write-tree", "main", "topic") != tree {
					t.Fatal("this setup does not mislead git; it proves nothing")
				}
				if got := s.ask(s.judge(), "topic", "main"); got != not(landing.Conflict) {
					t.Errorf("the judge says %+v, want a conflict", got)
				}
			})
		}
	}
}

// A driver that is configured while a wait goes on is not in the settings that
// were read at its start.
func TestDriverOfLaterProvesNothing(t *testing.T) {
	s := newStage(t, one(nil))
	contested(s)
	j := s.judge()
	s.Git("config", "merge.late.driver", "true")
	s.write(filepath.Join(s.Dir, ".git", "info", "attributes"), "[attr]late merge=late\n* late\n")
	if tree := s.Rev("main^{tree}").String(); s.Git("merge-tree", "--write-tree", "main", "topic") != tree {
		t.Fatal("this setup does not mislead git; it proves nothing")
	}
	if got := s.ask(j, "topic", "main"); got != not(landing.Conflict) {
		t.Errorf("the judge says %+v, want a conflict", got)
	}
}

// Nor can the environment, or `git -c`, make git merge otherwise.
func TestSettingsOfTheCommandProveNothing(t *testing.T) {
	s := newStage(t, one(nil))
	contested(s)
	s.write(filepath.Join(s.Dir, ".git", "info", "attributes"), "* merge=ours\n")
	for name, extra := range map[string][]string{
		"count":      {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=merge.ours.driver", "GIT_CONFIG_VALUE_0=true"},
		"parameters": {"GIT_CONFIG_PARAMETERS='merge.ours.driver'='true'"},
	} {
		if got := s.ask(s.judge(extra...), "topic", "main"); got != not(landing.Conflict) {
			t.Errorf("%s: the judge says %+v, want a conflict", name, got)
		}
	}
}

// block is a block of lines that a file repeats.
const block = "if ready {\n\tgo()\n}\n\n"

// The twin of a change, made by somebody else in another of several equal blocks,
// is another change; patch ids cannot tell.
func TestTwinChangeInARepeatedBlock(t *testing.T) {
	changed := "if ready {\n\tgo()\n\tlog()\n}\n\n"
	files := func(a, b string) gitxtest.Files {
		return gitxtest.Files{"f": "one\n" + a + "two\n" + b + "three\n"}
	}
	for name, attribute := range map[string]string{"plain": "", "with merge=ours": "* merge=ours\n", "with merge=union": "* merge=union\n"} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, files(block, block))
			s.Git("config", "merge.ours.driver", "true")
			s.write(filepath.Join(s.Dir, ".git", "info", "attributes"), attribute)
			s.Commit("work", files(changed, block))
			s.on("main")
			s.Commit("twin", files(block, changed))
			got := s.ask(s.judge(), "topic", "main")
			if got.Landed || got.Reason == "" {
				t.Errorf("the judge says %+v of a twin", got)
			}
			s.Commit("the work itself", files(changed, changed))
			if attribute == "" {
				if got, want := s.ask(s.judge(), "topic", "main"), byContent(s.Rev("main")); got != want {
					t.Errorf("the judge says %+v, want %+v", got, want)
				}
			}
		})
	}
}

// Settings that change what a merge does change nothing here.
func TestSettingsChangeNothing(t *testing.T) {
	for _, setting := range [][]string{
		{"merge.renormalize", "true"}, {"merge.directoryRenames", "true"}, {"merge.renames", "false"},
		{"diff.renames", "false"}, {"merge.renameLimit", "1"}, {"diff.algorithm", "myers"},
		{"merge.conflictStyle", "diff3"}, {"core.autocrlf", "true"}, {"log.showSignature", "true"},
		{"diff.ignoreSubmodules", "all"}, {"color.ui", "always"}, {"log.showRoot", "false"},
		{"diff.noprefix", "true"}, {"diff.relative", "true"}, {"log.follow", "true"}, {"format.pretty", "full"},
		{"merge.verbosity", "5"}, {"log.diffMerges", "combined"}, {"diff.orderFile", "/nowhere"},
	} {
		t.Run(setting[0], func(t *testing.T) {
			t.Parallel()
			s := newStage(t, one(nil))
			s.Git("mv", "f", "g")
			s.Commit("rename", nil)
			s.on("main")
			s.Commit("edit", one(map[int]string{30: "thirty"}))
			want := byContent(s.squash("topic"))
			s.Git("config", setting[0], setting[1])
			if got := s.ask(s.judge(), "topic", "main"); got != want {
				t.Errorf("the judge says %+v, want %+v", got, want)
			}
		})
	}
}
