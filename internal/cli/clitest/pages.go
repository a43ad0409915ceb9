package clitest

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"git-continuity/internal/cli"
)

// answered are the options that the help answers without a grammar.
var answered = []string{"help", "version"}

// longOption finds options in a text where it is not a part of a longer word.
var longOption = regexp.MustCompile(`(?:^|[^-\w])--([a-z][a-z-]*[a-z])`)

// CheckPages holds the help pages of c against its grammar: the main page has
// every option and verb, the page of a verb its own options, and none has one
// that cannot be typed. A page is at most 24 lines of 80 columns and ends in
// a line end.
func CheckPages(t testing.TB, c cli.Command, grammar any) {
	t.Helper()
	model, err := c.Model(grammar)
	if err != nil {
		t.Fatal(err)
	}
	for topic, page := range c.Pages {
		lines := strings.Split(page, "\n")
		if n := len(lines) - 1; n > 24 || lines[n] != "" {
			t.Errorf("the page %q has %d lines and ends in %q", topic, n, lines[n])
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 80 || strings.ContainsRune(line, '\t') {
				t.Errorf("the page %q: too wide, or with a tab: %q", topic, line)
			}
		}
	}
	shared := flagNames(model.Node)
	main := shared
	for _, node := range model.Children {
		if node == model.DefaultCmd {
			main = append(slices.Clone(shared), flagNames(node)...)
			continue
		}
		page, ok := c.Pages[node.Name]
		if !ok {
			t.Errorf("the verb %q has no page", node.Name)
		}
		own := flagNames(node)
		compare(t, "the page of "+node.Name, page, own, append(slices.Clone(shared), own...))
		if !strings.Contains(c.Pages[""], "git "+verbOf(c)+" "+node.Name) && !strings.Contains(c.Pages[""], "| "+node.Name) {
			t.Errorf("the main page lacks the verb %q", node.Name)
		}
	}
	compare(t, "the main page", c.Pages[""], main, main)
	for topic := range c.Pages {
		isVerb := func(node *kong.Node) bool { return node.Name == topic && node != model.DefaultCmd }
		if topic != "" && !slices.ContainsFunc(model.Children, isVerb) {
			t.Errorf("the page %q is of no verb", topic)
		}
	}
}

// verbOf is "await" for git-await.
func verbOf(c cli.Command) string { return strings.TrimPrefix(c.Program, "git-") }

// compare checks that text names every option of required, and none but those
// of allowed.
func compare(t testing.TB, what, text string, required, allowed []string) {
	t.Helper()
	var named []string
	for _, match := range longOption.FindAllStringSubmatch(text, -1) {
		named = append(named, match[1])
		if !slices.Contains(allowed, match[1]) && !slices.Contains(answered, match[1]) {
			t.Errorf("%s has --%s, which cannot be typed", what, match[1])
		}
	}
	for _, option := range required {
		if !slices.Contains(named, option) {
			t.Errorf("%s lacks --%s", what, option)
		}
	}
}

func flagNames(node *kong.Node) []string {
	var names []string
	for _, flag := range node.Flags {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	}
	return names
}

// sections are those that every manual page has, in this order.
var sections = []string{
	"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS",
	"EXIT STATUS", "EXAMPLES", "FILES", "SEE ALSO",
}

var roffSection = regexp.MustCompile(`(?m)^\.SH "?([A-Z ]+?)"?$`)

// CheckManual holds the manual page at man/<program>.1 against the grammar:
// its sections and their order, every option and verb, and no option that
// cannot be typed. Extra are further sections that it must have, anywhere.
func CheckManual(t testing.TB, c cli.Command, grammar any, extra ...string) {
	t.Helper()
	model, err := c.Model(grammar)
	if err != nil {
		t.Fatal(err)
	}
	source := string(ReadFile(t, "man/"+c.Program+".1"))
	var found []string
	for _, match := range roffSection.FindAllStringSubmatch(source, -1) {
		found = append(found, match[1])
	}
	for _, section := range extra {
		if !slices.Contains(found, section) {
			t.Errorf("the manual page has no section %s", section)
		}
	}
	known := slices.DeleteFunc(slices.Clone(found), func(s string) bool { return !slices.Contains(sections, s) })
	if !slices.Equal(known, sections) {
		t.Errorf("the sections are %q, want %q", known, sections)
	}
	text := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "", `\fI`, "").Replace(source)
	options := flagNames(model.Node)
	for _, node := range model.Children {
		options = append(options, flagNames(node)...)
		if node != model.DefaultCmd && !strings.Contains(text, c.Typed()+" "+node.Name) {
			t.Errorf("the manual page lacks %q", c.Typed()+" "+node.Name)
		}
	}
	compare(t, "the manual page", text, options, options)
	for _, option := range options {
		if !regexp.MustCompile(`(?m)^\.TP\n\.(?:B|BI|BR) .*\\-\\-` + strings.ReplaceAll(option, "-", `\\-`) + `\b`).MatchString(source) {
			t.Errorf("the manual page does not explain --%s", option)
		}
	}
}
