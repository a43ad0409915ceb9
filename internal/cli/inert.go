package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen are the code points that do not show themselves or that reorder what
// stands beside them: what a name must not be able to do to its reader.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0000, Hi: 0x001f, Stride: 1},
		{Lo: 0x007f, Hi: 0x009f, Stride: 1},
		{Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x180e, Hi: 0x180e, Stride: 1},
		{Lo: 0x200b, Hi: 0x200f, Stride: 1},
		{Lo: 0x2028, Hi: 0x202e, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xfff9, Hi: 0xfffb, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0xe0000, Hi: 0xe007f, Stride: 1},
	},
	LatinOffset: 2,
}

// Inert returns text on one line, unable to act on a terminal or to deceive
// its reader. Control characters, escape sequences, C1 codes, bytes that are no
// UTF-8 and the invisible and direction-changing code points of Unicode become
// visible escapes: \n \r \t, \x1b, \u202e, \U000e0041. A backslash stays as it
// is, so the result is to be read, not to be decoded; JSON carries the original.
func Inert(text string) string {
	return inert(text, "")
}

// InertText is Inert for a text of several lines: line ends stay, and a tab
// becomes four blanks.
func InertText(text string) string {
	return inert(text, "\n\t")
}

// Quote returns authored text with "| " before every line and a line end after
// each, so that nothing in it can pass for the words around it. It is inert as
// in InertText; "\r\n" counts as a line end. Empty text quotes to nothing.
func Quote(text string) string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return ""
	}
	var out strings.Builder
	for line := range strings.SplitSeq(InertText(text), "\n") {
		out.WriteString(strings.TrimRight("| "+line, " "))
		out.WriteByte('\n')
	}
	return out.String()
}

func inert(text, kept string) string {
	if plain(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[0])
		case !unicode.Is(unseen, r):
			out.WriteRune(r)
		case r == '\t' && strings.ContainsRune(kept, r):
			out.WriteString("    ")
		case strings.ContainsRune(kept, r):
			out.WriteRune(r)
		default:
			out.WriteString(escape(r))
		}
		text = text[size:]
	}
	return out.String()
}

// plain reports whether text is printable ASCII, as nearly all of it is.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func escape(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	default:
		return fmt.Sprintf(`\U%08x`, r)
	}
}
