package clitest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// ValidateJSON checks that output is exactly one document of the envelope, on
// one line, and valid by the schema of verb ("await list"): that of a refusal
// if "ok" is false, else docs/schemas/await-list.json.
func ValidateJSON(t testing.TB, verb string, output []byte) {
	t.Helper()
	if bytes.Count(output, []byte("\n")) != 1 || !bytes.HasSuffix(output, []byte("\n")) {
		t.Errorf("not one line: %q", output)
	}
	var document map[string]any
	if err := json.Unmarshal(output, &document); err != nil {
		t.Errorf("not one document: %v: %q", err, output)
		return
	}
	if document["verb"] != verb {
		t.Errorf("the verb is %v, want %q", document["verb"], verb)
	}
	name := strings.ReplaceAll(verb, " ", "-")
	if document["ok"] == false {
		name = "error"
	}
	if err := Schema(t, name).Validate(document); err != nil {
		t.Errorf("against docs/schemas/%s.json: %v\n%s", name, err, output)
	}
}

// Schema reads docs/schemas/<name>.json.
func Schema(t testing.TB, name string) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(ReadFile(t, "docs/schemas/"+name+".json"), &schema); err != nil {
		t.Fatalf("docs/schemas/%s.json: %v", name, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("docs/schemas/%s.json: %v", name, err)
	}
	return resolved
}

// ReadFile reads a file of the module, named from its top with slashes.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// top is the folder of go.mod. Tests run in the folder of their package.
func top(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("the tests do not run inside the module")
		}
		dir = parent
	}
}
