/** `outreach doctor` against the world: a clean table, and for each fault the line that names it. */
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config.ts';
import { createContext, type Context } from '../../src/context.ts';
import { freePort } from '../../src/dev/ports.ts';
import { productSettings, type WorldSettings } from '../../src/dev/processes/processes.ts';
import { createLinkServers } from '../../src/http/links/links-server.ts';
import { NEEDED_EVENTS } from '../../src/providers/payments/stripe-account.ts';
import { authorityVariables, SANDBOX_ISSUER } from '../../src/sandbox/acme.ts';
import { LINKS_HOST } from '../../src/sandbox/links-host.ts';
import { registrarAccounts } from '../../src/sandbox/registrar-accounts.ts';
import { STRIPE_KEY } from '../../src/sandbox/stripe/wire.ts';
import { VULTR_API_KEY } from '../../src/sandbox/vultr/wire.ts';
import { trackingLinks } from '../../src/services/domains/tracking-links.ts';
import { workersOf } from '../../src/temporal/temporal-workers.ts';
import { startTemporal } from '../support/workflows/temporal.ts';
import { oauthAccounts } from '../support/vendors/oauth.ts';
import { startTestSandbox, WEBHOOK_SECRET, type TestSandbox } from '../support/vendors/sandbox.ts';

const PUBLIC_URL = 'https://api.example.test';
const HETZNER_TOKEN = 'hetzner-sandbox-token';
/** Those with a queue. */
const VENDORS = ['namecom', 'porkbun', 'hetzner', 'vultr'];

let sandbox: TestSandbox;
/** A port on which nobody listens. */
let deadPort: number;
/** The API's listeners for links, where the world's links host leads to. */
let links: ReturnType<typeof createLinkServers>;
let ports: { http: number; https: number };
let context: Context & { close(): Promise<void> };
let temporal: TestWorkflowEnvironment;
/** At the queues of all vendors. */
let workers: Worker[];
let running: Promise<unknown>;

beforeAll(async () => {
  temporal = await startTemporal();
  workers = await workersOf(
    { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false },
    {
      activities: { ask: () => undefined },
      vendors: Object.fromEntries(VENDORS.map((vendor) => [vendor, undefined])),
      roles: ['vendors'],
    },
  );
  running = Promise.all(workers.map((worker) => worker.run()));
  ports = { http: await freePort(), https: await freePort() };
  sandbox = await startTestSandbox({
    pace: 20,
    webhookUrl: `${PUBLIC_URL}/v1/wallet/webhook`,
    linksHttpPort: ports.http,
    linksTlsPort: ports.https,
  });
  context = createContext(readConfig(environment({ LINKS_HOST })), pino({ level: 'silent' }));
  links = createLinkServers([{ ...trackingLinks(context), app: () => undefined }]);
  await Promise.all([listen(links.http, ports.http), listen(links.https, ports.https)]);
  deadPort = await freePort();
});
beforeEach(async () => {
  await sandbox.control('DELETE', '/faults');
  for (const vendor of ['namecom', 'porkbun', 'hetzner', 'vultr', 'stripe']) {
    await sandbox.control('DELETE', `/accounts/${vendor}`);
  }
});
afterAll(async () => {
  for (const each of [links?.http, links?.https]) each?.close();
  await context?.close();
  await sandbox?.remove();
  for (const worker of workers ?? []) worker.shutdown();
  await running;
  await temporal?.teardown();
});

const listen = (server: Server | SecureServer, port: number) =>
  new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
const shut = (server: Server | SecureServer) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Does it while one of the ports of links is closed, or another program has it. */
async function without(which: 'http' | 'https', act: () => Promise<void>, by?: RequestListener) {
  await shut(links[which]);
  const other = by && createHttpServer(by);
  if (other) await listen(other, ports[which]);
  try {
    await act();
  } finally {
    if (other) await shut(other);
    await listen(links[which], ports[which]);
  }
}

/** One for each kind of data; those which are asked nothing. */
const DATA_VENDORS = { META_TOKEN: 'm', GOOGLE_PLACES_KEY: 'p', REACHER_KEY: 'r' };

