package awaitcmd

import (
	"context"
	"fmt"
	"strings"

	"git-continuity/gitx"
	"git-continuity/internal/accept"
	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/landing"
	"git-continuity/internal/trunk"
)

// runAccept lands a branch. Once the trunk has moved the landing stands, and
// what could not be done afterwards is told with the command that does it.
func runAccept(ctx context.Context, s cli.Streams, call Call, service *await.Service) (cli.Status, error) {
	line, err := trunk.Resolve(ctx, service.Repo, call.Trunk)
	if err != nil {
		return cli.Fatal, err
	}
	result, err := accept.Run(ctx, service.Repo, accept.Options{
		Target: call.Branch, Trunk: line.Ref, Method: landing.Method(call.Method),
		Keep: call.Keep, NoGate: call.NoGate, Message: call.Message, Dir: s.Dir,
		Resolve: func(ctx context.Context, target string) (gitx.RefName, error) {
			return service.Target(ctx, target, "branch")
		},
	})
	if err != nil {
		return cli.Fatal, err
	}
	var hints []string
	if result.Retry != "" {
		hints = append(hints, result.Retry)
	}
	if call.JSON {
		err = s.WriteDocument(cli.Answer(VerbAccept, result, hints))
	} else if err = s.Print(describeAccept(s.OutStyle(), result)); err == nil {
		if result.Err != nil {
			s.Warn("%v", result.Err)
		}
		s.Hints(hints)
	}
	return cli.OK, err
}

func describeAccept(style cli.Style, r accept.Result) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s is in %s as %s (%s)\n", style.Paint(cli.Green, "landed:"),
		cli.Inert(r.Branch.Short()), cli.Inert(r.Trunk.Short()), r.LandedCommit.Abbrev(), r.Method)
	if r.Note == landing.NoteFailed {
		text.WriteString("the landing note could not be written\n")
	}
	if r.WorktreeRemoved {
		text.WriteString("its worktree is removed\n")
	}
	if r.BranchDeleted {
		text.WriteString("the branch is deleted\n")
	}
	if r.KeptBecause != "" {
		fmt.Fprintf(&text, "kept: %s\n", cli.Inert(r.KeptBecause))
	}
	return text.String()
}
