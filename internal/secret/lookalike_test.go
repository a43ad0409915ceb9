package secret

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// lookalikes are harmless texts that a careless table takes for credentials.
var lookalikes = map[string]func(s *source) string{
	"commit id":          func(s *source) string { return "commit " + s.take(40, tHex) },
	"SHA-256 id":         func(s *source) string { return s.take(64, tHex) },
	"digest under key":   func(s *source) string { return `{"record_key":"` + s.take(64, tHex) + `"}` },
	"cache key":          func(s *source) string { return "cache-key: key-" + s.take(32, tHex) },
	"UUID":               uuid,
	"UUID under token":   func(s *source) string { return `"claim_token": "` + uuid(s) + `"` },
	"ULID":               func(s *source) string { return s.take(26, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") },
	"signature":          func(s *source) string { return `"signature":"` + s.take(260, tStd) + `=="` },
	"armoured signature": armouredSignature,
	"ssh public key": func(s *source) string {
		return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + s.take(43, tStd) + " bob@host"
	},
	"rsa public key":     func(s *source) string { return "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + s.take(500, tStd) + "=" },
	"fingerprint":        func(s *source) string { return "signing key SHA256:" + s.take(43, tStd) },
	"integrity":          func(s *source) string { return `"integrity": "sha512-` + s.take(86, tStd) + `==",` },
	"go.sum":             func(s *source) string { return "example.com/x v1.2.3 h1:" + s.take(43, tStd) + "=" },
	"age public key":     func(s *source) string { return "age1" + s.take(58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l") },
	"task branch":        func(s *source) string { return "ta" + "sk-" + s.value(20, tAlnum) },
	"risk branch":        func(s *source) string { return "feature/ri" + "sk-" + s.value(32, tAlnum) },
	"desk branch":        func(s *source) string { return "refs/heads/de" + "sk-" + s.value(48, tAlnum) },
	"sk branch of words": func(*source) string { return "sk-refactor-the-whole-of-the-scanner-2" },
	"long word after sk": func(*source) string { return "sk-internationalisationally" },
	"patch of a branch":  func(*source) string { return "+task-0123456789abcdefghij" },
	"method call":        func(*source) string { return "s.base64EncodedStringValue()" },
	"npm variable": func(*source) string {
		return "npm_config_registry=https://registry.example.com/some/path npm_lifecycle_event"
	},
	"snake identifiers": func(*source) string {
		return "hf_hub_download_with_retries_and_more re_generate_everything secret_access_policy_document_name"
	},
	"pinned image":        func(s *source) string { return "docker://alpine:3.20@sha256:" + s.take(64, tHex) },
	"scp address":         func(*source) string { return "git@github.com:team/repository.git" },
	"ssh address":         func(*source) string { return "ssh://git@example.com:2222/team/repository.git" },
	"commit URL":          func(s *source) string { return "https://example.com/team/x/commit/" + s.take(40, tHex) },
	"index line":          func(s *source) string { return "index " + s.take(7, tHex) + ".." + s.take(7, tHex) + " 100644" },
	"prefixes in prose":   func(*source) string { return "tokens begin with ghp_, glpat-, sk-ant-, AKIA, xoxb-, npm_ or hf_" },
	"masks":               func(*source) string { return "ghp_************ sk-... AKIA<redacted> Authorization: Bearer ****" },
	"pseudo version":      func(s *source) string { return "v0.0.0-20261201024215-" + s.take(12, tHex) },
	"wrapped base64":      func(s *source) string { return strings.Join([]string{s.take(76, tStd), s.take(76, tStd)}, "\n") },
	"asia in capitals":    func(*source) string { return "ASIA_PACIFIC_REGION ASIAPACIFICREGION" },
	"record with digests": func(s *source) string { return `{"digest":"` + s.take(64, tHex) + `","holder":"` + uuid(s) + `"}` },
	"data URL":            func(s *source) string { return "data:font/woff2;base64," + s.take(400, tStd) },
	"source map":          func(s *source) string { return `"mappings":"AAAA,SAASA,` + s.take(200, tAlnum+",;") + `"` },
}

func uuid(s *source) string {
	d := s.take(32, tHex)
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", d[:8], d[8:12], d[13:16], d[17:20], d[20:])
}

func armouredSignature(s *source) string {
	return "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg" + s.take(26, tStd) + "\n" + s.take(70, tStd) + "\n-----END SSH SIGNATURE-----"
}

func TestLookalikesAreNotFound(t *testing.T) {
	rounds := 500
	if testing.Short() {
		rounds = 20
	}
	s := newSource("look-alikes")
	for name, make := range lookalikes {
		for range rounds {
			text := make(s)
			for _, context := range []string{"%s", "see %s.", `{"a":"%s"}`, `{"a":"x\n%s"}`} {
				if got := Find(strings.Replace(context, "%s", text, 1)); got != nil {
					t.Fatalf("%s in %q: found as %q", name, context, rules(got))
				}
			}
		}
	}
}

// Signatures are the most random text a record holds, so they bound how often
// the table is wrong: a boundary forgotten shows here as a thousand hits.
func TestRandomSignaturesAreHardlyEverFound(t *testing.T) {
	n, bound := 1_000_000, 4
	if testing.Short() {
		n, bound = 20_000, 1
	}
	var key [32]byte
	copy(key[:], "random signatures")
	stream := rand.NewChaCha8(key)
	blob := make([]byte, 196)
	hits := map[string]int{}
	total := 0
	for i := range n {
		_, _ = stream.Read(blob)
		encoding := base64.StdEncoding
		if i%2 == 1 {
			encoding = base64.RawURLEncoding
		}
		for _, f := range Find(encoding.EncodeToString(blob)) {
			hits[f.Rule]++
			total++
		}
	}
	if total > bound {
		t.Errorf("%d hits in %d signatures, at most %d expected: %v", total, n, bound, hits)
	}
}
