package cli

import (
	"os/exec"
	"testing"
)

func TestShellQuoteIsReadBackByTheShell(t *testing.T) {
	for _, text := range []string{
		"plain", "", "two words", "it's", `"$HOME" $(touch x) \`, "line\nline", "~", "*", "a;b&c|d", "é", "-n", "C1-0000-0000-00",
	} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+ShellQuote(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("ShellQuote(%q) = %s: the shell read %q, %v", text, ShellQuote(text), out, err)
		}
	}
	if got := ShellQuote("refs/heads/main"); got != "refs/heads/main" {
		t.Errorf("quoted without need: %s", got)
	}
}
