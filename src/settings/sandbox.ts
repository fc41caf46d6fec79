/** The product's settings in which the outside is the sandbox: its addresses, and our accounts at its stand-ins. */

export interface SandboxAddresses {
  /** `http://127.0.0.1:3900`, without a slash at the end. */
  url: string;
  /** Its resolver: `127.0.0.1:3953`. */
  dns: string;
  /** Its proxy: `socks5://127.0.0.1:3980`. */
  proxy: string;
  daySeconds: number;
}

/** Resolver, proxy, the vendors' addresses, and quick times: the whole outside is in the sandbox then. */
export const sandboxSettings = ({ url, dns, proxy, daySeconds }: SandboxAddresses) => ({
  RETRY_PACE: '0.1',
  PROVIDER_TIMEOUT_SECONDS: '3',
  PROVIDER_LAG_SECONDS: '2',
  RENEWAL_LAG_SECONDS: '5',
  HEARTBEAT_TIMEOUT_SECONDS: '2',
  DAY_SECONDS: String(daySeconds),
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: '0',
  INBOX_POLL_SECONDS: '2',
  WARMUP_SEED_MAILBOXES: seedMailboxes,
  DNS_SERVERS: dns,
  DNSBL_ZONES: 'zen.spamhaus.org,bl.spamcop.net',
  OUTBOUND_PROXY: proxy,
  ACME_DIRECTORY_URL: `${url}/acme/directory`,
  ACME_CAA_ISSUER: 'ca.sandbox.test',
  // Simulated servers deliver to the exchangers whatever their setting.
  SMARTHOST_URL: '',
  ...vendorAccounts,
  NAMECOM_USERNAME: 'sandbox-test',
  NAMECOM_TOKEN: 'namecom-sandbox-token',
  NAMECOM_URL: `${url}/namecom/core/v1`,
  PORKBUN_API_KEY: 'pk1_sandbox',
  PORKBUN_SECRET_API_KEY: 'sk1_sandbox',
  PORKBUN_BASE_URL: `${url}/porkbun/api/json/v3`,
  HETZNER_URL: `${url}/hetzner/v1`,
  VULTR_BASE_URL: `${url}/vultr/v2`,
  VPS_ALTERNATES: 'vultr',
  STRIPE_URL: url,
  META_URL: `${url}/meta`,
  APIFY_URL: `${url}/apify`,
  GOOGLE_PLACES_URL: `${url}/places`,
  HUNTER_URL: `${url}/hunter/v2`,
  APOLLO_URL: `${url}/apollo/api/v1`,
  REACHER_URL: `${url}/reacher`,
  ZEROBOUNCE_URL: `${url}/zerobounce/v2`,
  ZEROBOUNCE_BULK_URL: `${url}/zerobounce/v2`,
  ZEROBOUNCE_BATCHES_PER_MINUTE: '6000',
  ANTHROPIC_URL: `${url}/anthropic`,
  OPENAI_URL: `${url}/openai/v1`,
  GOOGLE_OAUTH_ISSUER: `${url}/google`,
  MICROSOFT_OAUTH_ISSUER: `${url}/microsoft/common/v2.0`,
  CRAWLER_ALLOW_BENCHMARK_RANGE: 'true',
});

/** Our accounts at the simulated vendors. */
export const vendorAccounts = {
  HETZNER_TOKEN: 'hetzner-sandbox-token',
  VULTR_API_KEY: 'vultr-sandbox-key',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  META_TOKEN: 'meta-sandbox-token',
  APIFY_TOKEN: 'apify-sandbox-token',
  GOOGLE_PLACES_KEY: 'places-sandbox-key',
  HUNTER_KEY: 'hunter-sandbox-key',
  APOLLO_KEY: 'apollo-sandbox-key',
  REACHER_KEY: 'reacher-sandbox-key',
  ZEROBOUNCE_KEY: 'zerobounce-sandbox-key',
  ANTHROPIC_KEY: 'anthropic-sandbox-key',
  ANTHROPIC_MODEL: 'sandbox-model',
  OPENAI_KEY: 'openai-sandbox-key',
  OPENAI_MODEL: 'sandbox-model',
  GOOGLE_OAUTH_CLIENT_ID: 'google-sandbox-client',
  GOOGLE_OAUTH_CLIENT_SECRET: 'google-sandbox-secret',
  MICROSOFT_OAUTH_CLIENT_ID: 'microsoft-sandbox-client',
  MICROSOFT_OAUTH_CLIENT_SECRET: 'microsoft-sandbox-secret',
  SMTP_PROBE_FROM: 'verify@outreach.test',
  SMTP_PROBE_HELO: 'verify.outreach.test',
};

/** The sandbox's people who take part in warm-up. */
const seedMailboxes = [
  'anna.berg',
  'tom.reed',
  'clara.novak',
  'paul.weber',
  'julia.rossi',
  'martin.dupont',
  'nora.lind',
  'peter.kowalski',
]
  .map((name) => `imaps://${name}%40seeds.test:seeds-sandbox-password@imap.seeds.test`)
  .join(',');
