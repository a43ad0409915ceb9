package cli

import "strings"

// StripUserInfo takes user name and password out of every URL in text:
// "https://me:secret@host/x" becomes "https://host/x". As in git, the
// authority of a URL ends at the first "/", "?", "#" or white space, and user
// info at the last "@" in it. The short form "git@host:path" holds no secret
// and stays.
func StripUserInfo(text string) string {
	const mark = "://"
	var out strings.Builder
	for {
		at := strings.Index(text, mark)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		at += len(mark)
		out.WriteString(text[:at])
		text = text[at:]
		end := strings.IndexAny(text, "/?# \t\r\n")
		if end < 0 {
			end = len(text)
		}
		if user := strings.LastIndexByte(text[:end], '@'); user >= 0 {
			text = text[user+1:]
		}
	}
}
