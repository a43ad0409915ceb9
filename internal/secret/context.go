package secret

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// The matchers of this file recognise a credential by what stands around it.
// They belong to the tables that name them and are as frozen as those: another
// behaviour is another function.

// Rule names of the contextual matchers.
const (
	ruleURL           = "url-password"
	ruleAuthorization = "authorization-header"
	ruleAWSSecret     = "aws-secret-access-key"
	rulePrivateKey    = "private-key"
)

// valueLimit bounds how far a header's value is read before it is judged. It
// keeps text that repeats the header's name inside the value from costing more
// than a constant per byte.
const valueLimit = 2048

// A userInfo is the part of a URL between "//" and the last "@" of the
// authority: text[start:end], with text[end] the "@".
type userInfo struct{ start, end int }

// userInfoAt finds the user info of the URL whose "://" lies at the colon.
// Slashes may be escaped as JSON allows. Where there is none, ok is false.
func userInfoAt(s *scan, colon int) (info userInfo, ok bool) {
	start := -1
	for _, marker := range []string{"://", `:\/\/`} {
		if hasPrefixAt(s.text, colon, marker) {
			start = colon + len(marker)
		}
	}
	if start < 0 {
		return userInfo{}, false
	}
	at := -1
	pos := start
	for ; pos < len(s.text) && !endsAuthority(s.text[pos]); pos++ {
		if s.text[pos] == '@' {
			at = pos
		}
	}
	s.work += pos - start + 1
	return userInfo{start, at}, at >= 0 && !isDigestAt(s.text, at+1)
}

// endsAuthority reports whether the byte cannot be part of a URL's authority as
// people write it: raw passwords hold more than the standard allows.
func endsAuthority(b byte) bool {
	return b <= ' ' || b == 0x7f || strings.IndexByte("/?#\"'`<>\\", b) >= 0
}

// matchURL finds "user:password" in a URL; a user alone is no credential.
func matchURL(s *scan, at int) (Finding, bool) {
	info, ok := userInfoAt(s, at)
	if !ok {
		return Finding{}, false
	}
	_, password, ok := strings.Cut(s.text[info.start:info.end], ":")
	if !ok || isPlaceholder(password) {
		return Finding{}, false
	}
	return Finding{ruleURL, info.start, info.end}, true
}

// isDigestAt tells an image pinned by digest, docker://name:tag@sha256:…, from
// a host behind a password.
func isDigestAt(text string, at int) bool {
	return hasPrefixAt(text, at, "sha256:") || hasPrefixAt(text, at, "sha512:")
}

