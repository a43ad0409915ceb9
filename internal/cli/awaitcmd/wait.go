package awaitcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/continuation"
	"git-continuity/internal/refusal"
)

// wait runs one call of a watch: open, wait, answer, clean up, notify. The
// order of the last three is the contract: a watch is only removed after its
// answer was written without an error, and nothing depends on the notification.
func wait(ctx context.Context, s cli.Streams, call Call, service *await.Service) (cli.Status, error) {
	length, err := callLength(service.Repo.Config(), call)
	if err != nil {
		return cli.Usage, err
	}
	if service.RemoteInterval, err = durationSetting(service.Repo.Config(), remoteIntervalSetting); err != nil {
		return cli.Usage, err
	}
	req := request(call)
	req.Timeout = length.Timeout
	progress := s.Progress()
	if call.Remote != nil {
		progress.Show("asking the remote")
	}
	watch, err := service.Open(ctx, req)
	if err != nil {
		progress.Clear()
		return cli.Fatal, err
	}
	defer watch.Close()
	result, err := watch.Wait(ctx, length.Timeout, func(h continuation.Handle) {
		progress.Clear()
		if length.Timeout > 0 {
			s.Say("watching %s; resume: git await --resume %s", h, h)
		}
	})
	progress.Clear()
	if err != nil {
		return cli.Fatal, err
	}
	doc := cli.Answer(VerbAwait, answerOf(result, length), hintsOf(call, service, result, length))
	if err := show(s, call, result, doc); err != nil {
		return cli.Fatal, err
	}
	if result.Unsaved != nil {
		s.Warn("what was seen could not be stored: %v", result.Unsaved)
	}
	if !result.Met {
		return notMet(ctx, result), nil
	}
	watch.Delivered(ctx)
	if call.Notify != "" {
		notify(ctx, s, call.Notify, doc)
	}
	return cli.OK, nil
}

func notMet(ctx context.Context, result await.Result) cli.Status {
	if result.Interrupted {
		return cli.StatusOf(context.Cause(ctx))
	}
	return cli.NotYet
}

func request(call Call) await.Request {
	return await.Request{
		Mode: call.Mode, Asks: call.Conditions, Trunk: call.Trunk, Resume: call.Resume, Remote: call.Remote,
	}
}

// maxCallSetting shortens the length of a call that was not given one;
// remoteIntervalSetting is how often a remote is asked.
const (
	maxCallSetting        = "await.maxCall"
	remoteIntervalSetting = "await.remoteInterval"
)

func callLength(config *gitx.Config, call Call) (await.Length, error) {
	maxCall, err := durationSetting(config, maxCallSetting)
	if err != nil {
		return await.Length{}, err
	}
	return await.CallLength(await.CommandLine, call.Timeout, maxCall), nil
}

// durationSetting reads a setting in the form of --timeout; 0 where it is not
// set.
func durationSetting(config *gitx.Config, name string) (time.Duration, error) {
	text, ok := config.String(name)
	if !ok {
		return 0, nil
	}
	d, err := cli.ParseDuration("", text)
	if err == nil && d == 0 {
		err = errors.New("no time at all is not a duration to go by")
	}
	if err != nil {
		return 0, refusal.New(refusal.InvalidArguments, "%s: %w", name, err).Hint("git config %s 15m", name)
	}
	return d, nil
}

// notify tells the user's command about a watch that was met. It comes after
// the answer, and nothing depends on it.
func notify(ctx context.Context, s cli.Streams, command string, doc cli.Document) {
	text, err := doc.Encode()
	if err == nil {
		var end gitx.ShellResult
		end, err = gitx.Shell(ctx, gitx.ShellCommand{Line: command, Stdin: text, Stdout: s.Stderr, Stderr: s.Stderr})
		if err == nil && end.Status != 0 {
			err = fmt.Errorf("exit status %d", end.Status)
		}
	}
	if err != nil {
		s.Warn("--notify %q: %v", command, err)
	}
}

// show prints the answer: the document, or lines for a person with the hints
// on the other stream.
func show(s cli.Streams, call Call, result await.Result, doc cli.Document) error {
	if call.JSON {
		return s.WriteDocument(doc)
	}
	if err := s.Print(describe(s.OutStyle(), result)); err != nil {
		return err
	}
	s.Hints(doc.Hints)
	return nil
}

func printCompletion(s cli.Streams, shell string) error {
	script, err := Completion(shell)
	if err != nil {
		return refusal.New(refusal.Fatal, "make the completion script: %w", err)
	}
	return s.Print(script)
}
