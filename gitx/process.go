package gitx

import (
	"context"
	"io"
	"os/exec"
	"sync"
)

// A process is a git process that its caller talks with.
type process struct {
	// stdin and stdout are the caller's ends. Closing stdin asks git to finish.
	stdin  io.WriteCloser
	stdout io.ReadCloser

	in     invocation
	ctx    context.Context
	cancel context.CancelFunc
	cmd    *exec.Cmd
	stderr *excerpt
	wait   func() error
}

// start starts a git process. Command.Stdin and Command.MaxStdout play no part:
// the caller writes, and reads no more than it can hold. When ctx ends, the
// process and its group are ended as in Run. The caller must call close or stop.
func (r *Repo) start(ctx context.Context, c Command) (*process, error) {
	p := &process{in: r.invocation(c), stderr: &excerpt{}}
	p.ctx, p.cancel = context.WithCancel(ctx)
	p.cmd = exec.CommandContext(p.ctx, p.in.program, p.in.args...)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = p.in.dir, p.in.env.vars, p.stderr
	end, err := p.launch()
	if err != nil {
		p.cancel()
		return nil, p.in.failure(p.ctx, p.cmd, p.stderr, err)
	}
	p.wait = sync.OnceValue(func() error {
		if err := end(); err != nil {
			return p.in.failure(p.ctx, p.cmd, p.stderr, err)
		}
		return nil
	})
	return p, nil
}

// launch connects the pipes and starts the process.
func (p *process) launch() (wait func() error, err error) {
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.stdout, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return launch(p.ctx, p.cmd)
}

// close ends the conversation and waits for the process. What it still writes is
// dropped. The errors are those of Run.
func (p *process) close() error {
	defer p.cancel()
	// Neither error matters: whatever went wrong with the pipes, wait tells how
	// the process ended, and closes stdout then.
	_ = p.stdin.Close()
	go func() { _, _ = io.Copy(io.Discard, p.stdout) }()
	return p.wait()
}

// stop ends the process at once, where its answers are not wanted any more.
func (p *process) stop() {
	p.cancel()
	_ = p.wait()
}
