/** Filters that few rows of a large account fit read those, and not all that others have. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAuditEntries } from '../../src/db/accounts/audit-log-pages.ts';
import { openDatabase } from '../../src/db/database.ts';
import { listThreads, type ThreadFilter } from '../../src/db/inbox/inbox-threads.ts';
import type { Database } from '../../src/db/tables.ts';
import { listEvents } from '../../src/db/webhooks/events.ts';
import { listDeliveries } from '../../src/db/webhooks/webhook-deliveries.ts';
import type { EventType } from '../../src/domain/webhooks/events.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMailbox } from '../support/inbox/inbox-messages.ts';

const USER = 'rare';
const ROWS = 20_000;
/** Every so-and-so-many-th row is rare. */
const STEP = 1_000;
const RARE = ROWS / STEP;
const PAGE = { limit: 50, offset: 0 };
/** Entries of indexes: some pages. */
const FEW = 500;

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: Kysely<Database>;
let mailboxes: number[];
let webhookId: number;
let eventIds: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await db.insertInto('users').values({ user_id: USER, email: 'r@example.test' }).execute();
  mailboxes = [];
  for (let n = 0; n < 3; n += 1) mailboxes.push((await addMailbox(db, USER)).mailboxId);
  const [many, few] = mailboxes;
  await sql`
    insert into threads (user_id, mailbox_id, subject, unread_count, last_message_at)
    select ${USER}, case n % ${STEP} when 0 then ${few!}::bigint else ${many!}::bigint end, 'About ' || n,
      case n % ${STEP} when 1 then 1 else 0 end, now() - n * interval '1 minute'
    from generate_series(1, ${ROWS}::integer) as n`.execute(db);
  const { rows: events } = await sql<{ id: number }>`
    insert into events (user_id, type, resource, payload)
    select ${USER}, case n % ${STEP} when 0 then 'mailbox.health_changed' when 1 then 'email.bounced'
      else 'email.sent' end, 'lead/' || n, '{}'
    from generate_series(1, ${ROWS}::integer) as n returning id`.execute(db);
  eventIds = events.map(({ id }) => id).toSorted((a, b) => a - b);
  const { rows: hooks } = await sql<{ id: number }>`
    insert into webhooks (user_id, url, event_types) values (${USER}, 'https://x.test', '{}')
    returning id`.execute(db);
  webhookId = hooks[0]!.id;
  await sql`
    insert into webhook_deliveries (webhook_id, event_id, resource, state)
    select ${webhookId}, id, resource, case type when 'email.bounced' then 'failed' else 'delivered' end
    from events where user_id = ${USER} order by id`.execute(db);
  await sql`
    insert into audit_log (user_id, actor_kind, actor_id, action)
    select ${USER}, case n % ${STEP} when 1 then 'operator' else 'api_key' end,
      case n % ${STEP} when 0 then 'few' else 'many' end, 'leads.update'
    from generate_series(1, ${ROWS}::integer) as n`.execute(db);
  await database.vacuum();
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

const TABLES = ['threads', 'events', 'webhook_deliveries', 'audit_log'];

