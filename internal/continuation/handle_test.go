package continuation

import (
	"bytes"
	"encoding/base32"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"git-continuity/internal/refusal"
)

// seeded is a reader of reproducible bytes.
func seeded(seed byte) io.Reader {
	return rand.NewChaCha8([32]byte{seed})
}

func mustNew(t testing.TB, random io.Reader) Handle {
	t.Helper()
	h, err := New(random)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestDocumentedVectors(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(.{8})` \\| `(.{2})` \\| `(C1-.{10,12})` \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 6 {
		t.Fatalf("docs/formats.md holds %d test vectors, want at least 6", len(rows))
	}
	for _, row := range rows {
		raw, err := base32.NewEncoding(alphabet).DecodeString(row[1])
		if err != nil {
			t.Fatal(err)
		}
		h := mustNew(t, bytes.NewReader(raw))
		if h.String() != row[3] || !strings.HasSuffix(h.String(), "-"+row[2]) {
			t.Errorf("%s: handle %s, documented as %s with the checks %s", row[1], h, row[3], row[2])
		}
		if back, err := Parse(row[3]); err != nil || back != h {
			t.Errorf("Parse(%q) = %v, %v", row[3], back, err)
		}
	}
}

func TestNewIsReadBack(t *testing.T) {
	random := seeded(1)
	seen := map[Handle]bool{}
	for range 20000 {
		h := mustNew(t, random)
		seen[h] = true
		for _, text := range []string{h.String(), strings.ToLower(h.String())} {
			back, err := Parse(text)
			if err != nil || back != h {
				t.Fatalf("Parse(%q) = %v, %v; want %v", text, back, err, h)
			}
		}
	}
	if len(seen) < 19990 {
		t.Errorf("20000 draws gave %d different handles", len(seen))
	}
}

func TestNewReportsItsSource(t *testing.T) {
	broken := errors.New("no entropy")
	_, err := New(io.MultiReader(bytes.NewReader([]byte{1, 2}), readerOf(broken)))
	if !errors.Is(err, broken) {
		t.Errorf("New = %v, want the source's error", err)
	}
	if _, err := New(bytes.NewReader([]byte{1, 2, 3, 4})); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("New of four bytes = %v, want an unexpected end", err)
	}
}

func readerOf(err error) io.Reader {
	r, w := io.Pipe()
	w.CloseWithError(err)
	return r
}

func TestParseRefuses(t *testing.T) {
	good := "C1-7ZQK-3M9X-NW"
	if _, err := Parse(good); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty":               "",
		"blank before":        " " + good,
		"blank after":         good + " ",
		"newline after":       good + "\n",
		"NUL":                 good[:14] + "\x00",
		"no hyphens":          strings.ReplaceAll(good, "-", ""),
		"one hyphen missing":  "C1-7ZQK3M9X-NWX",
		"blank for hyphen":    "C1 7ZQK 3M9X NW",
		"hyphen moved":        "C17-ZQK-3M9X-NW",
		"minus for hyphen":    strings.ReplaceAll(good, "-", "\u2212"),
		"another kind":        "C2-7ZQK-3M9X-NW",
		"kind with a letter":  "CI-7ZQK-3M9X-NW",
		"no kind":             "7ZQK-3M9X-NW",
		"I":                   "C1-I000-0000-40",
		"L":                   "C1-L000-0000-40",
		"O":                   "C1-O000-0000-C1",
		"U":                   "C1-U000-0000-C1",
		"small l":             "c1-l000-0000-40",
		"eight zeros, zeros":  "C1-0000-0000-00",
		"Kelvin sign":         "C1-7ZQ\u212a-3M9X-NW",
		"long s":              "C1-0000-0001-X\u017f",
		"full-width":          "C1-\uff17ZQK-3M9X-NW",
		"Cyrillic M":          "C1-7ZQK-3\u041c9X-NW",
		"same bytes, look":    "\u04211-7ZQK-3M9X-N",
		"invalid UTF-8":       "C1-7ZQK-3M9X-N\xff",
		"longer":              good + "0",
		"shorter":             good[:14],
		"very long":           strings.Repeat(good, 10000),
		"a lower-case vector": strings.ToLower(good) + "\t",
	} {
		h, err := Parse(text)
		assertTypo(t, name, h, err)
		if err != nil && text != "" && strings.Contains(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%s: the refusal repeats the text: %v", name, err)
		}
	}
}

func assertTypo(t testing.TB, name string, h Handle, err error) {
	t.Helper()
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Code != refusal.InvalidHandle || !h.IsZero() {
		t.Fatalf("%s: Parse = %v, %v; want the zero value and invalid_handle", name, h, err)
	}
	if !strings.Contains(r.Message, "typo") || len(r.Hints) == 0 {
		t.Errorf("%s: refusal %q with hints %q does not say that it is a typo and what to do", name, r.Message, r.Hints)
	}
	if handlePattern.MatchString(r.Message) || handlePattern.MatchString(strings.Join(r.Hints, " ")) {
		t.Errorf("%s: the refusal carries a handle: %q %q", name, r.Message, r.Hints)
	}
}

// handlePattern finds a handle, but not the form C1-XXXX-XXXX-XX itself.
var handlePattern = regexp.MustCompile(`C1-[0-9A-WYZ][0-9A-Z]{3}-[0-9A-Z]{4}-[0-9A-Z]{2}`)

func TestHandleText(t *testing.T) {
	var zero Handle
	if _, err := zero.MarshalText(); err == nil {
		t.Error("the zero handle was encoded; it could not be read back")
	}
	if !zero.IsZero() || zero.String() != "" {
		t.Errorf("zero handle: IsZero %v, String %q", zero.IsZero(), zero.String())
	}
	h := mustNew(t, seeded(2))
	text, err := h.MarshalText()
	if err != nil || string(text) != h.String() || h.IsZero() {
		t.Errorf("MarshalText = %q, %v", text, err)
	}
	var back Handle
	if err := back.UnmarshalText(text); err != nil || back != h {
		t.Errorf("UnmarshalText = %v, %v", back, err)
	}
	if err := back.UnmarshalText([]byte("C1-")); refusal.CodeOf(err) != refusal.InvalidHandle || back != h {
		t.Errorf("a refused text gave %v and changed the handle to %v", err, back)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("C1-7ZQK-3M9X-NW")
	f.Add("c1-0000-0000-c1")
	f.Add("C1-0000-0000-00")
	f.Add("C1-7ZQ\u212a-3M9X-NW")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := Parse(text)
		if err != nil {
			assertTypo(t, text, h, err)
			return
		}
		if !strings.EqualFold(h.String(), text) || len(h.String()) != len(text) {
			t.Fatalf("Parse(%q) = %v", text, h)
		}
		if again, err := Parse(h.String()); err != nil || again != h {
			t.Fatalf("the canonical form %q gave %v, %v", h, again, err)
		}
	})
}
