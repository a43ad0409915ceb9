package gate

import (
	"path/filepath"
	"slices"
	"strings"
)

// cannotFail reports whether a shell line ends with status 0 whatever the state
// of the project. It judges plain words joined by ; & && || and |. What goes
// beyond that (substitutions, groups, keywords, set -e) it takes for a command
// that can fail: it is there against "true", not against wit.
func cannotFail(line string) bool {
	tokens, plain := tokenize(line)
	return plain && vacuousList(tokens)
}

// A token is a word of a shell line, or an operator.
type token struct {
	text     string
	operator bool
}

// tokenize cuts a line as a shell does. It is not plain if its meaning hangs on
// more than words and operators.
func tokenize(line string) (tokens []token, plain bool) {
	t := tokenizer{line: line}
	for t.at < len(line) {
		if !t.next() {
			return nil, false
		}
	}
	t.endWord()
	return t.tokens, true
}

type tokenizer struct {
	line   string
	at     int
	tokens []token
	word   strings.Builder
	inWord bool
}

func (t *tokenizer) endWord() {
	if t.inWord {
		t.tokens = append(t.tokens, token{text: t.word.String()})
	}
	t.word.Reset()
	t.inWord = false
}

// next takes one character, or what it begins. It is false for what is not
// plain.
func (t *tokenizer) next() bool {
	c, rest := t.line[t.at], t.line[t.at+1:]
	t.at++
	switch c {
	case ' ', '\t', '\r':
		t.endWord()
		return true
	case '\n', ';', '&', '|':
		t.operator(c, rest)
		return true
	case '\'', '"':
		end := strings.IndexByte(rest, c)
		if end < 0 || c == '"' && (strings.ContainsAny(rest[:end], "`\\") || strings.Contains(rest[:end], "$(")) {
			return false
		}
		t.word.WriteString(rest[:end])
		t.at += end + 1
	case '`', '\\', '(', ')', '{', '}':
		return false
	case '#':
		if !t.inWord {
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				t.at += end
			} else {
				t.at = len(t.line)
			}
			return true
		}
		t.word.WriteByte(c)
	case '<', '>':
		t.word.WriteByte(c)
		if strings.HasPrefix(rest, "&") { // 2>&1
			t.at++
		}
	default:
		t.word.WriteByte(c)
	}
	t.inWord = true
	return true
}

func (t *tokenizer) operator(c byte, rest string) {
	t.endWord()
	text := string(c)
	switch {
	case c == '\n':
		text = ";"
	case c != ';' && rest != "" && rest[0] == c:
		t.at++
		text += text
	}
	t.tokens = append(t.tokens, token{text: text, operator: true})
}

// vacuousList judges a sequence of commands: the last decides, and a job in the
// background always succeeds.
func vacuousList(tokens []token) bool {
	if len(tokens) > 0 && !tokens[0].operator && tokens[0].text == "set" {
		return false
	}
	for len(tokens) > 0 && tokens[len(tokens)-1] == (token{";", true}) {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) > 0 && tokens[len(tokens)-1] == (token{"&", true}) {
		return true
	}
	for i := len(tokens) - 1; i >= 0; i-- {
		if t := tokens[i]; t.operator && (t.text == ";" || t.text == "&") {
			return vacuousChain(tokens[i+1:])
		}
	}
	return vacuousChain(tokens)
}

// vacuousChain judges pipelines joined by && and ||, which bind alike and from
// the left.
func vacuousChain(tokens []token) bool {
	for i := len(tokens) - 1; i >= 0; i-- {
		switch t := tokens[i]; {
		case t == token{"&&", true}:
			return vacuousChain(tokens[:i]) && vacuousPipeline(tokens[i+1:])
		case t == token{"||", true}:
			return vacuousChain(tokens[:i]) || vacuousPipeline(tokens[i+1:])
		}
	}
	return vacuousPipeline(tokens)
}

// vacuousPipeline judges a pipeline by its last command.
func vacuousPipeline(tokens []token) bool {
	var words []string
	for _, t := range tokens {
		if t.operator {
			words = nil
			continue
		}
		words = append(words, t.text)
	}
	return vacuousCommand(words)
}

// shells run the line that follows their option -c.
var shells = []string{"sh", "bash", "dash", "ksh", "mksh", "zsh", "ash"}

// wrappers run the command that follows them.
var wrappers = []string{"command", "exec", "env", "nohup", "time", "builtin", "busybox"}

// vacuousCommand judges one command and its arguments.
func vacuousCommand(words []string) bool {
	for len(words) > 0 && isAssignment(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	name, args := filepath.Base(words[0]), words[1:]
	switch {
	case name == "true" || name == ":" || name == "echo":
		return true
	case name == "exit" || name == "return":
		return len(args) == 0 || len(args) == 1 && strings.Trim(args[0], "0") == ""
	case slices.Contains(wrappers, name):
		return vacuousCommand(args)
	case slices.Contains(shells, name):
		at := slices.IndexFunc(args, func(arg string) bool {
			return strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, "c")
		})
		return at >= 0 && at+1 < len(args) && cannotFail(args[at+1])
	}
	return false
}

// isAssignment reports whether a word sets a variable for the command after it.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}
