package secret

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"testing"
)

// The digest covers every row of V1 and what V1 finds in the samples, in the
// look-alikes and in what is made of both. Until a release has judged records by
// the table the digest may follow a change; from then on a failure here means
// that the change belongs into a new version.
const v1Digest = "2a7cf22ddedaa536339cdf2fcaabc0ff58e94426285c98b055bb810339b5009b"

func TestV1IsFrozen(t *testing.T) {
	h := sha256.New()
	for _, r := range v1Rules() {
		for _, sh := range r.shapes {
			fmt.Fprintf(h, "%q %q %v %t", r.name, sh.prefixes, sh.must, sh.check != nil)
			for _, p := range sh.parts {
				fmt.Fprintf(h, " %q %d %d %d", p.literal, p.of, p.least, p.most)
			}
			fmt.Fprintln(h)
		}
	}
	for _, text := range frozenCorpus() {
		fmt.Fprintf(h, "%v\n", V1().Find(text))
	}
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != v1Digest {
		t.Errorf("V1 is not what it was: digest %s, want %s", got, v1Digest)
	}
}

// frozenCorpus is the same list of texts in every run. What tests a later table
// goes into lists of its own, so that this one stays as it is.
func frozenCorpus() (texts []string) {
	s := newSource("frozen corpus")
	for _, name := range sortedKeys(contexts) {
		for _, sm := range v1Samples {
			value := sm.make(s)
			text := inContext(contexts[name], value)
			texts = append(texts, text, text[1:], text[:len(text)-1], "x"+value)
		}
	}
	for _, name := range sortedKeys(lookalikes) {
		texts = append(texts, lookalikes[name](s))
	}
	for _, name := range sortedKeys(hostile) {
		texts = append(texts, hostile[name]+s.value(40, tStd)+"@x")
	}
	for _, before := range []string{
		"https://a:", "Authorization: Bearer ", "authorization=token+", "aws_secret_access_key = ", `"SecretAccessKey":"`,
		"-----BEGIN " + "EC PRIVATE KEY-----\n", "---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----\n", "1.", "Basic ",
	} {
		texts = append(texts, before+s.value(40, tStd)+"@x", before+"${NAME}@x", before+s.value(9, tLower))
	}
	return texts
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func TestCurrentIsTheNewestTable(t *testing.T) {
	if Current() != V1() || V1().Version() != 1 {
		t.Errorf("the current table has version %d, want 1", Current().Version())
	}
	if got := new(Table).Find("ghp" + "_" + newSource("zero table").take(36, tAlnum)); got != nil {
		t.Error("the zero table finds something")
	}
}
