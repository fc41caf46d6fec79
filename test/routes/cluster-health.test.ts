/** A cluster of which something is broken, over HTTP: each part says what. Choice 14. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { HostSigns } from '../../src/domain/clusters/host-health.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { describeApi } from '../support/api/describe-api.ts';

const DAY_MS = 86_400_000;

const { api, database } = describeApi(() => ({ context: stubs as unknown as Partial<Context> }));
let token: string;
let clusterId: number;
let name: string;
let clusters = 0;
/** What each of the others says of the server; a test changes what it is about. */
let world: ReturnType<typeof healthy>;

const healthy = () => ({
  server: 'running' as string | undefined,
  certificateDays: 60,
  closedPorts: [] as number[],
  ptr: [`mail.${name}`],
  outbound25: 'open',
  smarthost: null as { host: string; port: number; state: string } | null,
  signs: {
    queued: 0,
    diskUsedPercent: 20,
    stoppedServices: [] as string[],
    closedPorts: [] as number[],
    needsReboot: false,
  } as HostSigns | null,
  records: new Map([
    [`mail.${name}`, ['198.18.0.1']],
    [`mx:${name}`, [`mail.${name}`]],
    [name, ['v=spf1 mx -all']],
    [`s1._domainkey.${name}`, ['v=DKIM1; k=rsa; p=KEY']],
    [`_dmarc.${name}`, ['v=DMARC1; p=none']],
  ]),
  isDnsDown: false,
});

const down = (what: string): never => {
  throw new ProviderError('unavailable', `${what} is down`, { provider: what });
};
const look = async (at: string) => (world.isDnsDown ? down('dns') : (world.records.get(at) ?? []));
/** Where TLS was looked at. */
const dialled: string[] = [];
const stubs = {
  cipher: { open: () => 'key' },
  dns: {
    resolveA: look,
    resolveTxt: look,
    resolveCaa: async (at: string) =>
      (await look(`caa:${at}`)).map((value) => ({ flags: 0, tag: 'issue', value })),
    resolveMx: async (at: string) =>
      (await look(`mx:${at}`)).map((exchange) => ({ exchange, priority: 10 })),
    resolvePtr: async () => (world.isDnsDown ? down('dns') : world.ptr),
  },
  vps: { hetzner: { get: async () => (world.server ? { state: world.server } : null) } },
  mailTransport: {
    async checkTls({ host, port, ipv4 }: { host: string; port: number; ipv4: string }) {
      dialled.push(`${ipv4}:${port}`);
      if (world.closedPorts.includes(port)) throw new Error(`${host}:${port} refuses connections`);
      return { expiresAt: new Date(Date.now() + world.certificateDays * DAY_MS) };
    },
  },
  mailHost: {
    status: async () => ({
      outbound25: world.outbound25,
      smarthost: world.smarthost,
      certificate: null,
      program: null,
      signs: world.signs,
    }),
  },
};

