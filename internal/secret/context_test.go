package secret

import (
	"encoding/base64"
	"strings"
	"testing"
)

// A contextCase is a text around a value; the value is put in for %s.
type contextCase struct {
	context string
	want    bool
}

func checkContexts(t *testing.T, rule, value string, cases []contextCase) {
	t.Helper()
	for _, c := range cases {
		text := inContext(c.context, value)
		findings := Find(text)
		switch {
		case c.want && !found(findings, text, rule, value):
			t.Errorf("%q: not found as %q but as %q", c.context, rule, rules(findings))
		case c.want && strings.Contains(Redact(text), value):
			t.Errorf("%q: the value survives redaction", c.context)
		case !c.want && findings != nil:
			t.Errorf("%q: found as %q", c.context, rules(findings))
		}
	}
}

func TestURLPassword(t *testing.T) {
	value := "bob:" + newSource("URL password").take(9, tAlnum)
	checkContexts(t, ruleURL, value, []contextCase{
		{"https://%s@example.com/x.git", true},
		{"fatal: unable to access 'https://%s@example.com/x.git/': 403", true},
		{"postgres://%s@db:5432/app", true},
		{`{"url":"https:\/\/%s@example.com\/"}`, true},
		{"ssh://%s@[::1]:22/x", true},
		{"origin https://%s@example.com (fetch)", true},
		{"https://example.com/%s@x", false},
		{"https://example.com?%s@x", false},
		{"https://example.com#%s@x", false},
		{"https://example.com %s@x", false},
		{"%s@example.com:x.git", false},
	})
}

func TestURLPasswordForms(t *testing.T) {
	for text, want := range map[string]bool{
		"redis://:" + "hunter22@cache":                            true,
		"https://a:b" + "@c@example.com":                          true,
		"https://git@example.com/x":                               false,
		"ssh://git@example.com:22/x":                              false,
		"git@example.com:team/x.git":                              false,
		"https://example.com:8443/@scope/name":                    false,
		"https://user:@example.com":                               false,
		"https://user:***@example.com":                            false,
		"https://user:...@example.com":                            false,
		"https://user:[redacted]@example.com":                     false,
		"https://user:xxxx@example.com":                           false,
		"https://user:$PASSWORD@example.com":                      false,
		"https://user:${PASSWORD}@example.com":                    false,
		"https://user:$(pass show x)@example.com":                 false,
		"https://user:{password}@example.com":                     false,
		"https://user:%s@example.com":                             false,
		"https://user:%PASSWORD%@example.com":                     false,
		"https://<user>:<password>@example.com":                   false,
		"docker://alpine:3.20@sha256:" + strings.Repeat("ab", 32): false,
		"https://user:$" + "ecret9word@example.com":               true,
		"https://user:%" + "41bcdefg@example.com":                 true,
	} {
		if got := Find(text) != nil; got != want {
			t.Errorf("%q: found is %t, want %t", text, got, want)
		}
	}
}

func TestAuthorizationHeader(t *testing.T) {
	opaque := newSource("opaque header").value(32, tURL)
	checkContexts(t, ruleAuthorization, opaque, []contextCase{
		{"Authorization: Bearer %s", true},
		{"authorization: bearer %s\r\nAccept: */*", true},
		{"AUTHORIZATION:  token   %s", true},
		{"Proxy-Authorization: Bearer %s", true},
		{"HTTP_AUTHORIZATION=Bearer %s", true},
		{`curl -H "Authorization: Bearer %s" x`, true},
		{`{"Authorization":"Bearer %s"}`, true},
		{`{\"Authorization\": \"Bearer %s\"}`, true},
		{`h.Set("Authorization", "Bearer %s")`, true},
		{`'Authorization' => 'Bearer %s'`, true},
		{"http.extraheader=Authorization: bearer %s", true},
		{"?authorization=Bearer%%20%s&x", true},
		{"?authorization=Bearer+%s", true},
		{"the bearer %s of this", false},
		{"authorization by bearer %s", false},
		{"authorization bearer %s", false},
		{"Authorization: bearers%s", false},
		{"Authorization: bearer%s", false},
		{"Authorization: Digest %s", false},
	})
	basic := base64.StdEncoding.EncodeToString([]byte("bob:" + opaque))
	checkContexts(t, ruleAuthorization, basic, []contextCase{
		{"Authorization: Basic %s", true},
		{"http.https://example.com/.extraheader=AUTHORIZATION: basic %s\n", true},
		{"basic %s", false},
	})
}

func TestAuthorizationValueIsTakenWhole(t *testing.T) {
	value := newSource("long header").value(3*valueLimit, tURL)
	checkContexts(t, ruleAuthorization, value, []contextCase{{"Authorization: Bearer %s\n", true}})
}

