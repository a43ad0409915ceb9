package gitx

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// capture collects at most limit bytes and reports the first byte beyond.
type capture struct {
	buf   bytes.Buffer
	limit int64
	over  func()
}

// Write refuses whatever would pass the limit, whole.
func (c *capture) Write(p []byte) (int, error) {
	if int64(c.buf.Len())+int64(len(p)) > c.limit {
		c.over()
		return 0, io.ErrShortWrite
	}
	return c.buf.Write(p)
}

// excerptPart is how much of the beginning, and of the end, an excerpt keeps.
const excerptPart = 4 << 10

// excerpt keeps the head and the tail of what is written to it: the first line
// tells what went wrong, the last one what git made of it.
type excerpt struct {
	head, tail []byte
	omitted    int64
}

// Write never fails and holds a bounded amount.
func (e *excerpt) Write(p []byte) (int, error) {
	n := len(p)
	if room := excerptPart - len(e.head); room > 0 {
		k := min(room, len(p))
		e.head = append(e.head, p[:k]...)
		p = p[k:]
	}
	e.tail = append(e.tail, p...)
	if extra := len(e.tail) - excerptPart; extra > 0 {
		e.omitted += int64(extra)
		e.tail = append(e.tail[:0], e.tail[extra:]...)
	}
	return n, nil
}

// String returns what was kept, trimmed, without the user information of URLs.
// At a cut the word that was cut goes too: half a URL could still show half a
// password.
func (e *excerpt) String() string {
	if e.omitted == 0 {
		return strings.TrimSpace(withoutUserInfo(string(e.head) + string(e.tail)))
	}
	head, tail := string(e.head), string(e.tail)
	head = head[:strings.LastIndexFunc(head, unicode.IsSpace)+1]
	if i := strings.IndexFunc(tail, unicode.IsSpace); i >= 0 {
		tail = tail[i:]
	} else {
		tail = ""
	}
	left := int64(len(e.head)+len(e.tail)-len(head)-len(tail)) + e.omitted
	return strings.TrimSpace(fmt.Sprintf("%s\n[%d bytes left out]\n%s",
		strings.TrimSpace(withoutUserInfo(head)), left, strings.TrimSpace(withoutUserInfo(tail))))
}

// userInfo matches the scheme and the user information of a URL. It is greedy
// up to the last @ before the path, since a password may hold an @ itself. It is
// compiled at the first use, for the sake of the commands that start no git.
var userInfo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/\s]*@`)
})

// withoutUserInfo removes user names, passwords and tokens from the URLs in s.
func withoutUserInfo(s string) string {
	return userInfo().ReplaceAllString(s, "$1")
}
