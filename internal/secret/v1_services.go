package secret

// v1Models are hosts of language models and of what surrounds them.
func v1Models() []rule {
	return []rule{
		{"anthropic-key", "Anthropic Docs, API overview, authentication; lengths observed", "2026-12-01", []shape{
			{prefixes: "sk-ant-", parts: []part{between(20, 256, base64url)}, must: random},
		}},
		{"openrouter-key", "OpenRouter Docs, Authentication", "2026-12-01", []shape{
			{prefixes: "sk-or-v1-", parts: []part{between(32, 128, alnum)}},
		}},
		// Several hosts of the same interface copied the bare prefix, with
		// values of 32 and 48 bytes.
		{"openai-key", "OpenAI Docs, API reference, authentication; lengths observed", "2026-12-01", []shape{
			{prefixes: "sk-proj- sk-svcacct- sk-admin- sk-None-", parts: []part{between(20, 256, base64url)}, must: random},
			{prefixes: "sk-", parts: []part{between(20, 128, alnum)}, must: random},
		}},
		{"huggingface-token", "Hugging Face Docs, User access tokens; length observed", "2026-12-01", []shape{
			{prefixes: "hf_ api_org_", parts: []part{between(34, 40, alnum)}},
		}},
		{"groq-key", "Groq Docs, API keys; length observed", "2026-12-01", []shape{
			{prefixes: "gsk_", parts: []part{between(48, 64, alnum)}},
		}},
		{"xai-key", "xAI Docs, API keys; length observed", "2026-12-01", []shape{
			{prefixes: "xai-", parts: []part{between(64, 96, alnum)}, must: random},
		}},
		{"replicate-token", "Replicate Docs, API tokens", "2026-12-01", []shape{
			{prefixes: "r8_", parts: []part{exactly(37, alnum)}},
		}},
		{"perplexity-key", "Perplexity Docs, API keys; length observed", "2026-12-01", []shape{
			{prefixes: "pplx-", parts: []part{between(48, 56, alnum)}},
		}},
		{"cerebras-key", "Cerebras Docs, Quickstart; length observed", "2026-12-01", []shape{
			{prefixes: "csk-", parts: []part{exactly(48, alnum)}, must: random},
		}},
		{"nvidia-key", "NVIDIA Docs, API catalog; length observed", "2026-12-01", []shape{
			{prefixes: "nvapi-", parts: []part{between(60, 72, base64url)}},
		}},
		{"langsmith-key", "LangSmith Docs, Create an account and API key", "2026-12-01", []shape{
			{prefixes: "lsv2_pt_ lsv2_sk_", parts: []part{exactly(32, hex), lit("_"), exactly(10, hex)}},
		}},
		{"elevenlabs-key", "ElevenLabs Docs, API authentication; length observed", "2026-12-01", []shape{
			{prefixes: "sk_", parts: []part{exactly(48, hex)}},
		}},
	}
}

// v1Services are messaging, payments, planning and documents.
func v1Services() []rule {
	return []rule{
		{"slack-token", "Slack Developer Docs, Tokens", "2026-12-01", []shape{
			{prefixes: "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb- xapp-",
				parts: []part{atLeast(20, base64url)}, must: []set{digits}},
		}},
		{"slack-webhook", "Slack Developer Docs, Sending messages using incoming webhooks", "2026-12-01", []shape{
			{prefixes: "hooks.slack.com/services/", parts: []part{between(8, 16, upperAlnum), lit("/"),
				between(8, 16, upperAlnum), lit("/"), between(20, 32, alnum)}},
		}},
		{"discord-webhook", "Discord Developer Docs, Webhook resource", "2026-12-01", []shape{
			{prefixes: "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
				parts: []part{between(17, 20, digits), lit("/"), between(60, 80, base64url)}},
		}},
		{"stripe-key", "Stripe Docs, API keys; Webhooks, signing secrets", "2026-12-01", []shape{
			{prefixes: "sk_live_ sk_test_ rk_live_ rk_test_", parts: []part{between(20, 247, alnum)}, must: random},
			{prefixes: "whsec_", parts: []part{between(24, 96, base64std|equals)}, must: random},
		}},
		{"square-token", "Square Developer Docs, Access tokens; lengths observed", "2026-12-01", []shape{
			{prefixes: "sq0atp-", parts: []part{exactly(22, base64url)}},
			{prefixes: "sq0csp-", parts: []part{exactly(43, base64url)}},
		}},
		{"shopify-token", "Shopify Developer Docs, Access token formats", "2026-12-01", []shape{
			{prefixes: "shpat_ shpca_ shppa_ shpss_", parts: []part{exactly(32, anyHex)}},
		}},
		{"twilio-key", "Twilio Docs, API keys, SID prefix", "2026-12-01", []shape{
			{prefixes: "SK", parts: []part{exactly(32, hex)}},
		}},
		{"sendgrid-key", "Twilio SendGrid Docs, API keys", "2026-12-01", []shape{
			{prefixes: "SG.", parts: []part{exactly(22, base64url), lit("."), exactly(43, base64url)}},
		}},
		{"brevo-key", "Brevo Developer Docs, API keys", "2026-12-01", []shape{
			{prefixes: "xkeysib- xsmtpsib-", parts: []part{exactly(64, hex), lit("-"), exactly(16, alnum)}},
		}},
		{"resend-key", "Resend Docs, API keys; lengths observed", "2026-12-01", []shape{
			{prefixes: "re_", parts: []part{exactly(8, alnum), lit("_"), exactly(24, alnum)}, must: random},
		}},
		{"linear-key", "Linear Developers, API authentication", "2026-12-01", []shape{
			{prefixes: "lin_api_ lin_oauth_", parts: []part{between(32, 64, alnum)}},
		}},
		{"notion-token", "Notion Developers, Authorization, token prefixes", "2026-12-01", []shape{
			{prefixes: "ntn_", parts: []part{exactly(46, alnum)}},
			{prefixes: "secret_", parts: []part{exactly(43, alnum)}, must: []set{digits, upper, lower}},
		}},
		{"atlassian-token", "Atlassian Support, Manage API tokens; lengths observed", "2026-12-01", []shape{
			{prefixes: "ATATT3 ATSTT3", parts: []part{between(40, 400, base64url|equals)}},
		}},
		{"airtable-token", "Airtable Docs, Personal access tokens", "2026-12-01", []shape{
			{prefixes: "pat", parts: []part{exactly(14, alnum), lit("."), exactly(64, hex)}},
		}},
	}
}

