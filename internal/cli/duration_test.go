package cli

import (
	"testing"
	"time"

	"git-continuity/internal/refusal"
)

func TestParseDuration(t *testing.T) {
	for _, test := range []struct {
		text string
		want time.Duration
	}{
		{"0", 0},
		{"0s", 0},
		{"90", 90 * time.Second},
		{"007", 7 * time.Second},
		{"90s", 90 * time.Second},
		{"15m", 15 * time.Minute},
		{"1h30m", 90 * time.Minute},
		{"2d", 48 * time.Hour},
		{"50ms", 50 * time.Millisecond},
		{"1d2h3m4s5ms", 26*time.Hour + 3*time.Minute + 4*time.Second + 5*time.Millisecond},
		{"90m", 90 * time.Minute},
		{"366d", MaxDuration},
		{"31622400", MaxDuration},
		{"31622400000ms", MaxDuration},
	} {
		if got, err := ParseDuration("timeout", test.text); err != nil || got != test.want {
			t.Errorf("%q: %v, %v; want %v", test.text, got, err, test.want)
		}
	}
}

func TestParseDurationRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "-1", "+1", "-0", "1.5h", "1e3", "soon", "5 m", "s", "ms", "1h1h", "1m1h", "1s5", "5m ",
		"1w", "1H", "0x10", "١", "367d", "366d1ms", "31622401", "31622400001ms",
		"99999999999999999999", "9223372036854775808s", "9223372036854775807ms", "106751991167d",
	} {
		got, err := ParseDuration("timeout", text)
		if refusal.CodeOf(err) != refusal.InvalidArguments || got != 0 {
			t.Errorf("%q: %v, %v; want a refusal", text, got, err)
		}
	}
}

func FuzzDuration(f *testing.F) {
	f.Add("1h30m")
	f.Add("90")
	f.Add("366d")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration("timeout", text)
		if err != nil {
			return
		}
		if d < 0 || d > MaxDuration {
			t.Fatalf("%q gives %v", text, d)
		}
		if again, err := ParseDuration("timeout", FormatDuration(d)); err != nil || again != d {
			t.Fatalf("%q gives %v, written %q, read %v, %v", text, d, FormatDuration(d), again, err)
		}
	})
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                         "0s",
		time.Microsecond:          "0s",
		45 * time.Second:          "45s",
		3300 * time.Second:        "55m",
		90 * time.Minute:          "1h30m",
		1500 * time.Millisecond:   "1s500ms",
		MaxDuration + 5*time.Hour: "366d5h",
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
