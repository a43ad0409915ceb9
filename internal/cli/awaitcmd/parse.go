package awaitcmd

import (
	"time"

	"github.com/alecthomas/kong"

	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/refusal"
)

// The verbs, as typed and as in the envelope.
const (
	VerbAwait      = "await"
	VerbGate       = "await gate"
	VerbAccept     = "await accept"
	VerbList       = "await list"
	VerbForget     = "await forget"
	VerbCompletion = "await completion"
)

// A Call is one command line of git await, valid as far as that can be told
// without a repository.
type Call struct {
	// Verb is one of the verbs above; it decides which fields below count.
	Verb string
	JSON bool
	// NoColor is --no-color.
	NoColor bool

	// Conditions are those of VerbAwait, in the order typed: 1 to
	// await.MaxConditions, or none with Resume.
	Conditions []await.Ask
	// Mode is empty for a single condition without either, and
	// with Resume.
	Mode await.Mode
	// Resume is the handle as typed, unchecked; empty for a fresh watch.
	Resume string
	// Timeout is the requested length; nil where none was given, which is
	// not the same as zero.
	Timeout *time.Duration
	// Trunk and Notify are as typed; empty where not given.
	Trunk, Notify string
	// Remote is the name given with --remote, "" for --remote alone; nil without.
	Remote *string

	// Command is that of VerbGate; empty for the setting's.
	Command []string

	// Branch is the target of VerbAccept as typed, Method one of ff, merge and
	// squash, Message as typed or empty. Trunk is used too.
	Branch, Method, Message string
	Keep, NoGate            bool

	// Handles are those of VerbForget as typed: at least one.
	Handles []string
	// Shell is that of VerbCompletion: "bash", "zsh" or "fish".
	Shell string
}

// Command is git await with its help pages.
var Command = cli.Command{Program: "git-await", Pages: pages}

// Parse reads the arguments of git await. Every error is a *refusal.Refusal
// with the code invalid_arguments. Field is the option at fault, in snake_case,
// where one option is; it is empty for what the parser library refuses. Help
// and version are not arguments: ask Command.Page first.
//
// The call is returned with an error too, as far as it says in which form
// (JSON, NoColor) and for which Verb the error is to be shown.
func Parse(args []string) (Call, error) {
	call := Call{
		Verb:    VerbAwait,
		JSON:    cli.HasFlag(args, "json"),
		NoColor: cli.HasFlag(args, "no-color"),
	}
	var g grammar
	ctx, err := Command.Parse(&g, args)
	if err != nil {
		return call, err
	}
	call.JSON, call.NoColor = g.JSON, g.NoColor
	switch ctx.Selected().Name {
	case "gate":
		call.Verb, call.Command = VerbGate, g.Gate.Command
	case "accept":
		call.Verb = VerbAccept
		err = call.fillAccept(&g.Accept)
	case "list":
		call.Verb = VerbList
	case "forget":
		call.Verb = VerbForget
		call.Handles = g.Forget.Handles
		err = checkHandles(g.Forget.Handles)
	case "completion":
		call.Verb = VerbCompletion
		call.Shell = g.Completion.Shell
		if g.JSON {
			err = invalid("json", "a completion script has no JSON form")
		}
	default:
		err = call.fillWait(ctx, &g.Wait)
	}
	return call, Command.Usage(err)
}

func checkHandles(handles []string) error {
	for _, handle := range handles {
		if handle == "" {
			return invalid("handle", "the handle is empty")
		}
	}
	return nil
}

// fillAccept takes over the flags of an acceptance.
func (c *Call) fillAccept(flags *acceptArgs) error {
	c.Branch, c.Method, c.Keep, c.NoGate = flags.Branch, flags.Method, flags.Keep, flags.NoGate
	switch {
	case flags.Branch == "":
		return invalid("branch", "the branch is empty")
	case flags.Message != nil && flags.Method == "ff":
		return invalid("message", "a fast-forward makes no commit that could have a message")
	}
	return takeOver(optional{"message", flags.Message, &c.Message}, optional{"trunk", flags.Trunk, &c.Trunk})
}

