/**
 * Searches that are planned once: a large account's reads no more than if it were planned for it, and others' read what
 * these have. Others have a row each, so that the account of the average is small.
 */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { listLeads } from '../../src/services/leads/leads.ts';
import { listSuppressions } from '../../src/services/suppressions/suppression-pages.ts';
import { listUserMessages } from '../../src/services/inbox/inbox.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { writeAllRanges } from '../support/database/suppression-ranges.ts';
import { addMailbox, addMessage } from '../support/inbox/inbox-messages.ts';

const ROWS = 40_000;
const MESSAGES = 20_000;
const OTHERS = 3_000;
const LARGE = 'large';
/** An account with rows beyond the near ones, none of which has what all of the large one's have. */
const MIDDLE = 'middle';
const ROWS_OF_MIDDLE = 2_000;
/** An account that has the oldest rows: whoever looked for them among the newest would read all. */
const SMALL = 'one7';
/** Rows and entries of indexes: the first hundreds, a block's, and those of the page. */
const SOME = 8_000;
const NEXT_TO_NOTHING = 100;

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: Kysely<Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await sql`insert into users (user_id, email)
    select 'one' || n, n || '@example.test' from generate_series(1, ${OTHERS}::integer) as n
    union all select ${LARGE}, 'l@example.test' union all select ${MIDDLE}, 'm@example.test'`.execute(
    db,
  );
  await sql`insert into leads (user_id, first_name, last_name, name_key)
    select 'one' || n, 'Kim', 'Lone' || n, 'kim' from generate_series(1, ${OTHERS}::integer) as n`.execute(
    db,
  );
  await sql`insert into suppressions (user_id, kind, value, reason)
    select 'one' || n, 'email', 'lone' || n || '@alone.test', 'bounce'
    from generate_series(1, ${OTHERS}::integer) as n`.execute(db);
  await sql`insert into companies (user_id, name, name_key)
    select ${LARGE}, 'Firm ' || n || case n when 7 then ' jq' else '' end, 'firm'
    from generate_series(1, ${ROWS / 4}::integer) as n`.execute(db);
  await sql`insert into leads (user_id, company_id, first_name, last_name, name_key)
    select ${LARGE}, first.id + (n - 1) / 4, 'Ann' || n, 'Lee', 'ann' || n
    from generate_series(1, ${ROWS}::integer) as n, (select min(id) as id from companies) as first`.execute(
    db,
  );
  await sql`insert into suppressions (user_id, kind, value, reason)
    select ${LARGE}, 'email', case when n <= 1000 then 'old' else '' end || n || '@gone.test', 'bounce'
    from generate_series(1, ${ROWS}::integer) as n`.execute(db);
  const { mailboxId } = await addMailbox(db, LARGE);
  const { threadId } = await addMessage(db, { userId: LARGE, mailboxId });
  await sql`insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address, subject,
      kind, sent_at, received_at, in_inbox)
    select user_id, ${mailboxId}, ${threadId}, 'inbound', '<' || gen_random_uuid() || '@x.test>', 'a@x.test',
      subject, 'message', at, at, true
    from (
      select ${LARGE} as user_id, 'About ' || n || case n % 1000 when 7 then ' zebras' else '' end as subject,
        now() - n * interval '1 minute' as at from generate_series(1, ${MESSAGES}::integer) as n
      union all select ${MIDDLE}, 'Else ' || n, now() - n * interval '1 minute'
      from generate_series(1, ${ROWS_OF_MIDDLE}::integer) as n
      union all select 'one' || n, 'Lone', now() - interval '90 days' - n * interval '1 minute'
      from generate_series(1, ${OTHERS}::integer) as n) as written`.execute(db);
  await sql`update inbox_counts set messages = ${MESSAGES} where user_id = ${LARGE}`.execute(db);
  await sql`insert into leads (user_id, first_name, last_name, name_key)
    select ${MIDDLE}, 'Bob' || n, 'Kim', 'bob' from generate_series(1, ${ROWS_OF_MIDDLE}::integer) as n`.execute(
    db,
  );
  await sql`insert into suppressions (user_id, kind, value, reason)
    select ${MIDDLE}, 'email', 'bob' || n || '@kim.test', 'bounce'
    from generate_series(1, ${ROWS_OF_MIDDLE}::integer) as n`.execute(db);
  await writeAllRanges(db, ['suppressions']);
  await database.vacuum();
}, 240_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

