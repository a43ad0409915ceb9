package await

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	var p pace
	now := time.Unix(100, 0)
	p.begin(now)
	for range 2 {
		if !p.may() || p.owed {
			t.Error("a trunk that rests is not asked about at once, by every condition")
		}
	}
	p.spent = 20 * time.Millisecond
	p.end(now)
	p.begin(now.Add(100 * time.Millisecond))
	if p.may() || !p.owed {
		t.Error("asked again before the rest was over, or the question is not owed")
	}
	p.end(now.Add(100 * time.Millisecond))
	p.begin(now.Add(220 * time.Millisecond))
	if p.owed || !p.may() {
		t.Error("not asked when the rest was over")
	}
}
