package cli

// A Colour is one of the few colours that the commands use.
type Colour string

// The colours, as SGR parameters of the sixteen that every palette has.
const (
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
	Cyan   Colour = "36"
)

// A Style paints text, or leaves it as it is where colour is off. The zero
// Style is off.
type Style struct {
	on bool
}

// Paint returns text in colour. Text must be inert already.
func (s Style) Paint(colour Colour, text string) string {
	if !s.on {
		return text
	}
	return "\x1b[" + string(colour) + "m" + text + "\x1b[0m"
}

// OutStyle is the style of Stdout: on only for a terminal, and off with
// --no-color, a NO_COLOR that is not empty, or TERM=dumb.
func (s Streams) OutStyle() Style {
	return Style{on: s.StdoutTTY && s.colourWanted()}
}

// ErrStyle is the style of Stderr, under the same rule as OutStyle.
func (s Streams) ErrStyle() Style {
	return Style{on: s.StderrTTY && s.colourWanted()}
}

func (s Streams) colourWanted() bool {
	return !s.NoColor && s.env("NO_COLOR") == "" && s.env("TERM") != "dumb"
}
