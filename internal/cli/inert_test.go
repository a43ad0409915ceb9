package cli

import (
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

func TestInert(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"feature/é-日本", "feature/é-日本"},
		{`back\slash`, `back\slash`},
		{"\x1b[31mred", `\x1b[31mred`},
		{"a\nb\tc\rd\x00", `a\nb\tc\rd\x00`},
		{"\u009b31m", `\u009b31m`},
		{"\x9b31m", `\x9b31m`},
		{"\xff\xc3", `\xff\xc3`},
		{"\ufffd", "\ufffd"},
		{"a\u202eb", `a\u202eb`},
		{"a\u2066b\u2029", `a\u2066b\u2029`},
		{"\ufeff\u200d", `\ufeff\u200d`},
		{"\U000e0041", `\U000e0041`},
		{"\x7f", `\x7f`},
	} {
		if got := Inert(test.text); got != test.want {
			t.Errorf("Inert(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"\n", ""},
		{"one", "| one\n"},
		{"one\n\ntwo\n", "| one\n|\n| two\n"},
		{"one\r\ntwo\r", "| one\n| two\\r\n"},
		{"a\tb", "| a    b\n"},
		{"end\u2028hint: no", "| end\\u2028hint: no\n"},
		{"\x1b]0;x\x07", "| \\x1b]0;x\\x07\n"},
	} {
		if got := Quote(test.text); got != test.want {
			t.Errorf("Quote(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// deceives is the contract written a second time, as bare numbers.
func deceives(r rune) bool {
	return r < 0x20 || 0x7f <= r && r <= 0x9f ||
		0x200b <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e ||
		r == 0x2028 || r == 0x2029 || 0x2060 <= r && r <= 0x2069 ||
		r == 0xfeff || 0xe0000 <= r && r <= 0xe007f
}

func checkInert(t *testing.T, text string) {
	t.Helper()
	for name, got := range map[string]string{
		"Inert":     Inert(text),
		"InertText": strings.ReplaceAll(InertText(text), "\n", ""),
		"Quote":     strings.ReplaceAll(Quote(text), "\n", ""),
	} {
		if !utf8.ValidString(got) || strings.ContainsFunc(got, deceives) {
			t.Errorf("%s(%q) = %q", name, text, got)
		}
	}
	if again := Inert(Inert(text)); again != Inert(text) {
		t.Errorf("Inert changes its own result: %q", again)
	}
	for line := range strings.Lines(Quote(text)) {
		if !strings.HasPrefix(line, "|") {
			t.Errorf("Quote(%q) has the line %q", text, line)
		}
	}
}

func TestInertEveryCodePoint(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if got := Inert(string(r)); strings.ContainsFunc(got, deceives) {
			t.Errorf("%U gives %q", r, got)
		}
	}
}

func TestInertAnyBytes(t *testing.T) {
	check := func(text []byte) bool {
		checkInert(t, string(text))
		return !t.Failed()
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

func FuzzInert(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff\r\n\tb")
	f.Fuzz(func(t *testing.T, text string) { checkInert(t, text) })
}
