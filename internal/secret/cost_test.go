package secret

import (
	"strings"
	"testing"
)

// hostile are texts that repeat what makes matchers read on and then fail.
var hostile = map[string]string{
	"unlimited prefix":       "pypi-Ag",
	"prefix after slash":     "/ABSKA",
	"prefix after dot":       ".ghs_a",
	"prefix after equals":    "=whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	"fails after its limit":  "/bedrock-api-key-AAAA",
	"sk with slashes":        "/sk-",
	"web token headers":      "eyJhbGciOiJIUzI1NiJ9.",
	"web token, no header":   "eyJhYmNkZWZnaGlqa2w.",
	"scheme":                 "://",
	"scheme and user":        "://a:" + "b@",
	"authority":              "://a:" + "b@c:d@e:f",
	"colons":                 ":",
	"at signs":               "://@@@@",
	"header name":            "authorization",
	"header inside header":   "authorization=bearer+",
	"header, blanks":         "authorization:            ",
	"secret names":           "aws_secret_access_key=",
	"secret names, no value": "secretaccesskeyawssecret",
	"armour begins":          "-----BEGIN ",
	"armour label":           "-----BEGIN PRIVATE KEY",
	"armour of no key":       "-----BEGIN CERTIFICATE-----",
	"armour unclosed":        "-----BEGIN " + "PRIVATE KEY-----",
	"dashes":                 "-",
	"percent escapes":        "%3Dsk-a",
	"JSON escapes":           `\u0026sk-a`,
	"one letter":             "a",
	"word of base64":         "sk-A1",
	"slack":                  "xoxe.xoxp-",
	"dots and dp":            "dp.st.dp.st.",
}

// The walk itself is one look per byte; what the matchers read beyond it must
// grow as the text does. Time would say the same, but not on every machine.
func TestHostileTextCostsLinearWork(t *testing.T) {
	const most = 300 // bytes looked at per byte of text, at the very worst
	for name, unit := range hostile {
		for _, prefix := range []string{"", "/bedrock-api-key-", "://a:"} {
			var perByte [3]float64
			for i, size := range []int{1 << 12, 1 << 13, 1 << 15} {
				s := &scan{text: prefix + strings.Repeat(unit, size/len(unit)) + "_"}
				Current().find(s)
				perByte[i] = float64(s.work) / float64(len(s.text))
			}
			if perByte[2] > most || perByte[2] > 2*perByte[0]+1 {
				t.Errorf("%s behind %q: work per byte grows, or is too much: %.1f", name, prefix, perByte)
			}
		}
	}
}

// The count above is worth nothing if a run does not report what it reads.
func TestWorkIsCounted(t *testing.T) {
	s := &scan{text: "pypi-Ag" + strings.Repeat("A", 1000)}
	Current().find(s)
	if s.work < 1000 {
		t.Errorf("a run of 1000 bytes counted as %d", s.work)
	}
}

func benchmarkText(size int) string {
	const prose = "The branch fix/cache-key is at 4f1c2ab; see https://example.com/team/x/pull/7 and run go test ./... again.\n" +
		`{"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","goal":"keep the queue short"}` + "\n"
	return strings.Repeat(prose, size/len(prose)+1)[:size]
}

func BenchmarkFind4KB(b *testing.B) {
	text := benchmarkText(4 << 10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if Find(text) != nil {
			b.Fatal("harmless text is found")
		}
	}
}

func BenchmarkRedact4KB(b *testing.B) {
	text := benchmarkText(2<<10) + v1Samples[0].make(newSource("benchmark")) + benchmarkText(2<<10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Redact(text)
	}
}

// BenchmarkBuild is what the first use of a table costs.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		build(1, v1Rules(), nil)
	}
}
