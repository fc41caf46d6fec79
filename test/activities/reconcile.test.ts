/** The comparison of books: what it finds, what it heals, and what it never touches. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { BookInput, BookResult, OurBooksResult } from '../../activities/reconcile/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { listBookChecks, listOpenFindings } from '../../src/db/operations/findings.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { findResource } from '../../src/db/operations/provider-resources.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext, fund } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

/** Nobody listens there: the test calls the activities itself. */
const NO_TEMPORAL = '127.0.0.1:9';
const HOUR_MS = 3_600_000;
const words = { actor: 'operator:ann', reason: 'looked at' };

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;
let started: number[] = [];

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, NO_TEMPORAL);
  context.startOperation = async ({ id }) => {
    started.push(id);
    return true;
  };
  activities = createActivities(context);
  await fund(context, 'ann', 100_000);
});

beforeEach(() => {
  later();
});

afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

/** Everything that was made so far is older than the grace time. */
const later = (ms = HOUR_MS) => {
  context.clock.now = () => new Date(Date.now() + ms);
};

const call = <T>(name: keyof Activities, input: object, list = activities): Promise<T> =>
  activityEnvironment().run(list[name] as (given: unknown) => Promise<T>, input);

const compare = (book: string, heal: BookInput['heal'] = 'none', list = activities) =>
  call<BookResult>('compareBook', { book, heal, words }, list);

/** A person has looked at this one. */
const healOne = (book: string, subject: string) =>
  call<BookResult>('compareBook', { book, heal: 'safe', subject, words });

let names = 0;

/** An ordered server, and what it belongs to. */
async function order() {
  const domain = `books-${++names}.com`;
  const { id } = await createCluster(context, 'ann', { domain, useExistingVps: false });
  const { operation_id } = await getCluster(context.db, id);
  const step = { operationId: operation_id!, clusterId: id };
  await call('orderServer', step);
  const { token } = (await findResource(context.db, operation_id!, 'server_create'))!;
  return { ...step, domain, name: token };
}

type Ordered = Awaited<ReturnType<typeof order>>;

/** The operation is over and the cluster is not on the server, as after an undo that went wrong. */
async function abandon({ operationId, clusterId, name }: Ordered, row = 'deleted') {
  const { db } = context;
  await sql`update servers set status = ${row}
    where intent_name = ${name}`.execute(db);
  await sql`update clusters set status = 'failed', server_id = null where id = ${clusterId}`.execute(
    db,
  );
  await sql`update operations set state = 'failed', started_at = now(), finished_at = now()
    where id = ${operationId}`.execute(db);
}

const servers = async () => {
  const { body } = await sandbox.control('GET', '/books');
  const { hetzner } = (body as { vps: Record<string, { servers: ServerBook[] }> }).vps;
  return hetzner!.servers;
};
interface ServerBook {
  name: string;
  deletedAt: string | null;
}
const isAlive = async ({ name }: { name: string }) =>
  (await servers()).some((server) => server.name === name && server.deletedAt === null);

const openOf = async (kind: string) =>
  (await listOpenFindings(context.db)).filter((one) => one.kind === kind);

const eventsOf = ({ operationId }: Ordered) =>
  context.db
    .selectFrom('operation_events')
    .select(['actor', 'reason', 'detail'])
    .where('operation_id', '=', operationId)
    .where('kind', '=', 'reconciled')
    .execute();

const BOOK = 'vps/hetzner';

