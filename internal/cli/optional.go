package cli

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// An Optional is the value of an option that may stand alone or have a value
// joined to it: --remote, --remote=name. A word that follows is never taken for
// its value, since it could be meant for anything.
type Optional struct {
	// Given is whether the option was typed, Valued whether a value was joined to
	// it; the last time counts.
	Given, Valued bool
	Value         string
}

// Decode reads the option; kong calls it.
func (o *Optional) Decode(ctx *kong.DecodeContext) error {
	*o = Optional{Given: true}
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	value, ok := ctx.Scan.Pop().Value.(string)
	if !ok {
		return fmt.Errorf("the value is no text")
	}
	o.Valued, o.Value = true, value
	return nil
}

// IsBool tells kong that the option may stand alone.
func (o *Optional) IsBool() bool { return true }
