package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"git-continuity/internal/refusal"
	"git-continuity/internal/secret"
)

// A gitSpeaker is an error of a git process that kept what git said.
type gitSpeaker interface {
	error
	GitStderr() string
}

// Fail reports err as the outcome of verb and returns the exit status: as the
// error document on Stdout with asJSON, else as lines on Stderr. If the
// document cannot be written, Stderr says both.
func (s Streams) Fail(verb string, asJSON bool, err error) int {
	if asJSON {
		writeErr := s.WriteDocument(Failure(verb, err))
		if writeErr == nil {
			return int(StatusOf(err))
		}
		s.PrintError(err)
		s.PrintError(writeErr)
		return int(Fatal)
	}
	s.PrintError(err)
	return int(StatusOf(err))
}

// PrintError shows err on Stderr: one line that begins with "fatal:" for
// status 128 and with "error:" otherwise, then, if a git process is the cause
// and said more than the one line that the error repeats, all that it said,
// quoted, then the hints. All of it is inert; credentials and the user info of
// URLs are taken out.
func (s Streams) PrintError(err error) {
	label, colour := "error:", Red
	if StatusOf(err) == Fatal {
		label = "fatal:"
	}
	var text strings.Builder
	s.line(&text, label, colour, err.Error())
	var git gitSpeaker
	if errors.As(err, &git) {
		if said := strings.TrimRight(git.GitStderr(), "\n"); strings.Contains(said, "\n") {
			text.WriteString(Quote(secret.Redact(said)))
		}
	}
	var r *refusal.Refusal
	if errors.As(err, &r) {
		s.hints(&text, r.Hints)
	}
	s.talk(text.String())
}

// Warn shows one line that begins with "warning:" on Stderr.
func (s Streams) Warn(format string, args ...any) {
	var text strings.Builder
	s.line(&text, "warning:", Yellow, fmt.Sprintf(format, args...))
	s.talk(text.String())
}

// Hints shows each hint as a line that begins with "hint:" on Stderr.
func (s Streams) Hints(hints []string) {
	var text strings.Builder
	s.hints(&text, hints)
	s.talk(text.String())
}

// Say shows one plain line on Stderr.
func (s Streams) Say(format string, args ...any) {
	s.talk(Inert(secret.Redact(fmt.Sprintf(format, args...))) + "\n")
}

func (s Streams) hints(text *strings.Builder, hints []string) {
	for _, hint := range hints {
		s.line(text, "hint:", Cyan, hint)
	}
}

func (s Streams) line(text *strings.Builder, label string, colour Colour, message string) {
	text.WriteString(s.ErrStyle().Paint(colour, label))
	text.WriteByte(' ')
	text.WriteString(Inert(secret.Redact(message)))
	text.WriteByte('\n')
}

// talk drops the error: where Stderr is gone there is nobody left to tell.
func (s Streams) talk(text string) {
	if text != "" {
		_, _ = io.WriteString(s.Stderr, text)
	}
}

// Done returns the exit status of a command whose last act was to print. Where
// that went wrong, Stderr says so.
func (s Streams) Done(err error) int {
	if err == nil {
		return int(OK)
	}
	s.PrintError(err)
	return int(Fatal)
}
