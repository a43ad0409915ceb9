package awaitcmd

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/accept"
	"git-continuity/internal/await"
	"git-continuity/internal/cli"
	"git-continuity/internal/cli/clitest"
	"git-continuity/internal/continuation"
	"git-continuity/internal/gate"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

func ptr[T any](v T) *T { return &v }

// full is a question in which every field of an answer is there, met or not.
func full(t *testing.T, mode await.Mode, met bool) await.Result {
	t.Helper()
	oid, err := gitx.ParseOID("0123456789abcdef0123456789abcdef01234567")
	if err != nil {
		t.Fatal(err)
	}
	handle, err := continuation.New(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	trunk := await.Observed{
		Reason: await.RemoteNotAsked, Remote: &await.RemoteSeen{Name: "origin", Status: await.RemoteDenied},
	}
	branch := await.Observed{
		Via: "ancestor", Reason: await.NeverSeen, TrunkStart: oid, TrunkHead: &oid, Rewritten: true,
		BranchSeen: &await.BranchSeen{Tip: &oid, Ahead: ptr(0), LandedAs: &oid, Undone: true, NoteCommit: &oid, NoteDate: ptr(time.Unix(0, 0).UTC()),
			ReceiptStatus: gate.Missing, Worktree: "(main)"},
		Preview: &await.Preview{IncomingOverlap: []string{}},
		Remote:  &await.RemoteSeen{Name: "origin", Status: await.RemoteOK, AskedAt: ptr(time.Unix(2, 0).UTC()), TrunkHead: &oid, Tip: &oid},
	}
	conditions := []await.Condition{
		{Kind: await.Green, Branch: "refs/heads/topic", Met: met, Observed: branch},
		{Kind: await.TrunkMoved, Met: met, Observed: trunk},
	}
	if mode == "" {
		conditions = conditions[:1]
	}
	return await.Result{
		Question: await.Question{Mode: mode, Trunk: "refs/heads/main", TrunkStart: oid, Conditions: conditions,
			Remote: &await.RemoteWatch{Name: "origin", Trunk: "refs/heads/main"}},
		Met: met, Handle: handle,
	}
}

func samples(t *testing.T) map[string][]any {
	t.Helper()
	short := await.Length{Timeout: 1500 * time.Millisecond, Basis: await.BasisExplicit, Retry: time.Second, RetryBasis: "cli"}
	cut := await.Length{Timeout: 45 * time.Second, Basis: "strict-client", Requested: time.Hour, Retry: time.Second, RetryBasis: "strict-client"}
	single, several := full(t, "", false), full(t, await.All, true)
	listed := func(r await.Result, err error) await.Listed {
		record := continuation.Record{Handle: r.Handle, CreatedAt: time.Unix(0, 0).UTC(), UpdatedAt: time.Unix(1, 5).UTC()}
		return await.Listed{Record: record, Question: r.Question, Err: err}
	}
	return map[string][]any{
		VerbAwait: {answerOf(single, short), answerOf(several, cut), answerOf(full(t, "", true), cut)},
		VerbList: {
			listAnswerOf(nil),
			listAnswerOf([]await.Listed{listed(single, nil), listed(several, nil), listed(single, errors.New("torn"))}),
		},
		VerbGate: {
			gate.Result{Status: gate.Recorded, Commit: single.Question.TrunkStart, Command: "make", Dirty: []string{}},
			gate.Result{Status: gate.SkippedDirty, Commit: single.Question.TrunkStart, Command: "make", Dirty: []string{"a"}, DirtyTotal: 1},
		},
		VerbAccept: {accept.Result{
			Branch: "refs/heads/topic", Trunk: "refs/heads/main", LandedCommit: single.Question.TrunkStart,
			Method: landing.Squash, Note: landing.NoteWritten,
		}},
		VerbForget: {
			forgetAnswer{[]continuation.Handle{single.Handle}, []continuation.Handle{}},
			forgetAnswer{[]continuation.Handle{}, []continuation.Handle{single.Handle}},
		},
	}
}

func TestDataMatchesItsSchema(t *testing.T) {
	for verb, datas := range samples(t) {
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
		text, err := cli.Answer(VerbAwait, samples(t)[VerbAwait][0], nil).Encode()
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
	for _, name := range []string{"await", "await-gate", "await-accept", "await-list", "await-forget", "error"} {
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
