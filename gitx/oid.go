package gitx

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// An ObjectFormat is the hash function by which a repository names its
// objects. The zero ObjectFormat is invalid.
type ObjectFormat uint8

// The object formats that git knows.
const (
	SHA1 ObjectFormat = iota + 1
	SHA256
)

// maxOIDSize is the size in bytes of the longest object id.
const maxOIDSize = sha256.Size

// ParseObjectFormat reads a format as `git rev-parse --show-object-format`
// prints it: "sha1" or "sha256".
func ParseObjectFormat(s string) (ObjectFormat, error) {
	switch s {
	case "sha1":
		return SHA1, nil
	case "sha256":
		return SHA256, nil
	}
	return 0, fmt.Errorf("parse object format %q: neither sha1 nor sha256", s)
}

// String returns "sha1", "sha256" or, for an invalid format, "invalid".
func (f ObjectFormat) String() string {
	switch f {
	case SHA1:
		return "sha1"
	case SHA256:
		return "sha256"
	}
	return "invalid"
}

// Size is the length of an object id in bytes: 20, 32 or, for an invalid
// format, 0.
func (f ObjectFormat) Size() int {
	switch f {
	case SHA1:
		return sha1.Size
	case SHA256:
		return sha256.Size
	}
	return 0
}

// HexLen is the length of an object id in hexadecimal digits: 40, 64 or, for
// an invalid format, 0.
func (f ObjectFormat) HexLen() int { return 2 * f.Size() }

// Zero is the all-zero id by which git's own protocols say "no object".
func (f ObjectFormat) Zero() string { return strings.Repeat("0", f.HexLen()) }

// New returns a fresh hash of the format. It panics for an invalid format:
// no input can cause that, only a forgotten one.
func (f ObjectFormat) New() hash.Hash {
	switch f {
	case SHA1:
		return sha1.New()
	case SHA256:
		return sha256.New()
	}
	panic("gitx: hash of an invalid object format")
}

// An OID names one object. OIDs are comparable with ==; ids of different
// formats are never equal. The zero OID means "no object".
type OID struct {
	sum    [maxOIDSize]byte
	format ObjectFormat
}

// ParseOID reads a full object id: 40 or 64 lower-case hexadecimal digits.
// Abbreviations are refused, and so is the all-zero id, which names nothing
// (see ParseOIDOrZero).
func ParseOID(s string) (OID, error) {
	oid, err := ParseOIDOrZero(s)
	if err != nil {
		return OID{}, err
	}
	if oid.IsZero() {
		return OID{}, fmt.Errorf("parse object id %q: all zeros name no object", s)
	}
	return oid, nil
}

// ParseOIDOrZero is ParseOID for places where git writes the all-zero id for
// "no object": it returns the zero OID for it.
func ParseOIDOrZero(s string) (OID, error) {
	var oid OID
	switch len(s) {
	case SHA1.HexLen():
		oid.format = SHA1
	case SHA256.HexLen():
		oid.format = SHA256
	default:
		return OID{}, fmt.Errorf("parse object id %.80q: not 40 or 64 digits", s)
	}
	if strings.ContainsAny(s, "ABCDEF") {
		return OID{}, fmt.Errorf("parse object id %q: upper-case digits", s)
	}
	if _, err := hex.Decode(oid.sum[:], []byte(s)); err != nil {
		return OID{}, fmt.Errorf("parse object id %q: not hexadecimal", s)
	}
	if oid.sum == [maxOIDSize]byte{} {
		return OID{}, nil
	}
	return oid, nil
}

// OIDFromBytes returns the id with the given raw bytes, as trees hold them.
// All-zero bytes are refused.
func OIDFromBytes(format ObjectFormat, raw []byte) (OID, error) {
	if format.Size() == 0 || len(raw) != format.Size() {
		return OID{}, fmt.Errorf("read raw object id: %d bytes do not make one of format %s", len(raw), format)
	}
	oid := OID{format: format}
	copy(oid.sum[:], raw)
	if oid.sum == [maxOIDSize]byte{} {
		return OID{}, fmt.Errorf("read raw object id: all zeros name no object")
	}
	return oid, nil
}

// Bytes returns a copy of the raw bytes; none for the zero OID.
func (o OID) Bytes() []byte { return bytes.Clone(o.sum[:o.format.Size()]) }

// String returns the id as lower-case hexadecimal digits, and "" for the zero
// OID. Where git wants zeros instead, use HexOr.
func (o OID) String() string { return hex.EncodeToString(o.sum[:o.format.Size()]) }

// HexOr returns the id's digits, and for the zero OID the all-zero id of the
// given format, as git's protocols and hooks write it.
func (o OID) HexOr(format ObjectFormat) string {
	if o.IsZero() {
		return format.Zero()
	}
	return o.String()
}

// IsZero reports whether the OID names no object.
func (o OID) IsZero() bool { return o == OID{} }

// Format returns the object format; it is invalid for the zero OID.
func (o OID) Format() ObjectFormat { return o.format }

// Abbrev returns the first 12 digits, for people. It may be ambiguous.
func (o OID) Abbrev() string {
	s := o.String()
	return s[:min(12, len(s))]
}

// Compare orders ids by format and then by bytes: it returns -1, 0 or +1.
func (o OID) Compare(p OID) int {
	if o.format != p.format {
		return cmp.Compare(o.format, p.format)
	}
	return bytes.Compare(o.sum[:], p.sum[:])
}

// MarshalText returns the digits, and nothing for the zero OID.
func (o OID) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText wrote. It refuses what ParseOID refuses.
func (o *OID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*o = OID{}
		return nil
	}
	oid, err := ParseOID(string(text))
	if err != nil {
		return err
	}
	*o = oid
	return nil
}
