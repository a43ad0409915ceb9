package gitx

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Signature is who made a commit, and when. It has nothing to do with
// cryptography: git calls it so.
type Signature struct {
	// Name and Email may be any bytes where they were parsed; EncodeCommit
	// refuses angle brackets, NUL, line ends and outer blanks in them.
	Name, Email string
	// When has a resolution of one second; its zone's offset is kept.
	When time.Time
}

// A Header is a line of a commit beyond the four that all commits have.
type Header struct {
	Name string
	// Value may have several lines, without the blank that continues each.
	Value string
}

// A Commit is the content of a commit object.
type Commit struct {
	Tree      OID
	Parents   []OID
	Author    Signature
	Committer Signature
	// Extra holds the headers after the committer in their order: encoding,
	// mergetag, gpgsig and whatever else there is.
	Extra []Header
	// Message is everything after the first empty line, in the encoding that
	// the header of that name says (UTF-8 without one).
	Message string
}

// Header returns the value of the first extra header of that name.
func (c Commit) Header(name string) (string, bool) {
	for _, h := range c.Extra {
		if h.Name == name {
			return h.Value, true
		}
	}
	return "", false
}

// Subject returns the first line of the message.
func (c Commit) Subject() string {
	line, _, _ := strings.Cut(strings.TrimLeft(c.Message, "\n"), "\n")
	return strings.TrimRight(line, " \t\r")
}

// EncodeCommit returns the content of the commit object, in the format of the
// tree's id. Whatever could forge a header is refused: a line end, NUL or
// angle bracket in a name, a header called like one of the four, ids of
// another format. The message is taken as it is; only NUL is refused in it.
//
// A commit that was parsed and is encoded again need not have the bytes it
// had: never verify a signature over a re-encoding.
func EncodeCommit(c Commit) ([]byte, error) {
	buf, err := appendCommit(nil, c)
	if err != nil {
		return nil, fmt.Errorf("encode commit: %w", err)
	}
	return buf, nil
}

func appendCommit(buf []byte, c Commit) ([]byte, error) {
	if c.Tree.IsZero() {
		return nil, errors.New("no tree")
	}
	buf = fmt.Appendf(buf, "tree %s\n", c.Tree)
	for _, parent := range c.Parents {
		if parent.Format() != c.Tree.Format() {
			return nil, fmt.Errorf("parent %q and tree %s are not of one object format", parent, c.Tree)
		}
		buf = fmt.Appendf(buf, "parent %s\n", parent)
	}
	var err error
	if buf, err = appendSignature(buf, "author", c.Author); err != nil {
		return nil, err
	}
	if buf, err = appendSignature(buf, "committer", c.Committer); err != nil {
		return nil, err
	}
	for _, h := range c.Extra {
		if err := checkExtraHeader(h); err != nil {
			return nil, err
		}
		buf = append(buf, h.Name...)
		buf = append(buf, ' ')
		buf = append(buf, strings.ReplaceAll(h.Value, "\n", "\n ")...)
		buf = append(buf, '\n')
	}
	if strings.IndexByte(c.Message, 0) >= 0 {
		return nil, errors.New("NUL in the message")
	}
	buf = append(buf, '\n')
	return append(buf, c.Message...), nil
}

func appendSignature(buf []byte, header string, s Signature) ([]byte, error) {
	for _, part := range []string{s.Name, s.Email} {
		if strings.ContainsAny(part, "<>\n\x00") || part != strings.TrimSpace(part) {
			return nil, fmt.Errorf("%s %q: angle bracket, line end, NUL or outer blank", header, part)
		}
	}
	seconds := s.When.Unix()
	if seconds < 0 || seconds > maxUnixSeconds {
		return nil, fmt.Errorf("%s %q: date %s is before 1970 or after 9999", header, s.Name, s.When.Format(time.RFC3339))
	}
	_, offset := s.When.Zone()
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	minutes := offset / 60
	if minutes >= 100*60 {
		return nil, fmt.Errorf("%s %q: time zone is %d minutes off", header, s.Name, minutes)
	}
	buf = append(buf, header...)
	buf = append(buf, ' ')
	if s.Name != "" {
		buf = append(append(buf, s.Name...), ' ')
	}
	return fmt.Appendf(buf, "<%s> %d %c%02d%02d\n", s.Email, seconds, sign, minutes/60, minutes%60), nil
}

func checkExtraHeader(h Header) error {
	switch h.Name {
	case "", "tree", "parent", "author", "committer":
		return fmt.Errorf("extra header %q: name is empty or reserved", h.Name)
	}
	for i := range len(h.Name) {
		if b := h.Name[i]; b <= ' ' || b == 0x7f {
			return fmt.Errorf("extra header %q: blank or control character in the name", h.Name)
		}
	}
	if strings.IndexByte(h.Value, 0) >= 0 {
		return fmt.Errorf("extra header %q: NUL in the value", h.Name)
	}
	return nil
}