// isPlaceholder reports whether a password only stands for one: nothing, a
// mask, a shell variable or a slot of a template.
func isPlaceholder(password string) bool {
	if strings.Trim(password, "*") == "" || strings.Trim(password, "xX") == "" || password == "..." {
		return true
	}
	last := password[len(password)-1]
	switch password[0] {
	case '{':
		return last == '}'
	case '[':
		return last == ']'
	case '%':
		return password == "%s" || password == "%v" || last == '%' && len(password) > 2
	case '$':
		return strings.HasPrefix(password, "${") && last == '}' ||
			strings.HasPrefix(password, "$(") && last == ')' ||
			strings.Trim(password[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
	}
	return false
}

// matchA looks at an "a" for the two names that begin so.
func matchA(s *scan, at int) (Finding, bool) {
	if f, ok := matchAuthorization(s, at); ok {
		return f, true
	}
	return matchAWSSecret(s, at)
}

// matchAuthorization finds the value of an Authorization header, in a request,
// a configuration, JSON or a call. Only the value is the finding.
func matchAuthorization(s *scan, at int) (Finding, bool) {
	pos, ok := foldedAt(s.text, at, "authorization")
	if !ok {
		return Finding{}, false
	}
	if pos, ok = separatorAt(s, pos, ":=,"); !ok {
		return Finding{}, false
	}
	for _, scheme := range []string{"bearer", "basic", "token", "apikey", "ssws"} {
		after, ok := foldedAt(s.text, pos, scheme)
		if !ok {
			continue
		}
		start := after + blanksAt(s.text, after)
		n, seen := s.run(start, base64std|base64url|equals|dot|tilde, valueLimit)
		value := s.text[start : start+n]
		if start == after || !isHeaderValue(scheme, value, seen) {
			return Finding{}, false
		}
		rest, _ := s.run(start+n, base64std|base64url|equals|dot|tilde, 0)
		return Finding{ruleAuthorization, start, start + n + rest}, true
	}
	return Finding{}, false
}

// isHeaderValue tells a real value from a word that stands for one. Basic is
// the base64 form of "user:password"; the others are opaque.
func isHeaderValue(scheme, value string, seen set) bool {
	if scheme != "basic" {
		return len(value) >= 12 && seen&digits != 0 && seen&letters != 0
	}
	trimmed := strings.TrimRight(value, "=")
	// A whole number of groups decodes by itself, so that one cut off at the
	// limit or mangled at its end is still known.
	decoded, err := base64.RawStdEncoding.DecodeString(trimmed[:len(trimmed)/4*4])
	return err == nil && len(value) >= 8 && strings.IndexByte(string(decoded), ':') >= 0
}

// matchAWSSecret finds a secret access key behind its name. By itself it is 40
// bytes of base64, which anything may be.
func matchAWSSecret(s *scan, at int) (Finding, bool) {
	pos, ok := namedAt(s.text, at, "secret", "access", "key")
	if !ok {
		if pos, ok = namedAt(s.text, at, "aws", "secret"); !ok {
			return Finding{}, false
		}
		if longer, ok := namedAt(s.text, at, "aws", "secret", "access", "key"); ok {
			pos = longer
		} else if longer, ok := namedAt(s.text, at, "aws", "secret", "key"); ok {
			pos = longer
		}
	}
	start, ok := separatorAt(s, pos, ":=,> \t")
	if !ok {
		return Finding{}, false
	}
	sh := shape{parts: []part{exactly(40, base64std)}, must: []set{digits, upper, lower}}
	end, ok := sh.match(s, start, start)
	return Finding{ruleAWSSecret, start, end}, ok
}

// foldedAt matches a lower-case word in any case and returns what follows it.
func foldedAt(text string, at int, lowerWord string) (end int, ok bool) {
	if len(text)-at < len(lowerWord) {
		return 0, false
	}
	for i := range len(lowerWord) {
		if text[at+i]|0x20 != lowerWord[i] {
			return 0, false
		}
	}
	return at + len(lowerWord), true
}

// namedAt matches words joined as names are: aws_secret, aws-secret, awsSecret.
func namedAt(text string, at int, words ...string) (end int, ok bool) {
	for i, w := range words {
		if i > 0 && at < len(text) && strings.IndexByte("_-. ", text[at]) >= 0 {
			at++
		}
		if at, ok = foldedAt(text, at, w); !ok {
			return 0, false
		}
	}
	return at, true
}

// separatorAt skips what may stand between a name and its value: a few signs,
// of which one must be of the needed ones.
func separatorAt(s *scan, at int, needed string) (end int, ok bool) {
	const most = 12
	for end = at; end < len(s.text) && end < at+most; end++ {
		if strings.IndexByte(" \t\"'`\\:=>,([{", s.text[end]) < 0 {
			break
		}
		ok = ok || strings.IndexByte(needed, s.text[end]) >= 0
	}
	s.work += end - at + 1
	return end, ok
}

// blanksAt counts the bytes of the gap between a scheme and its value, also
// where the text is encoded for a URL.
func blanksAt(text string, at int) int {
	const most = 8
	n := 0
	for n < most && at+n < len(text) && strings.IndexByte(" \t+", text[at+n]) >= 0 {
		n++
	}
	if n == 0 && hasPrefixAt(text, at, "%20") {
		return len("%20")
	}
	return n
}

// matchPrivateKey finds the armour of a private key: PEM, OpenSSH, PGP, SSH2.
// The finding reaches to the end of the block; one that is cut off reaches to
// the end of the text, since nothing says where its key ends.
func matchPrivateKey(s *scan, at int) (Finding, bool) {
	for _, fence := range [][2]string{{"-----", "-----"}, {"---- ", " ----"}} {
		if !hasPrefixAt(s.text, at, fence[0]+"BEGIN ") {
			continue
		}
		start := at + len(fence[0]+"BEGIN ")
		label, ok := armourLabel(s, start, fence[1])
		if !ok || !strings.Contains(label, "PRIVATE KEY") {
			return Finding{}, false
		}
		closing := fence[0] + "END " + label + fence[1]
		end := len(s.text)
		if i := strings.Index(s.text[start:], closing); i >= 0 {
			end = start + i + len(closing)
		}
		s.work += end - at
		return Finding{rulePrivateKey, at, end}, true
	}
	return Finding{}, false
}

// armourLabel returns the words of an armour line up to its closing dashes.
func armourLabel(s *scan, at int, closing string) (label string, ok bool) {
	const longest = 64
	pos := at
	for pos < len(s.text) && pos < at+longest && !hasPrefixAt(s.text, pos, closing) {
		if s.text[pos] != ' ' && !upperAlnum.has(s.text[pos]) {
			return "", false
		}
		pos++
	}
	s.work += pos - at + 1
	return s.text[at:pos], hasPrefixAt(s.text, pos, closing)
}

// isJWT reports whether a value of three parts has the header of a JSON Web
// Token: an object that names its algorithm.
func isJWT(value string) bool {
	header, _, _ := strings.Cut(value, ".")
	decoded, err := base64.RawURLEncoding.DecodeString(header)
	if err != nil {
		return false
	}
	var fields struct {
		Alg *string `json:"alg"`
	}
	return json.Unmarshal(decoded, &fields) == nil && fields.Alg != nil
}
