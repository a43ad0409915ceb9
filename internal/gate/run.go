package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/document"
	"git-continuity/internal/refusal"
)

// Setting is the git configuration variable that holds the gate: a line for the
// POSIX shell, run at the top of the worktree.
const Setting = "await.gate"

const (
	// maxDirty is how many paths a result names.
	maxDirty = 6
	// maxCommand bounds the text of a command, in bytes: it must fit in a receipt.
	maxCommand = 4 << 10
)

// Options say what Run runs, and how.
type Options struct {
	// Argv is the command, run without a shell; without one the line of the
	// setting await.gate is run.
	Argv []string
	// Stdout and Stderr receive the output of the command as it comes; nil drops
	// it.
	Stdout, Stderr io.Writer
	// Env is the environment of the command; the zero Env is that of the process.
	Env gitx.Env
	// Version is the version of the tool, for the receipt.
	Version string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// An Outcome says what became of a run.
type Outcome string

// The outcomes, as scripts read them.
const (
	// Recorded is a command that passed, and a receipt for it.
	Recorded Outcome = "recorded"
	// Failed is a command that ended otherwise than with 0; no receipt stands.
	Failed Outcome = "failed"
	// SkippedDirty is a command that passed on a tree that is no commit's. The
	// receipt that stood before stands.
	SkippedDirty Outcome = "skipped_dirty"
	// SkippedHeadMoved is a command that passed while another commit was checked
	// out. The receipt that stood before stands.
	SkippedHeadMoved Outcome = "skipped_head_moved"
)

// A Result is what Run found, in the fields of the JSON answer.
type Result struct {
	Status Outcome `json:"status"`
	// Commit is the one that was checked out when the command began.
	Commit  gitx.OID `json:"commit"`
	Command string   `json:"command"`
	// Exit is the status of the command, 128 and the number of a signal that
	// ended it.
	Exit      int   `json:"exit"`
	ElapsedMS int64 `json:"elapsed_ms"`
	// Dirty names at most six paths that differed before the command or after
	// it; DirtyTotal counts all.
	Dirty      []string `json:"dirty"`
	DirtyTotal int      `json:"dirty_total"`
}

// Run runs the gate of a checkout and, if the command passes on the commit that
// is checked out and nothing else, writes the receipt.
//
// Refusals, all before the command is run: no_worktree, no_commit, no_gate,
// gate_cannot_fail, invalid_arguments, write_access, unsafe_state,
// receipt_newer. When ctx ends, the command is ended, and the receipt that
// stood before stands.
func Run(ctx context.Context, repo *gitx.Repo, o Options) (Result, error) {
	if repo.TopLevel() == "" {
		return Result{}, refusal.New(refusal.NoWorktree, "the gate needs a checkout to run in, and %q has none", repo.GitDir()).
			Hint("run it in a worktree: git worktree list")
	}
	command, shown, err := o.command(repo)
	if err != nil {
		return Result{}, err
	}
	before, err := repo.Status(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("examine the checkout before the gate: %w", err)
	}
	if before.HEAD.IsZero() {
		return Result{}, refusal.New(refusal.NoCommit, "nothing is committed here, so the gate can prove nothing").
			Hint("git commit")
	}
	tree, err := repo.RevParse(ctx, before.HEAD.String()+"^{tree}")
	if err != nil {
		return Result{}, fmt.Errorf("find the tree of %s: %w", before.HEAD, err)
	}
	if err := probe(ctx, repo.GitDir()); err != nil {
		return Result{}, err
	}
	receipt := Receipt{Commit: before.HEAD, Tree: tree, Command: shown, Version: o.Version}
	return o.run(ctx, repo, command, receipt, before)
}

// run runs the command and settles the receipt.
func (o Options) run(ctx context.Context, repo *gitx.Repo, command gitx.ShellCommand, receipt Receipt, before gitx.WorktreeStatus) (Result, error) {
	output := newOutput(o.Stdout, o.Stderr)
	command.Dir, command.Base = repo.TopLevel(), o.Env
	command.Stdout, command.Stderr = output.stdout, output.stderr
	receipt.Started = o.now()
	ended, err := gitx.Shell(ctx, command)
	if err != nil {
		return Result{}, fmt.Errorf("run the gate: %w", err)
	}
	receipt.Finished, receipt.Output = o.now(), output.digest()
	result := Result{
		Commit: receipt.Commit, Command: receipt.Command, Exit: ended.Status, Dirty: []string{},
		ElapsedMS: receipt.Finished.Sub(receipt.Started).Milliseconds(),
	}
	after, unreadable := repo.Status(ctx)
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("examine the checkout after the gate: %w", context.Cause(ctx))
	}
	result.dirty(before, after)
	switch {
	case ended.Status != 0:
		result.Status = Failed
		return result, remove(ctx, repo.GitDir())
	case unreadable != nil: // whoever cannot tell that it is clean calls it dirty
		result.Status = SkippedDirty
		return result, nil
	case after.HEAD != before.HEAD:
		result.Status = SkippedHeadMoved
		return result, nil
	case result.DirtyTotal > 0:
		result.Status = SkippedDirty
		return result, nil
	}
	result.Status = Recorded
	return result, store(ctx, repo.GitDir(), receipt)
}

