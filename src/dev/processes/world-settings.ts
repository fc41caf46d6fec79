/** The product's settings in which the outside is the sandbox: addresses, accounts and quick times. */
import { registrarAccounts } from '../../sandbox/registrar-accounts.ts';
import { SEED_MAILBOXES } from '../../sandbox/warmup-seeds.ts';

export interface WorldAddresses {
  /** `http://127.0.0.1:3900`. */
  sandbox: string;
  /** `127.0.0.1:3953`. */
  dns: string;
  /** `socks5://127.0.0.1:3980`. */
  socks: string;
  daySeconds: number;
}

/** Two ordinary settings, resolver and proxy, and the vendors' base addresses replace the whole outside. */
export function worldSettings({ sandbox, dns, socks, daySeconds }: WorldAddresses) {
  return {
    OUTREACH_ENV: 'development',
    RETRY_PACE: '0.1',
    PROVIDER_TIMEOUT_SECONDS: '3',
    PROVIDER_LAG_SECONDS: '2',
    RENEWAL_LAG_SECONDS: '5',
    HEARTBEAT_TIMEOUT_SECONDS: '2',
    DAY_SECONDS: String(daySeconds),
    SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: '0',
    INBOX_POLL_SECONDS: '2',
    WARMUP_SEED_MAILBOXES: SEED_MAILBOXES,
    DNS_SERVERS: dns,
    DNSBL_ZONES: 'zen.spamhaus.org,bl.spamcop.net',
    OUTBOUND_PROXY: socks,
    ACME_DIRECTORY_URL: `${sandbox}/acme/directory`,
    // Simulated servers deliver to the exchangers whatever their setting.
    SMARTHOST_URL: '',
    ...vendorAccounts,
    ...registrarAccounts(sandbox),
    HETZNER_URL: `${sandbox}/hetzner/v1`,
    VULTR_BASE_URL: `${sandbox}/vultr/v2`,
    VPS_ALTERNATES: 'vultr',
    STRIPE_URL: sandbox,
    META_URL: `${sandbox}/meta`,
    APIFY_URL: `${sandbox}/apify`,
    GOOGLE_PLACES_URL: `${sandbox}/places`,
    HUNTER_URL: `${sandbox}/hunter/v2`,
    APOLLO_URL: `${sandbox}/apollo/api/v1`,
    REACHER_URL: `${sandbox}/reacher`,
    ZEROBOUNCE_URL: `${sandbox}/zerobounce/v2`,
    ZEROBOUNCE_BULK_URL: `${sandbox}/zerobounce/v2`,
    CRAWLER_ALLOW_BENCHMARK_RANGE: 'true',
  };
}

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
  SMTP_PROBE_FROM: 'verify@outreach.test',
  SMTP_PROBE_HELO: 'verify.outreach.test',
};
