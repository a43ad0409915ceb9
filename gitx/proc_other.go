//go:build !unix

package gitx

import (
	"os"
	"os/exec"
	"time"
)

// detach does nothing where there are no process groups.
func detach(*exec.Cmd) {}

// terminate ends the child at once where it cannot be asked to end.
func terminate(p *os.Process) error { return p.Kill() }

// kill ends the child.
func kill(p *os.Process) { _ = p.Kill() }

// reap ends the child; its own children are out of reach.
func reap(p *os.Process, _ time.Time) { kill(p) }

// endOf returns the status of the child; there are no signals.
func endOf(state *os.ProcessState) (status int, signal string, number int) {
	return state.ExitCode(), "", 0
}
