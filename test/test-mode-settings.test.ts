/** The configuration of test mode: all of its outside is the sandbox, and a setting that is new is thought about. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig, readTestConfig } from '../src/config.ts';
import { testKeys } from '../src/encryption/test-keys.ts';
import { vendors } from '../src/providers/vendors.ts';
import type { Vendor } from '../src/providers/vendor.ts';
import { authorityVariables } from '../src/sandbox/acme.ts';
import { registrarAccounts } from '../src/sandbox/registrar-accounts.ts';
import { SEED_MAILBOXES } from '../src/sandbox/warmup-seeds.ts';
import { environmentSchema } from '../src/settings/environment.ts';
import { sandboxSettings } from '../src/settings/sandbox.ts';
import { SHARED_SETTINGS, testEnvironment } from '../src/settings/test-mode.ts';

type Environment = Record<string, string>;

const SANDBOX = 'http://10.9.8.7:3900';
const database = (name: string) => `postgres://outreach:x1y2@10.0.0.1:5432/${name}`;

const allVendors = Object.entries(vendors).flatMap(([port, ofPort]) =>
  Object.values<Vendor<string, unknown>>(ofPort).map((vendor) => ({ port, vendor })),
);

const valueOf = (name: string): string =>
  ({
    SMTP_PROBE_FROM: 'live@acme.com',
    SMTP_PROBE_HELO: 'live.acme.com',
    ZEROBOUNCE_BATCHES_PER_MINUTE: '7',
  })[name] ?? 'live-a1b2c3';

/** A production with every vendor: each of their variables says that it is the live one. */
const live: Environment = {
  OUTREACH_ENV: 'production',
  PUBLIC_URL: 'https://outreach.acme.com',
  DATABASE_URL: database('outreach'),
  JWT_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  LINK_KEYS: `k0:${randomBytes(32).toString('base64')}`,
  MAX_FREE_DOMAIN_ORDERS: '5',
  DNS_SERVERS: '9.9.9.9',
  OUTBOUND_PROXY: 'socks5://live-proxy.acme.com:1080',
  SMARTHOST_URL: 'smtp://live:pa55word@relay.acme.com:587',
  NOTIFY_SMTP_URL: 'smtps://live:pa55word@relay.acme.com:465',
  NOTIFY_FROM: 'outreach@acme.com',
  HOST_BACKUP_DIR: '/var/backups/live',
  LINKS_ACME_DIRECTORY_URL: 'https://live-authority.acme.com/directory',
  WARMUP_SEED_ADDRESSES: 'live-seed@acme.com',
  WARMUP_SEED_MAILBOXES: 'imaps://live%40acme.com:x@imap.acme.com',
  RATE_LIMIT_PER_MINUTE: '77',
  STRIPE_SECRET_KEY: 'sk_live_a1b2c3',
  STRIPE_WEBHOOK_SECRET: 'whsec_live',
  ...Object.fromEntries(
    allVendors.flatMap(({ vendor }) =>
      vendor.variables
        .filter((name) => !/URL|ISSUER/.test(name) && !name.startsWith('STRIPE_'))
        .map((name) => [name, valueOf(name)]),
    ),
  ),
};

const testMode: Environment = {
  SANDBOX_URL: SANDBOX,
  SANDBOX_CA_FILE: '/var/lib/sandbox/ca.pem',
  SANDBOX_WEBHOOK_SECRET: 'whsec_sandbox',
  TEST_DATABASE_URL: database('outreach_test'),
};

const given = { ...live, ...testMode };

function problemsOf(environment: Environment): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n- ').slice(1);
  }
}