const environment = (more: Record<string, string> = {}) => ({
  OUTREACH_ENV: 'development',
  // Nobody listens there: the questions do not need it.
  DATABASE_URL: 'postgres://outreach@127.0.0.1:9/outreach',
  TEMPORAL_ADDRESS: temporal.address,
  JWT_SECRET: 'development-secret-of-the-tests-0123456789',
  ENCRYPTION_KEYS: `development:${Buffer.alloc(32, 7).toString('base64')}`,
  PUBLIC_URL,
  // A busy machine may be late; nothing that is asked here is silent.
  PROVIDER_TIMEOUT_SECONDS: '15',
  DNS_SERVERS: sandbox.dns,
  OUTBOUND_PROXY: sandbox.socks,
  ...authorityVariables(sandbox.url),
  ...registrarAccounts(sandbox.url),
  HETZNER_TOKEN,
  HETZNER_URL: `${sandbox.url}/hetzner/v1`,
  VULTR_API_KEY,
  VULTR_BASE_URL: `${sandbox.url}/vultr/v2`,
  STRIPE_SECRET_KEY: STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_URL: sandbox.url,
  ...DATA_VENDORS,
  APOLLO_KEY: 'apollo-sandbox-key',
  APOLLO_URL: `${sandbox.url}/apollo/api/v1`,
  ...more,
});

interface Line {
  vendor: string;
  question: string;
  state: string;
  found: string;
  cure?: string;
}

async function doctor(argv: string[], more?: Record<string, string>) {
  const said: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    environment: environment(more),
  };
  const code = await runCommand(['doctor', ...argv], io);
  return { code, out: said.out.join('\n'), err: said.err.join('\n') };
}

/** The exit code, and each line that is not `ok` (or cannot be asked), as `vendor: question`. */
async function wrong(more?: Record<string, string>) {
  const { code, out } = await doctor(['--json'], more);
  const { lines } = JSON.parse(out) as { lines: Line[] };
  const bad = lines.filter(({ state }) => state === 'failed' || state === 'warning');
  return { code, bad, names: bad.map(({ vendor, question }) => `${vendor}: ${question}`) };
}
const account = (vendor: string, state: object) =>
  sandbox.control('PUT', `/accounts/${vendor}`, state);

