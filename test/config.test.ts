/** The configuration: what the example lists, what a half-set vendor says, what production refuses. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { environmentSchema } from '../src/settings/environment.ts';
import { SEED_MAILBOXES } from '../src/sandbox/warmup-seeds.ts';
import type { Vendor } from '../src/providers/vendor.ts';
import { vendors } from '../src/providers/vendors.ts';

type Environment = Record<string, string>;

const allVendors = Object.entries(vendors).flatMap(([port, ofPort]) =>
  Object.values<Vendor<string, unknown>>(ofPort).map((vendor) => ({ port, vendor })),
);

/** Everything that a production process needs, and no vendor. */
const production: Environment = {
  OUTREACH_ENV: 'production',
  PUBLIC_URL: 'https://outreach.acme.com',
  DATABASE_URL: `postgres://outreach:${randomBytes(12).toString('hex')}@127.0.0.1:5432/outreach`,
  JWT_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  MAX_FREE_DOMAIN_ORDERS: '5',
};

/** What each vendor needs at least. */
const credentials: Record<string, Environment> = {
  namecom: { NAMECOM_USERNAME: 'ours', NAMECOM_TOKEN: 'a1b2c3' },
  porkbun: { PORKBUN_API_KEY: 'pk1_a1b2c3', PORKBUN_SECRET_API_KEY: 'sk1_a1b2c3' },
  hetzner: { HETZNER_TOKEN: 'a1b2c3' },
  vultr: { VULTR_API_KEY: 'a1b2c3' },
  stripe: { STRIPE_SECRET_KEY: 'sk_live_a1b2c3', STRIPE_WEBHOOK_SECRET: 'whsec_a1b2c3' },
  meta: { META_TOKEN: 'a1b2c3' },
  apify: { APIFY_TOKEN: 'a1b2c3' },
  places: { GOOGLE_PLACES_KEY: 'a1b2c3' },
  hunter: { HUNTER_KEY: 'a1b2c3' },
  apollo: { APOLLO_KEY: 'a1b2c3' },
  reacher: { REACHER_KEY: 'a1b2c3' },
  zerobounce: { ZEROBOUNCE_KEY: 'a1b2c3' },
  anthropic: { ANTHROPIC_KEY: 'a1b2c3', ANTHROPIC_MODEL: 'some-model' },
  openai: { OPENAI_KEY: 'a1b2c3', OPENAI_MODEL: 'some-model' },
  google: { GOOGLE_OAUTH_CLIENT_ID: 'a1b2c3', GOOGLE_OAUTH_CLIENT_SECRET: 'd4e5f6' },
  microsoft: { MICROSOFT_OAUTH_CLIENT_ID: 'a1b2c3', MICROSOFT_OAUTH_CLIENT_SECRET: 'd4e5f6' },
  smtp_probe: { SMTP_PROBE_FROM: 'verify@ours.com', SMTP_PROBE_HELO: 'verify.ours.com' },
};

/** The lines of the error, without the first. */
function problemsOf(environment: Environment): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n- ').slice(1);
  }
}

const stateOf = (environment: Environment, port: string, name: string) =>
  (readConfig(environment).vendors as Record<string, Record<string, { state: string }>>)[port]![
    name
  ]!.state;

