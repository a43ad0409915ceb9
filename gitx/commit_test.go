package gitx_test

import (
	"bytes"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

func sampleCommit(format gitx.ObjectFormat) gitx.Commit {
	east := time.FixedZone("", 5*3600+30*60)
	west := time.FixedZone("", -(3*3600 + 30*60))
	return gitx.Commit{
		Tree:      gitx.HashObject(format, gitx.TypeTree, nil),
		Parents:   []gitx.OID{blobOID(format, "1"), blobOID(format, "2")},
		Author:    gitx.Signature{Name: "Ada Lovelace", Email: "ada@example.com", When: time.Unix(1700000000, 0).In(east)},
		Committer: gitx.Signature{Name: "Bö", Email: "", When: time.Unix(0, 0).In(west)},
		Extra: []gitx.Header{
			{Name: "encoding", Value: "ISO-8859-1"},
			{Name: "mergetag", Value: "object x\ntype commit\n\ntext"},
			{Name: "gpgsig", Value: "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----"},
		},
		Message: "Subject \xe9\n\nbody\nauthor forged <f> 1 +0000\n",
	}
}

// sameCommit compares by instant and offset, since two zones of one offset are
// different values in Go.
func sameCommit(a, b gitx.Commit) bool {
	for _, pair := range [][2]*gitx.Signature{{&a.Author, &b.Author}, {&a.Committer, &b.Committer}} {
		_, x := pair[0].When.Zone()
		_, y := pair[1].When.Zone()
		if !pair[0].When.Equal(pair[1].When) || x != y {
			return false
		}
		pair[0].When, pair[1].When = time.Time{}, time.Time{}
	}
	return reflect.DeepEqual(a, b)
}

func TestCommitRoundTrip(t *testing.T) {
	for _, format := range formats {
		root := sampleCommit(format)
		root.Parents, root.Extra, root.Message = nil, nil, ""
		for _, want := range []gitx.Commit{sampleCommit(format), root} {
			content, err := gitx.EncodeCommit(want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := gitx.ParseCommit(format, content)
			if err != nil || !sameCommit(got, want) {
				t.Errorf("%s: parsed %+v, %v; want %+v", format, got, err, want)
			}
		}
	}
}

// git hash-object checks what it hashes as fsck does; go-git decodes it.
func TestEncodedCommitPassesOthers(t *testing.T) {
	want := sampleCommit(gitx.SHA1)
	content, err := gitx.EncodeCommit(want)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "hash-object", "-t", "commit", "--stdin")
	cmd.Dir, cmd.Stdin = t.TempDir(), bytes.NewReader(content)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git refuses the commit: %v", err)
	}
	id := gitx.HashObject(gitx.SHA1, gitx.TypeCommit, content).String()
	if got := string(bytes.TrimSpace(out)); got != id {
		t.Errorf("git hashes the commit to %s, not %s", got, id)
	}
	raw := &plumbing.MemoryObject{}
	raw.SetType(plumbing.CommitObject)
	if _, err := raw.Write(content); err != nil {
		t.Fatal(err)
	}
	var c object.Commit
	if err := c.Decode(raw); err != nil {
		t.Fatal(err)
	}
	if c.TreeHash.String() != want.Tree.String() || len(c.ParentHashes) != 2 || c.Message != want.Message ||
		c.Author.Name != want.Author.Name || !c.Author.When.Equal(want.Author.When) || c.Committer.Email != "" {
		t.Errorf("go-git sees %+v", c)
	}
	if pgp := want.Extra[2].Value; strings.TrimSpace(c.PGPSignature) != pgp {
		t.Errorf("go-git sees the signature %q, want %q", c.PGPSignature, pgp)
	}
}

func TestEncodeCommitRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*gitx.Commit){
		"no tree":             func(c *gitx.Commit) { c.Tree = gitx.OID{} },
		"zero parent":         func(c *gitx.Commit) { c.Parents[0] = gitx.OID{} },
		"parent of 64 digits": func(c *gitx.Commit) { c.Parents[0] = blobOID(gitx.SHA256, "x") },
		"newline in a name":   func(c *gitx.Commit) { c.Author.Name = "x\ntree y" },
		"newline in a mail":   func(c *gitx.Commit) { c.Committer.Email = "x\ny" },
		"bracket in a name":   func(c *gitx.Commit) { c.Author.Name = "x <y" },
		"bracket in a mail":   func(c *gitx.Commit) { c.Author.Email = "x> 1 +0000" },
		"NUL in a name":       func(c *gitx.Commit) { c.Author.Name = "x\x00" },
		"outer blank":         func(c *gitx.Commit) { c.Author.Name = "x " },
		"zero time":           func(c *gitx.Commit) { c.Author.When = time.Time{} },
		"year 10000":          func(c *gitx.Commit) { c.Author.When = time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC) },
		"zone of 100 hours":   func(c *gitx.Commit) { c.Author.When = c.Author.When.In(time.FixedZone("", 360000)) },
		"header called tree":  func(c *gitx.Commit) { c.Extra[0].Name = "tree" },
		"header unnamed":      func(c *gitx.Commit) { c.Extra[0].Name = "" },
		"header with newline": func(c *gitx.Commit) { c.Extra[0].Name = "a\nparent" },
		"header with blank":   func(c *gitx.Commit) { c.Extra[0].Name = "a b" },
		"NUL in a header":     func(c *gitx.Commit) { c.Extra[0].Value = "\x00" },
		"NUL in the message":  func(c *gitx.Commit) { c.Message = "x\x00y" },
	} {
		c := sampleCommit(gitx.SHA1)
		spoil(&c)
		if content, err := gitx.EncodeCommit(c); err == nil {
			t.Errorf("%s: encoded as %q, want an error", name, content)
		}
	}
}

func TestParseCommit(t *testing.T) {
	tree := "tree " + blobOID(gitx.SHA1, "t").String() + "\n"
	who := "author A <a> 1 +0000\ncommitter C <c> 2 -0130\n"
	c, err := gitx.ParseCommit(gitx.SHA1, []byte(tree+who+"HG:extra a b\nkey one\n two\n  three\n \n\n\nmessage"))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := c.Header("key"); !ok || v != "one\ntwo\n three\n" {
		t.Errorf("the header of several lines is %q", v)
	}
	if _, ok := c.Header("none"); ok || c.Message != "\nmessage" || c.Subject() != "message" {
		t.Errorf("message %q, subject %q", c.Message, c.Subject())
	}
	odd := map[string]gitx.Signature{
		"author":                            {},
		"author A":                          {Name: "A"},
		"author A <b":                       {Name: "A", Email: "b"},
		"author A <b> later":                {Name: "A", Email: "b"},
		"author A <b> 99999999999999 +0000": {Name: "A", Email: "b"},
		"author A <b> 7 east":               {Name: "A", Email: "b", When: time.Unix(7, 0)},
		"author <<b>> 7 +051800":            {Email: "<b>", When: time.Unix(7, 0)},
	}
	for line, want := range odd {
		c, err := gitx.ParseCommit(gitx.SHA1, []byte(tree+line+" \ncommitter C <c> 2 +0000\n"))
		if err != nil || c.Author.Name != want.Name || c.Author.Email != want.Email || !c.Author.When.Equal(want.When) {
			t.Errorf("%q: %+v, %v; want %+v", line, c.Author, err, want)
		}
	}
	for name, content := range map[string]string{
		"nothing":             "",
		"no author":           tree,
		"no committer":        tree + "author A <a> 1 +0000\n",
		"committer first":     tree + "committer C <c> 2 +0000\nauthor A <a> 1 +0000\n\n",
		"two authors":         tree + who + "author A <a> 1 +0000\n\n",
		"late parent":         tree + who + "parent " + blobOID(gitx.SHA1, "p").String() + "\n\n",
		"short tree":          "tree 1234\n" + who + "\n",
		"64 digits":           "tree " + blobOID(gitx.SHA256, "t").String() + "\n" + who + "\n",
		"bad parent":          tree + "parent x\n" + who + "\n",
		"continued author":    tree + "author A <a> 1 +0000\n more\ncommitter C <c> 2 +0000\n\n",
		"header without end":  tree + who + "encoding UTF-8",
		"header without text": tree + who + "encoding\n\n",
	} {
		if c, err := gitx.ParseCommit(gitx.SHA1, []byte(content)); err == nil {
			t.Errorf("%s: parsed as %+v, want an error", name, c)
		}
	}
}

func FuzzParseCommit(f *testing.F) {
	for _, format := range formats {
		content, err := gitx.EncodeCommit(sampleCommit(format))
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
		c, err := gitx.ParseCommit(format, content)
		if err != nil {
			return
		}
		encoded, err := gitx.EncodeCommit(c)
		if err != nil {
			return // An identity that git tolerates and we would not write.
		}
		again, err := gitx.ParseCommit(format, encoded)
		if err != nil || !sameCommit(again, c) {
			t.Errorf("%q is encoded again as %q, %v", content, encoded, err)
		}
	})
}
