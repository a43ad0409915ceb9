package continuation

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// sampleWatch is a whole watch, as package await writes one.
const sampleWatch = `{"trunk":"refs/heads/main","trunk_start":"4b825dc642cb6eb9a060e54bf8d69288fbee4904","conditions":[{"condition":"trunk_moved","armed":"","met":false,"observed":{"trunk_start":"4b825dc642cb6eb9a060e54bf8d69288fbee4904","trunk_head":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}}]}`

func sample(t testing.TB) Record {
	h, err := Parse("C1-7ZQK-3M9X-NW")
	if err != nil {
		t.Fatal(err)
	}
	return Record{
		Handle:    h,
		CreatedAt: time.Date(2026, 12, 1, 9, 30, 0, 1, time.UTC),
		UpdatedAt: time.Date(2026, 12, 1, 9, 31, 0, 0, time.UTC),
		Seq:       7, Watch: json.RawMessage(sampleWatch),
	}
}

func sampleText(t testing.TB) string {
	data, err := encodeRecord(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRecordIsAsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	text := sampleText(t)
	if !strings.Contains(string(page), "\n    "+text) {
		t.Errorf("docs/formats.md does not show the record %s", text)
	}
}

func TestRecordIsReadBack(t *testing.T) {
	for name, change := range map[string]func(*Record){
		"as it is":      func(*Record) {},
		"met":           func(r *Record) { r.Met = true },
		"greatest seq":  func(r *Record) { r.Seq = maxSeq },
		"another zone":  func(r *Record) { r.UpdatedAt = r.UpdatedAt.In(time.FixedZone("", 3600)) },
		"blanks":        func(r *Record) { r.Watch = json.RawMessage("{ \"a\" : [ 1,\n2 ] }") },
		"odd strings":   func(r *Record) { r.Watch = json.RawMessage(`{"a":"<&>\u2028` + "\u2028\xff" + `"}`) },
		"an empty one":  func(r *Record) { r.Watch = json.RawMessage(`{}`) },
		"big and small": func(r *Record) { r.Watch = json.RawMessage(`{"n":1e400,"m":0.10}`) },
	} {
		r := sample(t)
		change(&r)
		data, err := encodeRecord(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, err := decodeRecord(data, r.Handle)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := encodeRecord(back)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: encoded again as %q, %v; first %q", name, again, err, data)
		}
		if !back.UpdatedAt.Equal(r.UpdatedAt) || back.Met != r.Met || back.Seq != r.Seq {
			t.Errorf("%s: read back as %+v", name, back)
		}
	}
}

func TestWatchMustBeAnObject(t *testing.T) {
	for _, watch := range []string{"", " ", "null", "1", `"x"`, "[]", "{", "{}{}", `{"a"}`} {
		r := sample(t)
		r.Watch = json.RawMessage(watch)
		if data, err := encodeRecord(r); err == nil {
			t.Errorf("the watch %q was encoded as %q", watch, data)
		}
	}
}

// spoilt are contents that are no record of the sample's handle.
func spoilt(t testing.TB) map[string]string {
	good := sampleText(t)
	swap := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the sample holds no %s", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	return map[string]string{
		"empty":            "",
		"garbage":          "\x00\xff\x01",
		"truncated":        good[:len(good)/2],
		"no newline":       strings.TrimSuffix(good, "\n"),
		"two of it":        good + good,
		"trailing garbage": good + "x",
		"null":             "null\n",
		"an array":         "[" + good + "]",
		"a blank":          swap(`"seq":7`, `"seq": 7`),
		"unknown key":      swap(`"seq":7`, `"seq":7,"colour":"red"`),
		"key doubled":      swap(`"seq":7`, `"seq":7,"seq":7`),
		"key in capitals":  swap(`"seq":7`, `"SEQ":7`),
		"key missing":      swap(`"met":false,`, ``),
		"keys exchanged":   swap(`"seq":7,"met":false`, `"met":false,"seq":7`),
		"seq 0":            swap(`"seq":7`, `"seq":0`),
		"seq negative":     swap(`"seq":7`, `"seq":-7`),
		"seq too large":    swap(`"seq":7`, `"seq":9007199254740993`),
		"seq a string":     swap(`"seq":7`, `"seq":"7"`),
		"time with zone":   swap(`31:00Z`, `31:00+00:00`),
		"time local":       swap(`31:00Z`, `31:00+01:00`),
		"time with zeros":  swap(`31:00Z`, `31:00.000Z`),
		"no time":          swap(`"2026-12-01T09:31:00Z"`, `""`),
		"met a number":     swap(`"met":false`, `"met":0`),
		"another handle":   swap("C1-7ZQK-3M9X-NW", "C1-0000-0000-C1"),
		"mistyped handle":  swap("C1-7ZQK-3M9X-NW", "C1-7ZQK-3M9X-NX"),
		"handle in small":  swap("C1-7ZQK-3M9X-NW", "c1-7zqk-3m9x-nw"),
		"no handle":        swap(`"C1-7ZQK-3M9X-NW"`, `null`),
		"no watch":         swap(sampleWatch, `null`),
		"watch an array":   swap(sampleWatch, `[]`),
		"another schema":   swap("git-continuity-continuation/", "git-continuity-receipt/"),
		"version 0":        swap("/v1", "/v0"),
		"version 01":       swap("/v1", "/v01"),
		"version 1.5":      swap("/v1", "/v1.5"),
		"version -2":       swap("/v1", "/v-2"),
		"no version":       swap("/v1", "/v"),
		"no schema":        "{}\n",
		"deep":             strings.Repeat("[", 20000),
		"deep watch":       swap(sampleWatch, `{"a":`+strings.Repeat("[", 10000)+strings.Repeat("]", 10000)+"}"),
	}
}

func TestSpoiltRecordsAreRefused(t *testing.T) {
	for name, text := range spoilt(t) {
		r, err := decodeRecord([]byte(text), sample(t).Handle)
		if err == nil || errors.Is(err, errNewer) {
			t.Errorf("%s: decoded to %+v, %v", name, r, err)
		}
		if r.Watch != nil || !r.Handle.IsZero() {
			t.Errorf("%s: the error came with %+v", name, r)
		}
	}
}

func TestNewerVersionComesFirst(t *testing.T) {
	for _, text := range []string{
		`{"schema":"git-continuity-continuation/v2"}`,
		`{"schema":"git-continuity-continuation/v10","handle":12,"what":["ever"]}`,
		`{ "schema" : "git-continuity-continuation/v99999999999999999999999999" }`,
	} {
		if _, err := decodeRecord([]byte(text), sample(t).Handle); !errors.Is(err, errNewer) {
			t.Errorf("%s: %v, want a newer version", text, err)
		}
	}
}

func FuzzDecodeRecord(f *testing.F) {
	f.Add([]byte(sampleText(f)))
	for _, text := range spoilt(f) {
		f.Add([]byte(text))
	}
	want := sample(f).Handle
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRecord(data, want)
		if err != nil {
			return
		}
		again, err := encodeRecord(r)
		if err != nil || !bytes.Equal(again, data) || r.Handle != want {
			t.Fatalf("%q was decoded, and encoded again as %q, %v", data, again, err)
		}
	})
}