describe('a run of the Schedule', () => {
  const ours = (vendors: 'due' | 'all') =>
    call<OurBooksResult>('compareOurBooks', { heal: 'none', words, vendors });

  it('compares our own records at once, and leaves out vendors that agreed a moment ago', async () => {
    const all = await ours('all');
    expect(all.failed).toEqual([]);
    expect(all.due).toContain(BOOK);
    expect((await listBookChecks(context.db)).map(({ book }) => book)).toEqual(
      expect.arrayContaining(['workflows', 'holds', 'ledger']),
    );
    expect((await ours('due')).due).toEqual(all.due);
    for (const book of all.due) await compare(book);
    const differing = await openBooks();
    expect((await ours('due')).due).toEqual(all.due.filter((book) => differing.includes(book)));
    expect((await ours('all')).due).toEqual(all.due);
    later(HOUR_MS + 25 * 60_000);
    expect((await ours('due')).due).toEqual(all.due);
  });

  it('looks again at the next run at a vendor that differs', async () => {
    const orphan = await order();
    await abandon(orphan);
    await compare(BOOK);
    expect((await ours('due')).due).toContain(BOOK);
    await compare(BOOK, 'safe');
    await compare(BOOK);
    expect((await ours('due')).due).not.toContain(BOOK);
  });
});

const openBooks = async () => (await listOpenFindings(context.db)).map(({ book }) => book);

describe('a server at the vendor', () => {
  it('that an operation left behind is found, destroyed once, and written down', async () => {
    const orphan = await order();
    await abandon(orphan);
    expect(await compare(BOOK)).toMatchObject({ found: 1, healed: 0 });
    expect(await isAlive(orphan)).toBe(true);
    expect(await openOf('orphan_server')).toMatchObject([
      { subject: `hetzner/${orphan.name}`, operationId: orphan.operationId },
    ]);
    expect(await compare(BOOK, 'safe')).toMatchObject({ found: 1, healed: 1 });
    expect(await isAlive(orphan)).toBe(false);
    expect(await eventsOf(orphan)).toMatchObject([{ ...words, detail: { action: 'destroy' } }]);
    expect(await compare(BOOK, 'safe')).toMatchObject({ found: 0, healed: 0 });
    expect(await openOf('orphan_server')).toEqual([]);
  });

  it('that an unfinished operation or a live cluster may own is left alone', async () => {
    const running = await order();
    const retried = await order();
    await abandon(retried);
    // A later attempt at the same cluster is under way.
    await sql`insert into operations (user_id, kind, workflow_id, task_queue, summary, input,
      resource_type, resource_id, started_at) select user_id, kind, workflow_id || '/again',
      task_queue, summary, input, resource_type, resource_id, now()
      from operations where id = ${retried.operationId}`.execute(context.db);
    const owned = await order();
    await abandon(owned, 'active');
    await sql`update clusters set status = 'active', server_id =
      (select id from servers where intent_name = ${owned.name})
      where id = ${owned.clusterId}`.execute(context.db);
    expect(await compare(BOOK, 'safe')).toMatchObject({ found: 0, healed: 0 });
    for (const one of [running, retried, owned]) expect(await isAlive(one)).toBe(true);
  });

  it('that is young is not looked at yet', async () => {
    const orphan = await order();
    await abandon(orphan);
    later(0);
    expect(await compare(BOOK, 'safe')).toMatchObject({ found: 0 });
    expect(await isAlive(orphan)).toBe(true);
    later();
    expect(await compare(BOOK, 'safe')).toMatchObject({ healed: 1 });
  });

  it('that was up is destroyed only where a person names it, and no other with it', async () => {
    const orphan = await order();
    await abandon(orphan, 'active');
    expect(await compare(BOOK, 'safe')).toMatchObject({ found: 1, healed: 0 });
    expect(await isAlive(orphan)).toBe(true);
    const other = await order();
    await abandon(other, 'active');
    const subject = `hetzner/${orphan.name}`;
    expect(await healOne(BOOK, subject)).toMatchObject({ found: 2, healed: 1 });
    expect([await isAlive(orphan), await isAlive(other)]).toEqual([false, true]);
    expect(await healOne(BOOK, `hetzner/${other.name}`)).toMatchObject({ found: 1, healed: 1 });
  });

  it('of another installation in the same project is shown and never destroyed', async () => {
    const twin = await order();
    await abandon(twin);
    // The same name, another server: this installation knows its own by the vendor's id.
    await sql`update provider_resources set external_id = '1' where token = ${twin.name}`.execute(
      context.db,
    );
    const vps = context.vps['hetzner']!;
    const labels = { cluster: '1', 'managed-by': 'outreach', domain: 'elsewhere.com' };
    const sshPublicKey = context.mailHost.makeKeys().client.publicKey;
    await vps.create({
      name: 'outreach-999999-1',
      sshPublicKey,
      userData: '#cloud-config',
      labels,
    });
    expect(await healOne(BOOK, `hetzner/${twin.name}`)).toMatchObject({ found: 2, healed: 0 });
    expect(await openOf('unknown_server')).toHaveLength(2);
    expect(await isAlive(twin)).toBe(true);
    await vps.destroy(twin.name);
    await vps.destroy('outreach-999999-1');
    expect(await compare(BOOK)).toMatchObject({ found: 0 });
  });

  it('is destroyed by the next comparison where the process dies before or after the request', async () => {
    const vps = context.vps['hetzner']!;
    for (const destroy of [
      () => Promise.reject(new Error('died before')),
      async (name: string) => {
        await vps.destroy(name);
        throw new Error('died after');
      },
    ]) {
      const orphan = await order();
      await abandon(orphan);
      const dying = createActivities({ ...context, vps: { hetzner: { ...vps, destroy } } });
      expect(await compare(BOOK, 'safe', dying)).toMatchObject({ found: 1, healed: 0 });
      await compare(BOOK, 'safe');
      expect(await isAlive(orphan)).toBe(false);
      expect(await compare(BOOK)).toMatchObject({ found: 0 });
      expect(await openOf('orphan_server')).toEqual([]);
    }
  });

  it('that a live cluster is on, and the vendor has not, is shown', async () => {
    const lost = await order();
    await context.vps['hetzner']!.destroy(lost.name);
    await sql`update servers set status = 'active' where intent_name = ${lost.name}`.execute(
      context.db,
    );
    await sql`update clusters set status = 'active' where id = ${lost.clusterId}`.execute(
      context.db,
    );
    await compare(BOOK, 'safe');
    expect(await openOf('missing_server')).toMatchObject([{ subject: `hetzner/${lost.name}` }]);
    await sql`update clusters set status = 'deleted' where id = ${lost.clusterId}`.execute(
      context.db,
    );
    await compare(BOOK);
    expect(await openOf('missing_server')).toEqual([]);
  });
});

