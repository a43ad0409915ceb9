package awaitcmd

import (
	"context"
	"fmt"
	"strings"

	"git-continuity/gitx"
	"git-continuity/internal/cli"
	"git-continuity/internal/gate"
)

// runGate runs the gate. Its output goes where it would without us, except that
// with --json standard output is the document's alone.
func runGate(ctx context.Context, s cli.Streams, call Call, repo *gitx.Repo) (cli.Status, error) {
	options := gate.Options{Argv: call.Command, Stdout: s.Stdout, Stderr: s.Stderr, Version: cli.Version()}
	if call.JSON {
		options.Stdout = s.Stderr
	}
	result, err := gate.Run(ctx, repo, options)
	if err != nil {
		return cli.Fatal, err
	}
	status := cli.Refused
	if result.Status == gate.Recorded {
		status = cli.OK
	}
	hints := gateHints(result)
	if call.JSON {
		return status, s.WriteDocument(cli.Answer(VerbGate, result, hints))
	}
	if err := s.Print(describeGate(s.OutStyle(), result)); err != nil {
		return cli.Fatal, err
	}
	s.Hints(hints)
	return status, nil
}

func describeGate(style cli.Style, r gate.Result) string {
	command := cli.Inert(r.Command)
	switch r.Status {
	case gate.Recorded:
		return fmt.Sprintf("%s %s passed %s\n", style.Paint(cli.Green, "recorded:"), r.Commit.Abbrev(), command)
	case gate.Failed:
		return fmt.Sprintf("%s %s ended with %d\n", style.Paint(cli.Red, "failed:"), command, r.Exit)
	case gate.SkippedHeadMoved:
		return fmt.Sprintf("%s %s passed, but HEAD is no longer %s\n", style.Paint(cli.Yellow, "skipped:"), command, r.Commit.Abbrev())
	}
	more := ""
	if n := r.DirtyTotal - len(r.Dirty); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s %s passed, but these are not what was committed: %s%s\n", style.Paint(cli.Yellow, "skipped:"),
		command, cli.Inert(strings.Join(r.Dirty, ", ")), more)
}

func gateHints(r gate.Result) []string {
	switch r.Status {
	case gate.SkippedDirty:
		return []string{"git status", "commit or stash, and run the gate again"}
	case gate.SkippedHeadMoved:
		return []string{"git await gate"}
	}
	return nil
}
