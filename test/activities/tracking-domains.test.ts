/** A client's name for links between the world's DNS, its certificate authority and the API's ports. Choice 131. */
import { request } from 'node:https';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  trackingDomainActivities,
  type TrackingDomainLook,
} from '../../activities/domains/tracking-domains.ts';
import type { Context } from '../../src/context.ts';
import { findLinkOrigin, getTrackingDomain } from '../../src/db/domains/tracking-domains.ts';
import { freePort } from '../../src/dev/ports.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { createApp } from '../../src/http/app.ts';
import { createLinkServers } from '../../src/http/links/links-server.ts';
import type { CertificateAuthority } from '../../src/providers/certificates/port.ts';
import { recipientLinkRoutes } from '../../src/routes/sending/recipient-links.ts';
import {
  checkTrackingDomain,
  createTrackingDomain,
  removeTrackingDomain,
  type TrackingDomain,
} from '../../src/services/domains/tracking-domains.ts';
import { trackingLinks } from '../../src/services/domains/tracking-links.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { tablesWith } from '../support/database/database-search.ts';
import { createSandboxContext } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const DOMAIN = 'links-of-ann.com';
const DAY_MS = 86_400_000;
/** No order of the world takes as many looks. */
const MOST_LOOKS = 60;

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let servers: ReturnType<typeof createLinkServers>;
let users = 0;
let userId: string;
let now: Date | undefined;

beforeAll(async () => {
  const [linksHttpPort, linksTlsPort] = [await freePort(), await freePort()];
  [database, sandbox] = await Promise.all([
    createTestDatabase(),
    startTestSandbox({ pace: 20, linksHttpPort, linksTlsPort }),
  ]);
  context = createSandboxContext(database, sandbox, '127.0.0.1:9', {
    environment: { LINKS_HOST: 'links.outreach.test' },
  });
  context.startOperation = async () => true;
  context.temporal.workflow.getHandle = (() => ({ signal: async () => undefined })) as never;
  context.clock.now = () => now ?? new Date();
  const app = createApp(context, recipientLinkRoutes(context));
  servers = createLinkServers([{ ...trackingLinks(context), app }]);
  await listen(servers.http, linksHttpPort);
  await listen(servers.https, linksTlsPort);
  await sandbox.namecom('POST', '/domains', {
    domain: { domainName: DOMAIN },
    purchasePrice: 12.99,
  });
});
afterAll(async () => {
  servers?.http.close();
  servers?.https.close();
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

beforeEach(async () => {
  userId = `links-${(users += 1)}`;
  now = undefined;
  const email = `${userId}@example.test`;
  await context.db.insertInto('users').values({ user_id: userId, email }).execute();
  await sandbox.control('DELETE', '/faults');
});

const listen = (server: (typeof servers)['http'] | (typeof servers)['https'], port: number) =>
  new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

/** A name of its own for each test. */
const nameOf = () => `go${users}.${DOMAIN}`;
const add = () => createTrackingDomain(context, userId, nameOf());

async function setRecord(row: TrackingDomain, target = `${row.dns_token}.links.outreach.test`) {
  const host = row.name.slice(0, -DOMAIN.length - 1);
  const record = { host, type: 'CNAME', answer: target, ttl: 300 };
  const made = await sandbox.namecom('POST', `/domains/${DOMAIN}/records`, record);
  expect(made.status).toBe(200);
  return () => sandbox.namecom('DELETE', `/domains/${DOMAIN}/records/${made.body.id}`);
}

const look = (
  { id }: { id: number },
  own: Context = context,
  more: { orderedAt?: string | undefined; retryPace?: number } = {},
): Promise<TrackingDomainLook> => {
  const activities = trackingDomainActivities(own);
  const input = { trackingDomainId: id, retryPace: 0.02, ...more };
  return activityEnvironment().run(() => activities.tendTrackingDomain(input));
};

/** Looks until it is so; answers the row. */
async function until(
  row: { id: number },
  isSo: (row: TrackingDomain) => boolean,
  own: Context = context,
): Promise<TrackingDomain> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    await look(row, own).catch(() => undefined);
    const found = await getTrackingDomain(context.db, row.id);
    if (isSo(found)) return found;
  }
  throw new Error(JSON.stringify(await getTrackingDomain(context.db, row.id)));
}

