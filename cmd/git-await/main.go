// Git-await waits until another branch's work has landed, is green, or the
// trunk has moved.
//
// It is a git extension: run it as "git await". The manual page is
// git-await(1); everything but the call is in internal/cli/awaitcmd.
package main

import (
	"os"

	"git-continuity/internal/cli"
	"git-continuity/internal/cli/awaitcmd"
)

func main() {
	os.Exit(awaitcmd.Main(cli.Process()))
}
