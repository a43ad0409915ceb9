package refusal

import (
	"os/exec"
	"testing"
)

func TestWordIsReadBackByTheShell(t *testing.T) {
	for _, text := range []string{
		"plain", "", "two words", "it's", `"$HOME" $(touch x) \`, "line\nline", "~", "*", "a;b&c|d", "é", "-n", "C1-0000-0000-00",
	} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+Word(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("Word(%q) = %s: the shell read %q, %v", text, Word(text), out, err)
		}
	}
	if got := Word("refs/heads/main"); got != "refs/heads/main" {
		t.Errorf("quoted without need: %s", got)
	}
}
