package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// Grace is how long a cancelled process may take to end after SIGTERM, and how
// long a pipe that a grandchild holds open is waited for.
const Grace = 2 * time.Second

// DefaultMaxStdout is the limit of a Command that names none: 64 MiB.
const DefaultMaxStdout = 64 << 20

// A Command is one run of the git program.
type Command struct {
	// Args are the arguments after "git".
	Args []string
	// Stdin is what the process reads; nil is an empty input.
	Stdin []byte
	// Dir is the working directory; "" is the top level of the work tree, or
	// the git directory where there is none.
	Dir string
	// Env holds variables ("KEY=value") beside those of the repository.
	Env []string
	// MaxStdout limits what is kept of stdout, in bytes; 0 is DefaultMaxStdout.
	MaxStdout int64
	// Write marks a command that changes something. Others take no optional
	// locks, so that they disturb nobody.
	Write bool
	// Network marks a command that may talk to a remote: missing objects may
	// be fetched, and ssh is told not to ask.
	Network bool
	// Grace is how long the process may take to end after SIGTERM; 0 is the
	// constant Grace. Less is for processes that leave no lock behind.
	Grace time.Duration
}

// Run runs a git command in the repository and returns what it wrote to stdout,
// also beside an *ExitError: some commands answer "no" with a status and say
// more on stdout.
//
// The errors are *ExitError (with context.Cause as its Err if ctx ended it),
// *OutputTooLargeError, and those of starting a process.
func (r *Repo) Run(ctx context.Context, c Command) ([]byte, error) {
	return r.invocation(c).output(ctx)
}

// Git runs a read-only git command in the repository and returns what it wrote
// to stdout. The errors are those of Run.
func (r *Repo) Git(ctx context.Context, args ...string) ([]byte, error) {
	return r.Run(ctx, Command{Args: args})
}

// invocation fills in what a Command leaves to the repository.
func (r *Repo) invocation(c Command) invocation {
	env := r.env
	if !c.Write {
		env = env.With("GIT_OPTIONAL_LOCKS=0")
	}
	if c.Network {
		env = env.With(batchSSH(env, r.config)...)
	} else {
		env = env.With("GIT_NO_LAZY_FETCH=1")
	}
	if c.Dir == "" {
		c.Dir = r.home()
	}
	if c.MaxStdout == 0 {
		c.MaxStdout = DefaultMaxStdout
	}
	if c.Grace == 0 {
		c.Grace = Grace
	}
	return invocation{
		program: r.program, args: c.Args, stdin: c.Stdin, dir: c.Dir,
		env: env.With(c.Env...), maxStdout: c.MaxStdout, grace: c.Grace,
	}
}

// An invocation is a git process with nothing left to decide.
type invocation struct {
	program   string
	args      []string
	stdin     []byte
	dir       string
	env       Env
	maxStdout int64
	grace     time.Duration
}

// output runs the process to its end.
func (in invocation) output(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tooLarge := &OutputTooLargeError{Args: in.args, Limit: in.maxStdout}
	stdout := &capture{limit: in.maxStdout, over: func() { cancel(tooLarge) }}
	stderr := &excerpt{}

	cmd := exec.CommandContext(ctx, in.program, in.args...)
	cmd.Dir, cmd.Env = in.dir, in.env.vars
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if in.stdin != nil {
		cmd.Stdin = bytes.NewReader(in.stdin)
	}
	err := run(ctx, cmd, in.grace)
	if cause := context.Cause(ctx); cause == error(tooLarge) {
		return nil, tooLarge
	}
	if err != nil {
		return stdout.buf.Bytes(), in.failure(ctx, cmd, stderr, err)
	}
	return stdout.buf.Bytes(), nil
}

// failure makes the error of a process that did not end well.
func (in invocation) failure(ctx context.Context, cmd *exec.Cmd, stderr *excerpt, err error) error {
	args := make([]string, len(in.args))
	for i, arg := range in.args {
		args[i] = withoutUserInfo(arg)
	}
	if cmd.ProcessState == nil {
		return fmt.Errorf("start git %s in %q: %w", subcommand(args), in.dir, err)
	}
	exit := &ExitError{Args: args, Stderr: stderr.String(), Err: context.Cause(ctx)}
	exit.Status, exit.Signal, _ = endOf(cmd.ProcessState)
	if exit.Err == nil && exit.Status == 0 {
		exit.Err = err
	}
	return exit
}

// run starts cmd, made with ctx, in a group of its own and waits for it. When ctx
// ends, the group gets SIGTERM, the grace, then SIGKILL. A pipe that a grandchild
// keeps open after the end of cmd is closed after the grace, which is no error:
// what cmd itself wrote has been read by then.
func run(ctx context.Context, cmd *exec.Cmd, grace time.Duration) error {
	detach(cmd)
	var deadline time.Time
	cmd.WaitDelay = grace
	cmd.Cancel = func() error {
		deadline = time.Now().Add(grace)
		return terminate(cmd.Process)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err := cmd.Wait()
	if ctx.Err() != nil {
		if deadline.IsZero() { // ctx ended after the process, before its pipes
			deadline = time.Now().Add(grace)
			_ = terminate(cmd.Process)
		}
		reap(cmd.Process, deadline)
		return err
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}
