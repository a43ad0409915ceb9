// Package secret knows what a credential looks like.
//
// It stands apart because two very different callers need the same knowledge:
// whatever is about to be published is refused if it holds a credential, and
// what git says on its standard error is cleaned before anyone sees it. Both
// must agree, and the first must go on agreeing with itself for years, since
// whether a stored record is admitted depends on it. Hence the rules come as a
// table with a version that is never edited once released.
//
// A shape is a known prefix, an alphabet and a length, with a word boundary on
// both sides; there is no guessing by entropy, because a refusal that hits a
// commit id or a branch name does more harm than the rare shape it misses. The
// package never hands out, prints or logs any part of a value.
package secret

// A Finding is one credential in a text. It says where and of which kind, and
// deliberately not what.
type Finding struct {
	// Rule is the stable name of the rule that matched, such as
	// "github-token"; it is safe to show.
	Rule string
	// Start and End delimit the credential in bytes: text[Start:End].
	Start, End int
}

// A Table is one frozen version of the rules. The zero Table finds nothing;
// take one from V1 or Current. A Table is safe for concurrent use.
type Table struct {
	version int
	// pairs holds, for each first byte, the second bytes with which anything
	// below goes on, one bit each. Nearly all text is passed over by it alone.
	pairs [256][4]uint64
	// prefixed holds the shapes by the first byte of their prefix; they are
	// tried where a word may begin.
	prefixed [256][]candidate
	// contextual holds the matchers that recognise a credential by what stands
	// around it, by the byte at which they look; they are tried anywhere.
	contextual [256]matcher
}

// A candidate is one prefix of a shape, with the rule it belongs to.
type candidate struct {
	rule   string
	prefix string
	shape  *shape
}

// A matcher looks for one kind of credential at a position of the text. Where
// it finds one, the finding ends behind that position.
type matcher func(s *scan, at int) (Finding, bool)

// A scan is one walk through a text. It counts the bytes that matchers look at
// beyond the walk itself, so that a test can hold the cost of hostile text to
// a bound without a clock.
type scan struct {
	text string
	work int
}

// Version returns the number of the table, 1 for V1.
func (t *Table) Version() int { return t.version }

// Find returns the credentials in text, in order and without overlap, or nil.
// It takes time proportional to the length of text, whatever the text is.
func (t *Table) Find(text string) []Finding {
	return t.find(&scan{text: text})
}

func (t *Table) find(s *scan) []Finding {
	var found []Finding
	for at := 0; at+1 < len(s.text); {
		second := s.text[at+1]
		if t.pairs[s.text[at]][second>>6]&(1<<(second&63)) == 0 {
			at++
			continue
		}
		f, ok := t.at(s, at)
		if !ok {
			at++
			continue
		}
		found = append(found, f)
		at = f.End
	}
	return found
}

// at tries everything the table knows at one position.
func (t *Table) at(s *scan, at int) (Finding, bool) {
	first := s.text[at]
	if match := t.contextual[first]; match != nil {
		if f, ok := match(s, at); ok {
			return f, true
		}
	}
	candidates := t.prefixed[first]
	if len(candidates) == 0 || !beginsWord(s.text, at) {
		return Finding{}, false
	}
	for i := range candidates {
		c := &candidates[i]
		if !hasPrefixAt(s.text, at, c.prefix) {
			continue
		}
		if end, ok := c.shape.match(s, at, at+len(c.prefix)); ok {
			return Finding{Rule: c.rule, Start: at, End: end}, true
		}
	}
	return Finding{}, false
}

// Find is Current().Find.
func Find(text string) []Finding { return Current().Find(text) }

// Current returns the newest table: the one that decides about what is written
// now and about what is shown. What was stored under an older table is judged
// by that one.
func Current() *Table { return V1() }
