package gitx_test

import (
	"encoding/json"
	"strings"
	"testing"

	"git-continuity/gitx"
)

var formats = []gitx.ObjectFormat{gitx.SHA1, gitx.SHA256}

func TestObjectFormat(t *testing.T) {
	for _, f := range formats {
		got, err := gitx.ParseObjectFormat(f.String())
		if err != nil || got != f {
			t.Errorf("ParseObjectFormat(%q) = %v, %v", f, got, err)
		}
		if n := f.New().Size(); n != f.Size() || f.HexLen() != 2*n || len(f.Zero()) != 2*n {
			t.Errorf("%s: sizes %d, %d, %d disagree", f, n, f.HexLen(), len(f.Zero()))
		}
	}
	for _, s := range []string{"", "SHA1", "sha512", "sha1\n"} {
		if f, err := gitx.ParseObjectFormat(s); err == nil {
			t.Errorf("ParseObjectFormat(%q) = %v, want an error", s, f)
		}
	}
}

func TestParseOID(t *testing.T) {
	sha1 := strings.Repeat("0123456789", 4)
	sha256 := strings.Repeat("89abcdef", 8)
	for _, s := range []string{sha1, sha256} {
		oid, err := gitx.ParseOID(s)
		if err != nil {
			t.Fatalf("ParseOID(%q): %v", s, err)
		}
		if oid.String() != s || oid.IsZero() || oid.Abbrev() != s[:12] {
			t.Errorf("ParseOID(%q) = %v", s, oid)
		}
		back, err := gitx.OIDFromBytes(oid.Format(), oid.Bytes())
		if err != nil || back != oid {
			t.Errorf("OIDFromBytes(%x) = %v, %v", oid.Bytes(), back, err)
		}
	}
	refused := []string{
		"", "abc", sha1[:39], sha1 + "0", sha256[:63], sha256 + "0",
		strings.ToUpper(sha256), "g" + sha1[1:], " " + sha1[1:], sha1[:39] + "\n",
		gitx.SHA1.Zero(), gitx.SHA256.Zero(),
	}
	for _, s := range refused {
		if oid, err := gitx.ParseOID(s); err == nil || !oid.IsZero() {
			t.Errorf("ParseOID(%q) = %v, %v, want an error", s, oid, err)
		}
	}
}

func TestZeroOID(t *testing.T) {
	for _, f := range formats {
		oid, err := gitx.ParseOIDOrZero(f.Zero())
		if err != nil || oid != (gitx.OID{}) {
			t.Errorf("ParseOIDOrZero(zeros of %s) = %v, %v", f, oid, err)
		}
		if oid.HexOr(f) != f.Zero() || oid.String() != "" || oid.Abbrev() != "" {
			t.Errorf("zero OID prints as %q, %q", oid.HexOr(f), oid)
		}
		if oid, err := gitx.OIDFromBytes(f, make([]byte, f.Size())); err == nil {
			t.Errorf("OIDFromBytes(zeros) = %v, want an error", oid)
		}
		if _, err := gitx.OIDFromBytes(f, make([]byte, f.Size()-1)); err == nil {
			t.Error("OIDFromBytes accepted too few bytes")
		}
	}
}

func TestOIDsOfTwoFormatsDiffer(t *testing.T) {
	short := gitx.HashObject(gitx.SHA1, gitx.TypeBlob, nil)
	padded := short.String() + strings.Repeat("0", 24)
	long, err := gitx.ParseOID(padded)
	if err != nil {
		t.Fatal(err)
	}
	if short == long || short.Compare(long) >= 0 || long.Compare(short) <= 0 || long.Compare(long) != 0 {
		t.Errorf("%s and %s are not told apart", short, long)
	}
}

func TestOIDText(t *testing.T) {
	type document struct{ Head, Base gitx.OID }
	in := document{Head: gitx.HashObject(gitx.SHA256, gitx.TypeBlob, []byte("x"))}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out document
	if err := json.Unmarshal(text, &out); err != nil || out != in {
		t.Errorf("%s reads back as %+v, %v", text, out, err)
	}
	if err := json.Unmarshal([]byte(`{"Head":"HEAD"}`), &out); err == nil || out != in {
		t.Errorf("a bad id was accepted or changed the document: %+v, %v", out, err)
	}
}

func FuzzParseOID(f *testing.F) {
	f.Add(gitx.SHA1.Zero())
	f.Add(strings.Repeat("ab", 20))
	f.Add(strings.Repeat("ab", 32))
	f.Fuzz(func(t *testing.T, s string) {
		oid, err := gitx.ParseOID(s)
		if (err == nil) != (oid.String() == s && s != "") {
			t.Errorf("ParseOID(%q) = %q, %v", s, oid, err)
		}
	})
}