type Searched = 'leads' | 'suppressions' | 'messages';
interface Found {
  total: number | null;
  found: number;
}

const part = { limit: 20, offset: 0 };
const SEARCHES: Record<Searched, (userId: string, search: string) => Promise<Found>> = {
  async leads(userId, search) {
    const order = { sort: 'createdAt', order: 'desc' } as const;
    const { rows, total } = await listLeads({ db }, userId, { filter: { search }, order, ...part });
    return { found: rows.length, total };
  },
  async suppressions(userId, search) {
    const { rows, total } = await listSuppressions({ db }, userId, { filter: { search }, ...part });
    return { found: rows.length, total };
  },
  async messages(userId, search) {
    const { items, total } = await listUserMessages({ db }, { userId, filter: { search } }, part);
    return { found: (JSON.parse(items) as unknown[]).length, total };
  },
};

describe('a search that is planned once', () => {
  it.each<[Searched, string, number, number]>([
    ['suppressions', 'old', 20, 50],
    ['suppressions', '4711@gone', 4, 4],
    ['suppressions', 'd1', 20, 112],
    ['suppressions', 'xqz', 0, 0],
    ['leads', 'ann4711', 1, 1],
    ['leads', 'ann777', 11, 11],
    ['leads', 'jq', 4, 4],
    ['leads', 'xqz', 0, 0],
    ['messages', 'zebras', 20, 20],
    ['messages', 'zebras 4007', 1, 1],
    ['messages', 'xqz', 0, 0],
  ])('finds %s with %s of many by the index of texts', async (table, search, found, total) => {
    const find = () => SEARCHES[table](LARGE, search);
    await often(find);
    const { answer: page, ...reads } = await watched(find);
    expect(page).toEqual({ found, total });
    expect(reads.inSequence).toBe(0);
    expect(reads.read).toBeLessThan(SOME);
    // The plan for any values was taken.
    expect(await plannedOnce()).toContain(table);
  });

  it.each<[Searched, string]>([
    ['leads', 'ann'],
    ['leads', 'firm'],
    ['suppressions', 'gone.test'],
    ['messages', 'about'],
  ])('reads no %s of others that have a frequent text: %s', async (table, search) => {
    const find = () => SEARCHES[table](MIDDLE, search);
    await often(find);
    const { answer: page, ...reads } = await watched(find);
    expect(page).toEqual({ found: 0, total: 0 });
    expect(reads.read + reads.inSequence).toBeLessThan(SOME);
  });

  it.each<[Searched, string, number]>([
    ['suppressions', 'lone7@', 1],
    ['suppressions', 'lone8@', 0],
    ['leads', 'lone7', 1],
    ['leads', 'lone8', 0],
    ['messages', 'lone', 1],
    ['messages', 'zebras', 0],
  ])('reads the few %s of a small account: %s', async (table, search, found) => {
    const find = () => SEARCHES[table](SMALL, search);
    await often(find);
    const { answer: page, ...reads } = await watched(find);
    expect(page.found).toBe(found);
    expect(reads.read).toBeLessThan(NEXT_TO_NOTHING);
  });
});

/** Postgres plans the first five times for the values. */
async function often(find: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 8; n += 1) await find();
}

/** The tables of the statements whose plan for any values was taken. */
async function plannedOnce(): Promise<string> {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where generic_plans > 0`.execute(db);
  return rows.map(({ statement }) => statement).join();
}

const TABLES = ['leads', 'companies', 'suppressions', 'messages'];

async function watched<T>(find: () => Promise<T>) {
  const before = await readSoFar();
  const answer = await find();
  const after = await readSoFar();
  return {
    answer,
    inSequence: after.inSequence - before.inSequence,
    read: after.read - before.read,
  };
}

/** Entries of indexes and rows, and rows one after the other. */
async function readSoFar(): Promise<{ inSequence: number; read: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ inSequence: number; read: number }>`
    select sum(seq_tup_read)::int as "inSequence",
      (sum(idx_tup_fetch) + (select sum(idx_tup_read) from pg_stat_user_indexes
        where relname = any (${TABLES})))::int as read
    from pg_stat_user_tables where relname = any (${TABLES})`.execute(db);
  return rows[0]!;
}
