package gitx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Setting is one value of git's configuration.
type Setting struct {
	// Key is canonical: section and variable in lower case, the subsection
	// between them as written.
	Key string
	// Value is "" where the file names the key without a value.
	Value string
	// HasValue tells a key without a value, which as a boolean is true, from
	// one with an empty value, which is false.
	HasValue bool
	// Scope is "system", "global", "local", "worktree" or "command".
	Scope string
	// Origin is where the value stands, as git tells it: "file:<path>",
	// "command line:" and the like.
	Origin string
}

// A Config is a snapshot of git's configuration, in git's order of precedence:
// includes, scopes, worktree settings and GIT_CONFIG_* are as git sees them.
// The nil Config is empty.
type Config struct {
	settings []Setting
	byKey    map[string][]int
}

// A ConfigError reports a setting whose value git would not accept.
type ConfigError struct {
	Setting Setting
	// Want says what the value should have been, for example "a boolean".
	Want string
}

// Error names the key, the value and the place.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("setting %q is %q, which is not %s (%s)",
		e.Setting.Key, e.Setting.Value, e.Want, e.Setting.Origin)
}

// parseConfig reads the output of `git config --list -z --show-scope
// --show-origin`: scope NUL origin NUL key [LF value] NUL.
func parseConfig(out []byte) (*Config, error) {
	fields := strings.Split(string(out), "\x00")
	if last := len(fields) - 1; fields[last] != "" || last%3 != 0 {
		return nil, fmt.Errorf("read the answer of git config: it has %d fields", len(fields))
	}
	c := &Config{byKey: map[string][]int{}}
	for ; len(fields) > 1; fields = fields[3:] {
		key, value, has := strings.Cut(fields[2], "\n")
		c.byKey[key] = append(c.byKey[key], len(c.settings))
		c.settings = append(c.settings, Setting{
			Key: key, Value: value, HasValue: has, Scope: fields[0], Origin: fields[1],
		})
	}
	return c, nil
}

// canonicalKey lowers what git compares without regard to case.
func canonicalKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// Settings returns the values of a key, the weakest first.
func (c *Config) Settings(key string) []Setting {
	if c == nil {
		return nil
	}
	var found []Setting
	for _, i := range c.byKey[canonicalKey(key)] {
		found = append(found, c.settings[i])
	}
	return found
}

// Lookup returns the value of a key that counts, and whether there is one.
func (c *Config) Lookup(key string) (Setting, bool) {
	found := c.Settings(key)
	if len(found) == 0 {
		return Setting{}, false
	}
	return found[len(found)-1], true
}

// String returns the value of a key that counts, and whether there is one.
func (c *Config) String(key string) (string, bool) {
	s, ok := c.Lookup(key)
	return s.Value, ok
}

// All returns every value of a key, the weakest first.
func (c *Config) All(key string) []string {
	var values []string
	for _, s := range c.Settings(key) {
		values = append(values, s.Value)
	}
	return values
}

// Subsections returns the subsections of a section, for example the names of
// the remotes for "remote", in the order in which they first appear.
func (c *Config) Subsections(section string) []string {
	if c == nil {
		return nil
	}
	prefix := strings.ToLower(section) + "."
	var names []string
	seen := map[string]bool{}
	for _, s := range c.settings {
		rest, ok := strings.CutPrefix(s.Key, prefix)
		last := strings.LastIndexByte(rest, '.')
		if !ok || last < 0 || seen[rest[:last]] {
			continue
		}
		seen[rest[:last]] = true
		names = append(names, rest[:last])
	}
	return names
}

// Bool returns the value of a key as git reads a boolean: a key without a value
// is true, an empty value false, a number true unless it is 0. It is false
// without an error where the key is not set. The error is a *ConfigError.
func (c *Config) Bool(key string) (value, ok bool, err error) {
	s, ok := c.Lookup(key)
	if !ok {
		return false, false, nil
	}
	if !s.HasValue {
		return true, true, nil
	}
	switch strings.ToLower(s.Value) {
	case "true", "yes", "on":
		return true, true, nil
	case "", "false", "no", "off":
		return false, true, nil
	}
	if n, valid := parseInt(s.Value); valid && n >= -math.MaxInt32 && n <= math.MaxInt32 {
		return n != 0, true, nil
	}
	return false, true, &ConfigError{Setting: s, Want: "a boolean"}
}

// Int returns the value of a key as git reads an integer of 64 bits: decimal,
// octal (0…) or hexadecimal (0x…), with k, m or g for the powers of 1024. It is
// 0 without an error where the key is not set. The error is a *ConfigError.
func (c *Config) Int(key string) (value int64, ok bool, err error) {
	s, ok := c.Lookup(key)
	if !ok {
		return 0, false, nil
	}
	n, valid := parseInt(s.Value)
	if !valid {
		return 0, true, &ConfigError{Setting: s, Want: "a number"}
	}
	return n, true, nil
}

// parseInt reads a number as git does, which is as strtoimax(3) does with base
// 0, and then a unit.
func parseInt(s string) (int64, bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	unit := int64(1)
	if s != "" {
		switch s[len(s)-1] {
		case 'k', 'K':
			unit = 1 << 10
		case 'm', 'M':
			unit = 1 << 20
		case 'g', 'G':
			unit = 1 << 30
		}
	}
	if unit != 1 {
		s = s[:len(s)-1]
	}
	// Go's own prefixes and digit separators are not C's.
	if strings.ContainsAny(s, "_oO") || strings.HasPrefix(strings.TrimLeft(s, "+-"), "0b") ||
		strings.HasPrefix(strings.TrimLeft(s, "+-"), "0B") {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil || n > math.MaxInt64/unit || n < -(math.MaxInt64/unit) {
		return 0, false
	}
	return n * unit, true
}
