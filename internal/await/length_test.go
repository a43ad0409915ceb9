package await

import (
	"testing"
	"time"
)

func TestCallLength(t *testing.T) {
	seconds := func(n int) *time.Duration { d := time.Duration(n) * time.Second; return &d }
	tests := []struct {
		name      string
		profile   Profile
		requested *time.Duration
		maxCall   time.Duration
		want      Length
	}{
		{"command line, default", CommandLine, nil, 0, Length{3300 * time.Second, "cli", 0, 3300 * time.Second, "cli"}},
		{"command line, longer", CommandLine, seconds(7200), 0, Length{7200 * time.Second, "explicit", 0, 7200 * time.Second, "explicit"}},
		{"command line, shorter", CommandLine, seconds(5), 0, Length{5 * time.Second, "explicit", 0, 5 * time.Second, "explicit"}},
		{"command line, one look", CommandLine, seconds(0), 0, Length{0, "explicit", 0, 3300 * time.Second, "cli"}},
		{"long client, default", LongClient, nil, 0, Length{3300 * time.Second, "long-client", 0, 3300 * time.Second, "long-client"}},
		{"long client, longer is cut", LongClient, seconds(3301), 0, Length{3300 * time.Second, "long-client", 3301 * time.Second, 3300 * time.Second, "long-client"}},
		{"long client, its own maximum", LongClient, seconds(3300), 0, Length{3300 * time.Second, "explicit", 0, 3300 * time.Second, "explicit"}},
		{"long client, shorter", LongClient, seconds(60), 0, Length{60 * time.Second, "explicit", 0, 60 * time.Second, "explicit"}},
		{"strict client, default", StrictClient, nil, 0, Length{45 * time.Second, "strict-client", 0, 45 * time.Second, "strict-client"}},
		{"strict client, longer is cut", StrictClient, seconds(60), 0, Length{45 * time.Second, "strict-client", 60 * time.Second, 45 * time.Second, "strict-client"}},
		{"strict client, one look", StrictClient, seconds(0), 0, Length{0, "explicit", 0, 45 * time.Second, "strict-client"}},
		{"unknown client, default", UnknownClient, nil, 0, Length{45 * time.Second, "unknown-client", 0, 45 * time.Second, "unknown-client"}},
		{"unknown client, longer is cut", UnknownClient, seconds(3600), 0, Length{45 * time.Second, "unknown-client", 3600 * time.Second, 45 * time.Second, "unknown-client"}},
		{"maxCall shortens the default", CommandLine, nil, 10 * time.Minute, Length{600 * time.Second, "cli", 0, 600 * time.Second, "cli"}},
		{"maxCall never lengthens", CommandLine, nil, 2 * time.Hour, Length{3300 * time.Second, "cli", 0, 3300 * time.Second, "cli"}},
		{"maxCall never lengthens a strict client", StrictClient, nil, time.Hour, Length{45 * time.Second, "strict-client", 0, 45 * time.Second, "strict-client"}},
		{"maxCall leaves the explicit alone", CommandLine, seconds(1200), time.Minute, Length{1200 * time.Second, "explicit", 0, 1200 * time.Second, "explicit"}},
		{"one look under maxCall", CommandLine, seconds(0), time.Minute, Length{0, "explicit", 0, time.Minute, "cli"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := CallLength(tt.profile, tt.requested, tt.maxCall); got != tt.want {
				t.Errorf("CallLength = %+v\nwant %+v", got, tt.want)
			}
		})
	}
}