const originOf = ({ id }: TrackingDomain) =>
  findLinkOrigin(context.db, id, context.config.LINKS_HOST);
const active = (row: TrackingDomain) => row.status === 'active';
const made = async () => {
  const row = await add();
  await setRecord(row);
  return until(row, active);
};

const eventsOf = async (): Promise<string[]> =>
  (
    await context.db
      .selectFrom('events')
      .select('type')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type);

/** A page of the name as a recipient gets it, by the world's addresses. */
async function fetchPage(name: string, path: string): Promise<{ status: number; issuer: string }> {
  const { body } = await sandbox.control('GET', `/dial?host=${name}&port=443`);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: body.host,
        port: body.port,
        servername: name,
        path,
        headers: { host: name },
        agent: false,
      },
      (response) => {
        const { socket } = response as unknown as { socket: import('node:tls').TLSSocket };
        response.resume();
        resolve({
          status: response.statusCode!,
          issuer: String(socket.getPeerCertificate().issuer.CN),
        });
      },
    );
    asked.once('error', reject);
    asked.end();
  });
}

describe('a tracking domain', () => {
  it('becomes active once its record is there, and recipients reach its links', async () => {
    const row = await add();
    const first = await look(row);
    expect(first.progress).toContain(`Set: ${row.name} CNAME ${row.dns_token}.links.outreach.test`);
    expect(await originOf(row)).toBeUndefined();
    await setRecord(row);
    const done = await until(row, active);
    expect(done).toMatchObject({ error_code: null, order_url: null, challenge_token: null });
    expect(await originOf(row)).toBe(`https://${row.name}`);
    expect(await eventsOf()).toEqual(['tracking_domain.active']);
    const page = await fetchPage(row.name, '/u/preview');
    expect(page.status).toBe(200);
  });

  it('is looked at once a day while it works, without another order', async () => {
    const row = await made();
    const before = await orders();
    const { waitMs, progress } = await look(row);
    expect(waitMs).toBe(DAY_MS);
    expect(progress).toBe(`${row.name}: It works`);
    expect(await orders()).toBe(before);
    expect(await eventsOf()).toEqual(['tracking_domain.active']);
  });

  it('keeps no key in the open', async () => {
    await made();
    expect(await tablesWith(database, 'PRIVATE KEY')).toEqual([]);
  });

  it('says that the record is wrong, and is nobody’s by a record of somebody else', async () => {
    const row = await add();
    await setRecord(row, `${'0'.repeat(20)}.links.outreach.test`);
    await look(row);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      status: 'pending',
      error_code: 'CNAME_WRONG',
    });
    expect(await eventsOf()).toEqual([]);
  });

  it('fails when its record goes, and works again when it is back', async () => {
    const row = await add();
    const takeAway = await setRecord(row);
    await until(row, active);
    await takeAway();
    await look(row);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      status: 'failing',
      error_code: 'CNAME_MISSING',
    });
    expect(await originOf(row)).toBeUndefined();
    const before = await orders();
    await setRecord(row);
    await until(row, active);
    expect(await orders()).toBe(before);
    expect(await eventsOf()).toEqual([
      'tracking_domain.active',
      'tracking_domain.failing',
      'tracking_domain.active',
    ]);
  });

  it('goes to the account whose token the record has now', async () => {
    const row = await add();
    const takeAway = await setRecord(row);
    await until(row, active);
    const other = `${userId}-other`;
    await context.db
      .insertInto('users')
      .values({ user_id: other, email: `${other}@example.test` })
      .execute();
    const theirs = await createTrackingDomain(context, other, row.name);
    await takeAway();
    await setRecord(theirs);
    await until(theirs, active);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      status: 'failing',
      error_code: 'CNAME_WRONG',
    });
    expect(await eventsOf()).toEqual(['tracking_domain.active', 'tracking_domain.failing']);
  });

  it('stays as it is while our resolver is in trouble', async () => {
    const row = await made();
    const dark: Context = {
      ...context,
      dns: { ...context.dns, resolveCname: deadResolver },
    };
    await look(row, dark);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      status: 'active',
      error_code: 'DNS_UNAVAILABLE',
    });
    await look(row);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({ error_code: null });
    expect(await eventsOf()).toEqual(['tracking_domain.active']);
  });

  it('ends when it is deleted', async () => {
    const row = await made();
    await removeTrackingDomain(context, userId, row.id);
    expect(await look(row)).toMatchObject({ state: 'over' });
    expect((await fetchPage(row.name, '/u/preview')).status).toBe(200);
  });
});

