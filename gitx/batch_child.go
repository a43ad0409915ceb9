package gitx

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A batchChild is one running `git cat-file --batch-command --buffer`. It is
// not safe for concurrent use.
type batchChild struct {
	ctx    context.Context // of the batch
	stop   context.CancelFunc
	inv    invocation
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr *excerpt
}

// startBatchChild starts the process; it lives until end, or until ctx ends.
func (r *Repo) startBatchChild(ctx context.Context) (*batchChild, error) {
	inv := r.invocation(Command{Args: []string{"cat-file", "--batch-command", "--buffer"}})
	own, stop := context.WithCancel(ctx)
	cmd := exec.CommandContext(own, inv.program, inv.args...)
	cmd.Dir, cmd.Env = inv.dir, inv.env.vars
	cmd.WaitDelay = Grace
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	detach(cmd)
	c := &batchChild{ctx: ctx, stop: stop, inv: inv, cmd: cmd, stderr: &excerpt{}}
	cmd.Stderr = c.stderr
	stdout, err := c.connect()
	if err != nil {
		stop()
		return nil, fmt.Errorf("start git cat-file: %w", err)
	}
	c.stdout = bufio.NewReader(stdout)
	return c, nil
}

// connect starts the process with its pipes.
func (c *batchChild) connect() (stdout io.Reader, err error) {
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if stdout, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return stdout, c.cmd.Start()
}

// end stops the process, waits for it and returns how it ended. Where it had
// ended by itself already, that is what it says; the signal comes too late then.
func (c *batchChild) end() error {
	_ = c.stdin.Close()
	c.stop()
	err := c.cmd.Wait()
	if err == nil {
		err = errors.New("ended before its input")
	}
	return c.inv.failure(c.ctx, c.cmd, c.stderr, err)
}

// ask sends a command for each name and flushes.
func (c *batchChild) ask(command string, names []string) error {
	var b bytes.Buffer
	for _, name := range names {
		b.WriteString(command)
		b.WriteByte(' ')
		b.WriteString(name)
		b.WriteByte('\n')
	}
	b.WriteString("flush\n")
	_, err := c.stdin.Write(b.Bytes())
	return err
}

// header reads the first line of an answer.
func (c *batchChild) header(format ObjectFormat, name string) (ObjectInfo, error) {
	line, err := c.stdout.ReadString('\n')
	if err != nil {
		return ObjectInfo{}, err
	}
	return parseObjectInfo(format, name, strings.TrimSuffix(line, "\n"))
}

// body reads the content that follows the header, and the newline after it. What
// is longer than max is passed over, and nil returned.
func (c *batchChild) body(size, max int64) ([]byte, error) {
	if size > max {
		_, err := io.CopyN(io.Discard, c.stdout, size+1)
		return nil, err
	}
	content := make([]byte, size+1)
	if _, err := io.ReadFull(c.stdout, content); err != nil {
		return nil, err
	}
	if content[size] != '\n' {
		return nil, &batchProtocolError{fmt.Sprintf("no newline after a content of %d bytes", size)}
	}
	return content[:size], nil
}

// A batchProtocolError reports an answer that cat-file should never give. The
// process cannot be used any more.
type batchProtocolError struct{ what string }

// Error says what was read.
func (e *batchProtocolError) Error() string { return "read the answer of git cat-file: " + e.what }

// parseObjectInfo reads the first line of an answer about name. Names come
// first in the answers that tell of no object, and may hold blanks.
func parseObjectInfo(format ObjectFormat, name, line string) (ObjectInfo, error) {
	switch line {
	case name + " missing", name + " submodule":
		return ObjectInfo{Missing: true}, nil
	case name + " ambiguous":
		return ObjectInfo{}, &AmbiguousError{Rev: name}
	}
	wrong := &batchProtocolError{fmt.Sprintf("%.200q", line)}
	fields := strings.Split(line, " ")
	if len(fields) != 3 || len(fields[0]) != format.HexLen() {
		return ObjectInfo{}, wrong
	}
	oid, err := ParseOID(fields[0])
	if err != nil {
		return ObjectInfo{}, wrong
	}
	typ, err := ParseObjectType(fields[1])
	if err != nil {
		return ObjectInfo{}, wrong
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 || fields[2] != strconv.FormatInt(size, 10) {
		return ObjectInfo{}, wrong
	}
	return ObjectInfo{OID: oid, Type: typ, Size: size}, nil
}
