package continuation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	schemaName = "git-continuity-continuation/v"
	schema     = schemaName + "1"
)

// maxSeq is the greatest whole number that every JSON reader keeps exactly.
const maxSeq = 1 << 53

// A Record is one watch between two calls. Package await owns what Watch holds.
type Record struct {
	Handle Handle
	// CreatedAt and UpdatedAt are in UTC; UpdatedAt is set by every write.
	CreatedAt time.Time
	UpdatedAt time.Time
	// Seq orders the records that were created within one second: it is taken
	// under the lock, and never less than 1.
	Seq uint64
	// Met marks a watch that holds: it is kept to answer the same again, and is
	// the first to go when room is needed. It is never taken back.
	Met bool
	// Watch is a JSON object.
	Watch json.RawMessage
}

// document is the JSON form of a Record, in the order of its keys.
type document struct {
	Schema    string          `json:"schema"`
	Handle    Handle          `json:"handle"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
	Seq       uint64          `json:"seq"`
	Met       bool            `json:"met"`
	Watch     json.RawMessage `json:"watch"`
}

// errNewer is a record that a newer version wrote.
var errNewer = errors.New("written by a newer version")

// encodeRecord is deterministic: one line, no blanks, keys in a fixed order.
func encodeRecord(r Record) ([]byte, error) {
	if !isObject(r.Watch) {
		return nil, fmt.Errorf("encode the record of a watch: its watch is not a JSON object")
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(document{
		Schema: schema, Handle: r.Handle, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		Seq: r.Seq, Met: r.Met, Watch: r.Watch,
	})
	if err != nil {
		return nil, fmt.Errorf("encode the record of a watch: %w", err)
	}
	return out.Bytes(), nil
}

// decodeRecord reads what encodeRecord writes, and nothing else: unknown and
// doubled keys, keys in another case and other spellings of a value show as a
// difference from the form that would be written. The version comes first.
func decodeRecord(data []byte, want Handle) (Record, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Record{}, fmt.Errorf("no record: %w", err)
	}
	switch version, ok := strings.CutPrefix(head.Schema, schemaName); {
	case !ok:
		return Record{}, errors.New("not the schema of a watch")
	case isNewer(version):
		return Record{}, errNewer
	case head.Schema != schema:
		return Record{}, errors.New("not a version of the schema of a watch")
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return Record{}, fmt.Errorf("no record: %w", err)
	}
	r := Record{
		Handle: d.Handle, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt, Seq: d.Seq, Met: d.Met, Watch: d.Watch,
	}
	if r.Handle != want {
		return Record{}, errors.New("the record of another watch")
	}
	if r.Seq < 1 || r.Seq > maxSeq {
		return Record{}, errors.New("its sequence number is out of range")
	}
	again, err := encodeRecord(r)
	if err != nil {
		return Record{}, err
	}
	if !bytes.Equal(again, data) {
		return Record{}, errors.New("not in the form in which records are written")
	}
	return r, nil
}

// isNewer takes any whole number above 1 for a newer version, however long.
func isNewer(version string) bool {
	digits := strings.Trim(version, "0123456789") == ""
	return digits && version != "" && version[0] != '0' && version != "1"
}

func isObject(raw json.RawMessage) bool {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(raw)
}