describe('the configuration of test mode', () => {
  const config = readTestConfig(given)!;

  it('is beside that of live mode, and absent without a sandbox', () => {
    expect(readConfig(given)).toMatchObject({
      OUTREACH_MODE: 'live',
      DATABASE_URL: live['DATABASE_URL'],
    });
    expect(readTestConfig(live)).toBeUndefined();
  });

  it('has a database, a namespace and links of its own, and the rules of access of both', () => {
    expect(config).toMatchObject({
      OUTREACH_MODE: 'test',
      DATABASE_URL: testMode['TEST_DATABASE_URL'],
      TEMPORAL_NAMESPACE: 'default-test',
      PUBLIC_URL: 'https://outreach.acme.com/test',
      DAY_SECONDS: 60,
      RATE_LIMIT_PER_MINUTE: 77,
      JWT_SECRET: [live['JWT_SECRET']],
    });
  });

  it('asks the resolver of the sandbox and goes through its proxy; clients’ endpoints are outside', () => {
    expect(config).toMatchObject({
      DNS_SERVERS: ['10.9.8.7:3953'],
      OUTBOUND_PROXY: 'socks5://10.9.8.7:3980',
      ACME_DIRECTORY_URL: `${SANDBOX}/acme/directory`,
      outside: {
        DNS_SERVERS: ['9.9.9.9'],
        OUTBOUND_PROXY: live['OUTBOUND_PROXY'],
        CRAWLER_ALLOW_BENCHMARK_RANGE: false,
      },
    });
  });

  it('lets no mail out: no relay, nobody to notify, no seeds but those of the sandbox', () => {
    expect(config.SMARTHOST_URL).toBeUndefined();
    expect(config.NOTIFY_SMTP_URL).toBeUndefined();
    expect(config.WARMUP_SEED_ADDRESSES).toEqual([]);
    expect(config.WARMUP_SEED_MAILBOXES.every(({ host }) => host === 'imap.seeds.test')).toBe(true);
    expect(config.HOST_BACKUP_DIR).toBeUndefined();
    expect(config.LINKS_ACME_DIRECTORY_URL).toBeUndefined();
  });

  it.each(allVendors)('$vendor.name is that of the sandbox', ({ port, vendor }) => {
    const seen = testEnvironment(given);
    const states = config.vendors as Record<string, Record<string, { state: string }>>;
    expect(states[port]![vendor.name]!.state).toBe('on');
    const addresses = vendor.developmentVariables.map((name) => seen[name]);
    // The probe has none: it dials exchangers through the proxy.
    expect(addresses.length > 0 || vendor.name === 'smtp_probe').toBe(true);
    for (const address of addresses.filter((one) => one !== undefined)) {
      expect(address.startsWith(SANDBOX)).toBe(true);
    }
    expect(addresses.some((one) => one !== undefined) || vendor.name === 'smtp_probe').toBe(true);
    for (const name of vendor.variables) expect(seen[name]).not.toBe(given[name] ?? 'live');
  });

  it('knows no word of live mode but those that it shares by name', () => {
    const words = JSON.stringify({ ...testEnvironment(given), ...pick(given, SHARED_SETTINGS) });
    const shared = JSON.stringify(pick(given, SHARED_SETTINGS));
    for (const [name, value] of Object.entries(live)) {
      if (shared.includes(value)) continue;
      expect([name, words.includes(value)]).toEqual([name, false]);
    }
  });

  it('has keys that follow from those of live mode and open nothing of it', () => {
    expect(config.ENCRYPTION_KEYS).toBe(testKeys(live['ENCRYPTION_KEYS']!));
    expect(config.ENCRYPTION_KEYS).toMatch(/^k1:[\w+/]{43}=$/);
    expect(config.ENCRYPTION_KEYS).not.toBe(live['ENCRYPTION_KEYS']);
    expect(config.LINK_KEYS).toBe(testKeys(live['LINK_KEYS']!));
    expect(testKeys('k1:short, ,nonsense')).toBe('k1:short,nonsense');
  });
});

