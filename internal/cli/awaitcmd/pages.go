package awaitcmd

import _ "embed"

// The help pages, written by hand; a test holds them against the grammar.
var (
	//go:embed help/await.txt
	mainPage string
	//go:embed help/gate.txt
	gatePage string
	//go:embed help/accept.txt
	acceptPage string
	//go:embed help/list.txt
	listPage string
	//go:embed help/forget.txt
	forgetPage string
	//go:embed help/completion.txt
	completionPage string

	pages = map[string]string{
		"":           mainPage,
		"gate":       gatePage,
		"accept":     acceptPage,
		"list":       listPage,
		"forget":     forgetPage,
		"completion": completionPage,
	}
)