describe('.env.example', () => {
  let example: string[];

  beforeAll(async () => {
    const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8');
    example = [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]!);
  });

  it('has every variable that is read, each once, and no other', () => {
    const read = [
      ...Object.keys(environmentSchema.shape),
      ...allVendors.flatMap(({ vendor }) => vendor.variables),
    ];
    // A vendor behind two ports has the same variables twice.
    expect(example.toSorted()).toEqual([...new Set(read)].toSorted());
  });

  it('shows the defaults that the schema has', async () => {
    const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8');
    const shown = [...text.matchAll(/^# ([A-Z][A-Z0-9_]*)=(.+)$/gm)];
    const differing = shown.filter(([, name, value]) => {
      const field = environmentSchema.shape[name as keyof typeof environmentSchema.shape];
      const byDefault: unknown = field?.safeParse(undefined).data;
      const hasOne = ['string', 'number', 'boolean'].includes(typeof byDefault);
      return hasOne && value !== String(byDefault);
    });
    expect(differing.map(([line]) => line)).toEqual([]);
  });

  it('is refused until somebody fills it in', async () => {
    const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8');
    const asIs = [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
      ([, name, value]) => [name!, value!] as const,
    );
    const problems = problemsOf(Object.fromEntries(asIs));
    expect(problems.map((problem) => problem.split(':')[0])).toContain('ENCRYPTION_KEYS');
  });
});

describe('the settings of a vendor', () => {
  it('has credentials here for every vendor', () => {
    const names = new Set(allVendors.map(({ vendor }) => vendor.name));
    expect(Object.keys(credentials).toSorted()).toEqual([...names].toSorted());
  });

  it.each(allVendors)('none: $vendor.name is off', ({ port, vendor }) => {
    expect(stateOf(production, port, vendor.name)).toBe('off');
  });

  it.each(allVendors)('all: $vendor.name is on', ({ port, vendor }) => {
    const environment = { ...production, ...credentials[vendor.name] };
    expect(stateOf(environment, port, vendor.name)).toBe('on');
  });

  it.each(allVendors)('empty ones: $vendor.name is off', ({ port, vendor }) => {
    const empty = Object.fromEntries(vendor.variables.map((name) => [name, '']));
    expect(stateOf({ ...production, ...empty }, port, vendor.name)).toBe('off');
  });

  const halves = allVendors.flatMap(({ vendor }) => {
    const all = credentials[vendor.name]!;
    const names = Object.keys(all);
    return names.length < 2 ? [] : names.map((missing) => ({ missing, all }));
  });

  it.each(halves)('all but $missing: the start-up names it', ({ missing, all }) => {
    const { [missing]: _, ...half } = all;
    expect(problemsOf({ ...production, ...half })).toEqual([
      expect.stringMatching(new RegExp(`^${missing}: `)),
    ]);
  });
});

describe('free domains', () => {
  const { MAX_FREE_DOMAIN_ORDERS: _cap, ...uncapped } = {
    ...production,
    ...credentials['namecom'],
  };
  it('are for development: production names both prices, unless they are capped', () => {
    expect(problemsOf(uncapped)).toEqual([
      'DOMAIN_DIRECT_PRICE_CENTS: free domains are for development; set a price, or MAX_FREE_DOMAIN_ORDERS',
      'DOMAIN_RENEWAL_PRICE_CENTS: free domains are for development; set a price, or MAX_FREE_DOMAIN_ORDERS',
    ]);
    const priced = { DOMAIN_DIRECT_PRICE_CENTS: '1600', DOMAIN_RENEWAL_PRICE_CENTS: '1600' };
    expect(problemsOf({ ...uncapped, ...priced })).toEqual([]);
    expect(problemsOf({ ...uncapped, MAX_FREE_DOMAIN_ORDERS: '0' })).toEqual([]);
    expect(problemsOf({ ...uncapped, OUTREACH_ENV: 'development' })).toEqual([]);
  });
});

describe('production', () => {
  const text32 = 'a text of exactly 32 characters!';

  it('is what is meant when nothing is said', () => {
    const { OUTREACH_ENV: _, ...silent } = production;
    expect(readConfig(silent).OUTREACH_ENV).toBe('production');
    expect(problemsOf({ ...silent, DAY_SECONDS: '60' })).toHaveLength(1);
  });

  it.each([
    ['DAY_SECONDS', '60'],
    ['RETRY_PACE', '0.1'],
    ['ACME_DIRECTORY_URL', 'http://127.0.0.1:3900/acme/directory'],
    ['LINKS_ACME_DIRECTORY_URL', 'http://127.0.0.1:3900/acme/directory'],
    ['PUBLIC_URL', ''],
    ['PUBLIC_URL', 'http://outreach.acme.com'],
    ['PUBLIC_URL', 'https://outreach.example.com'],
    ['PUBLIC_URL', 'https://localhost:3000'],
    ['PUBLIC_URL', 'https://127.1'],
    ['PUBLIC_URL', 'https://[::1]:3000/'],
    ['SMARTHOST_URL', 'smtp://ours:change-me@relay.acme.com:587'],
    ['SMARTHOST_URL', 'smtp://outreach:smarthost-sandbox-password@relay.acme.com:587'],
    ['WARMUP_SEED_MAILBOXES', SEED_MAILBOXES],
    ['JWT_SECRET', `development-${randomBytes(24).toString('hex')}`],
    ['JWT_SECRET', 'your-secret-key-your-secret-key-1'],
    ['JWT_SECRET', 'change-me-change-me-change-me-change-me'],
    ['JWT_SECRET', 'x'.repeat(40)],
    ['JWT_SECRET', `${randomBytes(24).toString('hex')},change-me-change-me-change-me-change-me`],
    ['JWT_SECRET', '0123456789abcdef0123456789abcdef'],
    ['ENCRYPTION_KEYS', `development:${randomBytes(32).toString('base64')}`],
    [
      'ENCRYPTION_KEYS',
      `${production['ENCRYPTION_KEYS']},development-2:${randomBytes(32).toString('base64')}`,
    ],
    ['ENCRYPTION_KEYS', `k1:${Buffer.alloc(32).toString('base64')}`],
    [
      'ENCRYPTION_KEYS',
      `k1:${Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64')}`,
    ],
    ['ENCRYPTION_KEYS', `k1:${Buffer.from(text32).toString('base64')}`],
    ['LINK_KEYS', `development:${randomBytes(32).toString('base64')}`],
    ['DATABASE_URL', 'postgres://outreach:secret@127.0.0.1:5432/outreach'],
  ])('refuses %s=%s', (name, value) => {
    const problems = problemsOf({ ...production, [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
    expect(problemsOf({ ...production, OUTREACH_ENV: 'development', [name]: value })).toEqual([]);
  });

  it('refuses an example as the password of the relay for notices', () => {
    const NOTIFY_FROM = 'outreach@acme.com';
    const NOTIFY_SMTP_URL = 'smtps://ours:change-me@relay.acme.com';
    expect(problemsOf({ ...production, NOTIFY_FROM, NOTIFY_SMTP_URL })).toEqual([
      expect.stringMatching(/^NOTIFY_SMTP_URL: /),
    ]);
  });

  it('refuses the address that .env.example shows', async () => {
    const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8');
    const shown = /^PUBLIC_URL=(.+)$/m.exec(text)![1]!;
    expect(problemsOf({ ...production, PUBLIC_URL: shown })).toEqual([
      expect.stringMatching(/^PUBLIC_URL: /),
    ]);
  });

  it.each(['https://test.acme.com', 'https://example-agency.com/outreach', 'https://203.0.113.7'])(
    'takes %s as the address for recipients',
    (PUBLIC_URL) => expect(problemsOf({ ...production, PUBLIC_URL })).toEqual([]),
  );

  const addresses = allVendors.flatMap(({ vendor }) =>
    vendor.developmentVariables.map((name) => ({ name, vendor })),
  );

  it('knows the address of every vendor that has one', () => {
    expect(addresses.map(({ name }) => name).toSorted()).toEqual(
      allVendors
        .flatMap(({ vendor }) => {
          const name = vendor.name.toUpperCase();
          const endings = ['URL', 'BASE_URL', 'BULK_URL', 'OAUTH_ISSUER'];
          const own = [...endings.map((end) => `${name}_${end}`), `GOOGLE_${name}_URL`];
          return vendor.variables.filter((v) => own.includes(v));
        })
        .toSorted(),
    );
  });

  it.each(addresses)('refuses $name at a stand-in', ({ name, vendor }) => {
    const on = { ...production, ...credentials[vendor.name] };
    for (const address of ['http://127.0.0.1:3900/x', 'https://sandbox.internal/v1']) {
      expect(problemsOf({ ...on, [name]: address })).toEqual([
        expect.stringMatching(new RegExp(`^${name}: `)),
      ]);
    }
  });

  it.each([
    ['namecom', 'NAMECOM_URL', 'https://api.name.com/core/v1'],
    ['porkbun', 'PORKBUN_BASE_URL', 'https://api-ipv4.porkbun.com/api/json/v3'],
    ['hetzner', 'HETZNER_URL', 'https://api.hetzner.cloud/v1'],
    ['vultr', 'VULTR_BASE_URL', 'https://api.vultr.com/v2'],
    ['stripe', 'STRIPE_URL', 'https://api.stripe.com'],
    ['zerobounce', 'ZEROBOUNCE_BULK_URL', 'https://bulkapi.zerobounce.net/v2'],
    ['reacher', 'REACHER_SELF_HOSTED_URL', 'http://reacher.internal:8080'],
  ])("takes %s's own address", (vendor, name, address) => {
    expect(problemsOf({ ...production, ...credentials[vendor], [name]: address })).toEqual([]);
  });

  it.each([
    ['namecom', 'NAMECOM_TOKEN', 'namecom-sandbox-token'],
    ['porkbun', 'PORKBUN_API_KEY', 'pk1_sandbox'],
    ['hetzner', 'HETZNER_TOKEN', 'hetzner-sandbox-token'],
    ['vultr', 'VULTR_API_KEY', 'vultr-sandbox-key'],
    ['stripe', 'STRIPE_SECRET_KEY', 'sk_test_sandbox'],
  ])("refuses %s's stand-in's credential", (vendor, name, value) => {
    expect(problemsOf({ ...production, ...credentials[vendor], [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: `)),
    ]);
  });

  it('takes secrets that were made at random', () => {
    for (let n = 0; n < 200; n += 1) {
      const JWT_SECRET = randomBytes(16 + (n % 32))
        .toString(n % 2 ? 'hex' : 'base64url')
        .padEnd(32, 'Qz7');
      const ENCRYPTION_KEYS = `k${n}:${randomBytes(32).toString('base64')}`;
      expect(problemsOf({ ...production, JWT_SECRET, ENCRYPTION_KEYS })).toEqual([]);
    }
  });
});

describe('what the start-up says', () => {
  it('names every problem at once', () => {
    const problems = problemsOf({ API_PORT: 'many', NAMECOM_USERNAME: 'ours' });
    const names = problems.map((problem) => problem.split(':')[0]);
    expect(names).toEqual(
      expect.arrayContaining(['API_PORT', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'NAMECOM_TOKEN']),
    );
  });

  it('names what production refuses beside what cannot be read, and what is needed', () => {
    const { JWT_SECRET: _, ENCRYPTION_KEYS: __, ...rest } = production;
    const problems = problemsOf({
      ...rest,
      PUBLIC_URL: 'https://outreach.example.com',
      NAMECOM_USERNAME: 'ours',
      RETRY_PACE: '0.5',
    });
    expect(problems).toEqual(
      expect.arrayContaining([
        'ENCRYPTION_KEYS: is needed',
        'NAMECOM_TOKEN: is needed',
        expect.stringMatching(/^JWT_SECRET: one of /),
        expect.stringMatching(/^PUBLIC_URL: /),
        expect.stringMatching(/^RETRY_PACE: /),
      ]),
    );
    expect(problems).toHaveLength(5);
  });

  it('repeats no value, whatever is wrong with it', () => {
    const names = [
      ...Object.keys(environmentSchema.shape),
      ...allVendors.flatMap(({ vendor }) => vendor.variables),
    ];
    const canaries = Object.fromEntries(names.map((name, n) => [name, `canary-${n}-of-nobody`]));
    const all = [canaries, ...names.map((name) => ({ ...production, [name]: canaries[name]! }))];
    for (const environment of all) {
      expect(problemsOf(environment as Environment).join('\n')).not.toMatch(/canary|of-nobody/);
    }
  });

  it.each([
    ['DEFAULT_REGISTRAR', 'namecom, porkbun'],
    ['REGISTRAR_ALTERNATES', 'namecom, porkbun'],
    ['DEFAULT_VPS', 'hetzner, vultr'],
    ['VPS_ALTERNATES', 'hetzner, vultr'],
  ])('names the vendors that %s may name', (name, known) => {
    for (const value of ['hetzner-cloud', 'toString']) {
      const problems = problemsOf({ ...production, [name]: value });
      expect(problems).toEqual([`${name}: known are ${known}`]);
    }
    for (const value of known.split(', ')) {
      expect(problemsOf({ ...production, [name]: value })).toEqual([]);
    }
  });

  it('counts an empty variable as unset', () => {
    const optional = Object.entries(environmentSchema.shape)
      .filter(([, field]) => field.safeParse(undefined).success)
      .map(([name]) => name)
      .filter((name) => !(name in production));
    const empty = Object.fromEntries(optional.map((name) => [name, '']));
    expect(JSON.stringify(readConfig({ ...production, ...empty }))).toBe(
      JSON.stringify(readConfig(production)),
    );
    expect(problemsOf({ ...production, JWT_SECRET: '' })).toHaveLength(1);
  });

  it('needs a way to check tokens', () => {
    const { JWT_SECRET: _, ...none } = production;
    expect(problemsOf(none)).toEqual([expect.stringContaining('JWT_JWKS_URL')]);
    const JWT_JWKS_URL = 'https://auth.example.com/.well-known/jwks.json';
    expect(problemsOf({ ...none, JWT_JWKS_URL })).toEqual([]);
  });
});

describe('the relay for notices', () => {
  const NOTIFY_FROM = 'outreach@acme.com';
  const NOTIFY_SMTP_URL = `smtps://ours:${randomBytes(12).toString('hex')}@relay.acme.com`;

  it('needs the address that they come from, and the other way round', () => {
    expect(problemsOf({ ...production, NOTIFY_FROM, NOTIFY_SMTP_URL })).toEqual([]);
    for (const half of [{ NOTIFY_FROM }, { NOTIFY_SMTP_URL }] as Environment[]) {
      expect(problemsOf({ ...production, ...half })).toEqual([
        expect.stringMatching(/^NOTIFY_FROM: /),
      ]);
    }
  });

  it.each([
    ['NOTIFY_SMTP_URL', 'relay.acme.com:465'],
    ['NOTIFY_FROM', 'outreach'],
  ])('refuses %s=%s', (name, value) => {
    const problems = problemsOf({ ...production, NOTIFY_FROM, NOTIFY_SMTP_URL, [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });
});

describe('PLACEMENT_LOOK_SECONDS', () => {
  const problems = (value: string) =>
    problemsOf({ ...production, PLACEMENT_LOOK_SECONDS: value }).filter((problem) =>
      problem.startsWith('PLACEMENT_LOOK_SECONDS'),
    );

  it('leaves the result within the ten minutes that are promised', () => {
    expect(problems('571')).toEqual([
      'PLACEMENT_LOOK_SECONDS: at most 570: a placement test promises its result within ten minutes',
    ]);
    expect(problems('3600')).toHaveLength(1);
    expect(problems('0')).toHaveLength(1);
    expect(problems('570')).toEqual([]);
    expect(problems('120')).toEqual([]);
  });
});

describe('INTEREST_MODEL', () => {
  it('names a model that is configured, and is off by default', () => {
    expect(readConfig(production).INTEREST_MODEL).toBeUndefined();
    const on = { ...production, ...credentials['openai'], INTEREST_MODEL: 'openai' };
    expect(readConfig(on).INTEREST_MODEL).toBe('openai');
    expect(problemsOf({ ...on, INTEREST_MODEL: 'anthropic' })).toEqual([
      'INTEREST_MODEL: anthropic is not configured',
    ]);
    expect(problemsOf({ ...on, INTEREST_MODEL: 'oracle' })).toEqual([
      'INTEREST_MODEL: known are anthropic, openai',
    ]);
  });

  it('has no model by default', () => {
    expect(problemsOf({ ...production, ANTHROPIC_KEY: 'a1b2c3' })).toEqual([
      expect.stringMatching(/^ANTHROPIC_MODEL: /),
    ]);
  });
});