async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any (${TABLES}))::integer
      + (select sum(seq_tup_read) from pg_stat_user_tables
        where relname = any (${TABLES}))::integer as read`.execute(db);
  return rows[0]!.read;
}

/** The answer, where little was read for it. */
async function cheap<T>(read: () => Promise<T>): Promise<T> {
  const before = await readSoFar();
  const answer = await read();
  expect((await readSoFar()) - before).toBeLessThan(FEW);
  return answer;
}

describe('a page of threads', () => {
  it.each<[string, () => ThreadFilter, number]>([
    ['with unread messages', () => ({ isRead: false }), RARE],
    ['of a mailbox that has few', () => ({ mailboxId: mailboxes[1]! }), RARE],
    ['of a mailbox that has none', () => ({ mailboxId: mailboxes[2]! }), 0],
    ['with unread messages of such a one', () => ({ mailboxId: mailboxes[1]!, isRead: false }), 0],
  ])('%s reads these', async (_, filter, total) => {
    const page = await cheap(() => listThreads(db, { userId: USER, filter: filter() }, PAGE));
    expect([page.rows.length, page.total]).toEqual([total, total]);
    const times = page.rows.map((row) => row.last_message_at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });
});

it.each([
  ['failed', RARE],
  ['pending', 0],
] as const)('a page of deliveries that are %s reads these', async (state, total) => {
  const page = await cheap(() => listDeliveries(db, { webhookId, state, ...PAGE }));
  expect([page.rows.length, page.total]).toEqual([total, total]);
  const ids = page.rows.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});

describe('a page of the audit log', () => {
  it.each([
    ['an actor who did little', 'few', RARE],
    ['a kind of actors that did little', 'operator', RARE],
    ['an actor who did nothing', 'nobody', 0],
    ['an actor who did nearly all', 'many', 50],
    ['a kind of actors that did nearly all', 'api_key', 50],
  ])('of %s reads that', async (_, actor, found) => {
    const read = (before?: number) =>
      cheap(() => listAuditEntries(db, USER, { filter: { actor }, before, limit: 50 }));
    const rows = await read();
    expect(rows).toHaveLength(found);
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(rows.every((row) => [row.actor_id, row.actor_kind].includes(actor as never))).toBe(true);
    const rest = await read(ids[1] ?? 0);
    expect(rest[0]?.id).toBe(ids[2]);
  });
});

describe('events', () => {
  const RARELY: EventType[] = ['mailbox.health_changed', 'email.bounced'];
  it.each<[string, EventType[], () => number | undefined, number]>([
    ['of rare types', RARELY, () => undefined, 2 * RARE],
    ['of a rare type', RARELY.slice(0, 1), () => undefined, RARE],
    ['of a rare type, after the last one', RARELY.slice(0, 1), () => eventIds.at(-1), 0],
    ['of a rare type, from the middle', RARELY.slice(0, 1), () => eventIds[ROWS / 2], RARE / 2],
    ['of a type that never was', ['wallet.low_balance' as EventType], () => undefined, 0],
    ['of all types there are', [...RARELY, 'email.sent'], () => undefined, 50],
    ['of a type that is named twice', ['email.bounced', 'email.bounced'], () => undefined, RARE],
  ])('%s are read, and no others', async (_, types, after, found) => {
    const events = await cheap(() => listEvents(db, USER, { types, after: after(), limit: 50 }));
    expect(events).toHaveLength(found);
    const ids = events!.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(events!.every(({ type }) => types.includes(type))).toBe(true);
  });
});

/** What the statistics call frequent, and of which there is nothing among the newest. */
describe('what an account did until a while ago', () => {
  const OTHER = 'changed';
  const many = sql`generate_series(1, ${ROWS / 2}::integer)`;
  beforeAll(async () => {
    await db.insertInto('users').values({ user_id: OTHER, email: 'c@example.test' }).execute();
    for (const [kind, actor, action] of [
      ['api_key', 'former', 'leads.update'],
      ['user', 'present', 'suppressions.create'],
      ['api_key', 'busy', 'leads.create'],
    ]) {
      await sql`insert into audit_log (user_id, actor_kind, actor_id, action)
        select ${OTHER}, ${kind}, ${actor}, ${action} from ${many}`.execute(db);
    }
    for (const type of ['email.sent', 'email.opened']) {
      await sql`insert into events (user_id, type, resource, payload)
        select ${OTHER}, ${type}, 'lead/1', '{}' from ${many}`.execute(db);
    }
    await database.vacuum();
  }, 120_000);

  it.each([
    { action: 'leads.update' },
    { actor: 'api_key' },
    { actor: 'former' },
    { actor: 'former', action: 'leads.update' },
    { actor: 'api_key', action: 'leads.update' },
  ])('is found in its audit log without what it did since: %o', async (filter) => {
    const rows = await cheap(() => listAuditEntries(db, OTHER, { filter, limit: 50 }));
    expect(rows).toHaveLength(50);
    const isMeant = (row: (typeof rows)[number]) =>
      row.action === (filter.action ?? row.action) &&
      [row.actor_kind, row.actor_id].includes(filter.actor ?? row.actor_kind);
    expect(rows.filter((row) => !isMeant(row))).toEqual([]);
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  it('is known not to follow among its events without reading all others', async () => {
    const { rows } = await sql<{ id: number }>`select max(id) as id from events
      where user_id = ${OTHER} and type = 'email.sent'`.execute(db);
    const page = { types: ['email.sent'] as EventType[], after: rows[0]!.id, limit: 50 };
    expect(await cheap(() => listEvents(db, OTHER, page))).toEqual([]);
  });
});
