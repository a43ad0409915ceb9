package document

import (
	"errors"
	"testing"
)

const probeSchema Schema = "git-continuity-probe/v2"

type probe struct {
	Schema Schema   `json:"schema"`
	Name   string   `json:"name"`
	Count  int      `json:"count"`
	List   []string `json:"list"`
}

func TestRoundTrip(t *testing.T) {
	in := probe{Schema: probeSchema, Name: "a<b>&\u2028\"", Count: -3, List: []string{}}
	data, err := Encode(in)
	if err != nil {
		t.Fatal(err)
	}
	var out probe
	if err := probeSchema.Decode(data, &out); err != nil {
		t.Fatal(err)
	}
	if out.Name != in.Name || out.Count != in.Count || out.List == nil {
		t.Errorf("got %+v", out)
	}
}

func TestDecodeIsStrict(t *testing.T) {
	const good = `{"schema":"git-continuity-probe/v2","name":"n","count":1,"list":[]}` + "\n"
	if err := probeSchema.Decode([]byte(good), &probe{}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty":            "",
		"garbage":          "{",
		"null":             "null\n",
		"no newline":       good[:len(good)-1],
		"trailing":         good + "\n",
		"blank":            `{"schema": "git-continuity-probe/v2","name":"n","count":1,"list":[]}` + "\n",
		"unknown key":      `{"schema":"git-continuity-probe/v2","name":"n","count":1,"list":[],"more":1}` + "\n",
		"missing key":      `{"schema":"git-continuity-probe/v2","name":"n","list":[]}` + "\n",
		"doubled key":      `{"schema":"git-continuity-probe/v2","name":"m","name":"n","count":1,"list":[]}` + "\n",
		"other case":       `{"schema":"git-continuity-probe/v2","Name":"n","count":1,"list":[]}` + "\n",
		"other order":      `{"name":"n","schema":"git-continuity-probe/v2","count":1,"list":[]}` + "\n",
		"other spelling":   `{"schema":"git-continuity-probe/v2","name":"\u006e","count":1,"list":[]}` + "\n",
		"older":            `{"schema":"git-continuity-probe/v1","name":"n","count":1,"list":[]}` + "\n",
		"version zero":     `{"schema":"git-continuity-probe/v02","name":"n","count":1,"list":[]}` + "\n",
		"other kind":       `{"schema":"git-continuity-other/v2","name":"n","count":1,"list":[]}` + "\n",
		"absent list":      `{"schema":"git-continuity-probe/v2","name":"n","count":1}` + "\n",
		"bytes not UTF-8":  `{"schema":"git-continuity-probe/v2","name":"` + "\xff" + `","count":1,"list":[]}` + "\n",
		"number as a text": `{"schema":"git-continuity-probe/v2","name":"n","count":"1","list":[]}` + "\n",
	} {
		err := probeSchema.Decode([]byte(text), &probe{})
		if err == nil || errors.Is(err, ErrNewer) {
			t.Errorf("%s: %v, want a plain error", name, err)
		}
	}
	for _, version := range []string{"3", "10", "99999999999999999999999"} {
		text := `{"schema":"git-continuity-probe/v` + version + `","anything":true}`
		if err := probeSchema.Decode([]byte(text), &probe{}); !errors.Is(err, ErrNewer) {
			t.Errorf("version %s: %v, want ErrNewer", version, err)
		}
	}
}

func TestText(t *testing.T) {
	if !Text("zwölf") || Text("\xff") {
		t.Error("Text does not tell UTF-8 from other bytes")
	}
}
