package cli

import (
	"fmt"
	"strings"
)

// bashFrame is the script without what depends on the grammar. Candidates are
// written with %q, since bash inserts them as they are. It keeps to bash 3.2.
const bashFrame = `# bash completion for @typed@, to be found by git's own completion.

__@ident@_quoted ()
{
	local line lines=()
	while IFS= read -r line; do
		lines+=("$line")
	done
	if ((${#lines[@]})); then
		printf '%q\n' "${lines[@]}"
	fi
}

__@ident@_branches ()
{
	__gitcomp_nl "$(__git for-each-ref --format='%(refname:strip=2)' refs/heads/ |
		__@ident@_quoted)" "" "$1"
}

__@ident@_remotes ()
{
	__gitcomp_nl "$(__git remote | __@ident@_quoted)" "" "$1"
}

__@ident@_handles ()
{
	__gitcomp_nl "$(__git @verb@ list 2>/dev/null |
		sed -n 's/^\(C1-[0-9A-Z]*-[0-9A-Z]*-[0-9A-Z]*\).*/\1/p')" "" "$1"
}

_@ident@ ()
{
	local i verb=""
	for ((i = ${__git_cmd_idx-1} + 1; i < cword; i++)); do
		case "${words[i]}" in
		@valued@)
			((i++)) ;;
		-*)
			;;
		*)
			verb="${words[i]}"
			break ;;
		esac
	done
	case "$prev" in
@after@	esac
	case "$cur" in
@joined@	esac
	case "$verb,$cur" in
@options@	,*)
		__gitcomp "@verbs@" ;;
@arguments@	esac
}

if declare -F __git_complete >/dev/null; then
	__git_complete @program@ _@ident@
fi
`

func (c Command) bashCompletion(verbs []verb) string {
	var after, behind, options, arguments strings.Builder
	arm := func(out *strings.Builder, patterns []string, suffix, action string) {
		if len(patterns) > 0 {
			fmt.Fprintf(out, "\t%s)\n\t\t%s ;;\n", strings.Join(patterns, suffix+"|")+suffix, action)
		}
	}
	for _, from := range []source{branches, handles, remotes} {
		lookup := "__" + c.ident() + "_" + string(from)
		arm(&after, valued(verbs, from), "", lookup+` "$cur"; return`)
		arm(&behind, joined(verbs, from), "=*", lookup+` "${cur#*=}"; return`)
	}
	arm(&after, valued(verbs, noSource), "", "return")
	arm(&behind, joined(verbs, noSource), "=*", "return")
	for _, v := range verbs {
		arm(&options, []string{v.name + ",-"}, "*", `__gitcomp "`+bashOptions(v)+`"`)
		switch {
		case v.from != noSource:
			arm(&arguments, []string{v.name + ","}, "*", "__"+c.ident()+"_"+string(v.from)+` "$cur"`)
		case len(v.words) > 0:
			arm(&arguments, []string{v.name + ","}, "*", `__gitcomp "`+strings.Join(v.words, " ")+`"`)
		}
	}
	return strings.NewReplacer(
		"@typed@", c.Typed(), "@program@", c.Program, "@ident@", c.ident(),
		"@verb@", strings.TrimPrefix(c.Program, "git-"),
		"@valued@", strings.Join(valued(verbs), "|"),
		"@verbs@", strings.Join(names(verbs), " "),
		"@after@", after.String(), "@joined@", behind.String(),
		"@options@", options.String(), "@arguments@", arguments.String(),
	).Replace(bashFrame)
}

// bashOptions are the options in the form of __gitcomp, which puts no blank
// after a word that ends in "=".
func bashOptions(v verb) string {
	var words []string
	for _, o := range v.options {
		word := "--" + o.name
		if o.optional {
			words = append(words, word)
		}
		if o.value != "" {
			word += "="
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
