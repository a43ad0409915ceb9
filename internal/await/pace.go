package await

import "time"

// rest is how many times its own duration a costly question rests before it is
// asked again: a wait spends at most a tenth of its time on it, however often
// the trunk moves. A trunk that rests is asked about at once.
const rest = 10

// A pace spaces out the looks that ask a costly question.
type pace struct {
	// next is when the question may be asked again.
	next time.Time
	// allowed is whether the present look may ask; owed whether it left the
	// question out because of that.
	allowed, owed bool
	spent         time.Duration
}

// begin begins a look.
func (p *pace) begin(now time.Time) {
	p.allowed, p.owed, p.spent = !now.Before(p.next), false, 0
}

// may reports whether the question may be asked in this look.
func (p *pace) may() bool {
	p.owed = p.owed || !p.allowed
	return p.allowed
}

// end ends a look that has spent so much on the question.
func (p *pace) end(now time.Time) {
	if p.spent > 0 {
		p.next = now.Add(rest * p.spent)
	}
}
