package await

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"git-continuity/gitx"
)

// A Kind is one of the three things that can be waited for.
type Kind string

// The kinds of condition, by their names in JSON.
const (
	Landed     Kind = "landed"
	Green      Kind = "green"
	TrunkMoved Kind = "trunk_moved"
)

// A Mode says how several conditions combine; it is empty for a single one.
type Mode string

// The modes of a watch with several conditions.
const (
	Any Mode = "any"
	All Mode = "all"
)

// MaxConditions bounds the conditions of one watch.
const MaxConditions = 16

// An Ask is one condition as its user typed it. Target is empty for TrunkMoved.
type Ask struct {
	Kind   Kind
	Target string
}

// A Condition is one resolved condition of a watch, with what it remembers
// between two calls.
type Condition struct {
	Kind Kind `json:"condition"`
	// Branch is the full name of the ref that is followed; empty for TrunkMoved.
	Branch gitx.RefName `json:"branch,omitempty"`
	// Armed is the last tip that a look saw outside the trunk; zero before that,
	// and again once that work was abandoned.
	Armed gitx.OID `json:"armed"`
	// Remote is what is followed at the remote of the watch; nil without one, for
	// TrunkMoved, and for a ref that can have no counterpart there.
	Remote *RemoteSide `json:"remote,omitempty"`
	// Met stays true once the condition was seen to hold: what has landed stays
	// landed while the others of the watch are still waited for.
	Met bool `json:"met"`
	// Observed is what the latest look saw.
	Observed Observed `json:"observed"`
}

// A Question is what a watch asks, and all that a continuation stores of it.
type Question struct {
	Mode  Mode         `json:"mode,omitempty"`
	Trunk gitx.RefName `json:"trunk"`
	// TrunkStart is the trunk's position when the watch began. With a Remote it is
	// the position there, and zero until the remote has answered once.
	TrunkStart gitx.OID `json:"trunk_start"`
	// Remote is nil for a watch about this repository alone.
	Remote     *RemoteWatch `json:"remote,omitempty"`
	Conditions []Condition  `json:"conditions"`
}

// Met reports whether the watch as a whole holds.
func (q *Question) Met() bool {
	if q.Mode == All {
		return !slices.ContainsFunc(q.Conditions, func(c Condition) bool { return !c.Met })
	}
	return slices.ContainsFunc(q.Conditions, func(c Condition) bool { return c.Met })
}

// decodeQuestion reads a stored question strictly: an unknown key, a second
// document or a value out of its range is an error.
func decodeQuestion(data []byte) (Question, error) {
	var q Question
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&q); err != nil {
		return Question{}, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return Question{}, fmt.Errorf("more than one document")
	}
	return q, q.validate()
}

// adopt takes over what another call on the same watch has seen since base, the
// form in which this call last knew it. What was met stays met; an armed tip
// that only the other call has changed is the newer one. What cannot be read is
// passed over: this call's own view stands then.
func (q *Question) adopt(base, stored []byte) {
	was, err := decodeQuestion(base)
	if err != nil {
		return
	}
	now, err := decodeQuestion(stored)
	if err != nil || len(now.Conditions) != len(q.Conditions) || len(was.Conditions) != len(q.Conditions) {
		return
	}
	for i := range q.Conditions {
		mine, theirs := &q.Conditions[i], now.Conditions[i]
		switch {
		case theirs.Met && !mine.Met:
			*mine = theirs
		case !mine.Met && mine.Armed == was.Conditions[i].Armed && theirs.Armed != mine.Armed:
			mine.Armed = theirs.Armed
		}
	}
}

func (q *Question) validate() error {
	n := len(q.Conditions)
	switch {
	case n == 0 || n > MaxConditions:
		return fmt.Errorf("%d conditions", n)
	case q.Mode != Any && q.Mode != All && (q.Mode != "" || n != 1):
		return fmt.Errorf("mode %q with %d conditions", q.Mode, n)
	case q.TrunkStart.IsZero() && q.Remote == nil:
		return fmt.Errorf("no start of the trunk")
	}
	if _, err := gitx.ParseRefName(string(q.Trunk)); err != nil {
		return fmt.Errorf("trunk: %w", err)
	}
	if q.Remote != nil {
		if err := q.Remote.validate(); err != nil {
			return err
		}
	}
	for _, c := range q.Conditions {
		if err := c.validate(); err != nil {
			return err
		}
		if q.Remote == nil && (c.Remote != nil || c.Observed.Remote != nil) || q.Remote != nil && c.Kind == Green {
			return fmt.Errorf("%s and the remote do not fit", c.Kind)
		}
	}
	return nil
}

func (c *Condition) validate() error {
	switch c.Kind {
	case TrunkMoved:
		if c.Remote != nil || c.Branch != "" || !c.Armed.IsZero() {
			return fmt.Errorf("%s with a branch", c.Kind)
		}
		return nil
	case Landed, Green:
		if _, err := gitx.ParseRefName(string(c.Branch)); err != nil {
			return fmt.Errorf("branch: %w", err)
		}
		if c.Remote != nil {
			return c.Remote.validate()
		}
		return nil
	}
	return fmt.Errorf("unknown condition %q", c.Kind)
}