describe('its certificate', () => {
  it('is of the authority of links, where that is another one than of mail hosts', async () => {
    const LINKS_ACME_DIRECTORY_URL = `${sandbox.url}/acme/directory?of=links`;
    const own = createSandboxContext(database, sandbox, '127.0.0.1:9', {
      environment: {
        LINKS_HOST: 'links.outreach.test',
        ACME_DIRECTORY_URL: 'http://127.0.0.1:9/directory',
        LINKS_ACME_DIRECTORY_URL,
        ENCRYPTION_KEYS: context.config.ENCRYPTION_KEYS,
      },
    });
    try {
      const row = await add();
      await setRecord(row);
      await until(row, active, own);
      expect((await fetchPage(row.name, '/u/preview')).status).toBe(200);
    } finally {
      await own.close();
    }
    const accounts = await context.db.selectFrom('acme_accounts').select('directory_url').execute();
    expect(accounts.map((one) => one.directory_url)).toContain(LINKS_ACME_DIRECTORY_URL);
    expect(accounts.map((one) => one.directory_url)).not.toContain('http://127.0.0.1:9/directory');
  });

  it('is renewed with a third of its life left, while the one of before is served', async () => {
    const row = await made();
    now = new Date(Date.now() + 59 * DAY_MS);
    await look(row);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({ order_url: null });
    now = new Date(Date.now() + 61 * DAY_MS);
    await look(row);
    const ordered = await getTrackingDomain(context.db, row.id);
    expect(ordered).toMatchObject({ status: 'active', certificate_pem: row.certificate_pem });
    expect(ordered.order_url).not.toBeNull();
    const isNew = ({ certificate_pem: pem }: TrackingDomain) => pem !== row.certificate_pem;
    const renewed = await until(row, isNew);
    expect(renewed).toMatchObject({ status: 'active', order_url: null });
  });

  it('fails the name when it has ended without a new one', async () => {
    const row = await made();
    now = new Date(Date.now() + 91 * DAY_MS);
    const deaf = authority({ openOrder: unavailable, readOrder: unavailable });
    await look(row, deaf);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      status: 'failing',
      error_code: 'AUTHORITY_UNAVAILABLE',
    });
    expect(await eventsOf()).toEqual(['tracking_domain.active', 'tracking_domain.failing']);
  });

  it('is refused in the authority’s words, and asked for again only after a while', async () => {
    const row = await add();
    await setRecord(row);
    const { http } = servers;
    const port = (http.address() as { port: number }).port;
    await new Promise((resolve) => http.close(resolve));
    http.closeAllConnections();
    try {
      const refused = await until(row, ({ refusals }) => refusals === 1);
      expect(refused).toMatchObject({
        status: 'pending',
        error_code: 'CERTIFICATE_REFUSED',
        order_url: null,
      });
      expect(refused.error_message).toMatch(/^The certificate authority refuses the name: .{10}/);
    } finally {
      await listen(http, port);
    }
    const before = await orders();
    await look(row);
    expect(await orders()).toBe(before);
    expect((await getTrackingDomain(context.db, row.id)).error_message).toContain('refuses');
    now = new Date(Date.now() + 16 * 60_000);
    await until(row, active);
  });
});