// An optional is the value of an option that need not be given, but not be
// empty either.
type optional struct {
	field       string
	given, into *string
}

func takeOver(options ...optional) error {
	for _, option := range options {
		if option.given == nil {
			continue
		}
		if *option.given == "" {
			return invalid(option.field, "the value of --%s is empty", option.field)
		}
		*option.into = *option.given
	}
	return nil
}

// fillWait takes over the flags of a wait.
func (c *Call) fillWait(ctx *kong.Context, flags *waitFlags) error {
	c.Conditions = conditionsInOrder(ctx, flags)
	switch {
	case flags.Any && flags.All:
		return invalid("all", "--any and --all exclude each other")
	case flags.Any:
		c.Mode = await.Any
	case flags.All:
		c.Mode = await.All
	}
	err := takeOver(optional{"resume", flags.Resume, &c.Resume}, optional{"trunk", flags.Trunk, &c.Trunk},
		optional{"notify", flags.Notify, &c.Notify})
	if err != nil {
		return err
	}
	if flags.Remote.Given {
		if flags.Remote.Valued && flags.Remote.Value == "" {
			return invalid("remote", "the value of --remote is empty")
		}
		c.Remote = &flags.Remote.Value
	}
	if flags.Timeout != nil {
		timeout, err := cli.ParseDuration("timeout", *flags.Timeout)
		if err != nil {
			return err
		}
		c.Timeout = &timeout
	}
	return c.checkQuestion()
}

// checkQuestion checks that the call asks one question.
func (c *Call) checkQuestion() error {
	if c.Resume != "" {
		switch {
		case len(c.Conditions) > 0:
			return invalid("resume", "--resume goes on with the condition of its watch and takes no other")
		case c.Mode != "":
			return invalid(string(c.Mode), "--%s belongs to a new watch, not to --resume", c.Mode)
		}
		return nil
	}
	trunkMoved := 0
	for _, condition := range c.Conditions {
		switch {
		case condition.Kind == await.TrunkMoved:
			trunkMoved++
		case condition.Target == "":
			return invalid(string(condition.Kind), "the target of --%s is empty", condition.Kind)
		case condition.Kind == await.Green && c.Remote != nil:
			return invalid("remote", "--green asks for a receipt, which only a checkout here can have: it goes without --remote")
		}
	}
	switch n := len(c.Conditions); {
	case n == 0:
		return invalid("", "nothing to wait for: name a condition with --landed, --green or --trunk-moved, or a watch with --resume")
	case trunkMoved > 1:
		return invalid(string(await.TrunkMoved), "--trunk-moved is given %d times", trunkMoved)
	case n > 1 && c.Mode == "":
		return invalid("any", "%d conditions need --any or --all", n)
	case n > await.MaxConditions:
		return invalid(string(c.Mode), "%d conditions are more than %d", n, await.MaxConditions)
	}
	return nil
}

// conditionsInOrder returns the conditions in the order typed, which the
// fields of flags, one for each kind, do not tell.
func conditionsInOrder(ctx *kong.Context, flags *waitFlags) []await.Ask {
	var conditions []await.Ask
	landed, green := flags.Landed, flags.Green
	for _, step := range ctx.Path {
		switch {
		case step.Flag == nil:
		case step.Flag.Name == "landed":
			conditions = append(conditions, await.Ask{Kind: await.Landed, Target: landed[0]})
			landed = landed[1:]
		case step.Flag.Name == "green":
			conditions = append(conditions, await.Ask{Kind: await.Green, Target: green[0]})
			green = green[1:]
		case step.Flag.Name == "trunk-moved" && flags.TrunkMoved:
			conditions = append(conditions, await.Ask{Kind: await.TrunkMoved})
		}
	}
	return conditions
}

func invalid(field, format string, args ...any) error {
	return refusal.New(refusal.InvalidArguments, format, args...).At(field)
}
