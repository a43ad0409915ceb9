package awaitcmd

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"git-continuity/internal/cli"
	"git-continuity/internal/cli/clitest"
	"git-continuity/internal/refusal"
)

const (
	oid    = "0123456789abcdef0123456789abcdef01234567"
	moment = "2026-01-02T03:04:05Z"
	handle = "C1-0000-0000-00"
)

func ptr[T any](v T) *T { return &v }

// full is a condition in which every field is there.
func full() ConditionData {
	return ConditionData{
		Condition: Green,
		Branch:    ptr("refs/heads/topic"),
		Met:       true,
		Observed: Observed{
			Via: "receipt", Reason: "never_seen", TrunkStart: oid, TrunkHead: ptr(oid), Rewritten: true,
			Tip: oid, Armed: ptr(true), Landed: ptr(false), LandedAs: oid, Undone: true,
			NoteCommit: oid, NoteDate: moment, BranchExists: ptr(false), Ahead: ptr(0),
			ReceiptStatus: "honored", Worktree: "(main)",
			Behind: ptr(0), IncomingOverlap: []string{}, OverlapTotal: ptr(0),
		},
	}
}

func samples() map[string][]any {
	base := AwaitData{Trunk: "refs/heads/main", TimeoutS: 3300, TimeoutBasis: "cli", RetryAfterS: 3300, RetryBasis: "cli"}
	single, moved, several, one := base, base, base, base
	single.ConditionData, single.Met, single.RequestedTimeoutS = ptr(full()), true, ptr(7200.5)
	moved.ConditionData = &ConditionData{Condition: TrunkMoved, Observed: Observed{TrunkStart: oid}}
	moved.Resume = ptr(handle)
	several.Mode, several.Conditions = All, []ConditionData{full(), *moved.ConditionData}
	one.Mode, one.Conditions = Any, []ConditionData{full()}
	watch := WatchData{
		Resume: handle, Mode: Any, Trunk: "refs/remotes/origin/main",
		Conditions: []QuestionData{{Landed, ptr("refs/heads/topic")}, {TrunkMoved, nil}},
		CreatedAt:  moment, UpdatedAt: moment, ExpiresAt: moment,
	}
	return map[string][]any{
		VerbAwait:  {single, moved, several, one},
		VerbList:   {ListData{[]WatchData{}}, ListData{[]WatchData{watch}}},
		VerbForget: {ForgetData{[]string{handle}, []string{}}, ForgetData{[]string{}, []string{handle}}},
	}
}

func TestDataMatchesItsSchema(t *testing.T) {
	for verb, datas := range samples() {
		seen := ""
		for _, data := range datas {
			text, err := cli.Answer(verb, data, []string{"git await list"}).Encode()
			if err != nil {
				t.Fatal(err)
			}
			clitest.ValidateJSON(t, verb, text)
			seen += string(text)
		}
		name := strings.ReplaceAll(verb, " ", "-")
		for _, field := range fieldsOf(t, name) {
			if !strings.Contains(seen, strconv.Quote(field)+":") {
				t.Errorf("the schema of %s has %q, which no answer has", name, field)
			}
		}
	}
}

// The schemas would prove nothing if they took anything.
func TestSchemasRefuse(t *testing.T) {
	for _, change := range []func(map[string]any){
		func(data map[string]any) { delete(data, "observed") },
		func(data map[string]any) { delete(data, "resume") },
		func(data map[string]any) { data["extra"] = 1 },
		func(data map[string]any) { data["mode"] = "any" },
		func(data map[string]any) { data["trunk"] = "main" },
		func(data map[string]any) { data["observed"].(map[string]any)["tip"] = "abc" },
	} {
		text, err := cli.Answer(VerbAwait, samples()[VerbAwait][0], nil).Encode()
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		schema := clitest.Schema(t, "await")
		if err := schema.Validate(document); err != nil {
			t.Fatal(err)
		}
		change(document["data"].(map[string]any))
		if err := schema.Validate(document); err == nil {
			t.Errorf("valid: %v", document["data"])
		}
	}
}

func TestRefusalsMatchTheirSchema(t *testing.T) {
	for _, args := range []string{"", "--landed=", "--any --all", "--bad", "list junk", "forget"} {
		_, err := Parse(strings.Fields(args))
		if err == nil {
			t.Fatalf("%q is accepted", args)
		}
		text, err := cli.Failure(VerbAwait, err).Encode()
		if err != nil {
			t.Fatal(err)
		}
		clitest.ValidateJSON(t, VerbAwait, text)
	}
	for _, code := range codes(t) {
		text, err := cli.Failure(VerbList, refusal.New(refusal.Code(code), "x")).Encode()
		if err != nil {
			t.Fatal(err)
		}
		clitest.ValidateJSON(t, VerbList, text)
	}
}

// codes reads the codes out of the table in package refusal.
func codes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "refusal.go", clitest.ReadFile(t, "internal/refusal/refusal.go"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || fmt.Sprint(spec.Type) != "Code" {
			return true
		}
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, code)
		return true
	})
	if len(out) == 0 {
		t.Fatal("the table of codes is not where it was")
	}
	return out
}

func TestDocumentationHasExactlyTheCodes(t *testing.T) {
	want := codes(t)
	_, section, _ := strings.Cut(string(clitest.ReadFile(t, "docs/json.md")), "\n## Codes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(section, -1) {
		documented = append(documented, row[1])
	}
	if !slices.Equal(documented, want) {
		t.Errorf("docs/json.md has %q, want %q", documented, want)
	}
	var schema struct {
		Properties struct {
			Error struct {
				Properties struct{ Code struct{ Enum []string } }
			}
		}
	}
	if err := json.Unmarshal(clitest.ReadFile(t, "docs/schemas/error.json"), &schema); err != nil {
		t.Fatal(err)
	}
	if got := schema.Properties.Error.Properties.Code.Enum; !slices.Equal(got, want) {
		t.Errorf("docs/schemas/error.json has %q, want %q", got, want)
	}
}

func TestDocumentationHasTheFields(t *testing.T) {
	page := string(clitest.ReadFile(t, "docs/json.md"))
	for _, name := range []string{"await", "await-list", "await-forget", "error"} {
		if !strings.Contains(page, "schemas/"+name+".json") {
			t.Errorf("docs/json.md does not name schemas/%s.json", name)
		}
		for _, field := range fieldsOf(t, name) {
			if !strings.Contains(page, "`"+field+"`") {
				t.Errorf("docs/json.md lacks the field %q of %s", field, name)
			}
		}
	}
}

// fieldsOf returns every property name in a schema.
func fieldsOf(t *testing.T, name string) []string {
	t.Helper()
	var schema any
	if err := json.Unmarshal(clitest.ReadFile(t, "docs/schemas/"+name+".json"), &schema); err != nil {
		t.Fatal(err)
	}
	var out []string
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, item := range node {
				walk(item)
			}
		case map[string]any:
			if properties, ok := node["properties"].(map[string]any); ok {
				for field := range properties {
					out = append(out, field)
				}
			}
			for _, item := range node {
				walk(item)
			}
		}
	}
	walk(schema)
	slices.Sort(out)
	return slices.Compact(out)
}
