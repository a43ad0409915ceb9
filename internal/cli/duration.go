package cli

import (
	"strconv"
	"strings"
	"time"

	"git-continuity/internal/refusal"
)

// MaxDuration is the longest duration that an option takes: 366 days.
const MaxDuration = 366 * 24 * time.Hour

// durationUnits are the units from the largest down; a duration names each at
// most once, in this order.
var durationUnits = []struct {
	name string
	size time.Duration
}{
	{"d", 24 * time.Hour},
	{"h", time.Hour},
	{"m", time.Minute},
	{"s", time.Second},
	{"ms", time.Millisecond},
}

// ParseDuration reads the duration of the option called field: whole seconds
// (90) or whole numbers with the units d, h, m, s and ms from the largest down
// (90s, 15m, 1h30m, 2d). Zero is a duration. Anything else — a sign, a
// fraction, more than MaxDuration — is refused as invalid_arguments.
func ParseDuration(field, text string) (time.Duration, error) {
	if d, ok := wholeSeconds(text); ok {
		return d, nil
	}
	if d, ok := withUnits(text); ok {
		return d, nil
	}
	return 0, refusal.New(refusal.InvalidArguments, "%q is not a duration from 0 to 366d", text).
		At(field).Hint("write seconds or units, as in 90, 90s, 15m, 1h30m or 2d")
}

// FormatDuration writes d, cut to milliseconds, in the form that ParseDuration
// reads: 1h30m, 45s, 0s.
func FormatDuration(d time.Duration) string {
	d = d.Truncate(time.Millisecond)
	var out strings.Builder
	for _, unit := range durationUnits {
		if n := d / unit.size; n > 0 {
			out.WriteString(strconv.FormatInt(int64(n), 10))
			out.WriteString(unit.name)
			d -= n * unit.size
		}
	}
	if out.Len() == 0 {
		return "0s"
	}
	return out.String()
}

func wholeSeconds(text string) (time.Duration, bool) {
	n, rest, ok := leadingNumber(text)
	if !ok || rest != "" || n > int64(MaxDuration/time.Second) {
		return 0, false
	}
	return time.Duration(n) * time.Second, true
}

func withUnits(text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	var total time.Duration
	units := durationUnits
	for text != "" {
		n, rest, ok := leadingNumber(text)
		if !ok {
			return 0, false
		}
		end := strings.IndexAny(rest, "0123456789")
		if end < 0 {
			end = len(rest)
		}
		i := 0
		for i < len(units) && units[i].name != rest[:end] {
			i++
		}
		if i == len(units) || n > int64(MaxDuration/units[i].size) {
			return 0, false
		}
		total += time.Duration(n) * units[i].size
		if total > MaxDuration {
			return 0, false
		}
		units, text = units[i+1:], rest[end:]
	}
	return total, true
}

// leadingNumber splits the decimal digits off the front of text. Twelve digits
// hold MaxDuration in milliseconds, and cannot overflow.
func leadingNumber(text string) (n int64, rest string, ok bool) {
	end := 0
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if end == 0 || end > 12 {
		return 0, "", false
	}
	n, err := strconv.ParseInt(text[:end], 10, 64)
	return n, text[end:], err == nil
}
