package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// Streams is everything that a command may know of its surroundings. A main
// passes Process(); a test passes buffers.
type Streams struct {
	// Args are the arguments, without the name of the program.
	Args []string
	// Stdin, Stdout and Stderr are the three streams: results go to Stdout,
	// talk goes to Stderr.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// LookupEnv reads one environment variable; nil is an empty environment.
	LookupEnv func(name string) (value string, set bool)
	// StdinTTY, StdoutTTY and StderrTTY tell which streams are terminals.
	StdinTTY, StdoutTTY, StderrTTY bool
	// Dir is the working directory, absolute; empty if it cannot be known,
	// as after it was deleted.
	Dir string
	// NoColor is --no-color. It switches off colour, not progress.
	NoColor bool
}

// Process returns the streams of this process, for a main.
//
// From then on a write into a closed pipe is an error, as it is for any other
// writer, and no longer a silent death: an answer that nobody read has not been
// given, and what depends on it must not be cleaned up. Children are unaffected.
func Process() Streams {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Streams{
		Args:      os.Args[1:],
		Stdin:     os.Stdin,
		Stdout:    os.Stdout,
		Stderr:    os.Stderr,
		LookupEnv: os.LookupEnv,
		StdinTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTTY: term.IsTerminal(int(os.Stderr.Fd())),
		Dir:       dir,
	}
}

// Print writes text to Stdout in one write. The error names the act; a caller
// that must not act on an unread answer checks it.
func (s Streams) Print(text string) error {
	if _, err := s.Stdout.Write([]byte(text)); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// env returns a variable, and "" where it is not set.
func (s Streams) env(name string) string {
	if s.LookupEnv == nil {
		return ""
	}
	value, _ := s.LookupEnv(name)
	return value
}
