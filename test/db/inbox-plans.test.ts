/** Filters of a large inbox are answered by indexes, not by reading all messages. Choice 34. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagesOf, type InboxFilter } from '../../src/db/inbox/inbox-filters.ts';
import { readMessagePage } from '../../src/db/inbox/inbox-pages.ts';
import { addMailbox, addMessage } from '../support/inbox/inbox-messages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const MESSAGES = 10_000;
const USER = 'plans';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db
    .insertInto('users')
    .values({ user_id: USER, email: 'p@example.test', name: null })
    .execute();
  const { mailboxId } = await addMailbox(db, USER);
  const { threadId } = await addMessage(db, { userId: USER, mailboxId });
  // Half of them from one domain; all others from and to an address of its own.
  await sql`
    insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address,
      to_addresses, cc_addresses, sent_at, received_at)
    select ${USER}, ${mailboxId}, ${threadId}, 'inbound', '<' || n || '@x.test>',
      case n % 2 when 0 then n || '@Big.test' else 'a@d' || n || '.test' end,
      array['Own@host.test'], array['c@e' || n || '.test'], now() - n * interval '1 minute',
      now() - n * interval '1 minute'
    from generate_series(1, ${MESSAGES}::integer) as n`.execute(db);
  await database.vacuum('messages');
});
afterAll(() => database?.close());

const listed = (filter: InboxFilter) => sql`
  select id from messages as m where ${messagesOf(USER, filter)}
  order by received_at desc, id desc limit 21`;

/** Messages that a page touches, those that it throws away included. */
async function touched(filter: InboxFilter): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
    explain (analyze, format json) ${listed(filter)}`.execute(database.db);
  return rowsOf(rows[0]!['QUERY PLAN'][0].Plan);
}

interface Plan {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const rowsOf = (plan: Plan): number =>
  Math.max(
    plan['Actual Rows'] +
      (plan['Rows Removed by Filter'] ?? 0) +
      (plan['Rows Removed by Index Recheck'] ?? 0),
    ...(plan.Plans ?? []).map(rowsOf),
  );

describe('a page of messages', () => {
  it.each<[string, InboxFilter, number]>([
    ['from a domain that writes often', { from: '@big.test' }, 21],
    ['from a domain that writes seldom', { from: '@D9999.test' }, 1],
    ['from a domain that never wrote', { from: '@nobody.test' }, 0],
    ['from an address', { from: 'a@d9999.test' }, 1],
    ['to an address that gets all', { to: 'own@host.test' }, 21],
    ['to an address that got one', { to: 'C@e9999.test' }, 1],
    ['to a domain that got one', { to: '@e9999.test' }, 1],
    ['to nobody', { to: 'nobody@e9999.test' }, 0],
  ])('%s reads few', async (_, filter, found) => {
    const { rows } = await listed(filter).execute(database.db);
    expect(rows).toHaveLength(found);
    expect(await touched(filter)).toBeLessThan(100);
  });
});

it('counts no further than a thousand whom messages went to, since that is computed for each', async () => {
  const page = (filter: InboxFilter) =>
    readMessagePage(database.db, { userId: USER, filter }, { limit: 20, offset: 0 });
  expect(await page({ to: 'own@host.test' })).toMatchObject({ total: 1_000, isCapped: true });
  expect(await page({ to: 'c@e9999.test' })).toMatchObject({ total: 1, isCapped: false });
  expect(await page({ direction: 'inbound' })).toMatchObject({ total: 10_000, isCapped: true });
});

it('finds what address and domain fit exactly, and nothing else', async () => {
  const of = async (filter: InboxFilter) => (await listed(filter).execute(database.db)).rows.length;
  expect(await of({ to: 'wn@host.test' })).toBe(0);
  expect(await of({ to: '@ost.test' })).toBe(0);
  expect(await of({ from: '@ig.test' })).toBe(0);
  expect(await of({ from: '@%' })).toBe(0);
});
