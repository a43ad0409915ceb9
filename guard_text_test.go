package continuity_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// checkMarkers refuses work that was put off with a mark instead of done. The
// words are put together here so that this file has none.
func checkMarkers(m *module) []string {
	marker := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
	return m.grep(marker, "work is done or decided, not marked", func(string) bool { return true })
}

// checkSurroundings refuses what is true on one machine alone: its paths, the
// folder that CI finds beside the checkout, the host of a registry.
func checkSurroundings(m *module) []string {
	machine := regexp.MustCompile(`(^|[^\w.}/$)~-])/(work|root|home/\w+|Users/\w+)/|proxy\.golang` + `\.org|registry\.npmjs` + `\.org`)
	breaches := m.grep(machine, "names the surroundings of one machine", func(string) bool { return true })
	beside := regexp.MustCompile(`\.\./shar` + `ed\b`)
	return append(breaches, m.grep(beside, "names a folder outside the project", func(name string) bool { return name != ".ci/run" })...)
}

// grep reports each line that matches in the files that it applies to. Inputs
// that fuzzing found are bytes, not words.
func (m *module) grep(pattern *regexp.Regexp, why string, applies func(name string) bool) []string {
	var breaches []string
	for _, name := range m.paths() {
		if !applies(name) || strings.Contains("/"+name, "/testdata/fuzz/") {
			continue
		}
		for i, line := range strings.Split(m.files[name], "\n") {
			if found := pattern.FindString(line); found != "" {
				breaches = append(breaches, fmt.Sprintf("%s:%d: %q %s", name, i+1, strings.TrimSpace(found), why))
			}
		}
	}
	return breaches
}

// manualSections are what every manual page has, in this order among others.
var manualSections = []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"}

// checkManualPages asks for a manual page of every command: git opens it for
// "git await --help", and fails without.
func checkManualPages(m *module) []string {
	heading := regexp.MustCompile(`(?m)^\.S[Hh] +"?([^"\n]+?)"? *$`)
	var breaches []string
	for _, name := range m.commandNames() {
		page := "man/" + name + ".1"
		text, ok := m.files[page]
		if !ok {
			breaches = append(breaches, fmt.Sprintf("cmd/%s: there is no %s", name, page))
			continue
		}
		var sections []string
		for _, found := range heading.FindAllStringSubmatch(text, -1) {
			sections = append(sections, found[1])
		}
		from := 0
		for _, want := range manualSections {
			i := slices.Index(sections[from:], want)
			if i < 0 {
				breaches = append(breaches, fmt.Sprintf("%s: the section %q is not there, or not in its place", page, want))
				continue
			}
			from += i + 1
		}
	}
	return breaches
}

// checkScripted asks that scripts can run every command.
func checkScripted(m *module) []string {
	var breaches []string
	for _, name := range m.commandNames() {
		if commands[name] == nil {
			breaches = append(breaches, fmt.Sprintf("cmd/%s: commands_test.go does not have it, so no script can run it", name))
		}
	}
	return breaches
}

// checkDependencies asks that every direct dependency is named in a decision.
func checkDependencies(m *module) []string {
	var decisions strings.Builder
	for name, text := range m.files {
		if strings.HasPrefix(name, "docs/decisions/") {
			decisions.WriteString(text)
		}
	}
	requirement := regexp.MustCompile(`(?m)^(?:require)?\s+([\w.-]+\.[\w-]+/\S+) v\S+[ \t]*$`)
	var breaches []string
	for _, found := range requirement.FindAllStringSubmatch(m.files["go.mod"], -1) {
		if !strings.Contains(decisions.String(), "`"+found[1]+"`") {
			breaches = append(breaches, fmt.Sprintf("go.mod: no page of docs/decisions names `%s` and why it is needed", found[1]))
		}
	}
	return breaches
}
