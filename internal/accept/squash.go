package accept

import (
	"context"
	"fmt"
	"strings"

	"git-continuity/gitx"
)

// A piece is one commit of the work that is squashed.
type piece struct {
	name, email, date string // the author; the date as "<seconds> <zone>"
	message           string
}

// work is what is squashed, the tip first.
type work []piece

// readWork reads the commits that the trunk lacks.
func (a *acceptance) readWork(ctx context.Context, j journal) (work, error) {
	out, err := a.repo.Run(ctx, gitx.Command{
		Args: []string{
			"log", "-z", "--no-show-signature", "--no-mailmap", "--encoding=UTF-8", "--date=raw", "--topo-order", "--no-color", "--no-notes",
			"--no-patch", "--format=tformat:%an%x00%ae%x00%ad%x00%B", "--stdin",
		},
		Stdin: fmt.Appendf(nil, "%s\n^%s\n", j.Tip, j.Old),
	})
	if err != nil {
		return nil, fmt.Errorf("read the commits of %q: %w", j.Branch.Short(), err)
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields)%4 != 0 {
		return nil, fmt.Errorf("read the answer of git log: %d fields", len(fields))
	}
	var all work
	for ; len(fields) > 0; fields = fields[4:] {
		all = append(all, piece{name: fields[0], email: fields[1], date: fields[2], message: strings.TrimSpace(fields[3])})
	}
	return all, nil
}

// author makes the tip's author that of the squash.
func (w work) author() []string {
	name := w[0].name
	if name == "" {
		name = w[0].email // git makes no commit without a name
	}
	return []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + w[0].email, "GIT_AUTHOR_DATE=" + w[0].date}
}

// message returns the message of the squash: the user's, that of the only commit,
// or the subjects of all, the oldest first; and below it the other authors.
func (w work) message(given string, branch gitx.RefName) string {
	text := strings.TrimSpace(given)
	switch {
	case text != "":
	case len(w) == 1 && w[0].message != "":
		text = w[0].message
	default:
		var b strings.Builder
		fmt.Fprintf(&b, "Squash branch '%s'\n", branch.Short())
		for i := len(w) - 1; i >= 0; i-- {
			subject, _, _ := strings.Cut(w[i].message, "\n")
			fmt.Fprintf(&b, "\n* %s", subject)
		}
		text = b.String()
	}
	trailers := w.coAuthors(text)
	if len(trailers) == 0 {
		return text
	}
	separator := "\n\n"
	if endsInTrailers(text) {
		separator = "\n"
	}
	return text + separator + strings.Join(trailers, "\n")
}

const coAuthor = "Co-authored-by: "

// coAuthors names everybody but the author of the tip, once, and those whom the
// commits themselves name, but not whom the message names already.
func (w work) coAuthors(message string) []string {
	seen := map[string]bool{strings.ToLower(w[0].email): true}
	for line := range strings.Lines(message) {
		if _, email, ok := parseCoAuthor(line); ok {
			seen[strings.ToLower(email)] = true
		}
	}
	var trailers []string
	add := func(name, email string) {
		key := strings.ToLower(email)
		if !seen[key] {
			trailers = append(trailers, fmt.Sprintf("%s%s <%s>", coAuthor, name, email))
		}
		seen[key] = true
	}
	for i := len(w) - 1; i >= 0; i-- {
		add(w[i].name, w[i].email)
		for line := range strings.Lines(w[i].message) {
			if name, email, ok := parseCoAuthor(line); ok {
				add(name, email)
			}
		}
	}
	return trailers
}

func parseCoAuthor(line string) (name, email string, ok bool) {
	line = strings.TrimRight(line, " \t\r\n")
	if len(line) < len(coAuthor) || !strings.EqualFold(line[:len(coAuthor)], coAuthor) {
		return "", "", false
	}
	name, rest, ok := strings.Cut(line[len(coAuthor):], "<")
	email, after, closed := strings.Cut(rest, ">")
	return strings.TrimSpace(name), email, ok && closed && after == "" && email != ""
}

// endsInTrailers reports whether the last paragraph, if it is not the only one,
// consists of trailers.
func endsInTrailers(text string) bool {
	at := strings.LastIndex(text, "\n\n")
	if at < 0 {
		return false
	}
	for line := range strings.Lines(text[at+2:]) {
		token, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if !ok || token == "" || value == "" || strings.ContainsAny(token, " \t") {
			return false
		}
	}
	return true
}
