//go:build unix

package continuity_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// decodeOne decodes exactly one JSON document. Numbers keep their digits.
func decodeOne(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, fmt.Errorf("decode %q: %w", text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("after the document there is more: %q", text)
	}
	return document, nil
}

// lookup follows a path such as data.conditions.0.met. It reports false if a
// key or an element on the way does not exist.
func lookup(document any, path string) (any, bool) {
	for _, step := range strings.Split(path, ".") {
		switch node := document.(type) {
		case map[string]any:
			value, ok := node[step]
			if !ok {
				return nil, false
			}
			document = value
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				return nil, false
			}
			document = node[i]
		default:
			return nil, false
		}
	}
	return document, true
}

// cmdJSON asserts one field of a JSON document.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	const usage = "usage: [!] json FILE|stdout PATH [==|!=|=~ VALUE]"
	if len(args) != 2 && len(args) != 4 || neg && len(args) != 2 {
		ts.Fatalf(usage)
	}
	document, err := decodeOne(ts.ReadFile(args[0]))
	ts.Check(err)
	got, found := lookup(document, args[1])
	if len(args) == 2 {
		if found == neg {
			ts.Fatalf("%s: present is %v, value %s", args[1], found, encoded(got))
		}
		return
	}
	if !found {
		ts.Fatalf("%s is not in the document %s", args[1], encoded(document))
	}
	holds, err := compare(got, args[2], args[3])
	ts.Check(err)
	if !holds {
		ts.Fatalf("%s is %s: %s %s does not hold", args[1], encoded(got), args[2], args[3])
	}
}

// compare applies an operator of the json command. A value that is not JSON is
// a string, so that scripts need no quotes within quotes.
func compare(got any, operator, value string) (bool, error) {
	want, err := decodeOne(value)
	if err != nil {
		want = value
	}
	switch operator {
	case "==":
		return reflect.DeepEqual(got, want), nil
	case "!=":
		return !reflect.DeepEqual(got, want), nil
	case "=~":
		pattern, err := regexp.Compile(value)
		if err != nil {
			return false, fmt.Errorf("compile %q: %w", value, err)
		}
		return pattern.MatchString(flat(got)), nil
	}
	return false, fmt.Errorf("%q is not an operator of json", operator)
}

// flat is a string as it is, and anything else as JSON.
func flat(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return encoded(value)
}

func encoded(value any) string {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprintf("%#v", value)
	}
	return strings.TrimSuffix(buf.String(), "\n")
}

// cmdJSONEnv puts one field of a JSON document into a variable.
func cmdJSONEnv(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "jsonenv")
	if len(args) != 3 {
		ts.Fatalf("usage: jsonenv VARIABLE FILE|stdout PATH")
	}
	document, err := decodeOne(ts.ReadFile(args[1]))
	ts.Check(err)
	value, found := lookup(document, args[2])
	if !found || value == nil {
		ts.Fatalf("%s is not in the document %s", args[2], encoded(document))
	}
	ts.Setenv(args[0], flat(value))
}

// cmdValidJSON asserts that a file holds the one document of a verb: the
// envelope here, the data by the verb's schema.
func cmdValidJSON(ts *testscript.TestScript, neg bool, args []string) {
	plain(ts, neg, "validjson")
	if len(args) != 2 {
		ts.Fatalf("usage: validjson VERB FILE|stdout")
	}
	text := ts.ReadFile(args[1])
	ts.Check(checkEnvelope(args[0], text))
	if s := stateOf(ts); validateDocument != nil && s.tb != nil {
		validateDocument(s.tb, args[0], []byte(text))
	}
}

// checkEnvelope checks what every document of --json has.
func checkEnvelope(verb, text string) error {
	if !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") != 1 {
		return fmt.Errorf("the document is not one line: %q", text)
	}
	decoded, err := decodeOne(text)
	if err != nil {
		return err
	}
	document, ok := decoded.(map[string]any)
	if !ok {
		return fmt.Errorf("the document is not an object: %s", text)
	}
	if document["verb"] != verb {
		return fmt.Errorf("verb is %v, not %q", document["verb"], verb)
	}
	if document["version"] != json.Number("1") {
		return fmt.Errorf("version is %v, not 1", document["version"])
	}
	if _, ok := document["hints"].([]any); !ok {
		return fmt.Errorf("hints is no array: %s", text)
	}
	body := map[any]string{true: "data", false: "error"}[document["ok"]]
	if _, ok := document[body].(map[string]any); !ok || len(document) != 5 {
		return fmt.Errorf("ok is %v, and the document is not verb, version, hints and the body that belongs to it: %s", document["ok"], text)
	}
	return nil
}
