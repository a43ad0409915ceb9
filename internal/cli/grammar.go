package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"git-continuity/internal/refusal"
)

// A Command is one of the three programs as its grammar describes it.
type Command struct {
	// Program is the name of the binary: "git-await".
	Program string
	// Pages are the help pages: the one of the program under "", those of
	// its verbs under their names.
	Pages map[string]string
}

// Typed is the program as a user types it: "git await".
func (c Command) Typed() string {
	return strings.Replace(c.Program, "-", " ", 1)
}

// Page returns what a call for help or for the version prints, and whether
// args are such a call: "help [<verb>]" in front, or -h, --help or --version
// anywhere before "--". It is asked before the parser is built, so that help
// starts fast.
func (c Command) Page(args []string) (page string, wanted bool) {
	topic := ""
	if len(args) > 0 {
		topic = args[0]
	}
	if topic == "help" {
		topic = ""
		if len(args) > 1 {
			topic = args[1]
		}
		return c.page(topic), true
	}
	for _, arg := range args {
		switch arg {
		case "--":
			return "", false
		case "-h", "--help":
			return c.page(topic), true
		case "--version":
			return c.Program + " " + Version() + "\n", true
		}
	}
	return "", false
}

// page returns the page of topic, and the main one where topic has none.
func (c Command) page(topic string) string {
	if page, ok := c.Pages[topic]; ok {
		return page
	}
	return c.Pages[""]
}

// Parse parses args into grammar, a pointer to a struct with kong's tags. It
// never prints and never exits. What the parser refuses becomes a refusal with
// the code invalid_arguments, its suggestions kept.
func (c Command) Parse(grammar any, args []string) (*kong.Context, error) {
	parser, err := c.parser(grammar)
	if err != nil {
		return nil, err
	}
	ctx, err := parser.Parse(args)
	if err == nil {
		err = refuseDefaultByName(ctx)
	}
	if err != nil {
		return nil, c.Usage(refusal.New(refusal.InvalidArguments, "%w", err))
	}
	return ctx, nil
}

// Usage adds the hint to the help page to a refusal of a command line, and
// returns any other error, or nil, as it is.
func (c Command) Usage(err error) error {
	var r *refusal.Refusal
	if errors.As(err, &r) {
		return r.Hint("%s -h", c.Typed())
	}
	return err
}

// Model returns the grammar's model, for completion and for the tests that
// hold help and manual against it.
func (c Command) Model(grammar any) (*kong.Application, error) {
	parser, err := c.parser(grammar)
	if err != nil {
		return nil, err
	}
	return parser.Model, nil
}

func (c Command) parser(grammar any) (*kong.Kong, error) {
	parser, err := kong.New(grammar, kong.Name(c.Program), kong.NoDefaultHelp(),
		kong.Exit(func(int) {}), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		return nil, fmt.Errorf("read the grammar of %s: %w", c.Program, err)
	}
	return parser, nil
}

// refuseDefaultByName refuses the hidden default verb where it was typed. It
// has a name only because the parser needs one; kong marks a default verb that
// nobody typed by making it its own parent.
func refuseDefaultByName(ctx *kong.Context) error {
	for _, step := range ctx.Path {
		if step.Command != nil && step.Command.Hidden && step.Parent != step.Command {
			return fmt.Errorf("unexpected argument %s", step.Command.Name)
		}
	}
	return nil
}

// HasFlag reports whether the switch called name is on in args, read without a
// grammar: it is what decides the form of an error about args themselves.
// Arguments after "--" do not count.
func HasFlag(args []string, name string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		flag, value, valued := strings.Cut(arg, "=")
		if flag == "--"+name && (!valued || truthy(value)) {
			return true
		}
	}
	return false
}

func truthy(value string) bool {
	switch strings.ToLower(value) {
	case "true", "1", "yes":
		return true
	}
	return false
}
