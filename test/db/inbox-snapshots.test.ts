/** What the sync of an inbox reads every few seconds: little where nothing has changed, and every change at once. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSyncSnapshot, syncSnapshots } from '../../src/db/inbox/inbox-syncs.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

let worlds = 0;
const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);

/** A cluster with two mailboxes, of which the first was read, the second never. */
async function cluster() {
  const { db } = database;
  const userId = await addSender(db);
  const context = { db, cipher, clock: { now: () => new Date() } };
  const domain = `c${(worlds += 1)}.acme.test`;
  const ids = await addMailboxes(context, userId, { count: 2, domain });
  const [read, unread] = ids as [number, number];
  await sql`insert into mailbox_syncs (mailbox_id, synced_at) values (${read}, now())`.execute(db);
  const { cluster_id: inboxId } = await db
    .selectFrom('mailboxes')
    .select('cluster_id')
    .$narrowType<{ cluster_id: number }>()
    .where('id', '=', read)
    .executeTakeFirstOrThrow();
  return { context, userId, domain, read, unread, inboxId };
}
type World = Awaited<ReturnType<typeof cluster>>;

/** The same mailboxes, connected ones of the account. */
async function connected(): Promise<World> {
  const world = await cluster();
  const { db } = database;
  const server = { host: 'mail.elsewhere.test', port: 993, tls: 'tls' };
  const servers = JSON.stringify({ username: 'ann', imap: server, smtp: server });
  for (const id of [world.read, world.unread]) {
    await sql`insert into connected_mailboxes (mailbox_id, servers)
      values (${id}, ${servers}::jsonb)`.execute(db);
  }
  await sql`update mailboxes set cluster_id = null where user_id = ${world.userId}`.execute(db);
  const { id: inboxId } = await db
    .insertInto('connected_inboxes')
    .values({ user_id: world.userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...world, inboxId };
}

/** What is read, by a clock of the test, and how often the rows were. */
function reader({ inboxId }: World) {
  let seconds = 0;
  let reads = 0;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => 'password' in row)) reads += 1;
      return result;
    },
  });
  const read = syncSnapshots(db, inboxId, () => seconds * 1_000);
  return { read, reads: () => reads, at: (second: number) => void (seconds = second) };
}

describe.each([
  ['a cluster', cluster],
  ['connected mailboxes', connected],
])('the inbox of %s', (_of, start) => {
  it('is read once while nothing changes, and again after a minute', async () => {
    const world = await start();
    const { read, reads, at } = reader(world);
    const first = await read();
    expect(first).toEqual(await readSyncSnapshot(database.db, world.inboxId));
    expect(first.mailboxes.map(({ id }) => id)).toEqual([world.read, world.unread]);
    for (let second = 3; second < 60; second += 3) {
      at(second);
      expect(await read()).toBe(first);
    }
    expect(reads()).toBe(1);
    at(60);
    expect(await read()).toEqual(first);
    expect(reads()).toBe(2);
  });

  it('is not read because one of its mailboxes was read once more', async () => {
    const world = await start();
    const { read, reads } = reader(world);
    await read();
    await sql`update mailbox_syncs set synced_at = now()
      where mailbox_id = ${world.read}`.execute(database.db);
    await read();
    expect(reads()).toBe(1);
  });

  const sync = (column: string) => (world: World) =>
    sql`update mailbox_syncs set ${sql.ref(column)} = now() where mailbox_id = ${world.read}`;
  const mailbox = (change: ReturnType<typeof sql>) => (world: World) =>
    sql`update mailboxes set ${change} where id = ${world.read}`;
  it.each<[string, (world: World) => ReturnType<typeof sql>]>([
    ['a request', sync('sync_asked_at')],
    ['a request of warm-up', sync('warmup_asked_at')],
    ['a failure', sync('failing_since')],
    ['a failed look', sync('looked_at')],
    [
      'a first reading',
      ({ unread }) =>
        sql`insert into mailbox_syncs (mailbox_id, synced_at) values (${unread}, now())`,
    ],
    ['another password', mailbox(sql`password = '\\x0102'`)],
    ['no password', mailbox(sql`password = null`)],
    ['another address', mailbox(sql`email = 'new-' || email`)],
    ['a mailbox that is gone', mailbox(sql`status = 'deleted'`)],
  ])('tells of %s at once', async (_what, change) => {
    const { before, after, rows } = await toldOf(await start(), change);
    expect(after).not.toEqual(before);
    expect(after).toEqual(rows);
  });
});

/** What is told before and after the change, and what the rows are then. */
async function toldOf(world: World, change: (world: World) => ReturnType<typeof sql>) {
  const { read } = reader(world);
  const before = await read();
  await change(world).execute(database.db);
  return { before, after: await read(), rows: await readSyncSnapshot(database.db, world.inboxId) };
}

describe('an inbox tells at once of', () => {
  it.each<[string, () => Promise<World>, (world: World) => ReturnType<typeof sql>]>([
    [
      'another name of its host',
      cluster,
      ({ userId }) => sql`update servers set host_name = 'new.test' where user_id = ${userId}`,
    ],
    [
      'its cluster that is not active any more',
      cluster,
      ({ inboxId }) => sql`update clusters set status = 'deleting' where id = ${inboxId}`,
    ],
    [
      'other servers of a connected mailbox',
      connected,
      ({ read }) => sql`update connected_mailboxes
        set servers = jsonb_set(servers, '{imap,port}', '1993') where mailbox_id = ${read}`,
    ],
    [
      'its account that is gone',
      connected,
      ({ inboxId }) => sql`delete from connected_inboxes where id = ${inboxId}`,
    ],
  ])('%s', async (_what, start, change) => {
    const { before, after, rows } = await toldOf(await start(), change);
    expect(after).not.toEqual(before);
    expect(after).toEqual(rows);
  });

  it('a new mailbox, also as its first', async () => {
    const world = await cluster();
    const { read } = reader(world);
    await sql`update mailboxes set status = 'deleted' where user_id = ${world.userId}`.execute(
      database.db,
    );
    expect(await read()).toMatchObject({ isActive: true, mailboxes: [] });
    await sql`update mailboxes set status = 'active' where id = ${world.unread}`.execute(
      database.db,
    );
    expect((await read()).mailboxes.map(({ id }) => id)).toEqual([world.unread]);
  });
});
