package gitx

import (
	"slices"
	"strings"
	"testing"
)

// hexOf is an id made of one digit.
func hexOf(format ObjectFormat, digit string) string { return strings.Repeat(digit, format.HexLen()) }

func TestParseMergedTrees(t *testing.T) {
	for _, format := range []ObjectFormat{SHA1, SHA256} {
		id := hexOf(format, "1")
		tree, err := ParseOID(id)
		if err != nil {
			t.Fatal(err)
		}
		clean, conflict := "1\x00"+id+"\x00\x00", "0\x00"+id+"\x00a\x00b\nc\x00\x00"
		cases := map[string]struct {
			out  string
			want []MergedTree
			rest int
		}{
			"nothing":  {"", nil, 0},
			"clean":    {clean, []MergedTree{{true, tree}}, 0},
			"conflict": {conflict, []MergedTree{{}}, 0},
			"three":    {clean + conflict + clean, []MergedTree{{true, tree}, {}, {true, tree}}, 0},
			"cut":      {clean + clean[:9], []MergedTree{{true, tree}}, 9},
			"no end":   {conflict[:len(conflict)-1], nil, len(conflict) - 1},
		}
		for name, c := range cases {
			got, rest, err := parseMergedTrees(format, []byte(c.out))
			if err != nil || rest != c.rest || !slices.Equal(got, c.want) {
				t.Errorf("%s %s: got %v, %d, %v", format, name, got, rest, err)
			}
		}
		for name, out := range map[string]string{
			"unknown status":      "2\x00" + id + "\x00\x00",
			"no status":           "\x00" + id + "\x00\x00",
			"clean with conflict": "1\x00" + id + "\x00a\x00\x00",
			"conflict of nothing": "0\x00" + id + "\x00\x00",
			"no tree":             "1\x00a\x00\x00",
			"zero tree":           "1\x00" + format.Zero() + "\x00\x00",
			"other format":        "1\x00" + hexOf(SHA1+SHA256-format, "1") + "\x00\x00",
		} {
			if got, rest, err := parseMergedTrees(format, []byte(out)); err == nil {
				t.Errorf("%s %s: got %v, %d, want an error", format, name, got, rest)
			}
		}
	}
}

func FuzzParseMergedTrees(f *testing.F) {
	id := hexOf(SHA1, "1")
	f.Add([]byte("1\x00" + id + "\x00\x000\x00" + id + "\x00a\x00\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		merged, rest, err := parseMergedTrees(SHA1, out)
		if err != nil {
			return
		}
		if rest < 0 || rest > len(out) {
			t.Fatalf("%d bytes of %d are left", rest, len(out))
		}
		// Whatever follows a part that was read cannot change how it is read.
		again, left, err := parseMergedTrees(SHA1, out[:len(out)-rest])
		if err != nil || left != 0 || !slices.Equal(again, merged) {
			t.Fatalf("read again: %v, %d, %v; before: %v", again, left, err, merged)
		}
		for _, m := range merged {
			if m.Clean == m.Tree.IsZero() {
				t.Fatalf("clean is %v with tree %q", m.Clean, m.Tree)
			}
		}
	})
}

func TestParseMainline(t *testing.T) {
	a, b := hexOf(SHA1, "1"), hexOf(SHA1, "2")
	out := a + " " + b + " " + b + " " + a + "\x00\nM\x00f\x00R100\x00old\x00new\x00A\x00line\nend\x00" + // two renames apart
		b + " " + a + " \x00" + // an empty root
		a + " " + a + "\x00\nD\x00M\x00"
	got, err := parseMainline(SHA1, []byte(out))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]PathChange{{{Path: "f"}, {Path: "new", From: "old"}, {Path: "line\nend"}}, nil, {{Path: "M"}}}
	if len(got) != len(want) {
		t.Fatalf("got %d commits", len(got))
	}
	for i, changes := range want {
		if !slices.Equal(got[i].Changes, changes) {
			t.Errorf("commit %d: got %q, want %q", i, got[i].Changes, changes)
		}
	}
	if got[0].OID.String() != a || got[0].Tree.String() != b || len(got[0].Parents) != 2 || got[0].Parents[0].String() != b || len(got[1].Parents) != 0 {
		t.Errorf("got commits %+v", got)
	}
	for name, out := range map[string]string{
		"no end":          a + " " + b,
		"no tree":         a + "\x00",
		"not hexadecimal": "x" + a[1:] + " " + b + "\x00",
		"other format":    hexOf(SHA256, "1") + " " + hexOf(SHA256, "2") + "\x00",
		"no path":         a + " " + b + "\x00\nM\x00",
		"empty path":      a + " " + b + "\x00\nM\x00\x00",
		"half a rename":   a + " " + b + "\x00\nR100\x00old\x00",
		"unknown status":  a + " " + b + "\x00\nQ\x00f\x00",
		"signature":       "gpg: good\n" + a + " " + b + "\x00",
	} {
		if got, err := parseMainline(SHA1, []byte(out)); err == nil {
			t.Errorf("%s: got %v, want an error", name, got)
		}
	}
}

func FuzzParseMainline(f *testing.F) {
	a, b := hexOf(SHA1, "1"), hexOf(SHA1, "2")
	f.Add([]byte(a + " " + b + "\x00\nM\x00f\x00R100\x00old\x00new\x00" + b + " " + a + "\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		commits, err := parseMainline(SHA1, out)
		if err != nil {
			return
		}
		if len(out) > 0 && len(commits) == 0 {
			t.Fatal("no commit in an output")
		}
		for _, c := range commits {
			if c.OID.IsZero() || c.Tree.IsZero() {
				t.Fatal("a commit without an id")
			}
			for _, change := range c.Changes {
				if change.Path == "" || strings.Contains(change.Path+change.From, "\x00") {
					t.Fatalf("a change of %q", change)
				}
			}
		}
	})
}

func TestMergeDriversAreAllNamed(t *testing.T) {
	config, err := parseConfig([]byte("local\x00file:x\x00merge.own.driver\ntrue\x00" +
		"local\x00file:x\x00merge.a=b.name\nodd\x00local\x00file:x\x00merge.default\nown\x00"))
	if err != nil {
		t.Fatal(err)
	}
	r := &Repo{config: config, place: place{commonDir: t.TempDir()}}
	got, err := r.mergeDrivers()
	if want := []string{"a=b", "binary", "own", "text", "union"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