// ParseCommit reads the content of a commit object. It is strict about the
// order and the form of headers and ids, and tolerant, as git is, about names
// and dates: a date that cannot be read is the zero time.
func ParseCommit(format ObjectFormat, content []byte) (Commit, error) {
	c, err := parseCommit(format, content)
	if err != nil {
		return Commit{}, fmt.Errorf("parse commit: %w", err)
	}
	return c, nil
}

func parseCommit(format ObjectFormat, content []byte) (Commit, error) {
	var c Commit
	var err error
	rest := content
	if c.Tree, c.Parents, rest, err = cutCommitLinks(format, rest); err != nil {
		return Commit{}, err
	}
	for _, who := range []struct {
		header string
		into   *Signature
	}{{"author", &c.Author}, {"committer", &c.Committer}} {
		h, after, ok := cutHeader(rest)
		if !ok || h.Name != who.header || strings.ContainsAny(h.Value, "\n\x00") {
			return Commit{}, fmt.Errorf("no %s line where one is due", who.header)
		}
		*who.into, rest = parseSignature(h.Value), after
	}
	for len(rest) > 0 && rest[0] != '\n' {
		h, after, ok := cutHeader(rest)
		if !ok {
			return Commit{}, fmt.Errorf("malformed header %.40q", rest)
		}
		if err := checkExtraHeader(h); err != nil {
			return Commit{}, err
		}
		c.Extra, rest = append(c.Extra, h), after
	}
	if len(rest) > 0 {
		c.Message = string(rest[1:])
	}
	return c, nil
}

// cutCommitLinks reads the tree and the parents, which come first, and returns
// what follows them.
func cutCommitLinks(format ObjectFormat, content []byte) (tree OID, parents []OID, rest []byte, err error) {
	tree, rest, err = cutOIDHeader(format, content, "tree ")
	if err != nil {
		return OID{}, nil, nil, err
	}
	for bytes.HasPrefix(rest, []byte("parent ")) {
		var parent OID
		if parent, rest, err = cutOIDHeader(format, rest, "parent "); err != nil {
			return OID{}, nil, nil, err
		}
		parents = append(parents, parent)
	}
	return tree, parents, rest, nil
}

func cutOIDHeader(format ObjectFormat, buf []byte, prefix string) (OID, []byte, error) {
	line, rest, ok := bytes.Cut(buf, []byte{'\n'})
	digits, found := bytes.CutPrefix(line, []byte(prefix))
	if !ok || !found || len(digits) != format.HexLen() {
		return OID{}, nil, fmt.Errorf("no line %q with an id of format %s", prefix, format)
	}
	oid, err := ParseOID(string(digits))
	if err != nil {
		return OID{}, nil, err
	}
	return oid, rest, nil
}

// cutHeader reads one header with the lines that continue it.
func cutHeader(buf []byte) (h Header, rest []byte, ok bool) {
	end := 0
	for {
		i := bytes.IndexByte(buf[end:], '\n')
		if i < 0 {
			return Header{}, nil, false
		}
		end += i + 1
		if end == len(buf) || buf[end] != ' ' {
			break
		}
	}
	name, value, ok := strings.Cut(string(buf[:end-1]), " ")
	if !ok {
		return Header{}, nil, false
	}
	return Header{Name: name, Value: strings.ReplaceAll(value, "\n ", "\n")}, buf[end:], true
}

// parseSignature cuts at the first '<' and the last '>', as git does.
func parseSignature(s string) Signature {
	name, rest, ok := strings.Cut(s, "<")
	if !ok {
		return Signature{Name: strings.TrimSpace(s)}
	}
	sig := Signature{Name: strings.TrimSpace(name)}
	i := strings.LastIndexByte(rest, '>')
	if i < 0 {
		sig.Email = strings.TrimSpace(rest)
		return sig
	}
	sig.Email = strings.TrimSpace(rest[:i])
	sig.When = parseWhen(rest[i+1:])
	return sig
}

// parseWhen reads seconds since 1970 and a zone such as "+0530". What cannot
// be read is the zero time; a zone that cannot be read is UTC.
func parseWhen(s string) time.Time {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || seconds < 0 || seconds > maxUnixSeconds {
		return time.Time{}
	}
	offset := 0
	if len(fields) > 1 && len(fields[1]) == len("+hhmm") && strings.ContainsRune("+-", rune(fields[1][0])) {
		if hhmm, err := strconv.ParseUint(fields[1][1:], 10, 16); err == nil {
			offset = int(hhmm/100*60+hhmm%100) * 60
			if fields[1][0] == '-' {
				offset = -offset
			}
		}
	}
	return time.Unix(seconds, 0).In(time.FixedZone("", offset))
}

// maxUnixSeconds is the end of the year 9999: beyond it a time can no longer
// be written in the forms that other programs read.
const maxUnixSeconds = 253402300799