func TestAuthorizationPlaceholders(t *testing.T) {
	for _, value := range []string{
		"Bearer <token>", "Bearer $TOKEN", "Bearer ${TOKEN}", "Bearer YOUR_ACCESS_TOKEN_HERE", "Bearer ***",
		"Bearer ...", `Bearer " + token`, "token {{ token }}", "Basic credentials", "Basic c2VjdXJpdHk=", "Bearer abc1",
	} {
		if got := Find("Authorization: " + value + "\n"); got != nil {
			t.Errorf("%q: found as %q", value, rules(got))
		}
	}
}

func TestAWSSecretAccessKey(t *testing.T) {
	s := newSource("AWS secret")
	cases := []contextCase{
		{"aws_secret_access_key = %s", true},
		{"AWS_SECRET_ACCESS_KEY=%s\n", true},
		{"export AWS_SECRET_ACCESS_KEY='%s'", true},
		{`{"SecretAccessKey": "%s"}`, true},
		{`{\"SecretAccessKey\":\"%s\"}`, true},
		{"<SecretAccessKey>%s</SecretAccessKey>", true},
		{"aws configure set aws_secret_access_key %s", true},
		{"awsSecretKey: %s", true},
		{"aws-secret: %s", true},
		{"digest: %s", false},
		{"%s aws_secret_access_key", false},
		{"aws_secret_access_key is a name; %s", false},
		{"aws_secret_access_key=%sA", false},
		{"aws_secret_access_key=%s/", false},
		{"aws_secret_access_key=%s=", true},
	}
	checkContexts(t, ruleAWSSecret, s.value(40, tStd), cases)
	for name, harmless := range map[string]string{
		"commit id": s.value(40, tHex), "one byte short": s.value(39, tStd), "words": strings.Repeat("word", 10),
	} {
		if got := Find("aws_secret_access_key=" + harmless); got != nil {
			t.Errorf("%s: found as %q", name, rules(got))
		}
	}
}

// armour wraps a body the way key files do, with the given words and dashes.
func armour(dashes, label, newline, content string) string {
	back := strings.TrimSpace(dashes)
	if back != dashes {
		back = " " + back
	}
	return dashes + "BEGIN " + label + back + newline + content + newline + dashes + "END " + label + back
}

func TestPrivateKey(t *testing.T) {
	s := newSource("private keys")
	for _, label := range []string{
		"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
		"OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK",
	} {
		for _, newline := range []string{"\n", "\r\n", `\n`} {
			block := armour("-----", label, newline, s.take(64, tStd)+newline+s.take(40, tStd)+"==")
			text := "before" + newline + block + newline + "after"
			if !found(Find(text), text, rulePrivateKey, block) {
				t.Errorf("%s: not found", label)
			}
			want := "before" + newline + "[redacted: " + rulePrivateKey + "]" + newline + "after"
			if Redact(text) != want {
				t.Errorf("%s: redacted wrongly", label)
			}
		}
	}
	ssh2 := armour("---- ", "SSH2 ENCRYPTED PRIVATE KEY", "\n", s.take(70, tStd))
	if !found(Find(ssh2), ssh2, rulePrivateKey, ssh2) {
		t.Error("the armour of SSH2 is not found")
	}
	cut := "-----BEGIN " + "PRIVATE KEY-----\n" + s.take(64, tStd)
	if !found(Find(cut), cut, rulePrivateKey, cut) {
		t.Error("a block that is cut off is not found to its end")
	}
	for _, label := range []string{"PUBLIC KEY", "CERTIFICATE", "PGP SIGNATURE", "PGP PUBLIC KEY BLOCK", "SSH SIGNATURE", "private key"} {
		if got := Find(armour("-----", label, "\n", s.take(64, tStd))); got != nil {
			t.Errorf("%s: found as %q", label, rules(got))
		}
	}
}

func TestJWTNeedsThreePartsAndAHeader(t *testing.T) {
	s := newSource("web tokens")
	encode := base64.RawURLEncoding.EncodeToString
	signature := s.take(43, tURL)
	header, payload := encode([]byte(`{"alg":"ES256"}`)), encode([]byte(`{"sub":"1234567890"}`))
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"whole":            {header + "." + payload + "." + signature, true},
		"two parts":        {header + "." + payload, false},
		"no signature":     {header + "." + payload + ".", false},
		"header alone":     {header, false},
		"no algorithm":     {encode([]byte(`{"typ":"something"}`)) + "." + payload + "." + signature, false},
		"header no JSON":   {"eyJ" + s.take(21, tLower) + "." + payload + "." + signature, false},
		"header not whole": {header[:len(header)-3] + "." + payload + "." + signature, false},
		"inside a word":    {"x" + header + "." + payload + "." + signature, false},
	} {
		if got := Find(c.text) != nil; got != c.want {
			t.Errorf("%s: found is %t, want %t", name, got, c.want)
		}
	}
}
