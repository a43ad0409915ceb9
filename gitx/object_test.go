package gitx_test

import (
	"bytes"
	"crypto/sha1"
	"testing"

	"git-continuity/gitx"

	"github.com/go-git/go-git/v5/plumbing"
)

func TestHashObject(t *testing.T) {
	// The ids that git documents for the empty blob and the empty tree.
	for _, c := range []struct {
		format gitx.ObjectFormat
		typ    gitx.ObjectType
		want   string
	}{
		{gitx.SHA1, gitx.TypeBlob, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		{gitx.SHA1, gitx.TypeTree, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
		{gitx.SHA256, gitx.TypeBlob, "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"},
		{gitx.SHA256, gitx.TypeTree, "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"},
	} {
		if got := gitx.HashObject(c.format, c.typ, nil).String(); got != c.want {
			t.Errorf("HashObject(%s, %s, nothing) = %s, want %s", c.format, c.typ, got, c.want)
		}
	}
}

func TestEncodeObject(t *testing.T) {
	content := bytes.Repeat([]byte("x\x00"), 600)
	encoded := gitx.EncodeObject(gitx.TypeBlob, content)
	if !bytes.HasPrefix(encoded, []byte("blob 1200\x00x\x00")) || len(encoded) != 10+1200 {
		t.Errorf("EncodeObject begins %q and has %d bytes", encoded[:12], len(encoded))
	}
	sum := sha1.Sum(encoded)
	if got := gitx.HashObject(gitx.SHA1, gitx.TypeBlob, content); !bytes.Equal(got.Bytes(), sum[:]) {
		t.Errorf("HashObject = %s, the hash of EncodeObject is %x", got, sum)
	}
}

func TestParseObjectType(t *testing.T) {
	for _, s := range []string{"commit", "tree", "blob", "tag"} {
		if typ, err := gitx.ParseObjectType(s); err != nil || string(typ) != s {
			t.Errorf("ParseObjectType(%q) = %q, %v", s, typ, err)
		}
	}
	for _, s := range []string{"", "Blob", "missing", "blob "} {
		if typ, err := gitx.ParseObjectType(s); err == nil {
			t.Errorf("ParseObjectType(%q) = %q, want an error", s, typ)
		}
	}
}

func FuzzHashObject(f *testing.F) {
	f.Add([]byte("hello\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		want := plumbing.ComputeHash(plumbing.BlobObject, content).String()
		if got := gitx.HashObject(gitx.SHA1, gitx.TypeBlob, content).String(); got != want {
			t.Errorf("HashObject(%q) = %s, go-git says %s", content, got, want)
		}
	})
}