// v1Tools are tools for designing, testing, watching and storing.
func v1Tools() []rule {
	return []rule{
		{"figma-token", "Figma Developers, Personal access tokens; length observed", "2026-12-01", []shape{
			{prefixes: "figd_", parts: []part{between(36, 64, base64url)}},
		}},
		{"postman-key", "Postman Learning Center, API keys", "2026-12-01", []shape{
			{prefixes: "PMAK-", parts: []part{exactly(24, hex), lit("-"), exactly(34, hex)}},
			{prefixes: "PMAT-", parts: []part{exactly(26, upperAlnum)}},
		}},
		{"grafana-token", "Grafana Docs, Service accounts and Cloud access policies", "2026-12-01", []shape{
			{prefixes: "glsa_", parts: []part{exactly(32, alnum), lit("_"), exactly(8, anyHex)}},
			{prefixes: "glc_", parts: []part{between(32, 400, base64std|equals)}},
			{prefixes: "eyJrIjoi", parts: []part{between(60, 400, base64std|equals)}},
		}},
		{"sentry-token", "Sentry Docs, Auth tokens", "2026-12-01", []shape{
			{prefixes: "sntryu_", parts: []part{exactly(64, hex)}},
			{prefixes: "sntrys_", parts: []part{between(40, 600, base64std|equals), lit("_"), between(40, 44, base64std|equals)}},
		}},
		{"newrelic-key", "New Relic Docs, API keys", "2026-12-01", []shape{
			{prefixes: "NRAK-", parts: []part{exactly(27, upperAlnum)}},
			{prefixes: "NRII-", parts: []part{exactly(32, base64url)}},
		}},
		{"dynatrace-token", "Dynatrace Docs, Access tokens, token format", "2026-12-01", []shape{
			{prefixes: "dt0c01. dt0s01. dt0s02.", parts: []part{exactly(24, upperAlnum), lit("."), exactly(64, upperAlnum)}},
		}},
		{"mapbox-token", "Mapbox Docs, Access tokens, secret tokens", "2026-12-01", []shape{
			{prefixes: "sk.eyJ", parts: []part{atLeast(40, base64url), lit("."), exactly(22, base64url)}},
		}},
		{"dropbox-token", "Dropbox OAuth Guide; lengths observed", "2026-12-01", []shape{
			{prefixes: "sl. sl.u.", parts: []part{atLeast(130, base64url)}, must: random},
		}},
		{"trello-token", "Atlassian Developer, Trello authorization; length observed", "2026-12-01", []shape{
			{prefixes: "ATTA", parts: []part{exactly(72, anyHex)}},
		}},
		{"contentful-token", "Contentful Docs, Personal access tokens", "2026-12-01", []shape{
			{prefixes: "CFPAT-", parts: []part{exactly(43, base64url)}},
		}},
		{"prefect-key", "Prefect Docs, Manage API keys; length observed", "2026-12-01", []shape{
			{prefixes: "pnu_ pnb_", parts: []part{exactly(36, alnum)}},
		}},
	}
}
