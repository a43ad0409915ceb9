package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The example in the documentation is one that this version would write.
func TestDocumentedReceipt(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(page)) {
		example, ok := strings.CutPrefix(line, `    {"schema":"git-continuity-receipt/`)
		if !ok {
			continue
		}
		found++
		if _, err := DecodeReceipt([]byte(`{"schema":"git-continuity-receipt/` + example)); err != nil {
			t.Error(err)
		}
	}
	if found != 1 {
		t.Errorf("%d examples of a receipt in docs/formats.md", found)
	}
}
