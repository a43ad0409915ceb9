// Package document is the one form of the JSON documents that carry a schema:
// receipts, landing notes, journals of acceptance.
//
// It stands apart because their strictness must be the same everywhere: a
// newer version is recognised before anything else is judged, and whatever a
// writer would not have written is no document.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNewer is a document that a newer version wrote. It must be left as it is.
var ErrNewer = errors.New("written by a newer version")

// A Schema names a kind of document and its version: "git-continuity-receipt/v1".
type Schema string

// Encode returns the document of v: one line of JSON in UTF-8, without blanks,
// its keys in the order of v's fields, ended by a newline. The first field of v
// must be its schema. Texts that are not UTF-8 have no form in JSON and are an
// error; see Text.
func Encode(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a document: %w", err)
	}
	return out.Bytes(), nil
}

// Decode reads what Encode writes for a v with this schema, and nothing else:
// unknown, doubled and missing keys, keys in another case or order and other
// spellings of a value all show as a difference from the form that would be
// written. The error is ErrNewer, wrapped, for a higher version of the schema.
// The caller bounds the size of data.
func (s Schema) Decode(data []byte, v any) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("no document: %w", err)
	}
	if head.Schema != string(s) {
		if s.olderThan(head.Schema) {
			return fmt.Errorf("schema %.80q: %w", head.Schema, ErrNewer)
		}
		return fmt.Errorf("schema %.80q where %q is expected", head.Schema, string(s))
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("no document of schema %q: %w", string(s), err)
	}
	again, err := Encode(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, data) {
		return errors.New("not in the form in which such documents are written")
	}
	return nil
}

// olderThan reports whether other is the same kind in a higher version.
func (s Schema) olderThan(other string) bool {
	cut := strings.LastIndex(string(s), "/v") + len("/v")
	name, mine := string(s)[:cut], string(s)[cut:]
	version, same := strings.CutPrefix(other, name)
	if !same || version == "" || version[0] == '0' || strings.Trim(version, "0123456789") != "" {
		return false
	}
	if len(version) != len(mine) {
		return len(version) > len(mine)
	}
	return version > mine
}

// Text reports whether a text survives a document unchanged: JSON holds only
// UTF-8, and names in git may be any bytes.
func Text(s string) bool { return utf8.ValidString(s) }