describe('a vendor that refuses us', () => {
  it('is noted with the kind of its error; what was found before stays open', async () => {
    const orphan = await order();
    await abandon(orphan);
    await compare(BOOK);
    const listOurs = () =>
      Promise.reject(new ProviderError('auth', 'the token expired', { provider: 'hetzner' }));
    const refused = createActivities({
      ...context,
      vps: { hetzner: { ...context.vps['hetzner']!, listOurs } },
    });
    expect(await compare(BOOK, 'safe', refused)).toMatchObject({ failed: true, found: 0 });
    const [check] = (await listBookChecks(context.db)).filter(({ book }) => book === BOOK);
    expect(check).toMatchObject({ errorKind: 'auth', error: 'the token expired' });
    expect(check!.succeededAt).not.toBeNull();
    expect(await openOf('orphan_server')).toHaveLength(1);
    expect(await compare(BOOK, 'safe')).toMatchObject({ failed: false, healed: 1 });
  });
});

describe('a domain', () => {
  it('that was bought for an operation that is over is shown, and so is one of nobody', async () => {
    const registrar = context.registrars['namecom']!;
    const { id } = await createCluster(context, 'ann', {
      domain: 'bought-late.com',
      useExistingVps: false,
    });
    const { operation_id: operationId, domain_id: domainId } = await getCluster(context.db, id);
    await call('registerDomain', { operationId, domainId });
    await registrar.register('of-nobody.com', 2_000, 'a key');
    const book = 'registrars/namecom';
    const kinds = async () => {
      const open = await listOpenFindings(context.db);
      return open.filter((one) => one.book === book).map(({ kind, subject }) => [kind, subject]);
    };
    await compare(book, 'safe');
    expect(await kinds()).toEqual([['unknown_domain', 'namecom/of-nobody.com']]);

    // Given up and refunded, while the registrar sold it after all.
    await sql`update domains set status = 'failed' where id = ${domainId}`.execute(context.db);
    await compare(book, 'safe');
    expect(await kinds()).toHaveLength(1);
    await sql`update operations set state = 'failed', finished_at = now()
      where id = ${operationId}`.execute(context.db);
    await compare(book, 'safe');
    expect(await kinds()).toContainEqual(['unrecorded_domain', 'namecom/bought-late.com']);
    expect(await openOf('unrecorded_domain')).toMatchObject([{ operationId }]);

    await sql`update domains set status = 'active', name = 'gone-elsewhere.com'
      where id = ${domainId}`.execute(context.db);
    await compare(book, 'safe');
    expect(await kinds()).toContainEqual(['missing_domain', 'namecom/gone-elsewhere.com']);
  });
});

