package awaitcmd

// grammar is what can be typed, for kong. The default verb is hidden and
// cannot be typed by name; its name is how messages speak of it.
type grammar struct {
	JSON    bool `name:"json" help:"Print the answer as one JSON document."`
	NoColor bool `name:"no-color" help:"Print without colour."`

	Wait       waitFlags     `cmd:"" name:"git await" default:"withargs" hidden:"" help:"Wait for a condition."`
	List       struct{}      `cmd:"" help:"List the watches that can be resumed."`
	Forget     forgetArgs    `cmd:"" help:"Forget watches."`
	Completion completionArg `cmd:"" help:"Print the completion script of a shell."`
}

// waitFlags has pointers where "not given" differs from "empty", and no
// separator: a branch name may contain a comma.
type waitFlags struct {
	Landed     []string `sep:"none" placeholder:"TARGET" help:"Wait until the work of a branch has reached the trunk."`
	Green      []string `sep:"none" placeholder:"TARGET" help:"Wait until the tip of a branch has passed its gate, or has landed."`
	TrunkMoved bool     `help:"Wait until the trunk moves."`
	Any        bool     `help:"Wait until one of several conditions holds."`
	All        bool     `help:"Wait until all of several conditions hold."`
	Resume     *string  `placeholder:"HANDLE" help:"Go on with a watch."`
	Timeout    *string  `placeholder:"TIME" help:"End the call after this long."`
	Trunk      *string  `placeholder:"BRANCH" help:"Take this branch for the trunk."`
	Notify     *string  `placeholder:"COMMAND" help:"Run a command once when the condition holds."`
}

type forgetArgs struct {
	Handles []string `arg:"" name:"handle" sep:"none" help:"Watches to forget."`
}

type completionArg struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell to complete for."`
}
