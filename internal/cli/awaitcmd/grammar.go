package awaitcmd

import "git-continuity/internal/cli"

// grammar is what can be typed, for kong. The default verb is hidden and
// cannot be typed by name; its name is how messages speak of it.
type grammar struct {
	JSON    bool `name:"json" help:"Print the answer as one JSON document."`
	NoColor bool `name:"no-color" help:"Print without colour."`

	Wait       waitFlags     `cmd:"" name:"git await" default:"withargs" hidden:"" help:"Wait for a condition."`
	Gate       gateArgs      `cmd:"" help:"Run the gate and record its receipt."`
	Accept     acceptArgs    `cmd:"" help:"Land a green branch on the trunk."`
	List       struct{}      `cmd:"" help:"List the watches that can be resumed."`
	Forget     forgetArgs    `cmd:"" help:"Forget watches."`
	Completion completionArg `cmd:"" help:"Print the completion script of a shell."`
}

// waitFlags has pointers where "not given" differs from "empty", and no
// separator: a branch name may contain a comma.
type waitFlags struct {
	Landed     []string     `sep:"none" placeholder:"TARGET" help:"Wait until the work of a branch has reached the trunk."`
	Green      []string     `sep:"none" placeholder:"TARGET" help:"Wait until the tip of a branch has passed its gate, or has landed."`
	TrunkMoved bool         `help:"Wait until the trunk moves."`
	Any        bool         `help:"Wait until one of several conditions holds."`
	All        bool         `help:"Wait until all of several conditions hold."`
	Resume     *string      `placeholder:"HANDLE" help:"Go on with a watch."`
	Timeout    *string      `placeholder:"TIME" help:"End the call after this long."`
	Trunk      *string      `placeholder:"BRANCH" help:"Take this branch for the trunk."`
	Remote     cli.Optional `placeholder:"REMOTE" help:"Watch trunk and branch as a remote has them."`
	Notify     *string      `placeholder:"COMMAND" help:"Run a command once when the condition holds."`
}

type gateArgs struct {
	Command []string `arg:"" optional:"" name:"command" sep:"none" help:"Command to run instead of await.gate."`
}

type acceptArgs struct {
	Branch  string  `arg:"" name:"branch" help:"Branch to land."`
	Method  string  `enum:"ff,merge,squash" default:"ff" placeholder:"METHOD" help:"Land by this: ff, merge or squash."`
	Keep    bool    `help:"Keep the branch and its worktree."`
	NoGate  bool    `name:"no-gate" help:"Ask for no receipt; the landing note says so."`
	Message *string `short:"m" placeholder:"TEXT" help:"Message of the merge or squash."`
	Trunk   *string `placeholder:"BRANCH" help:"Take this branch for the trunk."`
}

type forgetArgs struct {
	Handles []string `arg:"" name:"handle" sep:"none" help:"Watches to forget."`
}

type completionArg struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell to complete for."`
}
