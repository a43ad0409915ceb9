package continuation

import (
	"fmt"
	"io"
	"strings"

	"git-continuity/internal/refusal"
)

// alphabet is Crockford's Base32: 0-9 and A-Z without I, L, O and U, which are
// easily misread. A symbol's value is its index.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	kind       = "C1"
	dataLen    = 8
	dataBytes  = dataLen * 5 / 8
	wireFormat = kind + "-XXXX-XXXX-XX"
)

// A Handle names one watch. It is an identifier: it carries nothing and
// authorises nothing. The zero value names no watch. Handles are comparable.
type Handle struct {
	// text is the canonical form, or "" in the zero value.
	text string
}

// New draws a handle's 40 bits from random, which is crypto/rand's Reader
// outside tests. It fails only if random does.
func New(random io.Reader) (Handle, error) {
	var raw [dataBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return Handle{}, fmt.Errorf("draw a handle: %w", err)
	}
	var bits uint64
	for _, b := range raw {
		bits = bits<<8 | uint64(b)
	}
	var data [dataLen]byte
	for i := range data {
		data[i] = byte(bits >> (5 * (dataLen - 1 - i)) & 31)
	}
	return encode(data), nil
}

// Parse reads the wire form C1-XXXX-XXXX-XX. Lower-case letters are taken for
// upper-case ones; every other departure, and every text whose check symbols
// do not fit, is a *refusal.Refusal with the code invalid_handle. The refusal
// neither repeats the text nor proposes another: a guess could name somebody
// else's watch.
func Parse(text string) (Handle, error) {
	data, check, ok := split(text)
	if !ok {
		return Handle{}, refusal.New(refusal.InvalidHandle,
			"the text given is not a handle of the form %s: a typo, or not copied whole", wireFormat).
			Hint("copy the handle again from the answer that printed it, or list the watches: git await list")
	}
	if checkOf(data) != check {
		return Handle{}, refusal.New(refusal.InvalidHandle,
			"the handle holds a typo: its check symbols do not fit").
			Hint("copy the handle again from the answer that printed it, or list the watches: git await list")
	}
	return encode(data), nil
}

// String returns the canonical form, or "" for the zero value.
func (h Handle) String() string { return h.text }

// IsZero reports whether h names no watch.
func (h Handle) IsZero() bool { return h.text == "" }

// MarshalText returns the canonical form; the zero value is an error, because
// it could not be read back.
func (h Handle) MarshalText() ([]byte, error) {
	if h.IsZero() {
		return nil, fmt.Errorf("encode a handle: it names no watch")
	}
	return []byte(h.text), nil
}

// UnmarshalText is Parse.
func (h *Handle) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*h = parsed
	return nil
}

// split takes the ten symbol values out of the wire form. It works on bytes, so
// that no Unicode letter that folds to an ASCII one is let in.
func split(text string) (data [dataLen]byte, check [2]byte, ok bool) {
	if len(text) != len(wireFormat) {
		return data, check, false
	}
	n := 0
	for i := range len(text) {
		c := upper(text[i])
		switch want := wireFormat[i]; {
		case want != 'X':
			if c != want {
				return data, check, false
			}
		default:
			v := strings.IndexByte(alphabet, c)
			if v < 0 {
				return data, check, false
			}
			if n < dataLen {
				data[n] = byte(v)
			} else {
				check[n-dataLen] = byte(v)
			}
			n++
		}
	}
	return data, check, true
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func encode(data [dataLen]byte) Handle {
	check := checkOf(data)
	text := make([]byte, 0, len(wireFormat))
	n := 0
	for i := range len(wireFormat) {
		c := wireFormat[i]
		if c == 'X' {
			if n < dataLen {
				c = alphabet[data[n]]
			} else {
				c = alphabet[check[n-dataLen]]
			}
			n++
		}
		text = append(text, c)
	}
	return Handle{text: string(text)}
}
