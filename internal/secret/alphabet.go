package secret

import "strings"

// A set is an alphabet: a union of the kinds of bytes below. Credentials are
// plain ASCII, so every other byte belongs to no kind.
type set uint16

const (
	digits    set = 1 << iota
	lowerHex      // a to f
	lowerRest     // g to z
	upperHex      // A to F
	upperRest     // G to Z
	underscore
	dash
	plus
	slash
	equals
	dot
	tilde
)

const (
	lower      = lowerHex | lowerRest
	upper      = upperHex | upperRest
	letters    = lower | upper
	hex        = digits | lowerHex
	anyHex     = hex | upperHex
	lowerAlnum = digits | lower
	upperAlnum = digits | upper
	alnum      = digits | letters
	identifier = alnum | underscore
	base64url  = identifier | dash
	base64std  = alnum | plus | slash
	// word is what may not stand beside a credential: the bytes of identifiers
	// and of both base64 alphabets. The slash is left out, since it also parts
	// the steps of a URL or path, in which credentials do turn up.
	word = base64url | plus
)

// kindOf gives the kind of every byte; it is never written after the start.
var kindOf = func() (kinds [256]set) {
	for kind, members := range map[set]string{
		digits:     "0123456789",
		lowerHex:   "abcdef",
		lowerRest:  "ghijklmnopqrstuvwxyz",
		upperHex:   "ABCDEF",
		upperRest:  "GHIJKLMNOPQRSTUVWXYZ",
		underscore: "_", dash: "-", plus: "+", slash: "/", equals: "=", dot: ".", tilde: "~",
	} {
		for i := range len(members) {
			kinds[members[i]] = kind
		}
	}
	return kinds
}()

// has reports whether b is in the alphabet.
func (s set) has(b byte) bool { return kindOf[b]&s != 0 }

// run counts how many bytes from position at on are of the alphabet, at most
// limit if that is not 0, and collects their kinds.
func (s *scan) run(at int, of set, limit int) (n int, seen set) {
	end := len(s.text)
	if limit > 0 && limit < end-at {
		end = at + limit
	}
	pos := at
	for pos < end {
		kind := kindOf[s.text[pos]]
		if kind&of == 0 {
			break
		}
		seen |= kind
		pos++
	}
	s.work += pos - at + 1
	return pos - at, seen
}

// hasPrefixAt is strings.HasPrefix on the rest of the text.
func hasPrefixAt(text string, at int, prefix string) bool {
	return strings.HasPrefix(text[at:], prefix)
}

// beginsWord reports whether a credential may begin at this position: nothing
// of the word alphabet stands before it, or only because the text is encoded.
func beginsWord(text string, at int) bool {
	if at == 0 || !word.has(text[at-1]) {
		return true
	}
	return afterEscape(text, at) || afterDiffMark(text, at)
}

// endsWord reports whether a credential may end before this position.
func endsWord(text string, at int) bool {
	return at >= len(text) || !word.has(text[at])
}

// afterEscape reports whether the bytes before the position are an escape such
// as \n, \u0026 or %3D, whose last byte looks like a letter or digit but is none.
func afterEscape(text string, at int) bool {
	switch {
	case at >= 2 && text[at-2] == '\\':
		return strings.IndexByte("abfnrtv0", text[at-1]) >= 0
	case at >= 3 && text[at-3] == '%':
		return allHex(text[at-2 : at])
	case at >= 6 && text[at-6] == '\\' && text[at-5] == 'u':
		return allHex(text[at-4 : at])
	}
	return false
}

// afterDiffMark reports whether the byte before the position is the plus or
// minus with which a patch begins a line.
func afterDiffMark(text string, at int) bool {
	if mark := text[at-1]; mark != '+' && mark != '-' {
		return false
	}
	rest := text[:at-1]
	return rest == "" || strings.HasSuffix(rest, "\n") || strings.HasSuffix(rest, `\n`)
}

func allHex(text string) bool {
	for i := range len(text) {
		if !anyHex.has(text[i]) {
			return false
		}
	}
	return true
}
