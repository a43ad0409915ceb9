package landing

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/document"
)

func oidOf(t testing.TB, digit string) gitx.OID {
	oid, err := gitx.ParseOID(strings.Repeat(digit, 40))
	if err != nil {
		t.Fatal(err)
	}
	return oid
}

func goodNote(t testing.TB) Note {
	return Note{
		Commit: oidOf(t, "a"), Tree: oidOf(t, "b"), AcceptedAt: time.Unix(1_700_000_000, 0).UTC(),
		Claim: Claim{
			Branch: "refs/heads/topic", Tip: oidOf(t, "c"), Trunk: "refs/heads/main", Method: Squash,
			Files: 2, Insertions: 3, Deletions: 1, Gate: "make <check> & more", Receipt: "sha256:" + strings.Repeat("0", 64),
		},
	}
}

func TestNoteCodec(t *testing.T) {
	good := goodNote(t)
	ungated := good
	ungated.Claim.Gate, ungated.Claim.Receipt = "", ""
	for _, n := range []Note{good, ungated} {
		data, err := EncodeNote(n)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := DecodeNote(data, n.Commit); err != nil || got != n {
			t.Errorf("got %+v, %v", got, err)
		}
		if !bytes.HasSuffix(data, []byte(`"signatures":[]}`+"\n")) {
			t.Errorf("written as %s", data)
		}
	}
	for name, change := range map[string]func(*Note){
		"no commit":        func(n *Note) { n.Commit = gitx.OID{} },
		"no tree":          func(n *Note) { n.Tree = gitx.OID{} },
		"no tip":           func(n *Note) { n.Claim.Tip = gitx.OID{} },
		"other format":     func(n *Note) { n.Tree, _ = gitx.ParseOID(strings.Repeat("a", 64)) },
		"short branch":     func(n *Note) { n.Claim.Branch = "topic" },
		"remote trunk":     func(n *Note) { n.Claim.Trunk = "refs/remotes/origin/main" },
		"name of bytes":    func(n *Note) { n.Claim.Branch = "refs/heads/\xff" },
		"bad name":         func(n *Note) { n.Claim.Branch = "refs/heads/a..b" },
		"unknown method":   func(n *Note) { n.Claim.Method = "rebase" },
		"negative count":   func(n *Note) { n.Claim.Files = -1 },
		"no receipt":       func(n *Note) { n.Claim.Receipt = "" },
		"foreign digest":   func(n *Note) { n.Claim.Receipt = "md5:0" },
		"local time":       func(n *Note) { n.AcceptedAt = n.AcceptedAt.In(time.FixedZone("x", 3600)) },
		"part of a second": func(n *Note) { n.AcceptedAt = n.AcceptedAt.Add(time.Millisecond) },
		"too long":         func(n *Note) { n.Claim.Gate = strings.Repeat("x", MaxNote) },
	} {
		bad := good
		change(&bad)
		if _, err := EncodeNote(bad); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
}

func TestNoteReaderIsStrict(t *testing.T) {
	good := goodNote(t)
	data, err := EncodeNote(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeNote(data, oidOf(t, "d")); err == nil {
		t.Error("a note about another commit is read")
	}
	for old, replacement := range map[string]string{
		`,"signatures":[]`:      "",
		`"signatures":[]`:       `"signatures":null`,
		`"signatures":[`:        `"signatures":{`,
		`"method":"squash"`:     `"method":"octopus"`,
		`"receipt":"sha256:`:    `"receipt":"`,
		`"files":2`:             `"files":2,"files":2`,
		`"gate":{`:              `"gate":{"x":1,`,
		"/v1":                   "/v0",
		"refs/heads/topic":      "refs/tags/topic",
		"refs/heads/main":       "refs/heads/ma in",
		"Z\"":                   "+00:00\"",
		strings.Repeat("c", 40): "",
		"}\n":                   "}\n" + strings.Repeat("\n", MaxNote),
	} {
		bad := bytes.Replace(data, []byte(old), []byte(replacement), 1)
		if bytes.Equal(bad, data) {
			t.Fatalf("%q is not in the note", old)
		}
		if _, err := DecodeNote(bad, good.Commit); err == nil || errors.Is(err, document.ErrNewer) {
			t.Errorf("with %q for %q: %v", replacement, old, err)
		}
	}
	newer := bytes.Replace(data, []byte("/v1"), []byte("/v2"), 1)
	if _, err := DecodeNote(newer, good.Commit); !errors.Is(err, document.ErrNewer) {
		t.Errorf("newer: %v", err)
	}
	signed := bytes.Replace(data, []byte(`"signatures":[]`), []byte(`"signatures":[{"signer":"x"}]`), 1)
	if got, err := DecodeNote(signed, good.Commit); err != nil || got != good {
		t.Errorf("signed: %+v, %v", got, err)
	}
}

func FuzzDecodeNote(f *testing.F) {
	good := goodNote(f)
	data, err := EncodeNote(good)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.Replace(data, []byte("/v1"), []byte("/v2"), 1))
	f.Add([]byte(`{"schema":"git-continuity-landing/v1","signatures":[[[[]]]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := DecodeNote(data, good.Commit)
		if err != nil {
			return
		}
		if n.Commit != good.Commit || len(data) > MaxNote {
			t.Fatalf("%q is read as %+v", data, n)
		}
		again, err := EncodeNote(n)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := DecodeNote(again, good.Commit); err != nil || m != n {
			t.Errorf("%+v is written and read as %+v, %v", n, m, err)
		}
	})
}

// The example in the documentation is one that this version would write.
func TestDocumentedNote(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(page)) {
		example, ok := strings.CutPrefix(line, "    ")
		if !ok || !strings.HasPrefix(example, `{"schema":"`+string(noteSchema)) {
			continue
		}
		found++
		if _, err := DecodeNote([]byte(example), oidOf(t, "a")); err != nil {
			t.Error(err)
		}
	}
	if found != 1 {
		t.Errorf("%d examples of a landing note in docs/formats.md", found)
	}
}
