package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
)

// A ShellCommand is a command of the user's: a gate, a verification, a
// notification. Exactly one of Line and Argv is set.
type ShellCommand struct {
	// Line is run by the POSIX shell. A value reaches it through Env or Stdin,
	// never as a part of the text.
	Line string
	// Argv is a program and its arguments, run without a shell.
	Argv []string
	// Dir is the working directory. Where it is given, the variables that tie
	// the process to a repository are removed, so that git finds the repository
	// of Dir there; "" keeps directory and variables as they are.
	Dir string
	// Env holds variables ("KEY=value") beside the process's own.
	Env []string
	// Base is the environment that Env is added to; the zero Env is that of the
	// process. It is not made quiet: the command is the user's.
	Base Env
	// Stdin is what the command reads; nil is an empty input.
	Stdin []byte
	// Stdout and Stderr receive the output; nil drops it. A *os.File is given
	// to the command as it is.
	Stdout, Stderr io.Writer
}

// A ShellResult tells how a command ended by itself.
type ShellResult struct {
	// Status is the exit status; 128 and the signal's number if a signal ended
	// the command, as a shell says it.
	Status int
	// Signal names that signal, or is "".
	Signal string
}

// Shell runs a command of the user's in a process group of its own, without a
// terminal to ask on, and waits for it. However it ends by itself is a result,
// not an error. A grandchild that keeps the output open is waited for no longer
// than the grace, then left alone; when ctx ends, the whole group is ended.
//
// The errors are those of starting a process, of an output that could not be
// written, and context.Cause(ctx), wrapped.
func Shell(ctx context.Context, c ShellCommand) (ShellResult, error) {
	cmd, err := c.command(ctx)
	if err != nil {
		return ShellResult{}, err
	}
	name := cmd.Args[0]
	err = run(ctx, cmd, Grace)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return ShellResult{}, fmt.Errorf("run %q: %w", name, err)
	}
	status, signal, number := endOf(cmd.ProcessState)
	if signal != "" {
		status = 128 + number
	}
	return ShellResult{Status: status, Signal: signal}, nil
}

// command prepares the process.
func (c ShellCommand) command(ctx context.Context) (*exec.Cmd, error) {
	if (c.Line == "") == (len(c.Argv) == 0) {
		return nil, errors.New("run a command: exactly one of a shell line and a program is needed")
	}
	argv := c.Argv
	if c.Line != "" {
		argv = []string{"sh", "-c", c.Line}
	}
	env := c.Base.resolved()
	if c.Dir != "" {
		env = env.Without(localVars...)
	}
	env = env.With(c.Env...)
	program := argv[0]
	if filepath.Base(program) == program {
		found, err := env.program(program)
		if err != nil {
			return nil, fmt.Errorf("run %q: %w", program, err)
		}
		program = found
	}
	cmd := exec.CommandContext(ctx, program, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir, cmd.Env = c.Dir, env.vars
	cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	return cmd, nil
}
