package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A source is where the values of an option or argument come from while a
// shell completes them.
type source string

const (
	noSource source = ""
	branches source = "branches"
	handles  source = "handles"
	remotes  source = "remotes"
)

// sources tells the source by the placeholder or argument name.
var sources = map[string]source{
	"TARGET": branches,
	"BRANCH": branches,
	"HANDLE": handles,
	"REMOTE": remotes,
}

// An option is a flag as completion needs it.
type option struct {
	name, help, value string // value is the placeholder; empty for a switch
	from              source
	repeats           bool
	// optional: the value may be left out, and is always joined.
	optional bool
}

// A verb is a subcommand as completion needs it; the one without a name is the
// default.
type verb struct {
	name, help string
	options    []option // those of its own, then the shared ones
	value      string   // placeholder of the positional argument; may be empty
	words      []string // its fixed values
	from       source
	repeats    bool
}

// everywhere are the options that Page answers and the grammar does not know.
var everywhere = []option{
	{name: "help", help: "Show the help page."},
	{name: "version", help: "Show the version."},
}

// Completion returns the completion script of the command for bash, zsh or
// fish, made from its grammar. The scripts ask git for branches and the command
// itself for handles; whatever a branch is called, its name reaches the command
// line quoted and is never evaluated.
//
//   - bash defines _git_await, the function that git's own completion calls
//   - zsh defines _git-await, which zsh's completion of git calls
//   - fish completes git-await, which fish's completion of git asks for
func (c Command) Completion(grammar any, shell string) (string, error) {
	model, err := c.Model(grammar)
	if err != nil {
		return "", err
	}
	verbs := verbsOf(model)
	switch shell {
	case "bash":
		return c.bashCompletion(verbs), nil
	case "zsh":
		return c.zshCompletion(verbs), nil
	case "fish":
		return c.fishCompletion(verbs), nil
	}
	return "", fmt.Errorf("no completion for the shell %q", shell)
}

// verbsOf reads the verbs out of a model, the default one first.
func verbsOf(model *kong.Application) []verb {
	verbs := []verb{{}}
	shared := append(optionsOf(model.Flags), everywhere...)
	for _, node := range model.Children {
		if node == model.DefaultCmd {
			verbs[0].options = optionsOf(node.Flags)
			continue
		}
		v := verb{name: node.Name, help: node.Help, options: optionsOf(node.Flags)}
		for _, arg := range node.Positional {
			v.value = strings.ToUpper(arg.Name)
			v.from, v.repeats = sources[v.value], arg.IsCumulative()
			if arg.Enum != "" {
				v.words = arg.EnumSlice()
			}
		}
		verbs = append(verbs, v)
	}
	for i := range verbs {
		verbs[i].options = append(verbs[i].options, shared...)
	}
	return verbs
}

func optionsOf(flags []*kong.Flag) []option {
	var options []option
	for _, flag := range flags {
		o := option{name: flag.Name, help: flag.Help, repeats: flag.IsCumulative()}
		if !flag.IsBool() || flag.PlaceHolder != "" {
			o.value, o.optional = flag.PlaceHolder, flag.IsBool()
			o.from = sources[o.value]
		}
		options = append(options, o)
	}
	return options
}

// names returns the names of all verbs but the default.
func names(verbs []verb) []string {
	var out []string
	for _, v := range verbs[1:] {
		out = append(out, v.name)
	}
	return out
}

// valued returns, with "--", the options of all verbs that take the next word
// for their value, from one of the given sources, or any where none is given.
func valued(verbs []verb, from ...source) []string {
	return optionsWith(verbs, func(o option) bool {
		return o.value != "" && !o.optional && (len(from) == 0 || slices.Contains(from, o.from))
	})
}

// joined returns, with "--", the options of all verbs that take a value from a
// source after an equals sign.
func joined(verbs []verb, from source) []string {
	return optionsWith(verbs, func(o option) bool { return o.value != "" && o.from == from })
}

func optionsWith(verbs []verb, wanted func(option) bool) []string {
	var out []string
	seen := make(map[string]bool)
	for _, v := range verbs {
		for _, o := range v.options {
			if wanted(o) && !seen[o.name] {
				seen[o.name] = true
				out = append(out, "--"+o.name)
			}
		}
	}
	return out
}

// ident is the name of the program where no hyphen may stand.
func (c Command) ident() string {
	return strings.ReplaceAll(c.Program, "-", "_")
}
