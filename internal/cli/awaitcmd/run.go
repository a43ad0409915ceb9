package awaitcmd

import (
	"context"

	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/continuation"
)

// Main runs git await and returns its exit status.
func Main(s cli.Streams) int {
	if page, wanted := Command.Page(s.Args); wanted {
		return s.Done(s.Print(page))
	}
	call, err := Parse(s.Args)
	s.NoColor = call.NoColor
	if err != nil {
		return s.Fail(call.Verb, call.JSON, err)
	}
	ctx, stop := cli.Signals(context.Background())
	defer stop()
	status, err := run(ctx, s, call)
	if err != nil {
		return s.Fail(call.Verb, call.JSON, cli.Interruption(ctx, err))
	}
	return int(status)
}

func run(ctx context.Context, s cli.Streams, call Call) (cli.Status, error) {
	if call.Verb == VerbCompletion {
		return cli.OK, printCompletion(s, call.Shell)
	}
	service, err := openService(ctx, s)
	if err != nil {
		return cli.Fatal, err
	}
	switch call.Verb {
	case VerbGate:
		return runGate(ctx, s, call, service.Repo)
	case VerbAccept:
		return runAccept(ctx, s, call, service)
	case VerbList:
		return cli.OK, list(ctx, s, call, service)
	case VerbForget:
		return forget(ctx, s, call, service)
	}
	return wait(ctx, s, call, service)
}

func openService(ctx context.Context, s cli.Streams) (*await.Service, error) {
	repo, err := cli.OpenRepository(ctx)
	if err != nil {
		return nil, err
	}
	store := continuation.Open(repo.CommonDir(), continuation.Options{})
	return &await.Service{Repo: repo, Store: store, Dir: s.Dir}, nil
}