describe('money that is set aside', () => {
  const heldCents = async () => {
    const { rows } = await sql<{ held: number }>`
      select held_cents as held from wallets where user_id = 'ben'`.execute(context.db);
    return Number(rows[0]!.held);
  };

  it('is released once where nothing under way needs it, and never before', async () => {
    await fund(context, 'ben', 50_000);
    const { id } = await createCluster(context, 'ben', {
      domain: 'held.com',
      useExistingVps: false,
    });
    const { operation_id: operationId } = await getCluster(context.db, id);
    // What the tests above have left behind goes first.
    await compare('holds', 'safe');
    expect(await heldCents()).toBe(4_100);
    await sql`update operations set state = 'failed', finished_at = now()
      where id = ${operationId}`.execute(context.db);
    later(0);
    expect(await compare('holds', 'safe')).toMatchObject({ found: 0 });
    later();
    expect(await compare('holds')).toMatchObject({ found: 1, healed: 0 });
    const both = await Promise.all([compare('holds', 'safe'), compare('holds', 'safe')]);
    expect(both.map(({ healed }) => healed).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(await heldCents()).toBe(0);
    expect(await auditWallets(context.db)).toEqual([]);
    expect(await eventsOf({ operationId } as Ordered)).toMatchObject([
      { ...words, detail: { action: 'release', releasedCents: 4_100 } },
    ]);
    expect(await compare('holds', 'safe')).toMatchObject({ found: 0 });
  });
});

describe('a row without a workflow', () => {
  it('is found after a minute and started', async () => {
    const { id } = await createCluster(context, 'ann', {
      domain: 'not-started.com',
      useExistingVps: false,
    });
    const { operation_id: operationId } = await getCluster(context.db, id);
    started = [];
    later(30_000);
    await compare('workflows', 'safe');
    expect(started).not.toContain(operationId);
    later();
    await compare('workflows', 'safe');
    expect(started).toContain(operationId);
    await sql`update operations set started_at = now() where started_at is null`.execute(
      context.db,
    );
    expect(await compare('workflows')).toMatchObject({ found: 0 });
  });
});

describe('a wallet that differs from the ledger', () => {
  it('is found, and left to a person', async () => {
    const { db } = context;
    await sql`update wallets set available_cents = available_cents + 1 where user_id = 'ann'`.execute(
      db,
    );
    expect(await compare('ledger', 'safe')).toMatchObject({ found: 1, healed: 0 });
    expect(await openOf('wallet_mismatch')).toHaveLength(1);
    await sql`update wallets set available_cents = available_cents - 1 where user_id = 'ann'`.execute(
      db,
    );
    expect(await compare('ledger')).toMatchObject({ found: 0 });
  });
});