beforeAll(async () => {
  token = await api.jwt('ann');
  await api.call('GET', '/v1/account', { token });
});
beforeEach(async () => {
  const { db } = database;
  name = `health-${(clusters += 1)}.com`;
  world = healthy();
  const owned = { user_id: 'ann', status: 'active' } as const;
  const dkim = { dkim_selector: 's1', dkim_public_key: 'KEY', dkim_private_key: Buffer.from('k') };
  const domain = await db
    .insertInto('domains')
    .values({ ...owned, ...dkim, name, provider: 'namecom' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const server_id = await addServer(db, {
    ...owned,
    host_name: `mail.${name}`,
    ipv4: '198.18.0.1',
    external_id: '7',
  });
  const cluster = await db
    .insertInto('clusters')
    .values({
      ...owned,
      name,
      domain_id: domain.id,
      server_id,
      use_existing_vps: false,
      operation_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  clusterId = cluster.id;
});

/** With the state of the smarthost, where there is one. */
function shutPort25(state?: string): void {
  world.outbound25 = 'blocked';
  world.smarthost = state === undefined ? null : { host: 'relay.test', port: 587, state };
}

/** The whole, and what is not `ok` of it. */
async function health() {
  const { status, body } = await api.call('GET', `/v1/clusters/${clusterId}/health`, { token });
  const { state, clusterId: _id, lookedAt: _at, ...parts } = body.data;
  const found = Object.entries(parts as Record<string, { state: string; message: string }>);
  const unwell = Object.fromEntries(found.filter(([, part]) => part.state !== 'ok'));
  return { status, state, unwell };
}

describe('GET /v1/clusters/:id/health', () => {
  it('looks at the ports of its own server, wherever its name leads', async () => {
    dialled.length = 0;
    world.records.set(`mail.${name}`, ['10.0.0.5']);
    expect((await health()).unwell).toHaveProperty('dns');
    expect(dialled.toSorted()).toEqual(['198.18.0.1:465', '198.18.0.1:993']);
  });

  it('finds nothing where everything is as it must be', async () => {
    expect(await health()).toEqual({ status: 200, state: 'ok', unwell: {} });
  });

  it.each<[string, () => void, string, string, RegExp]>([
    ['a machine that is off', () => (world.server = 'off'), 'server', 'failing', /is off$/],
    ['a machine that is gone', () => (world.server = undefined), 'server', 'failing', /not list/],
    ['a full disk', () => (world.signs!.diskUsedPercent = 96), 'host', 'failing', /^96% of/],
    ['a long queue', () => (world.signs!.queued = 700), 'host', 'warning', /^700 messages wait/],
    [
      'a dead service',
      () => world.signs!.stoppedServices.push('dovecot'),
      'host',
      'failing',
      /^Not running: dovecot/,
    ],
    ['an older program', () => (world.signs = null), 'host', 'unknown', /earlier release/],
    ['a closed port', () => world.closedPorts.push(993), 'imap', 'failing', /:993 refuses/],
    ['an old certificate', () => (world.certificateDays = -1), 'certificate', 'failing', /expired/],
    ['one not renewed', () => (world.certificateDays = 5), 'certificate', 'warning', /renewed/],
    ['a foreign PTR', () => (world.ptr = ['vps7.test']), 'ptr', 'failing', /vps7\.test instead/],
    ['a lost MX', () => world.records.delete(`mx:${name}`), 'dns', 'failing', /^Not visible: MX/],
    [
      'a shut port 25',
      () => shutPort25(),
      'outbound25',
      'failing',
      /open the port .*SMARTHOST_URL/,
    ],
    ['a refused login', () => shutPort25('refused'), 'outbound25', 'failing', /refuses the login/],
    ['a lost smarthost', () => shutPort25('blocked'), 'outbound25', 'failing', /does not answer/],
  ])('%s is told by its part alone', async (_what, breakIt, part, state, words) => {
    breakIt();
    const found = await health();
    expect([found.status, found.state]).toEqual([200, state]);
    expect(found.unwell).toEqual({ [part]: { state, message: expect.stringMatching(words) } });
  });

  it('is well behind a shut port 25 where a smarthost answers, and says so', async () => {
    shutPort25('open');
    expect(await health()).toEqual({ status: 200, state: 'ok', unwell: {} });
    const { body } = await api.call('GET', `/v1/clusters/${clusterId}/health`, { token });
    expect(body.data.outbound25.message).toBe(
      'Messages leave by the smarthost relay.test:587; outgoing port 25 (blocked) is not used',
    );
  });

  it('says `unknown` of what nobody answers for, and the worst of several', async () => {
    world.isDnsDown = true;
    const silent = await health();
    expect([silent.state, Object.keys(silent.unwell)]).toEqual(['unknown', ['ptr', 'dns']]);
  });

  it('tells no certificate where both ports are closed', async () => {
    world.closedPorts = [465, 993];
    const { state, unwell } = await health();
    expect([state, unwell['certificate']?.state]).toEqual(['failing', 'unknown']);
    expect(Object.keys(unwell)).toEqual(['imap', 'smtp', 'certificate']);
  });
});
