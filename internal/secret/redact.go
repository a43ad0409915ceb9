package secret

import "strings"

// withheld is what is shown of a text that does not come clean.
const withheld = "[redacted: text]"

// Redact returns text fit to be shown: every credential is replaced by
// "[redacted: <rule>]", and URLs lose their user info, a user alone included.
// It is for what other programs say, never for what is stored: stored text is
// refused instead. The result holds no finding, and redacting it again changes
// nothing.
func (t *Table) Redact(text string) string {
	// One pass nearly always does. A replacement can in theory bring two ends
	// together that match, so the result is looked at again.
	const passes = 4
	for range passes {
		text = dropUserInfo(text)
		found := t.Find(text)
		if len(found) == 0 {
			return text
		}
		text = replace(text, found)
	}
	return withheld
}

// Redact is Current().Redact.
func Redact(text string) string { return Current().Redact(text) }

func replace(text string, found []Finding) string {
	var b strings.Builder
	rest := 0
	for _, f := range found {
		b.WriteString(text[rest:f.Start])
		b.WriteString("[redacted: " + f.Rule + "]")
		rest = f.End
	}
	b.WriteString(text[rest:])
	return b.String()
}

// dropUserInfo removes the user info of every URL with its "@".
func dropUserInfo(text string) string {
	var b strings.Builder
	s := &scan{text: text}
	rest := 0
	for at := 0; at < len(text); at++ {
		if text[at] != ':' {
			continue
		}
		info, ok := userInfoAt(s, at)
		if !ok {
			continue
		}
		b.WriteString(text[rest:info.start])
		rest = info.end + 1
		at = info.end
	}
	b.WriteString(text[rest:])
	return b.String()
}
