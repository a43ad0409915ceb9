package cli

import (
	"fmt"
	"strings"
)

// fishFrame is the script without what depends on the grammar. fish escapes
// what it inserts.
const fishFrame = `# fish completion for @typed@, asked by fish's own completion of git.

function __@ident@_branches
    git for-each-ref --format='%(refname:strip=2)' refs/heads/ 2>/dev/null
end

function __@ident@_remotes
    git remote 2>/dev/null
end

function __@ident@_handles
    git @verb@ list 2>/dev/null | string match -r '^C1-[0-9A-Z]+-[0-9A-Z]+-[0-9A-Z]+'
end

# Succeeds if the verb typed so far is $argv[1]; '' is none.
function __@ident@_in
    set -l verb ''
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case @valued@
                set skip 1
            case '-*'
            case '*'
                set verb $word
                break
        end
    end
    test "$verb" = "$argv[1]"
end

complete -c @program@ -f
`

func (c Command) fishCompletion(verbs []verb) string {
	var out strings.Builder
	out.WriteString(strings.NewReplacer(
		"@typed@", c.Typed(), "@program@", c.Program, "@ident@", c.ident(),
		"@verb@", strings.TrimPrefix(c.Program, "git-"),
		"@valued@", strings.Join(valued(verbs), " "),
	).Replace(fishFrame))
	line := func(in verb, rest string) {
		condition := "__" + c.ident() + "_in " + in.name
		if in.name == "" {
			condition += `""`
		}
		fmt.Fprintf(&out, "complete -c %s -n %s %s\n", c.Program, fishQuote(condition), rest)
	}
	for _, v := range verbs[1:] {
		line(verbs[0], "-a "+v.name+" -d "+fishQuote(v.help))
	}
	for _, v := range verbs {
		for _, o := range v.options {
			rest := "-l " + o.name + " -d " + fishQuote(o.help)
			if o.value != "" && !o.optional {
				rest += " -x"
			}
			if o.from != noSource {
				rest += " -a " + fishQuote("(__"+c.ident()+"_"+string(o.from)+")")
			}
			line(v, rest)
		}
		switch {
		case v.from != noSource:
			line(v, "-a "+fishQuote("(__"+c.ident()+"_"+string(v.from)+")"))
		case len(v.words) > 0:
			line(v, "-a "+fishQuote(strings.Join(v.words, " ")))
		}
	}
	return out.String()
}

func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