describe('outreach doctor', () => {
  it('prints a clean table where nothing is wrong, without a secret, and leaves nothing', async () => {
    const { code, out, err } = await doctor([]);
    expect([code, err]).toEqual([0, '']);
    expect(out).not.toMatch(/\b(failed|warning)\b/);
    for (const vendor of ['namecom', 'porkbun', 'hetzner', 'vultr', 'stripe', 'network']) {
      expect(out).toMatch(new RegExp(`^${vendor} .* ok `, 'm'));
    }
    // What cannot be asked for nothing is said.
    expect(out).toMatch(/^stripe +signing secret +not askable/m);
    expect(out).toMatch(/^hetzner +limit of servers +not askable/m);
    for (const secret of [HETZNER_TOKEN, VULTR_API_KEY, STRIPE_KEY, WEBHOOK_SECRET]) {
      expect(out).not.toContain(secret);
    }
    const keys = await sandbox.ask('GET', '/hetzner/v1/ssh_keys', undefined, {
      authorization: `Bearer ${HETZNER_TOKEN}`,
    });
    expect(keys.body.ssh_keys).toEqual([]);
    const { body } = await sandbox.control('GET', '/books');
    expect(body.registrars.namecom.orders).toEqual([]);
    expect(body.vps.hetzner.servers).toEqual([]);
  });

  it.each([
    ['an expired token', 'hetzner: token', 'HETZNER_TOKEN', { HETZNER_TOKEN: 'expired-token-0' }],
    [
      'a wrong token',
      'namecom: token and allowed address',
      'NAMECOM_TOKEN',
      { NAMECOM_TOKEN: 'x'.repeat(20) },
    ],
    [
      'wrong keys',
      'porkbun: keys and allowed address',
      'PORKBUN_API_KEY',
      { PORKBUN_API_KEY: 'pk1_wrong' },
    ],
    [
      'a revoked key',
      'vultr: key and allowed address',
      'VULTR_API_KEY',
      { VULTR_API_KEY: 'revoked-key' },
    ],
    ['a wrong key', 'stripe: secret key', 'STRIPE', { STRIPE_SECRET_KEY: 'sk_test_wrong' }],
  ])('names %s, and goes on', async (_words, line, cure, more) => {
    const { code, bad, names } = await wrong(more);
    expect([code, names]).toEqual([5, expect.arrayContaining([line])]);
    expect(bad[0]!.cure).toContain(cure);
    // The others were asked all the same, and are well.
    expect(new Set(bad.map(({ vendor }) => vendor)).size).toBe(1);
    for (const secret of Object.values(more)) expect(JSON.stringify(bad)).not.toContain(secret);
  });

  it.each([
    ['a token that may only read', 'hetzner', { readOnly: true }, 'hetzner: permission to write'],
    [
      'a type that is out of stock',
      'hetzner',
      { soldOut: ['cx23'] },
      'hetzner: server type, location, image',
    ],
    [
      'a type that is not sold any more',
      'hetzner',
      { retired: ['cx23'] },
      'hetzner: server type, location, image',
    ],
    ['a key that may not order', 'vultr', { permissions: ['billing'] }, 'vultr: permissions'],
    ['an account that owes', 'vultr', { balanceCents: -500 }, 'vultr: balance'],
    ['an empty account', 'vultr', { balanceCents: 0 }, 'vultr: balance'],
    ['an empty account of prepaid credit', 'porkbun', { balanceCents: 0 }, 'porkbun: credit'],
  ])('names %s', async (_words, vendor, state, line) => {
    await account(vendor, state);
    const { code, bad, names } = await wrong();
    expect([code, names]).toEqual([5, [line]]);
    expect(bad[0]!.cure).toMatch(/\w/);
  });

  it('warns of an empty account that a card may pay for', async () => {
    await account('namecom', { balanceCents: 3 });
    expect(await wrong()).toMatchObject({
      code: 0,
      bad: [{ vendor: 'namecom', question: 'credit', state: 'warning' }],
    });
  });

  it('names a server type of a location that never had it, with what is sold there', async () => {
    const { code, bad } = await wrong({ HETZNER_SERVER_TYPE: 'cx22' });
    expect(code).toBe(5);
    expect(bad).toMatchObject([{ question: 'server type, location, image' }]);
    expect(bad[0]!.found).toContain('sold there now: cpx22, cx23, cx33');
    expect(bad[0]!.cure).toContain('HETZNER_SERVER_TYPE');
  });

  it('names a firewall that closes ports of our servers, and none that is somebody else’s', async () => {
    const hetzner = (method: string, path: string, body?: object) =>
      sandbox.ask(method, `/hetzner/v1${path}`, body, { authorization: `Bearer ${HETZNER_TOKEN}` });
    const everybody = { direction: 'in', protocol: 'tcp', source_ips: ['0.0.0.0/0', '::/0'] };
    const office = { ...everybody, source_ips: ['192.0.2.7/32'] };
    const by = (selector: string) => [{ type: 'label_selector', label_selector: { selector } }];
    const { body } = await hetzner('POST', '/firewalls', {
      name: 'web',
      rules: [
        { ...office, port: '22' },
        { ...everybody, port: '80-443' },
      ],
      apply_to: by('managed-by=outreach,role!=db'),
    });
    const { code, bad } = await wrong();
    expect([code, bad]).toMatchObject([5, [{ question: 'firewalls' }]]);
    // SSH from some addresses may be from ours; messages and certificates come from anybody.
    expect(bad[0]!.found).toBe('web: closed for 1 of our servers: 25, 465, 993');
    const path = `/firewalls/${body.firewall.id}/actions`;
    const rules = ['22', '465', '993'].map((port) => ({ ...office, port }));
    await hetzner('POST', `${path}/set_rules`, {
      rules: [...rules, { ...office, port: '25' }, { ...everybody, port: '80' }],
    });
    expect((await wrong()).bad[0]!.found).toBe('web: closed for 1 of our servers: 25');
    // The rules of all firewalls of a server are one list.
    const mail = {
      name: 'mail',
      rules: [{ ...everybody, port: '25' }],
      apply_to: by('managed-by'),
    };
    await hetzner('POST', '/firewalls', mail);
    expect((await wrong()).bad).toEqual([]);
    await hetzner('POST', `${path}/set_rules`, { rules: [] });
    expect((await wrong()).bad).toHaveLength(1);
    for (const [at, selector] of [
      'managed-by in (terraform)',
      'role=db',
      '!managed-by',
    ].entries()) {
      await hetzner('POST', '/firewalls', { name: `other-${at}`, apply_to: by(selector) });
    }
    await hetzner('POST', `${path}/remove_from_resources`, {
      remove_from: by('managed-by=outreach,role!=db'),
    });
    await hetzner('POST', `/firewalls/2/actions/remove_from_resources`, {
      remove_from: by('managed-by'),
    });
    expect((await wrong()).bad).toEqual([]);
  });

  it.each(['namecom', 'vultr'])('names an address that %s does not allow', async (vendor) => {
    await account(vendor, { addressAllowed: false });
    const { code, bad } = await wrong();
    expect([code, bad[0]!.question]).toEqual([5, expect.stringContaining('allowed address')]);
    expect(bad[0]!.cure).toContain('address');
  });

  it('names a webhook endpoint that is missing, disabled, or lacks an event', async () => {
    const url = `${PUBLIC_URL}/v1/wallet/webhook`;
    const events = [...NEEDED_EVENTS];
    const state = async (endpoints: object[]) => {
      await account('stripe', { endpoints });
      const { code, bad } = await wrong();
      return [code, ...bad.map(({ question, found }) => `${question}: ${found}`)];
    };
    expect(await state([{ url, events }])).toEqual([0]);
    expect(await state([{ url: `${PUBLIC_URL}/wallet/webhook`, events }])).toEqual([0]);
    expect(await state([{ url: 'https://other.test/hook', events: ['*'] }])).toEqual([
      5,
      `webhook endpoint: none sends to ${url}`,
      'events of the endpoint: no endpoint sends any',
    ]);
    expect(await state([{ url, events, status: 'disabled' }])).toEqual([
      5,
      'webhook endpoint: we_sandbox0 is disabled',
    ]);
    const fewer = events.filter((type) => type !== 'charge.dispute.funds_withdrawn');
    expect(await state([{ url, events: fewer }])).toEqual([
      5,
      'events of the endpoint: it lacks charge.dispute.funds_withdrawn',
    ]);
  });

  it('names a certificate authority and a name server that do not answer', async () => {
    const authority = { ACME_DIRECTORY_URL: `http://127.0.0.1:${deadPort}/directory` };
    expect(await wrong(authority)).toMatchObject({
      code: 5,
      names: ['network: certificate authority'],
    });
    // The other one answers: what was asked by name goes on.
    const dead = `127.0.0.1:${deadPort}`;
    const servers = { DNS_SERVERS: `${sandbox.dns},${dead}` };
    expect(await wrong(servers)).toMatchObject({
      code: 5,
      names: [`network: name server ${dead}`],
    });
  });

  it('names an authority that our CAA records would keep out, or that nobody named', async () => {
    const other = await wrong({ ACME_CAA_ISSUER: 'letsencrypt.org' });
    expect([other.code, other.names]).toEqual([5, ['network: certificate authority']]);
    expect(other.bad[0]!.found).toContain('not letsencrypt.org: ours would forbid');
    expect(other.bad[0]!.cure).toBe(`Set ACME_CAA_ISSUER=${SANDBOX_ISSUER}.`);
    const unnamed = await wrong({ ACME_CAA_ISSUER: '' });
    expect(unnamed).toMatchObject({ code: 0, bad: [{ state: 'warning' }] });
    expect(unnamed.bad[0]!.cure).toBe(`Set ACME_CAA_ISSUER=${SANDBOX_ISSUER}.`);
  });

  it('names a closed port 25: a warning, and a failure where addresses are checked from here', async () => {
    // No provider is reached through a proxy where nobody listens.
    const closed = { OUTBOUND_PROXY: `socks5://127.0.0.1:${deadPort}` };
    expect(await wrong(closed)).toMatchObject({
      code: 0,
      bad: [{ question: 'port 25 from here', state: 'warning' }],
    });
    const probing = {
      SMTP_PROBE_FROM: 'probe@example.test',
      SMTP_PROBE_HELO: 'probe.example.test',
    };
    expect(await wrong({ ...closed, ...probing })).toMatchObject({
      code: 5,
      bad: [{ question: 'port 25 from here', state: 'failed' }],
    });
  });

  it('sees that names below LINKS_HOST lead to the API, and asks nothing about links without it', async () => {
    const { out } = await doctor([], { LINKS_HOST });
    expect(out).toMatch(/^network +links host +ok +\*\.links\.outreach\.test leads to 198\.19\./m);
    // Of the one authority it has asked already.
    expect(out).not.toContain('certificate authority of links');
    expect((await doctor([])).out).not.toContain('links host');
  });

  it('names a wildcard record that is missing, and ports that lead nowhere or to another program', async () => {
    const lacking = await wrong({ LINKS_HOST: 'links.nobodys.test' });
    expect([lacking.code, lacking.names]).toEqual([5, ['network: links host']]);
    expect(lacking.bad[0]!.cure).toContain('*.links.nobodys.test A ');
    const failure = async () => {
      const { code, bad } = await wrong({ LINKS_HOST });
      expect([code, bad]).toMatchObject([5, [{ question: 'links host', state: 'failed' }]]);
      return `${bad[0]!.found} ${bad[0]!.cure}`;
    };
    await without('http', async () => expect(await failure()).toContain('LINKS_HTTP_PORT'));
    await without('https', async () => expect(await failure()).toContain('LINKS_TLS_PORT'));
    const others: [RequestListener, string][] = [
      [(_request, response) => response.writeHead(404).end('not found'), 'answers 404'],
      // Whoever answers everything, as a proxy's page for its own challenges does.
      [(_request, response) => response.end('a'.repeat(31)), 'answers 200'],
      [(request) => request.socket.destroy(), 'does not answer'],
    ];
    for (const [by, found] of others) {
      await without('http', async () => expect(await failure()).toContain(found), by);
    }
  });

  it('sees who asks the queues of vendors, and goes on where Temporal is away', async () => {
    const { out } = await doctor([]);
    for (const vendor of VENDORS) {
      expect(out).toMatch(new RegExp(`^temporal +queue of ${vendor} +ok .* one part`, 'm'));
    }
    const away = await doctor([], { TEMPORAL_ADDRESS: `127.0.0.1:${deadPort}` });
    expect([away.code, away.err]).toEqual([0, '']);
    for (const vendor of VENDORS) {
      expect(away.out).toMatch(new RegExp(`^temporal +queue of ${vendor} +not askable`, 'm'));
    }
  });

  it('warns where links are served by other keys than its own', async () => {
    const ENCRYPTION_KEYS = `later:${Buffer.alloc(32, 8).toString('base64')}`;
    const { code, bad } = await wrong({ LINKS_HOST, ENCRYPTION_KEYS });
    expect([code, bad]).toMatchObject([0, [{ question: 'links host', state: 'warning' }]]);
    expect(bad[0]!.cure).toContain('ENCRYPTION_KEYS');
    // After a change of keys the API may know the new one already.
    const both = `${ENCRYPTION_KEYS},${environment().ENCRYPTION_KEYS}`;
    expect((await wrong({ LINKS_HOST, ENCRYPTION_KEYS: both })).bad).toHaveLength(1);
    const old = both.split(',').toReversed().join(',');
    expect((await wrong({ LINKS_HOST, ENCRYPTION_KEYS: old })).bad).toEqual([]);
  });

  it('asks another authority of links, too', async () => {
    const at = (LINKS_ACME_DIRECTORY_URL: string) => ({ LINKS_HOST, LINKS_ACME_DIRECTORY_URL });
    const other = at(`${sandbox.url}/acme/directory?of=links`);
    const { out } = await doctor([], other);
    expect(out).toMatch(/^network +certificate authority of links +ok /m);
    const { code, names, bad } = await wrong(at(`http://127.0.0.1:${deadPort}/directory`));
    expect([code, names]).toEqual([5, ['network: certificate authority of links']]);
    expect(bad[0]!.cure).toContain('LINKS_ACME_DIRECTORY_URL');
  });

  it('waits for no answer longer than it is told, and hides none behind it', async () => {
    const fault = { vendor: 'stripe', kind: 'slow', operation: 'GET /v1/balance' };
    await sandbox.control('POST', '/faults', { ...fault, delayMs: 60_000 });
    const begunAt = performance.now();
    // Twice as long as all others need on a busy machine.
    const { code, out } = await doctor(['--json', '--timeout', '4'], {
      PROVIDER_TIMEOUT_SECONDS: '60',
    });
    const lines = (JSON.parse(out) as { lines: Line[] }).lines;
    expect([code, lines.filter(({ state }) => state === 'failed')]).toMatchObject([
      5,
      [{ vendor: 'stripe', question: 'secret key', found: 'no answer within 4 s' }],
    ]);
    expect(performance.now() - begunAt).toBeLessThan(50_000);
    // The client, which would wait for a minute, has its answer.
    await sandbox.control('DELETE', '/faults');
  });

  it('is clean with all that the development world configures', async () => {
    const { port } = new URL(sandbox.url);
    const portOf = (address: string) => Number(address.split(':').at(-1));
    // Nobody listens at the others: nothing of them is asked.
    const others = ['api', 'apiMetrics', 'workerMetrics', 'codec', 'temporalUi', 'postgres'].concat(
      ['links', 'linksTls'],
    );
    const ports = {
      ...Object.fromEntries(others.map((name) => [name, 9])),
      sandbox: Number(port),
      dns: portOf(sandbox.dns),
      socks: portOf(sandbox.socks),
    };
    const secrets = {
      jwtSecret: environment().JWT_SECRET,
      encryptionKeys: environment().ENCRYPTION_KEYS,
      stripeWebhookSecret: WEBHOOK_SECRET,
    };
    const settings = {
      ports,
      secrets,
      temporal: { address: temporal.address, namespace: 'default', started: false },
      stateDir: sandbox.stateDir,
      daySeconds: 86_400,
    };
    const world = productSettings(settings as unknown as WorldSettings);
    const { code, bad } = await wrong({ ...world, PUBLIC_URL });
    expect([code, bad]).toEqual([0, []]);
    const spent = { vendor: 'hunter', credits: 0 };
    await sandbox.control('PUT', '/credits', spent);
    await sandbox.control('PUT', '/credits', { ...spent, vendor: 'zerobounce' });
    await sandbox.control('PUT', '/credits', { ...spent, vendor: 'apify' });
    const { names } = await wrong({ ...world, PUBLIC_URL });
    expect(names).toEqual([
      'apify: token and limit of the month',
      'hunter: key and credits',
      'zerobounce: key and credits',
    ]);
    const keys = {
      APIFY_TOKEN: 'wrong-apify-token',
      HUNTER_KEY: 'wrong-hunter-key',
      APOLLO_KEY: 'wrong-apollo-key',
      ZEROBOUNCE_KEY: 'wrong-zerobounce-key',
      ANTHROPIC_KEY: 'wrong-anthropic-key',
      OPENAI_KEY: 'wrong-openai-key',
    };
    const refused = await wrong({ ...world, ...keys, PUBLIC_URL });
    const cures = refused.bad.map(({ cure }) => /[A-Z]+_(?:KEY|TOKEN)/.exec(cure ?? '')?.[0]);
    expect(cures).toEqual(Object.keys(keys));
  });

  it('knows the events of docs/providers/stripe.md, and its own lines are explained', async () => {
    const guide = await readFile('docs/providers/stripe.md', 'utf8');
    const list = guide.slice(
      guide.indexOf('Choose these events'),
      guide.indexOf('`STRIPE_SUCCESS_URL`'),
    );
    const told = [...list.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, type]) => type);
    expect(new Set(told)).toEqual(new Set(NEEDED_EVENTS));
    const words = await readFile('docs/providers/README.md', 'utf8');
    const LINKS_ACME_DIRECTORY_URL = `${sandbox.url}/acme/directory?of=links`;
    const all = await doctor(['--json'], { LINKS_HOST, LINKS_ACME_DIRECTORY_URL });
    const { lines } = JSON.parse(all.out) as { lines: Line[] };
    const names = lines.map(({ question }) => question.replace(/^(name server|queue of) .*/, '$1'));
    const missing = names.filter((name) => !words.includes(name.replace(' of the endpoint', '')));
    expect(missing).toEqual([]);
  });

  describe.each(['google', 'microsoft'])('of mailboxes at %s', (vendor) => {
    const variable = (name: string) => `${vendor.toUpperCase()}_OAUTH_${name}`;
    const ours = (more: Record<string, string> = {}) => ({
      ...oauthAccounts(sandbox.url),
      ...more,
    });

    it('is clean where the vendor knows the app, and says what is registered there', async () => {
      const { code, out } = await doctor(['--json'], ours());
      const lines = (JSON.parse(out) as { lines: Line[] }).lines.filter(
        (line) => line.vendor === vendor,
      );
      expect([code, lines]).toEqual([
        0,
        [
          expect.objectContaining({ question: 'discovery document', state: 'ok' }),
          { vendor, question: 'client id and secret', state: 'ok', found: 'taken' },
          expect.objectContaining({ question: 'redirect address', state: 'not_askable' }),
        ],
      ]);
      const way = vendor === 'google' ? 'with their mailboxes' : 'by their owners alone';
      expect(lines[0]!.found).toContain(`consents are taken back ${way}`);
      expect(lines[2]!.found).toContain(`${PUBLIC_URL}/oauth/callback`);
    });

    it.each([
      ['an id of no app', 'CLIENT_ID', /invalid_client|unauthorized_client, AADSTS700016/],
      ['a wrong or expired secret', 'CLIENT_SECRET', /invalid_client(, AADSTS7000215)?\)/],
    ])('names %s', async (_words, name, found) => {
      const more = ours({ [variable(name)]: 'not-what-it-was' });
      const { code, bad, names } = await wrong(more);
      expect([code, names]).toEqual([5, [`${vendor}: client id and secret`]]);
      expect(bad[0]!.found).toMatch(found);
      expect(bad[0]!.cure).toContain(variable('CLIENT_ID'));
      expect(bad[0]!.cure).toContain(variable('CLIENT_SECRET'));
      expect(JSON.stringify(bad)).not.toContain('not-what-it-was');
    });

    it('names an issuer that is none', async () => {
      const more = ours({ [variable('ISSUER')]: `${sandbox.url}/${vendor}/nobody` });
      const { code, bad } = await wrong(more);
      expect([code, bad[0]!.question]).toEqual([5, 'discovery document']);
      expect(bad[0]!.cure).toContain(variable('ISSUER'));
    });

    it('says that the vendor is away', async () => {
      await sandbox.control('POST', '/faults', { vendor, kind: 'error_500' });
      const { code, bad } = await wrong(ours());
      expect([code, new Set(bad.map((line) => line.vendor))]).toEqual([5, new Set([vendor])]);
      expect(bad[0]!.cure).toContain('whether it is up');
    });
  });

  it('says what is not configured', async () => {
    const { code, names } = await wrong({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' });
    expect([code, names]).toEqual([0, ['settings: payments']]);
    const none = Object.fromEntries(
      [...Object.keys(DATA_VENDORS), 'APOLLO_KEY'].map((name) => [name, '']),
    );
    const { bad } = await wrong(none);
    const found = bad.map(({ question, found: words }) => `${question}: ${words}`);
    expect(found).toEqual([
      expect.stringMatching(/^ad libraries: none of meta, apify is configured: .*leads\/process/),
      expect.stringMatching(/^map search: none of apify, places is configured: .*maps-scraper/),
      expect.stringMatching(/^contact finders: none of hunter, apollo is configured: /),
      expect.stringMatching(/^email verifiers: none of reacher, zerobounce, smtp_probe .*unknown/),
    ]);
  });
});