const pick = (from: Environment, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

/** Settings that test mode leaves out, so that their defaults hold, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  DOMAIN_COST_CAP_CENTS: 'the magic name premium-* costs more than the default',
  DOMAIN_RENEWAL_COST_CAP_CENTS: 'the same',
  LINKS_ACME_DIRECTORY_URL: 'the authority of the sandbox makes all certificates of test mode',
  HOST_BACKUP_DIR: 'hosts of the sandbox are not backed up',
  NOTIFY_FROM: 'mail of test mode goes nowhere',
  NOTIFY_SMTP_URL: 'mail of test mode goes nowhere',
  REGISTRAR_ALTERNATES: 'magic names fail at the registrar that was asked',
  SMARTHOST_SPF_INCLUDE: 'there is no relay',
  WARMUP_SEED_ADDRESSES: 'real people',
};

describe('every setting', () => {
  const bySandbox = Object.keys(sandboxSettings({ url: '', dns: '', proxy: '', daySeconds: 1 }));

  it('is shared, or that of the sandbox, or left out for a reason', () => {
    const decided = [...SHARED_SETTINGS, ...bySandbox, ...Object.keys(LEFT_OUT)];
    const open = Object.keys(environmentSchema.shape).filter((name) => !decided.includes(name));
    expect(open).toEqual([]);
    const both = Object.keys(LEFT_OUT).filter((name) =>
      [...SHARED_SETTINGS, ...bySandbox].includes(name),
    );
    expect(both).toEqual([]);
  });

  it('that is shared is no vendor’s, and exists', () => {
    const ofVendors = allVendors.flatMap(({ vendor }) => vendor.variables);
    expect(SHARED_SETTINGS.filter((name) => ofVendors.includes(name))).toEqual([]);
    expect(SHARED_SETTINGS.filter((name) => !(name in environmentSchema.shape))).toEqual([]);
  });

  it('of the sandbox is what its stand-ins take', () => {
    const settings = sandboxSettings({ url: SANDBOX, dns: 'd', proxy: 'p', daySeconds: 1 });
    expect(settings).toMatchObject(registrarAccounts(SANDBOX));
    expect(settings).toMatchObject(authorityVariables(SANDBOX));
    expect(settings.WARMUP_SEED_MAILBOXES).toBe(SEED_MAILBOXES);
  });
});

describe('half a test mode', () => {
  it.each(['SANDBOX_CA_FILE', 'SANDBOX_WEBHOOK_SECRET', 'TEST_DATABASE_URL'])(
    'without %s is refused',
    (name) => {
      const { [name]: _, ...half } = given;
      expect(problemsOf(half)).toEqual([`${name}: it is needed with SANDBOX_URL`]);
    },
  );

  it('with the database or the namespace of live mode is refused', () => {
    const sameDatabase = `${database('outreach').replace('outreach:x1y2', 'other:z')}`;
    expect(problemsOf({ ...given, TEST_DATABASE_URL: sameDatabase })).toEqual([
      'TEST_DATABASE_URL: it is the database of live mode',
    ]);
    expect(problemsOf({ ...given, TEST_TEMPORAL_NAMESPACE: 'default' })).toEqual([
      'TEST_TEMPORAL_NAMESPACE: it is the namespace of live mode',
    ]);
  });

  it('by a name needs the resolver, which has to be an address', () => {
    const named = { ...given, SANDBOX_URL: 'http://sandbox:3900' };
    expect(problemsOf(named)).toEqual([
      'SANDBOX_DNS_SERVER: it is needed where SANDBOX_URL names no address',
    ]);
    const both = { ...named, SANDBOX_DNS_SERVER: '10.9.8.7:3953' };
    expect(readTestConfig(both)).toMatchObject({ OUTBOUND_PROXY: 'socks5://sandbox:3980' });
  });

  it('as a worker of test mode without a sandbox is refused', () => {
    expect(problemsOf({ ...live, OUTREACH_MODE: 'test' })).toContain(
      'SANDBOX_URL: test mode needs a sandbox',
    );
  });
});