// dirty names what was not committed before the command or after it.
func (r *Result) dirty(before, after gitx.WorktreeStatus) {
	var paths []string
	for _, entry := range slices.Concat(before.Entries, after.Entries) {
		paths = append(paths, entry.Path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	r.DirtyTotal = len(paths)
	r.Dirty = append(r.Dirty, paths[:min(len(paths), maxDirty)]...)
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now().UTC()
	}
	return time.Now().UTC()
}

// command returns the command that is to be run and how it is shown.
func (o Options) command(repo *gitx.Repo) (command gitx.ShellCommand, shown string, err error) {
	vacuous := false
	if len(o.Argv) > 0 {
		command.Argv, shown = o.Argv, quoteAll(o.Argv)
		vacuous = o.Argv[0] != "" && vacuousCommand(o.Argv)
	} else {
		line, _ := repo.Config().String(Setting)
		if strings.TrimSpace(line) == "" {
			return command, "", refusal.New(refusal.NoGate, "no gate is configured, and no command was given").
				Hint("git config %s '<command>'", Setting).Hint("git await gate -- <command>")
		}
		command.Line, shown, vacuous = line, line, cannotFail(line)
	}
	switch {
	case vacuous:
		return command, "", refusal.New(refusal.GateCannotFail, "the gate %q cannot fail, so it proves nothing", shown).
			Hint("name a command that fails when something is wrong: git config %s 'make check'", Setting)
	case !document.Text(shown):
		return command, "", refusal.New(refusal.InvalidArguments, "the gate is not text in UTF-8: %q", shown)
	case len(shown) > maxCommand:
		return command, "", refusal.New(refusal.InvalidArguments, "the gate has %d bytes; at most %d can be recorded", len(shown), maxCommand).
			Hint("put it in a script")
	}
	return command, shown, nil
}

// quoteAll writes a program and its arguments so that a shell would read them
// as they are.
func quoteAll(argv []string) string {
	quoted := make([]string, len(argv))
	for i, arg := range argv {
		quoted[i] = refusal.Word(arg)
	}
	return strings.Join(quoted, " ")
}

// An output passes two streams through and digests both in the order in which
// they arrive. A grandchild that outlives the command may still be writing when
// the digest is taken: it is not waited for, and what it writes does not count.
type output struct {
	mu             sync.Mutex
	hash           hash.Hash
	stdout, stderr io.Writer
}

func newOutput(stdout, stderr io.Writer) *output {
	o := &output{hash: sha256.New()}
	o.stdout, o.stderr = &stream{o, stdout}, &stream{o, stderr}
	return o
}

func (o *output) digest() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return digestPrefix + hex.EncodeToString(o.hash.Sum(nil))
}

type stream struct {
	output *output
	to     io.Writer
}

// Write passes on and digests.
func (s *stream) Write(p []byte) (int, error) {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	s.output.hash.Write(p)
	if s.to == nil {
		return len(p), nil
	}
	return s.to.Write(p)
}
