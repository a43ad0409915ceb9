package cli

import (
	"fmt"
	"strings"
)

// zshFrame is the script without what depends on the grammar. compadd quotes
// what it inserts.
const zshFrame = `#compdef @program@
# zsh completion for @typed@, found by zsh's own completion of git.

__@ident@_branches () {
	local expl
	local -a names
	names=(${(f)"$(git for-each-ref --format='%(refname:strip=2)' refs/heads/ 2>/dev/null)"})
	_wanted branches expl branch compadd -a -- names
}

__@ident@_remotes () {
	local expl
	local -a names
	names=(${(f)"$(git remote 2>/dev/null)"})
	_wanted remotes expl remote compadd -a -- names
}

__@ident@_handles () {
	local expl
	local -a names
	names=(${(M)${${(f)"$(git @verb@ list 2>/dev/null)"}%% *}:#C1-*})
	_wanted handles expl handle compadd -a -- names
}

__@ident@_verbs () {
	local -a verbs
	verbs=(
@verbs@	)
	_describe -t commands command verbs
}

_@program@ () {
	local curcontext="$curcontext" state line
	local -A opt_args
	_arguments -C \
@options@		'1: :__@ident@_verbs' \
		'*:: :->rest'
	[[ $state == rest ]] || return
	case $line[1] in
@rest@	esac
}

_@program@ "$@"
`

func (c Command) zshCompletion(verbs []verb) string {
	var list, options, rest strings.Builder
	for _, v := range verbs[1:] {
		fmt.Fprintf(&list, "\t\t%s\n", zshQuote(v.name+":"+v.help))
	}
	for _, o := range verbs[0].options {
		fmt.Fprintf(&options, "\t\t%s \\\n", c.zshOption(o))
	}
	for _, v := range verbs[1:] {
		fmt.Fprintf(&rest, "\t(%s)\n\t\t_arguments", v.name)
		for _, o := range v.options {
			fmt.Fprintf(&rest, " \\\n\t\t\t%s", c.zshOption(o))
		}
		if v.value != "" {
			number, action := "1", c.zshAction(v.from)
			if v.repeats {
				number = "*"
			}
			if len(v.words) > 0 {
				action = "(" + strings.Join(v.words, " ") + ")"
			}
			fmt.Fprintf(&rest, " \\\n\t\t\t%s", zshQuote(number+":"+strings.ToLower(v.value)+":"+action))
		}
		rest.WriteString(" ;;\n")
	}
	return strings.NewReplacer(
		"@typed@", c.Typed(), "@program@", c.Program, "@ident@", c.ident(),
		"@verb@", strings.TrimPrefix(c.Program, "git-"),
		"@verbs@", list.String(), "@options@", options.String(), "@rest@", rest.String(),
	).Replace(zshFrame)
}

// zshOption is one option in the language of _arguments.
func (c Command) zshOption(o option) string {
	spec := "--" + o.name
	if o.repeats {
		spec = "*" + spec
	}
	message := ":"
	switch {
	case o.optional:
		spec, message = spec+"=-", "::"
	case o.value != "":
		spec += "="
	}
	spec += "[" + strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(o.help) + "]"
	if o.value != "" {
		spec += message + strings.ToLower(o.value) + ":" + c.zshAction(o.from)
	}
	return zshQuote(spec)
}

// zshAction is what completes a value; a blank completes nothing.
func (c Command) zshAction(from source) string {
	if from == noSource {
		return " "
	}
	return "__" + c.ident() + "_" + string(from)
}

func zshQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
