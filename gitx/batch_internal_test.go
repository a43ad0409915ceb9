package gitx

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

func FuzzParseObjectInfo(f *testing.F) {
	oid := strings.Repeat("ab", 20)
	f.Add("HEAD", oid+" commit 12")
	f.Add("a b", "a b missing")
	f.Add("abcd", "abcd ambiguous")
	f.Add(oid+" blob", oid+" blob 3")
	f.Fuzz(func(t *testing.T, name, line string) {
		info, err := parseObjectInfo(SHA1, name, line)
		if err != nil {
			var protocol *batchProtocolError
			var ambiguous *AmbiguousError
			if info != (ObjectInfo{}) || !errors.As(err, &protocol) && !errors.As(err, &ambiguous) {
				t.Errorf("%q about %q: %+v, %v", line, name, info, err)
			}
			return
		}
		if info.Missing {
			if line != name+" missing" && line != name+" submodule" {
				t.Errorf("%q about %q is taken for missing", line, name)
			}
			return
		}
		if again := info.OID.String() + " " + string(info.Type) + " " + strconv.FormatInt(info.Size, 10); again != line {
			t.Errorf("%q was read as %q", line, again)
		}
	})
}

func TestParseObjectInfoRefuses(t *testing.T) {
	oid := strings.Repeat("ab", 20)
	for _, line := range []string{
		"", "missing", "other missing", oid, oid + " blob", oid + " blob -1", oid + " blob +1", oid + " blob 01",
		oid + " blob 1 ", oid + "  blob 1", oid + " blub 1", oid[1:] + " blob 1", oid + oid[:24] + " blob 1",
		strings.Repeat("0", 40) + " blob 1", oid + " blob 99999999999999999999",
	} {
		if info, err := parseObjectInfo(SHA1, "name", line); err == nil {
			t.Errorf("%q was read as %+v", line, info)
		}
	}
}

func FuzzParseStatus(f *testing.F) {
	oid := strings.Repeat("ab", 20)
	f.Add("# branch.oid " + oid + "\x00# branch.head main\x00? a b\x00")
	f.Add("1 .M N... 100644 100644 100644 " + oid + " " + oid + " a b\x00")
	f.Add("2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 new -> x\x00old\n\x00")
	f.Add("u UU N... 100644 100644 100644 100644 " + oid + " " + oid + " " + oid + " a\x00")
	f.Add("1 .M SCMU 160000 160000 160000 " + oid + " " + oid + " sub\x00")
	f.Fuzz(func(t *testing.T, out string) {
		s, err := parseStatus(out)
		if err != nil {
			return
		}
		if s.Clean() != (len(s.Entries) == 0) || len(s.Entries) > strings.Count(out, "\x00") {
			t.Errorf("%q has %d entries", out, len(s.Entries))
		}
		for _, e := range s.Entries {
			if e.Path == "" || !strings.Contains(out, e.Path+"\x00") || !strings.Contains(out, e.From+"\x00") {
				t.Errorf("%q has the entry %+v", out, e)
			}
			if strings.Contains(e.Path, "\x00") || e.Untracked() && e.Worktree != '?' {
				t.Errorf("%q has the entry %+v", out, e)
			}
		}
	})
}

func TestParseStatusRefuses(t *testing.T) {
	oid := strings.Repeat("ab", 20)
	for _, out := range []string{
		"? a", "\x00", "?\x00", "? \x00", "x a\x00", "1 .M N...\x00",
		"1 M N... 100644 100644 100644 " + oid + " " + oid + " a\x00",
		"1 .M N 100644 100644 100644 " + oid + " " + oid + " a\x00",
		"2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 new\x00",
		"2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 new\x00\x00",
		"# branch.oid 1234\x00", "# branch.head a..b\x00",
	} {
		if s, err := parseStatus(out); err == nil {
			t.Errorf("%q was read as %+v", out, s)
		}
	}
}

func FuzzParseNote(f *testing.F) {
	oid := strings.Repeat("ab", 20)
	f.Add("100644 blob " + oid + "\t" + oid)
	f.Add("100644 blob " + oid + "\tab/" + oid[2:])
	f.Add("040000 tree " + oid + "\tab/cd")
	f.Fuzz(func(t *testing.T, item string) {
		note, ok, err := parseNote(SHA1, item)
		if err != nil || !ok {
			if note != (Note{}) || ok {
				t.Errorf("%q: %+v, %v, %v", item, note, ok, err)
			}
			return
		}
		_, path, _ := strings.Cut(item, "\t")
		if strings.ReplaceAll(path, "/", "") != note.Object.String() || !strings.Contains(item, note.Blob.String()) {
			t.Errorf("%q was read as %+v", item, note)
		}
	})
}
