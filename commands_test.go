package continuity_test

import (
	"os"
	"testing"

	"git-continuity/internal/cli"
	"git-continuity/internal/cli/awaitcmd"
	"git-continuity/internal/cli/clitest"
)

// commands are the programs that scripts may run, by the names of cmd/*. Each
// runs in a copy of the test binary, so that coverage and the race detector
// see it. A rule of the guard fails when one of cmd/* is missing.
var commands = map[string]func(){
	"git-await": func() { os.Exit(awaitcmd.Main(cli.Process())) },
}

// validateDocument validates one JSON document of a verb against its schema.
var validateDocument func(t testing.TB, verb string, document []byte) = clitest.ValidateJSON