describe('an order that the authority does not decide', () => {
  it('is asked for less often the longer it stands, or as the authority wants', async () => {
    const row = await add();
    await setRecord(row);
    let retryAfterMs: number | undefined;
    const slow = authority({
      readOrder: async () => ({
        state: 'processing',
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      }),
    });
    const begun = new Date();
    const lookAfter = (ms: number, orderedAt: string | undefined) => {
      now = new Date(begun.getTime() + ms);
      return look(row, slow, { orderedAt, retryPace: 1 });
    };
    const { waitMs, orderedAt } = await lookAfter(0, undefined);
    expect({ waitMs, orderedAt }).toEqual({ waitMs: 3_000, orderedAt: begun.toISOString() });
    expect(await lookAfter(600_000, orderedAt)).toMatchObject({ waitMs: 60_000, orderedAt });
    retryAfterMs = 90_000;
    expect(await lookAfter(600_000, orderedAt)).toMatchObject({ waitMs: 90_000, orderedAt });
    const silent = authority({ readOrder: unavailable });
    expect(await look(row, silent, { orderedAt })).toMatchObject({ orderedAt });
    now = new Date(begun.getTime() + DAY_MS);
    const moved = authority({
      readOrder: async () => ({ state: 'ready' }),
      finalize: async () => {},
    });
    expect(await look(row, moved, { orderedAt })).toMatchObject({ orderedAt: now.toISOString() });
  });
});

describe('what comes in between', () => {
  it('is refused in words where the authority takes no order of the name, and is asked for after a check', async () => {
    const row = await add();
    await setRecord(row);
    const words = 'Policy forbids issuing for name';
    const refuses = authority({
      openOrder: () => {
        const facts = { provider: 'acme', providerCode: 'rejectedIdentifier', reply: words };
        throw new ProviderError('rejected', 'acme: no', facts);
      },
    });
    await look(row, refuses);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      error_code: 'CERTIFICATE_REFUSED',
      error_message: expect.stringContaining(words),
      refusals: 1,
    });
    await context.db
      .updateTable('tracking_domains')
      .set({ refused_at: new Date(Date.now() - 13 * 60_000) })
      .where('id', '=', row.id)
      .execute();
    const before = await orders();
    await look(row);
    expect(await orders()).toBe(before);
    await checkTrackingDomain(context, userId, row.id);
    await until(row, active);
  });

  it('stays deleted, and tells nobody, when it is deleted during a look', async () => {
    const row = await add();
    await setRecord(row);
    const { dns } = context;
    const late: Context = {
      ...context,
      dns: {
        ...dns,
        resolveCname: async (name) => {
          await removeTrackingDomain(context, userId, row.id);
          return dns.resolveCname(name);
        },
      },
    };
    await look(row, late);
    expect(await getTrackingDomain(context.db, row.id)).toMatchObject({
      status: 'pending',
      checked_at: null,
    });
    expect(await eventsOf()).toEqual([]);
  });
});

describe('a worker that dies', () => {
  const CALLS = ['openOrder', 'readOrder', 'askToLook', 'finalize'] as const;

  it.each(CALLS)('before or after %s loses nothing', async (call) => {
    for (const when of ['before', 'after'] as const) {
      const row = await createTrackingDomain(context, userId, `${when}.${nameOf()}`);
      await setRecord(row);
      let deaths = 0;
      const mortal = authority({
        [call]: async (...input: unknown[]) => {
          const real = context.certificateAuthority[call] as (
            ...all: unknown[]
          ) => Promise<unknown>;
          if (deaths === 1) return real(...input);
          deaths += 1;
          if (when === 'after') await real(...input);
          throw new Error('the worker died');
        },
      });
      const done = await until(row, active, mortal);
      expect([when, deaths, done.refusals]).toEqual([when, 1, 0]);
    }
  });
});

async function deadResolver(): Promise<never> {
  throw new ProviderError('unavailable', 'dns: no answer', { provider: 'dns' });
}

async function unavailable(): Promise<never> {
  throw new ProviderError('unavailable', 'acme: no answer', { provider: 'acme' });
}

const authority = (own: Partial<CertificateAuthority>): Context => ({
  ...context,
  logger: pino({ level: 'silent' }),
  certificateAuthority: { ...context.certificateAuthority, ...own },
});

/** How many orders the authority has taken so far. */
async function orders(): Promise<number> {
  const { body } = await sandbox.control('GET', '/requests?vendor=acme');
  return body.requests.filter(({ path }: { path: string }) => path.endsWith('/new-order')).length;
}
