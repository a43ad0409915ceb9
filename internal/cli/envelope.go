package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"git-continuity/internal/refusal"
	"git-continuity/internal/secret"
)

// EnvelopeVersion is the version of the JSON envelope and of every verb's data.
// It rises when a field changes its meaning or goes; added fields do not raise it.
const EnvelopeVersion = 1

// A Document is what --json prints: one per call, whole or not at all.
// docs/json.md describes it for users. Exactly one of Data and Error is set.
type Document struct {
	OK bool `json:"ok"`
	// Verb is the command as typed: "await", "await list", "handover checkpoint".
	Verb    string `json:"verb"`
	Version int    `json:"version"`
	// Data is the verb's answer, also where the answer is "no".
	Data any `json:"data,omitempty"`
	// Error is a refusal without data.
	Error *ErrorBody `json:"error,omitempty"`
	// Hints are what to do next; an array in JSON even when empty.
	Hints []string `json:"hints"`
}

// An ErrorBody is the error of a Document.
type ErrorBody struct {
	Code    refusal.Code `json:"code"`
	Message string       `json:"message"`
	// Field is the option, argument or document field at fault.
	Field string `json:"field,omitempty"`
}

// Answer returns the document of an answer. Data is never nil: a verb without
// fields answers with an empty struct.
func Answer(verb string, data any, hints []string) Document {
	return Document{OK: true, Verb: verb, Version: EnvelopeVersion, Data: data, Hints: notNil(hints)}
}

// Failure returns the document of an error; an error that is not a refusal has
// the code "fatal". Credentials and the user info of URLs are taken out of
// the message.
func Failure(verb string, err error) Document {
	body := &ErrorBody{Code: refusal.Fatal, Message: secret.Redact(err.Error())}
	var signaled *SignalError
	if errors.As(err, &signaled) {
		body.Code = refusal.Interrupted
	}
	var hints []string
	var r *refusal.Refusal
	if errors.As(err, &r) {
		body.Code, body.Field = r.Code, r.Field
		for _, hint := range r.Hints {
			hints = append(hints, secret.Redact(hint))
		}
	}
	return Document{Verb: verb, Version: EnvelopeVersion, Error: body, Hints: notNil(hints)}
}

// Encode returns the document as one line of JSON with its line end. Text is
// carried exactly, control characters included, except that bytes which are no
// UTF-8 become U+FFFD: JSON cannot hold them.
func (d Document) Encode() ([]byte, error) {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("encode the answer of %q: %w", d.Verb, err)
	}
	return buf.Bytes(), nil
}

// WriteDocument prints d on Stdout in one write, after it was encoded whole.
func (s Streams) WriteDocument(d Document) error {
	text, err := d.Encode()
	if err != nil {
		return err
	}
	return s.Print(string(text))
}

func notNil(hints []string) []string {
	if hints == nil {
		return []string{}
	}
	return hints
}
