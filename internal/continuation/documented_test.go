package continuation

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A reader pastes what a page shows: a handle in it must not be told to hold a
// typing error.
func TestHandlesInThePagesAreHandles(t *testing.T) {
	shape := regexp.MustCompile(`C1-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}`)
	found := 0
	for _, pattern := range []string{"README.md", "man/*.1", "docs/*.md", "internal/cli/*/help/*.txt"} {
		pages, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: no page (%v)", pattern, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, handle := range shape.FindAllString(strings.ReplaceAll(string(text), `\-`, "-"), -1) {
				if handle == "C1-XXXX-XXXX-XX" {
					continue // the form, not a handle
				}
				found++
				if _, err := Parse(handle); err != nil {
					t.Errorf("%s shows %s: %v", page, handle, err)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no page shows a handle")
	}
}
