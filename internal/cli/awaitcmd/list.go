package awaitcmd

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/continuation"
	"git-continuity/internal/refusal"
)

// listAnswer is the data of "await list" in JSON.
type listAnswer struct {
	Watches []listedAnswer `json:"watches"`
	// Unreadable are the records that can only be forgotten.
	Unreadable []unreadableAnswer `json:"unreadable"`
}

type listedAnswer struct {
	Resume     continuation.Handle `json:"resume"`
	Mode       await.Mode          `json:"mode,omitempty"`
	Conditions []listedCondition   `json:"conditions"`
	Trunk      string              `json:"trunk"`
	Remote     string              `json:"remote,omitempty"`
	CreatedAt  time.Time           `json:"created_at"`
	UpdatedAt  time.Time           `json:"updated_at"`
	ExpiresAt  time.Time           `json:"expires_at"`
}

type listedCondition struct {
	Condition await.Kind `json:"condition"`
	Branch    *string    `json:"branch"`
}

type unreadableAnswer struct {
	Resume continuation.Handle `json:"resume"`
	Code   refusal.Code        `json:"code"`
}

// forgetAnswer is the data of "await forget" in JSON.
type forgetAnswer struct {
	Forgotten []continuation.Handle `json:"forgotten"`
	Unknown   []continuation.Handle `json:"unknown"`
}

func list(ctx context.Context, s cli.Streams, call Call, service *await.Service) error {
	watches, err := service.List(ctx)
	if err != nil {
		return err
	}
	if call.JSON {
		return s.WriteDocument(cli.Answer(VerbList, listAnswerOf(watches), nil))
	}
	if len(watches) == 0 {
		s.Say("no watches")
	}
	return s.Print(tabulate(watches))
}

// forget removes what is known and tells of the rest. A mistyped handle, and one
// of a newer version, refuse the whole call: all are tried before the first goes.
func forget(ctx context.Context, s cli.Streams, call Call, service *await.Service) (cli.Status, error) {
	handles := make([]continuation.Handle, len(call.Handles))
	for i, text := range call.Handles {
		handle, err := continuation.Parse(text)
		if err != nil {
			return cli.Refused, err
		}
		if _, err := service.Store.Load(ctx, handle); refusal.CodeOf(err) == refusal.HandleNewer {
			return cli.Refused, err
		}
		handles[i] = handle
	}
	a := forgetAnswer{Forgotten: []continuation.Handle{}, Unknown: []continuation.Handle{}}
	for _, handle := range handles {
		err := service.Store.Remove(ctx, handle)
		switch {
		case refusal.CodeOf(err) == refusal.HandleUnknown:
			a.Unknown = append(a.Unknown, handle)
		case err != nil:
			return cli.Refused, err
		default:
			a.Forgotten = append(a.Forgotten, handle)
		}
	}
	status := cli.OK
	if len(a.Unknown) > 0 {
		status = cli.Refused
	}
	if call.JSON {
		return status, s.WriteDocument(cli.Answer(VerbForget, a, nil))
	}
	return status, s.Print(describeForgotten(a))
}

func describeForgotten(a forgetAnswer) string {
	var text strings.Builder
	for _, handle := range a.Forgotten {
		fmt.Fprintf(&text, "forgotten: %s\n", handle)
	}
	for _, handle := range a.Unknown {
		fmt.Fprintf(&text, "not known here: %s\n", handle)
	}
	return text.String()
}

func listAnswerOf(watches []await.Listed) listAnswer {
	a := listAnswer{Watches: []listedAnswer{}, Unreadable: []unreadableAnswer{}}
	for _, w := range watches {
		if w.Err != nil {
			a.Unreadable = append(a.Unreadable, unreadableAnswer{w.Record.Handle, codeOf(w.Err)})
			continue
		}
		row := listedAnswer{
			Resume: w.Record.Handle, Mode: w.Question.Mode, Trunk: string(w.Question.Trunk),
			CreatedAt: w.Record.CreatedAt, UpdatedAt: w.Record.UpdatedAt, ExpiresAt: expiryOf(w.Record),
		}
		if w.Question.Remote != nil {
			row.Remote = w.Question.Remote.Name
		}
		for _, c := range w.Question.Conditions {
			row.Conditions = append(row.Conditions, listedCondition{c.Kind, branchOf(c)})
		}
		a.Watches = append(a.Watches, row)
	}
	return a
}

func expiryOf(r continuation.Record) time.Time { return r.UpdatedAt.Add(continuation.Lifetime) }

// codeOf is the code of a record that cannot be read; a watch that does not
// decode is as corrupt as a file that does not.
func codeOf(err error) refusal.Code {
	if code := refusal.CodeOf(err); code != "" {
		return code
	}
	return refusal.HandleCorrupt
}

// tabulate lists watches for a person: the handle first, which completion
// reads too.
func tabulate(watches []await.Listed) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, w := range watches {
		if w.Err != nil {
			fmt.Fprintf(table, "%s\tcannot be read: %s\n", w.Record.Handle, codeOf(w.Err))
			continue
		}
		fmt.Fprintf(table, "%s\t%s\ton %s\t%s\tuntil %s\n", w.Record.Handle, cli.Inert(questionOf(w.Question)),
			cli.Inert(trunkOf(w.Question)), statesOf(w.Question), expiryOf(w.Record).Format(time.DateOnly))
	}
	_ = table.Flush() // into memory
	return text.String()
}

func questionOf(q await.Question) string {
	var parts []string
	for _, c := range q.Conditions {
		kind := strings.ReplaceAll(string(c.Kind), "_", "-")
		parts = append(parts, strings.TrimSpace(kind+" "+c.Branch.Short()))
	}
	text := strings.Join(parts, ", ")
	if q.Mode != "" {
		text = string(q.Mode) + ": " + text
	}
	return text
}

func statesOf(q await.Question) string {
	var parts []string
	for _, c := range q.Conditions {
		parts = append(parts, stateOf(c))
	}
	return strings.Join(parts, ", ")
}

func stateOf(c await.Condition) string {
	switch {
	case c.Met:
		return "met"
	case c.Kind == await.TrunkMoved && c.Observed.TrunkStart.IsZero():
		return "start not known yet"
	case c.Kind == await.TrunkMoved:
		return "since " + c.Observed.TrunkStart.Abbrev()
	case c.Remote != nil && !c.Remote.Armed.IsZero():
		return "seen at " + c.Remote.Armed.Abbrev()
	case c.Armed.IsZero():
		return "nothing seen yet"
	}
	return "seen at " + c.Armed.Abbrev()
}
