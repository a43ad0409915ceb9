package secret

import "strings"

// A rule is one kind of credential: a stable name, where its shapes come from,
// and the shapes themselves.
type rule struct {
	name string
	// source names the vendor's page on which to look the shape up again.
	source string
	// entered is the day on which the row was written.
	entered string
	shapes  []shape
}

// A shape is a literal prefix followed by parts. Every part takes as much as it
// can and gives nothing back, so one attempt looks at each byte at most once.
type shape struct {
	// prefixes are the literal beginnings, parted by blanks.
	prefixes string
	parts    []part
	// must lists alphabets of which the parts together need at least one byte
	// each: what tells a random value from a word.
	must []set
	// check, if set, has the last say about the whole credential.
	check func(value string) bool
}

// A part is either a literal or a run of least to most bytes of one alphabet; a
// most of 0 sets no limit. Only alphabets of word bytes may go without: no
// credential begins inside such a run, so no byte is read over and over.
type part struct {
	literal     string
	of          set
	least, most int
}

func lit(literal string) part              { return part{literal: literal} }
func exactly(n int, of set) part           { return part{of: of, least: n, most: n} }
func between(least, most int, of set) part { return part{of: of, least: least, most: most} }
func atLeast(least int, of set) part       { return part{of: of, least: least} }

// match reports where the credential ends whose prefix lies at start and whose
// parts begin at body.
func (sh *shape) match(s *scan, start, body int) (end int, ok bool) {
	pos := body
	var seen, last set
	for _, p := range sh.parts {
		if p.literal != "" {
			if !hasPrefixAt(s.text, pos, p.literal) {
				return 0, false
			}
			pos += len(p.literal)
			last = 0
			continue
		}
		n, kinds := s.run(pos, p.of, p.most)
		if n < p.least {
			return 0, false
		}
		pos += n
		seen |= kinds
		last = p.of
	}
	if !endsWord(s.text, pos) || pos < len(s.text) && last.has(s.text[pos]) {
		return 0, false
	}
	for _, needed := range sh.must {
		if seen&needed == 0 {
			return 0, false
		}
	}
	if sh.check != nil && !sh.check(s.text[start:pos]) {
		return 0, false
	}
	return pos, true
}

// A contextual matcher is tried where its text begins with one of the pairs of
// bytes in begins, parted by blanks.
type contextual struct {
	begins string
	match  matcher
}

// build makes a table of rules and contextual matchers. A rule that stands
// earlier wins where two match at the same place; of contextual matchers there
// is one for each first byte.
func build(version int, rules []rule, contexts []contextual) *Table {
	t := &Table{version: version}
	for i := range rules {
		for j := range rules[i].shapes {
			sh := &rules[i].shapes[j]
			for _, prefix := range strings.Fields(sh.prefixes) {
				t.pair(prefix)
				t.prefixed[prefix[0]] = append(t.prefixed[prefix[0]], candidate{rules[i].name, prefix, sh})
			}
		}
	}
	for _, c := range contexts {
		for _, begin := range strings.Fields(c.begins) {
			t.pair(begin)
			t.contextual[begin[0]] = c.match
		}
	}
	return t
}

// pair lets the walk stop where a text begins so.
func (t *Table) pair(begin string) {
	t.pairs[begin[0]][begin[1]>>6] |= 1 << (begin[1] & 63)
}
