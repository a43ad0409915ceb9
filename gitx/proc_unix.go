//go:build unix

package gitx

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// detach gives the child a session of its own. That is a process group, which
// can be signalled whole, and no controlling terminal: a child that wants to
// ask for a passphrase gets an error instead of being stopped for ever, as a
// background group would be.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// terminate asks the group of the child to end.
func terminate(p *os.Process) error {
	if err := syscall.Kill(-p.Pid, syscall.SIGTERM); err != nil {
		return os.ErrProcessDone
	}
	return nil
}

// kill ends the group of the child.
func kill(p *os.Process) {
	// The only error is that nobody is left to kill.
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// groupAlive reports whether the group of the child has a member left.
func groupAlive(p *os.Process) bool {
	return syscall.Kill(-p.Pid, 0) == nil
}

// reap ends what is left of the group of a cancelled child: it waits for it
// until the deadline, then kills it. There is no event to wait for, because the
// members are nobody's children here; so it looks often.
func reap(p *os.Process, deadline time.Time) {
	for groupAlive(p) && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	kill(p)
}

// endOf returns how the child ended: its status, or -1 and the signal's name.
func endOf(state *os.ProcessState) (status int, signal string, number int) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, ws.Signal().String(), int(ws.Signal())
	}
	return state.ExitCode(), "", 0
}
