package continuity_test

import "testing"

// commands are the programs that scripts may run, by the names of cmd/*. Each
// runs in a copy of the test binary, so that coverage and the race detector
// see it. A rule of the guard fails when one of cmd/* is missing.
var commands = map[string]func(){}

// validateDocument validates one JSON document of a verb against its schema;
// nil while there are no schemas.
var validateDocument func(t testing.TB, verb string, document []byte)
