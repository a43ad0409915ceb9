package gitx_test

import (
	"strings"
	"testing"
	"time"

	"git-continuity/gitx"
	"git-continuity/gitx/gitxtest"
)

func TestWriteObjects(t *testing.T) {
	gitxtest.Each(t, func(t *testing.T, r *gitxtest.Repo) {
		r.Commit("one", nil)
		// Settings of the user that must not reach what tools write.
		for key, value := range map[string]string{
			"core.autocrlf": "true", "commit.gpgSign": "true", "gpg.program": "/nowhere", "user.useConfigOnly": "true",
			"i18n.commitEncoding": "ISO-8859-1",
		} {
			r.Git("config", key, value)
		}
		repo := r.OpenAt(r.Dir, "GIT_AUTHOR_NAME=", "GIT_COMMITTER_NAME=", "GIT_COMMITTER_DATE=nonsense")
		blob, err := repo.WriteBlob(t.Context(), []byte("a\r\nb\x00"))
		if err != nil || r.Git("cat-file", "blob", blob.String()) != "a\r\nb\x00" {
			t.Fatalf("WriteBlob = %s, %v", blob, err)
		}
		if empty, err := repo.WriteBlob(t.Context(), nil); err != nil || empty != gitx.HashObject(repo.ObjectFormat(), gitx.TypeBlob, nil) {
			t.Errorf("WriteBlob of nothing = %s, %v", empty, err)
		}
		tree, err := repo.MkTree(t.Context(), []gitx.TreeEntry{
			{Mode: gitx.ModeRegular, Name: "b\n\t\"", OID: blob},
			{Mode: gitx.ModeGitlink, Name: "gone", OID: blobOID(repo.ObjectFormat(), "elsewhere")},
			{Mode: gitx.ModeExecutable, Name: "a", OID: blob},
		})
		if err != nil {
			t.Fatal(err)
		}
		if empty, err := repo.MkTree(t.Context(), nil); err != nil || r.Git("cat-file", "-t", empty.String()) != "tree" {
			t.Errorf("MkTree of nothing = %s, %v", empty, err)
		}
		when := time.Unix(1_600_000_000, 5).In(time.FixedZone("", 3600))
		spec := gitx.CommitSpec{Tree: tree, Parents: []gitx.OID{r.Rev("HEAD")}, Message: "é\n\n# not a comment", When: when}
		one, err := repo.CommitTree(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		c, err := openBatch(t, repo).Commit(one)
		if err != nil || c.Message != spec.Message+"\n" || c.Tree != tree || len(c.Parents) != 1 || len(c.Extra) != 0 ||
			c.Author != c.Committer || c.Author.When.Unix() != when.Unix() {
			t.Errorf("the commit is %+v, %v", c, err)
		}
		if twin, err := repo.CommitTree(t.Context(), spec); err != nil || twin != one {
			t.Errorf("the same commit again is %s, %v", twin, err)
		}
		r.Git("fsck", "--strict", "--no-dangling")
	})
}

func TestWriteObjectsRefuses(t *testing.T) {
	r := gitxtest.New(t, gitxtest.Options{})
	one := r.Commit("one", nil)
	repo := r.Open()
	gone := blobOID(gitx.SHA1, "never stored")
	if oid, err := repo.MkTree(t.Context(), []gitx.TreeEntry{{Mode: gitx.ModeRegular, Name: "a", OID: gone}}); err == nil {
		t.Errorf("a tree of a missing blob: %s", oid)
	}
	if oid, err := repo.MkTree(t.Context(), []gitx.TreeEntry{{Mode: gitx.ModeRegular, Name: ".GIT", OID: gone}}); err == nil {
		t.Errorf("a tree with .GIT: %s", oid)
	}
	tree := r.Rev("HEAD^{tree}")
	for what, spec := range map[string]gitx.CommitSpec{
		"no tree":        {Parents: []gitx.OID{one}, Message: "x"},
		"missing tree":   {Tree: gone, Message: "x"},
		"missing parent": {Tree: tree, Parents: []gitx.OID{gone}, Message: "x"},
		"tree as parent": {Tree: tree, Parents: []gitx.OID{tree}, Message: "x"},
		"NUL":            {Tree: tree, Message: "x\x00y"},
		"long ago":       {Tree: tree, Message: "x", When: time.Unix(-5, 0)},
	} {
		if oid, err := repo.CommitTree(t.Context(), spec); err == nil {
			t.Errorf("%s: %s", what, oid)
		}
	}
	if _, err := repo.WriteBlob(t.Context(), []byte(strings.Repeat("x", 1<<20))); err != nil {
		t.Errorf("a blob of a mebibyte: %v", err)
	}
}
