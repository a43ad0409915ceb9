package gitx_test

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"slices"
	"testing"

	"git-continuity/gitx"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// blobOID is some id of the format that is a function of seed.
func blobOID(format gitx.ObjectFormat, seed string) gitx.OID {
	return gitx.HashObject(format, gitx.TypeBlob, []byte(seed))
}

func sampleTree(format gitx.ObjectFormat) []gitx.TreeEntry {
	return []gitx.TreeEntry{
		{Mode: gitx.ModeTree, Name: "a", OID: blobOID(format, "1")},
		{Mode: gitx.ModeRegular, Name: "a.b", OID: blobOID(format, "2")},
		{Mode: gitx.ModeExecutable, Name: "a0", OID: blobOID(format, "3")},
		{Mode: gitx.ModeSymlink, Name: "line\nend", OID: blobOID(format, "4")},
		{Mode: gitx.ModeGitlink, Name: "sub\xff", OID: blobOID(format, "5")},
		{Mode: gitx.ModeGroupWritable, Name: "\"q\" -> x", OID: blobOID(format, "6")},
	}
}

func TestTreeRoundTrip(t *testing.T) {
	for _, format := range formats {
		want := slices.SortedFunc(slices.Values(sampleTree(format)), gitx.TreeEntry.Compare)
		for seed := range uint64(20) {
			shuffled := slices.Clone(want)
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), reflect.Swapper(shuffled))
			content, err := gitx.EncodeTree(format, shuffled)
			if err != nil {
				t.Fatal(err)
			}
			got, err := gitx.ParseTree(format, content)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s: parsed %v, %v; want %v", format, got, err, want)
			}
		}
		if content, err := gitx.EncodeTree(format, nil); err != nil || len(content) != 0 {
			t.Errorf("the empty tree is %q, %v", content, err)
		}
	}
}

// git hash-object checks what it hashes as fsck does.
func TestEncodedTreePassesGit(t *testing.T) {
	content, err := gitx.EncodeTree(gitx.SHA1, sampleTree(gitx.SHA1))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "hash-object", "-t", "tree", "--stdin")
	cmd.Dir, cmd.Stdin = t.TempDir(), bytes.NewReader(content)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git refuses the tree: %v", err)
	}
	want := gitx.HashObject(gitx.SHA1, gitx.TypeTree, content).String()
	if got := string(bytes.TrimSpace(out)); got != want {
		t.Errorf("git hashes the tree to %s, not %s", got, want)
	}
}

func TestEncodeTreeRefuses(t *testing.T) {
	good := blobOID(gitx.SHA1, "x")
	file := func(name string) gitx.TreeEntry {
		return gitx.TreeEntry{Mode: gitx.ModeRegular, Name: name, OID: good}
	}
	dir := gitx.TreeEntry{Mode: gitx.ModeTree, Name: "a", OID: good}
	for name, entries := range map[string][]gitx.TreeEntry{
		"empty name":         {file("")},
		"dot":                {file(".")},
		"dot dot":            {file("..")},
		".git":               {file(".git")},
		".GiT":               {file(".GiT")},
		"slash":              {file("a/b")},
		"NUL":                {file("a\x00b")},
		"twice":              {file("a"), file("a")},
		"file and folder":    {file("a"), dir},
		"others in between":  {file("a"), file("a!"), file("a."), file("a-b"), dir},
		"mode 0":             {{Name: "a", OID: good}},
		"mode 644":           {{Mode: 0o100600, Name: "a", OID: good}},
		"zero id":            {{Mode: gitx.ModeRegular, Name: "a"}},
		"id of other format": {{Mode: gitx.ModeRegular, Name: "a", OID: blobOID(gitx.SHA256, "x")}},
	} {
		if content, err := gitx.EncodeTree(gitx.SHA1, entries); err == nil {
			t.Errorf("%s: encoded as %q, want an error", name, content)
		}
	}
	if _, err := gitx.EncodeTree(0, nil); err == nil {
		t.Error("EncodeTree needs no object format")
	}
}

func TestParseTreeRefuses(t *testing.T) {
	id := string(blobOID(gitx.SHA1, "x").Bytes())
	for name, content := range map[string]string{
		"no mode":         " a\x00" + id,
		"padded mode":     "0100644 a\x00" + id,
		"padded folder":   "040000 a\x00" + id,
		"not octal":       "100648 a\x00" + id,
		"sign":            "+40000 a\x00" + id,
		"unknown mode":    "100600 a\x00" + id,
		"no end of name":  "100644 a",
		"empty name":      "100644 \x00" + id,
		"slash":           "100644 a/b\x00" + id,
		"truncated id":    "100644 a\x00" + id[1:],
		"zero id":         "100644 a\x00" + string(make([]byte, 20)),
		"trailing bytes":  "100644 a\x00" + id + "1",
		"order":           "100644 b\x00" + id + "100644 a\x00" + id,
		"folder order":    "40000 a\x00" + id + "100644 a.b\x00" + id,
		"twice":           "100644 a\x00" + id + "100644 a\x00" + id,
		"file and folder": "100644 a\x00" + id + "100644 a.b\x00" + id + "40000 a\x00" + id,
	} {
		if entries, err := gitx.ParseTree(gitx.SHA1, []byte(content)); err == nil {
			t.Errorf("%s: parsed as %v, want an error", name, entries)
		}
	}
	if _, err := gitx.ParseTree(0, nil); err == nil {
		t.Error("ParseTree needs no object format")
	}
}

func FuzzParseTree(f *testing.F) {
	for _, format := range formats {
		content, err := gitx.EncodeTree(format, sampleTree(format))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, format == gitx.SHA256)
	}
	f.Fuzz(func(t *testing.T, content []byte, wide bool) {
		format := gitx.SHA1
		if wide {
			format = gitx.SHA256
		}
		entries, err := gitx.ParseTree(format, content)
		if err != nil {
			return
		}
		again, err := gitx.EncodeTree(format, entries)
		if err != nil || !bytes.Equal(again, content) {
			t.Errorf("%q is encoded again as %q, %v", content, again, err)
		}
		if !wide {
			compareTreeWithGoGit(t, content, entries)
		}
	})
}

// compareTreeWithGoGit checks that an independent decoder sees what we see.
func compareTreeWithGoGit(t *testing.T, content []byte, entries []gitx.TreeEntry) {
	t.Helper()
	raw := &plumbing.MemoryObject{}
	raw.SetType(plumbing.TreeObject)
	if _, err := raw.Write(content); err != nil {
		t.Fatal(err)
	}
	var tree object.Tree
	if err := tree.Decode(raw); err != nil {
		t.Fatalf("go-git refuses %q: %v", content, err)
	}
	if len(tree.Entries) != len(entries) {
		t.Fatalf("go-git sees %d entries, we see %d", len(tree.Entries), len(entries))
	}
	for i, e := range tree.Entries {
		if entries[i].Mode == gitx.ModeGroupWritable {
			entries[i].Mode = gitx.ModeRegular // go-git makes no difference
		}
		if e.Name != entries[i].Name || uint32(e.Mode) != uint32(entries[i].Mode) || e.Hash.String() != entries[i].OID.String() {
			t.Errorf("entry %d: go-git sees %v, we see %v", i, e, entries[i])
		}
	}
}
