package cli

import (
	"fmt"
	"io"
	"sync"
)

// progressWidth keeps a progress line on one row of the narrowest usual
// terminal: a wrapped line could not be taken back.
const progressWidth = 79

// A Progress is one line on a terminal that is rewritten while long work runs.
// It is silent where Stderr is no terminal or TERM is dumb. It is safe for
// concurrent use.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	shown bool
}

// Progress returns the progress line of Stderr.
func (s Streams) Progress() *Progress {
	if !s.StderrTTY || s.env("TERM") == "dumb" {
		return &Progress{}
	}
	return &Progress{w: s.Stderr}
}

// Show replaces the line. Text is made inert and cut to one row.
func (p *Progress) Show(format string, args ...any) {
	if p.w == nil {
		return
	}
	text := []rune(Inert(fmt.Sprintf(format, args...)))
	if len(text) > progressWidth {
		text = append(text[:progressWidth-1], '…')
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = true
	_, _ = io.WriteString(p.w, "\r\x1b[K"+string(text))
}

// Clear takes the line away. It must be called before anything else is written
// to the terminal.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}
