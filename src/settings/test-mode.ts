/** Test mode: where its sandbox, its database and its namespace are, and which settings it shares. docs/test-mode.md */
import { z } from 'zod';
import { MODES, TEST_PATH } from '../domain/accounts/modes.ts';
import { parseUrl } from '../domain/url.ts';
import { accessSettings } from './access.ts';
import { linkSettings } from './links.ts';
import { processSettings } from './process.ts';
import { sandboxSettings } from './sandbox.ts';
import { sendingSettings } from './sending.ts';
import { temporalSettings } from './temporal.ts';
import { tracingSettings } from './tracing.ts';
import { seconds } from './values.ts';
import { webhookSettings } from './webhooks.ts';

export const testModeSettings = {
  /** Which mode a worker or a command serves; the API serves both. */
  OUTREACH_MODE: z.enum(MODES).default('live'),
  /** Where the sandbox listens; unset = no test mode. */
  SANDBOX_URL: z.url().optional(),
  /** Its resolver, `ip:port`; unset = port 3953 where SANDBOX_URL names an address. */
  SANDBOX_DNS_SERVER: z.string().optional(),
  /** Its proxy; unset = port 3980 of the host of SANDBOX_URL. */
  SANDBOX_PROXY: z.url().optional(),
  /** A file (PEM): the authority of the sandbox, the only one that test mode trusts in the sandbox. */
  SANDBOX_CA_FILE: z.string().optional(),
  /** Signs the payment webhooks of the sandbox: its `--webhook-secret`. */
  SANDBOX_WEBHOOK_SECRET: z.string().optional(),
  /** How long a day of sending lasts in test mode. */
  SANDBOX_DAY_SECONDS: seconds.default(60),
  /** The application's role in the database of test mode. */
  TEST_DATABASE_URL: z.string().optional(),
  /** The owner of that database, used by `migrate` only. */
  TEST_DATABASE_OWNER_URL: z.string().optional(),
  /** Unset = TEMPORAL_NAMESPACE with `-test` behind it. */
  TEST_TEMPORAL_NAMESPACE: z.string().optional(),
};

type Environment = Readonly<Record<string, string | undefined>>;

/** What test mode is lacking, by variable; nothing while it is off. */
export function testModeProblems(given: Environment): string[] {
  if (given['SANDBOX_URL'] === undefined) {
    return given['OUTREACH_MODE'] === 'test' ? ['SANDBOX_URL: test mode needs a sandbox'] : [];
  }
  const url = parseUrl(given['SANDBOX_URL']);
  const problems = ['TEST_DATABASE_URL', 'SANDBOX_CA_FILE', 'SANDBOX_WEBHOOK_SECRET']
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: it is needed with SANDBOX_URL`);
  if (url && !given['SANDBOX_DNS_SERVER'] && !IPV4.test(url.hostname)) {
    problems.push('SANDBOX_DNS_SERVER: it is needed where SANDBOX_URL names no address');
  }
  if (isSame(given['TEST_DATABASE_URL'], given['DATABASE_URL'])) {
    problems.push('TEST_DATABASE_URL: it is the database of live mode');
  }
  if (namespaceOf(given) === (given['TEMPORAL_NAMESPACE'] ?? DEFAULT_NAMESPACE)) {
    problems.push('TEST_TEMPORAL_NAMESPACE: it is the namespace of live mode');
  }
  return problems;
}

/**
 * The environment as test mode sees it: what it shares with live mode, by name, and the sandbox for all the rest.
 * No variable of a vendor passes, so none of test mode can reach one; a setting that is new is not shared.
 */
export function testEnvironment(given: Environment): Record<string, string | undefined> {
  const shared = SHARED_SETTINGS.filter((name) => given[name] !== undefined);
  return {
    ...Object.fromEntries(shared.map((name) => [name, given[name]])),
    OUTREACH_MODE: 'test',
    DATABASE_URL: given['TEST_DATABASE_URL'],
    DATABASE_OWNER_URL: given['TEST_DATABASE_OWNER_URL'],
    TEMPORAL_NAMESPACE: namespaceOf(given),
    PUBLIC_URL: `${(given['PUBLIC_URL'] ?? DEFAULT_PUBLIC_URL).replace(/\/+$/, '')}${TEST_PATH}`,
    STRIPE_WEBHOOK_SECRET: given['SANDBOX_WEBHOOK_SECRET'],
    ...sandboxSettings(addressesOf(given)),
  };
}

/** Settings that both modes have: of the processes, of access, and the rules and prices that clients see. */
export const SHARED_SETTINGS: readonly string[] = [
  ...Object.keys({
    ...processSettings,
    ...temporalSettings,
    ...tracingSettings,
    ...accessSettings,
    ...linkSettings,
    ...sendingSettings,
    ...webhookSettings,
    ...testModeSettings,
  }).filter((name) => !name.startsWith('WARMUP_SEED_')),
  'DEFAULT_REGISTRAR',
  'DEFAULT_VPS',
  'DOMAIN_DIRECT_PRICE_CENTS',
  'DOMAIN_RENEWAL_PRICE_CENTS',
  'DOMAIN_RENEW_DAYS',
  'DOMAIN_SPENDING_CAP_CENTS',
  'MAX_FREE_DOMAIN_ORDERS',
  'MAIL_REPORT_RETENTION_DAYS',
  'BLOCKED_STEP_TIMEOUT_SECONDS',
  'INTEREST_MODEL',
  'INTEREST_MODEL_DAILY_CALLS',
  'CRAWLER_CONTACT_URL',
];

const DEFAULT_NAMESPACE = temporalSettings.TEMPORAL_NAMESPACE.parse(undefined);
const DEFAULT_PUBLIC_URL = processSettings.PUBLIC_URL.parse(undefined);
const DEFAULT_DAY_SECONDS = testModeSettings.SANDBOX_DAY_SECONDS.parse(undefined);
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** The ports that the sandbox takes by itself. */
const DNS_PORT = 3953;
const PROXY_PORT = 3980;

const namespaceOf = (given: Environment): string =>
  given['TEST_TEMPORAL_NAMESPACE'] ?? `${given['TEMPORAL_NAMESPACE'] ?? DEFAULT_NAMESPACE}-test`;

function addressesOf(given: Environment) {
  const url = (given['SANDBOX_URL'] ?? '').replace(/\/+$/, '');
  const host = parseUrl(url)?.hostname ?? '';
  return {
    url,
    dns: given['SANDBOX_DNS_SERVER'] ?? `${host}:${DNS_PORT}`,
    proxy: given['SANDBOX_PROXY'] ?? `socks5://${host}:${PROXY_PORT}`,
    daySeconds: Number(given['SANDBOX_DAY_SECONDS'] ?? DEFAULT_DAY_SECONDS),
  };
}

/** Whether two addresses lead to one database, whoever logs in. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [parseUrl(one ?? ''), parseUrl(other ?? '')];
  if (!a || !b) return one !== undefined && one === other;
  return a.host === b.host && a.pathname === b.pathname;
}
