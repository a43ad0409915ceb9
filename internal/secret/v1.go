package secret

import (
	"slices"
	"sync"
)

// V1 returns the first table. Once a release has judged records by it, no row
// and no matcher of it changes any more; what is missing goes into V2.
func V1() *Table { return v1() }

// v1 builds the table when it is first asked for: most commands never ask.
var v1 = sync.OnceValue(func() *Table {
	return build(1, v1Rules(), []contextual{
		{`:/ :\`, matchURL},
		{"--", matchPrivateKey},
		{"au aU Au AU aw aW Aw AW", matchA},
		{"se sE Se SE", matchAWSSecret},
	})
})

// random is what tells a random value from words, where a prefix alone is short
// or could begin a name.
var random = []set{digits, letters}

// v1Rules is the data of V1, one row a kind. Lengths are exact where the format
// has one; where the vendor publishes none, the row says "observed" and mostly
// leaves room. On the day named the rows were compared with the public rule file
// of gitleaks 8.30.1, as far as that knows the same kinds.
func v1Rules() []rule {
	return slices.Concat(v1Forges(), v1Clouds(), v1Vaults(), v1Models(), v1Services(), v1Tools())
}

// v1Forges are code hosts, package registries and build services.
func v1Forges() []rule {
	return []rule{
		{"github-token", "GitHub Docs, About authentication to GitHub, token formats", "2026-12-01", []shape{
			{prefixes: "ghp_ gho_ ghu_ ghr_", parts: []part{between(36, 251, alnum)}},
			// Installation tokens may carry a signed payload with dots.
			{prefixes: "ghs_", parts: []part{between(36, 1024, base64url|dot)}},
			{prefixes: "github_pat_", parts: []part{between(36, 251, identifier)}},
		}},
		{"gitlab-token", "GitLab Docs, Security, token overview, token prefixes", "2026-12-01", []shape{
			{prefixes: "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
				parts: []part{between(20, 512, base64url|dot)}},
			{prefixes: "GR1348941", parts: []part{exactly(20, base64url)}},
			{prefixes: "_gitlab_session=", parts: []part{exactly(32, lowerAlnum)}},
		}},
		{"bitbucket-token", "Atlassian Support, Bitbucket Cloud, app passwords and access tokens", "2026-12-01", []shape{
			{prefixes: "ATBB", parts: []part{exactly(32, alnum)}, must: random},
			{prefixes: "ATCTT3", parts: []part{between(40, 400, base64url|equals)}},
		}},
		{"npm-token", "npm Docs, About access tokens; GitHub Blog, npm token format", "2026-12-01", []shape{
			{prefixes: "npm_", parts: []part{exactly(36, alnum)}},
		}},
		{"pypi-token", "PyPI Help, API tokens (a macaroon for pypi.org or test.pypi.org)", "2026-12-01", []shape{
			{prefixes: "pypi-Ag", parts: []part{atLeast(50, base64url)}},
		}},
		{"rubygems-key", "RubyGems Guides, API key scopes", "2026-12-01", []shape{
			{prefixes: "rubygems_", parts: []part{exactly(48, hex)}},
		}},
		{"crates-token", "The Cargo Book, Publishing on crates.io; length observed", "2026-12-01", []shape{
			{prefixes: "cio", parts: []part{exactly(32, alnum)}, must: []set{digits, upper, lower}},
		}},
		{"nuget-key", "Microsoft Learn, NuGet scoped API keys; length observed", "2026-12-01", []shape{
			{prefixes: "oy2", parts: []part{exactly(43, lowerAlnum)}, must: random},
		}},
		{"clojars-token", "Clojars wiki, Deploy Tokens", "2026-12-01", []shape{
			{prefixes: "CLOJARS_", parts: []part{exactly(60, hex)}},
		}},
		{"docker-token", "Docker Docs, personal and organization access tokens", "2026-12-01", []shape{
			{prefixes: "dckr_pat_ dckr_oat_", parts: []part{between(20, 64, base64url)}},
		}},
		{"artifactory-token", "JFrog Docs, API keys and reference tokens", "2026-12-01", []shape{
			{prefixes: "AKCp", parts: []part{exactly(69, alnum)}},
			{prefixes: "cmVmd", parts: []part{exactly(59, alnum)}},
		}},
		{"buildkite-token", "Buildkite Docs, Managing API access tokens", "2026-12-01", []shape{
			{prefixes: "bkua_", parts: []part{exactly(40, hex)}},
		}},
		{"circleci-token", "CircleCI Docs, Managing API tokens; length observed", "2026-12-01", []shape{
			{prefixes: "CCIPAT_ CCIPRJ_", parts: []part{atLeast(40, identifier)}},
		}},
		{"sonar-token", "SonarQube Docs, Managing your tokens", "2026-12-01", []shape{
			{prefixes: "squ_ sqp_ sqa_", parts: []part{exactly(40, hex)}},
		}},
		{"sourcegraph-token", "Sourcegraph Docs, Access tokens", "2026-12-01", []shape{
			{prefixes: "sgp_", parts: []part{exactly(40, hex)}},
			{prefixes: "sgp_", parts: []part{between(5, 16, alnum), lit("_"), exactly(40, hex)}},
		}},
		{"infracost-key", "Infracost Docs, API key; length observed", "2026-12-01", []shape{
			{prefixes: "ico-", parts: []part{exactly(32, alnum)}, must: random},
		}},
	}
}

// v1Clouds are hosting, storage and networks.
func v1Clouds() []rule {
	return []rule{
		{"aws-access-key-id", "AWS IAM User Guide, IAM identifiers, unique ID prefixes", "2026-12-01", []shape{
			{prefixes: "AKIA ASIA ABIA ACCA", parts: []part{exactly(16, upperAlnum)}},
		}},
		{"aws-bedrock-key", "Amazon Bedrock User Guide, API keys", "2026-12-01", []shape{
			{prefixes: "ABSK", parts: []part{between(109, 280, base64std|equals)}},
			{prefixes: "bedrock-api-key-", parts: []part{between(40, 2048, base64std|equals)}},
		}},
		{"google-api-key", "Google Cloud Docs, Manage API keys; length observed", "2026-12-01", []shape{
			{prefixes: "AIza", parts: []part{exactly(35, base64url)}},
			{prefixes: "AQ.Ab", parts: []part{between(40, 100, base64url)}, must: random},
		}},
		{"google-oauth", "Google Identity Docs, Using OAuth 2.0; lengths observed", "2026-12-01", []shape{
			{prefixes: "GOCSPX-", parts: []part{exactly(28, base64url)}},
			{prefixes: "ya29.", parts: []part{atLeast(20, base64url)}, must: random},
			{prefixes: "1//0", parts: []part{between(40, 512, base64url)}, must: random},
		}},
		{"azure-key", "Microsoft Learn, Azure Storage and Service Bus connection strings", "2026-12-01", []shape{
			{prefixes: "AccountKey=", parts: []part{exactly(86, base64std), lit("==")}},
			{prefixes: "SharedAccessKey=", parts: []part{exactly(43, base64std), lit("=")}},
		}},
		{"alibaba-access-key-id", "Alibaba Cloud Docs, AccessKey pair; length observed", "2026-12-01", []shape{
			{prefixes: "LTAI", parts: []part{exactly(20, alnum)}, must: random},
		}},
		{"digitalocean-token", "DigitalOcean Docs, personal access tokens", "2026-12-01", []shape{
			{prefixes: "dop_v1_ doo_v1_ dor_v1_", parts: []part{exactly(64, hex)}},
		}},
		{"heroku-key", "Heroku Dev Center, API key format", "2026-12-01", []shape{
			{prefixes: "HRKU-AA", parts: []part{exactly(58, base64url)}},
		}},
		{"fly-token", "Fly.io Docs, Access tokens", "2026-12-01", []shape{
			{prefixes: "fo1_", parts: []part{exactly(43, base64url)}},
			{prefixes: "fm1r_ fm1a_ fm2_", parts: []part{between(100, 2048, base64std|equals)}},
		}},
		{"netlify-token", "Netlify Docs, personal access tokens; length observed", "2026-12-01", []shape{
			{prefixes: "nfp_", parts: []part{between(36, 64, alnum)}},
		}},
		{"cloudflare-origin-key", "Cloudflare Docs, Origin CA keys", "2026-12-01", []shape{
			{prefixes: "v1.0-", parts: []part{exactly(24, hex), lit("-"), exactly(146, hex)}},
		}},
		{"supabase-key", "Supabase Docs, Understanding API keys", "2026-12-01", []shape{
			{prefixes: "sbp_", parts: []part{exactly(40, hex)}},
			{prefixes: "sb_secret_", parts: []part{atLeast(20, base64url)}, must: random},
		}},
		{"planetscale-token", "PlanetScale Docs, service tokens and passwords", "2026-12-01", []shape{
			{prefixes: "pscale_tkn_ pscale_pw_ pscale_oauth_", parts: []part{between(32, 64, base64url|dot|equals)}},
		}},
		{"databricks-token", "Databricks Docs, personal access tokens", "2026-12-01", []shape{
			{prefixes: "dapi", parts: []part{exactly(32, hex)}},
			{prefixes: "dapi", parts: []part{exactly(32, hex), lit("-"), exactly(1, digits)}},
		}},
	}
}

// v1Vaults are stores of secrets, and keys and tokens of no single service.
func v1Vaults() []rule {
	return []rule{
		{"hashicorp-token", "HashiCorp Vault Docs, Tokens; HCP Terraform Docs, API tokens", "2026-12-01", []shape{
			{prefixes: "hvs. hvb. hvr.", parts: []part{atLeast(24, base64url)}, must: random},
			{prefixes: "atlasv1.", parts: []part{between(60, 70, base64url)}},
		}},
		{"doppler-token", "Doppler Docs, token formats", "2026-12-01", []shape{
			{prefixes: "dp.pt. dp.ct. dp.sa. dp.st. dp.scim. dp.audit.", parts: []part{between(40, 44, alnum)}},
			{prefixes: "dp.st.", parts: []part{between(2, 35, lowerAlnum|dash|underscore), lit("."), between(40, 44, alnum)}},
		}},
		{"pulumi-token", "Pulumi Docs, Access tokens", "2026-12-01", []shape{
			{prefixes: "pul-", parts: []part{exactly(40, hex)}},
		}},
		{"tailscale-key", "Tailscale Docs, Key prefixes", "2026-12-01", []shape{
			{prefixes: "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook- tskey-",
				parts: []part{between(8, 32, alnum), lit("-"), between(16, 64, alnum)}, must: random},
		}},
		{"1password-token", "1Password Developer, service accounts; security white paper, Secret Key", "2026-12-01", []shape{
			{prefixes: "ops_eyJ", parts: []part{between(250, 2048, base64std|equals)}},
			{prefixes: "A3-", parts: []part{exactly(6, upperAlnum), lit("-"), exactly(11, upperAlnum), lit("-"),
				exactly(5, upperAlnum), lit("-"), exactly(5, upperAlnum), lit("-"), exactly(5, upperAlnum)}},
			{prefixes: "A3-", parts: []part{exactly(6, upperAlnum), lit("-"), exactly(6, upperAlnum), lit("-"),
				exactly(5, upperAlnum), lit("-"), exactly(5, upperAlnum), lit("-"), exactly(5, upperAlnum), lit("-"), exactly(5, upperAlnum)}},
		}},
		{"age-secret-key", "age, the specification C2SP age, X25519 and hybrid identities", "2026-12-01", []shape{
			{prefixes: "AGE-SECRET-KEY-1", parts: []part{exactly(58, upperAlnum)}},
			{prefixes: "AGE-SECRET-KEY-PQ-1", parts: []part{atLeast(58, upperAlnum)}},
		}},
		{"json-web-token", "RFC 7519, JSON Web Token; RFC 7515, compact serialisation", "2026-12-01", []shape{
			{prefixes: "eyJ", parts: []part{atLeast(8, base64url), lit("."), atLeast(8, base64url), lit("."), atLeast(16, base64url)}, check: isJWT},
		}},
	}
}
