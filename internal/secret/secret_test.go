package secret

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// contexts are places where a credential turns up; %s is the credential.
var contexts = map[string]string{
	"alone":          `%s`,
	"start of text":  `%s is what it printed`,
	"end of text":    `it printed %s`,
	"end of line":    "a\n%s\nb",
	"windows lines":  "a\r\n%s\r\nb",
	"sentence":       `I used %s, and then it worked.`,
	"quoted":         `"%s"`,
	"single quoted":  `'%s'`,
	"back quoted":    "`%s`",
	"assignment":     `TOKEN=%s`,
	"quoted value":   `token: "%s"`,
	"JSON":           `{"a":"%s","b":1}`,
	"JSON in JSON":   `{\"a\":\"%s\"}`,
	"JSON newline":   `{"a":"first\n%s\nlast"}`,
	"JSON tab":       `{"a":"first\t%s\tlast"}`,
	"JSON ampersand": `{"a":"x=1\u0026%s\u0026y"}`,
	"URL query":      `https://example.com/?v=%s&w=1`,
	"URL encoded":    `https://example.com/?q=v%%3D%s%%26w`,
	"URL user":       `https://%s@example.com/x.git`,
	"URL path":       `https://example.com/%s/x`,
	"patch, added":   "@@ -1 +1 @@\n+%s\n",
	"patch, removed": "@@ -1 +1 @@\n-%s\n",
	"patch in JSON":  `{"diff":"@@\n+%s\n"}`,
	"XML":            `<key>%s</key>`,
	"parentheses":    `use(%s)`,
	"after a dash":   `— %s —`,
	"non-ASCII":      `é%sé`,
	"invalid UTF-8":  "\xff%s\xff",
}

func inContext(context, value string) string {
	return strings.ReplaceAll(strings.Replace(context, "%s", value, 1), "%%", "%")
}

// found reports whether the findings hold the rule over exactly the value.
func found(findings []Finding, text, rule, value string) bool {
	for _, f := range findings {
		if f.Rule == rule && text[f.Start:f.End] == value {
			return true
		}
	}
	return false
}

func rules(findings []Finding) (names []string) {
	for _, f := range findings {
		names = append(names, f.Rule)
	}
	return names
}

func TestFindEverySampleInEveryContext(t *testing.T) {
	s := newSource("samples in contexts")
	for i, sm := range v1Samples {
		for name, context := range contexts {
			if name == "URL path" && slashRules[sm.rule] {
				continue
			}
			value := sm.make(s)
			text := inContext(context, value)
			findings := Find(text)
			if len(findings) != 1 || !found(findings, text, sm.rule, value) {
				t.Errorf("sample %d, %s: not found as %q but as %q", i, name, sm.rule, rules(findings))
			}
			if strings.Contains(Redact(text), value) {
				t.Errorf("sample %d, %s: %q survives redaction", i, name, sm.rule)
			}
		}
	}
}

// slashRules are rules whose values hold slashes: in a URL's path nobody can say
// where such a value ends.
var slashRules = map[string]bool{
	"aws-bedrock-key": true, "fly-token": true, "1password-token": true,
	"stripe-key": true, "grafana-token": true, "sentry-token": true,
}

func TestFindNothingInsideAWord(t *testing.T) {
	s := newSource("samples inside words")
	for i, sm := range v1Samples {
		for _, before := range []string{"a", "Z", "7", "_", "x-", "x+"} {
			value := sm.make(s)
			text := before + value
			for _, f := range Find(text) {
				if f.Start <= len(before) {
					t.Errorf("sample %d of %q behind %q: found as %q", i, sm.rule, before, f.Rule)
				}
			}
		}
	}
}

func TestFindKeepsToExactLengths(t *testing.T) {
	s := newSource("exact lengths")
	for i, sm := range v1Samples {
		if !exactRules[sm.rule] {
			continue
		}
		value := sm.make(s)
		longer := value + "a"
		for name, text := range map[string]string{"shorter": value[:len(value)-1], "longer": longer} {
			if got := Find(text); got != nil {
				t.Errorf("sample %d of %q, one byte %s: found as %q", i, sm.rule, name, rules(got))
			}
		}
	}
}

// exactRules are rules whose formats have one length each.
var exactRules = map[string]bool{
	"npm-token": true, "rubygems-key": true, "crates-token": true, "nuget-key": true, "clojars-token": true,
	"artifactory-token": true, "buildkite-token": true, "sonar-token": true, "infracost-key": true,
	"aws-access-key-id": true, "alibaba-access-key-id": true, "digitalocean-token": true, "heroku-key": true,
	"cloudflare-origin-key": true, "pulumi-token": true, "replicate-token": true, "cerebras-key": true,
	"langsmith-key": true, "elevenlabs-key": true, "square-token": true, "shopify-token": true, "twilio-key": true,
	"sendgrid-key": true, "brevo-key": true, "resend-key": true, "notion-token": true, "airtable-token": true,
	"newrelic-key": true, "dynatrace-token": true, "trello-token": true, "contentful-token": true, "prefect-key": true,
}

func TestSamplesCoverEveryRule(t *testing.T) {
	covered := map[string]bool{}
	for _, sm := range v1Samples {
		covered[sm.rule] = true
	}
	for _, r := range v1Rules() {
		if !covered[r.name] {
			t.Errorf("rule %q has no sample", r.name)
		}
	}
}

func TestRulesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range v1Rules() {
		if seen[r.name] {
			t.Errorf("rule %q stands twice", r.name)
		}
		seen[r.name] = true
		if r.source == "" || len(r.entered) != len("2006-01-02") {
			t.Errorf("rule %q lacks its source or date", r.name)
		}
		if got := Find("[redacted: " + r.name + "]"); got != nil {
			t.Errorf("the name of rule %q is found as %q", r.name, rules(got))
		}
		for _, sh := range r.shapes {
			for _, p := range sh.parts {
				if p.literal == "" && p.most == 0 && p.of&^word != 0 {
					t.Errorf("rule %q reads without limit where a credential may begin", r.name)
				}
			}
			for _, prefix := range strings.Fields(sh.prefixes) {
				if len(prefix) < 2 || len(prefix) < 3 && (len(sh.parts) == 0 || sh.parts[0].least != sh.parts[0].most) {
					t.Errorf("rule %q: the prefix %q is too short without an exact length", r.name, prefix)
				}
			}
		}
	}
}

func TestRepositoryHoldsNothingToFind(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("list the sources: %d files, %v", len(files), err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Find(string(content)) {
			t.Errorf("%s, line %d: %q", name, 1+strings.Count(string(content[:f.Start]), "\n"), f.Rule)
		}
	}
}
