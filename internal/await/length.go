package await

import "time"

// A Profile says who calls, and so how long one call may block.
type Profile uint8

// The callers that are told apart. A client of the MCP server
// declares itself by a flag in the entry that starts the server; nothing else
// about it is believed.
const (
	CommandLine Profile = iota
	LongClient
	StrictClient
	UnknownClient
)

// A Basis says why a length was chosen; it is part of the JSON contract.
type Basis string

// BasisExplicit is the basis of a length that the caller asked for.
const BasisExplicit Basis = "explicit"

const (
	longCall   = 3300 * time.Second
	strictCall = 45 * time.Second
)

// profiles is the table of docs/architecture.md, "The length of a call". A
// capped profile cuts what was asked for down to its default.
var profiles = map[Profile]struct {
	basis    Basis
	standard time.Duration
	capped   bool
}{
	CommandLine:   {"cli", longCall, false},
	LongClient:    {"long-client", longCall, true},
	StrictClient:  {"strict-client", strictCall, true},
	UnknownClient: {"unknown-client", strictCall, true},
}

// A Length is how long one call blocks and what the next one should ask for.
type Length struct {
	Timeout time.Duration
	Basis   Basis
	// Requested is what was asked for, where that was cut; else zero.
	Requested time.Duration
	// Retry is the length recommended for the next call of the same watch, which
	// can start at once: a condition that holds ends any call early.
	Retry      time.Duration
	RetryBasis Basis
}

// CallLength decides the length of one call. requested is nil where nothing
// was asked for; maxCall (await.maxCall) shortens the default and never
// lengthens it, zero where it is not set.
func CallLength(p Profile, requested *time.Duration, maxCall time.Duration) Length {
	row := profiles[p]
	standard := row.standard
	if maxCall > 0 {
		standard = min(standard, maxCall)
	}
	byDefault := Length{Timeout: standard, Basis: row.basis, Retry: standard, RetryBasis: row.basis}
	switch {
	case requested == nil:
		return byDefault
	case row.capped && *requested > row.standard:
		byDefault.Timeout, byDefault.Requested = row.standard, *requested
		return byDefault
	case *requested == 0:
		return Length{Basis: BasisExplicit, Retry: standard, RetryBasis: row.basis}
	}
	return Length{Timeout: *requested, Basis: BasisExplicit, Retry: *requested, RetryBasis: BasisExplicit}
}
