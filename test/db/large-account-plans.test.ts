/** What pages, searches and counts read of a large account: by indexes, and no more than a page is worth. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { LeadFilter } from '../../src/db/leads/lead-queries.ts';
import type { Database } from '../../src/db/tables.ts';
import { listCompanies } from '../../src/services/leads/companies.ts';
import { getUserLeadList, listLeadLists } from '../../src/services/leads/lead-lists.ts';
import { listLeads } from '../../src/services/leads/leads.ts';
import { listUserMessages, listUserThreads } from '../../src/services/inbox/inbox.ts';
import { listSuppressions } from '../../src/services/suppressions/suppression-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { writeAllRanges } from '../support/database/suppression-ranges.ts';
import { addMessage, addMailbox } from '../support/inbox/inbox-messages.ts';

const LEADS = 50_000;
const MESSAGES = 20_000;
const THREADS = 12_000;
const USER = 'large';
/** Entries of indexes: a page and its total look at a thousand leads with their companies each. */
const FEW = 8_000;
/** Rows: the first thousand, which tell whether many fit, and those of the page. */
const FEW_ROWS = 6_000;
/** Rows of a search that some fit: the first hundreds, a block's, and those of the page. */
const SOME_ROWS = 1_800;

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: Kysely<Database>;
let lists: number[];

/** The first list has the oldest half of the leads, the second one a tenth; four leads for each company that has some. */
beforeAll(async () => {
  database = await createTestDatabase();
  // On a busy machine a statement that writes the account takes longer than others may.
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await db.insertInto('users').values({ user_id: USER, email: 'l@example.test' }).execute();
  const rows = ['Half', 'Tenth', 'Empty'].map((name) => ({ user_id: USER, name }));
  lists = (await db.insertInto('lead_lists').values(rows).returning('id').execute()).map(
    ({ id }) => id,
  );
  await sql`
    insert into companies (user_id, lead_list_id, name, name_key, domain)
    select ${USER}, case when n <= ${LEADS / 8}::integer then ${lists[0]!}::bigint
        when n <= ${LEADS / 8 + LEADS / 40}::integer then ${lists[1]!}::bigint end,
      'Firm ' || n || case n when 7 then ' jq' else '' end, 'firm ' || n,
      'f' || n || case when n <= 1500 then '.old' when n > 48500 then '.new' else '' end || '.test'
    from generate_series(1, ${LEADS}::integer) as n`.execute(db);
  await sql`
    insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key, status,
      email_valid, validation_score)
    select ${USER}, first.id + (n - 1) / 4, 'Ann' || n, case n when 9 then 'Äjqö' else 'Lee' end,
      'ann' || n, 'ann' || n || '@f.test', 'ann' || n || '@f.test',
      case when n = 11 then 'replied' when n % 3 = 0 then 'contacted' else 'pending' end,
      case when n = 12 then true when n % 5 = 0 then false end, case when n = 13 then 90 end
    from generate_series(1, ${LEADS}::integer) as n,
      (select min(id) as id from companies where user_id = ${USER}) as first`.execute(db);
  await sql`
    insert into suppressions (user_id, kind, value, reason)
    select ${USER}, 'email', case when n <= 1000 then 'old' else '' end || n || '@gone.test', case n when 5 then 'complaint' else 'bounce' end
    from generate_series(1, ${LEADS}::integer) as n`.execute(db);
  const { mailboxId } = await addMailbox(db, USER);
  const { threadId } = await addMessage(db, { userId: USER, mailboxId });
  // Half of them are replies; every thousandth is about a word of its own.
  await sql`
    insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address, subject,
      kind, interest, sent_at, received_at)
    select ${USER}, ${mailboxId}, ${threadId}, 'inbound', '<' || n || '@x.test>', 'a@x.test',
      'About offer ' || n || case n % 1000 when 7 then ' zebras' else '' end,
      case n % 2 when 0 then 'reply' else 'message' end, case when n % 5 > 0 then 'question' end,
      now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, ${MESSAGES}::integer) as n`.execute(db);
  await sql`
    insert into threads (user_id, mailbox_id, subject, last_message_at)
    select ${USER}, ${mailboxId}, 'About ' || n, now() - n * interval '1 minute'
    from generate_series(1, ${THREADS}::integer) as n`.execute(db);
  await sql`update inbox_counts set messages = messages + ${MESSAGES}, unread = unread + ${MESSAGES}`.execute(
    db,
  );
  await writeAllRanges(db);
  await database.vacuum();
}, 240_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

const TABLES = [
  'leads',
  'companies',
  'lead_list_members',
  'suppressions',
  'messages',
  'threads',
  'lead_counters',
];

async function readSoFar(): Promise<{ byIndex: number; inSequence: number; rows: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ byIndex: number; inSequence: number; rows: number }>`
    select (select sum(idx_tup_read)::int from pg_stat_user_indexes
        where relname = any (${TABLES})) as "byIndex",
      (select sum(idx_tup_fetch)::int from pg_stat_user_tables
        where relname = any (${TABLES})) as rows,
      (select sum(seq_tup_read)::int from pg_stat_user_tables
        where relname = any (${TABLES.slice(0, -1)})) as "inSequence"`.execute(db);
  return rows[0]!;
}

/** The answer, where it was read by indexes and little of them. */
async function cheap<T>(read: () => Promise<T>): Promise<T> {
  const before = await readSoFar();
  const answer = await read();
  const after = await readSoFar();
  expect(after.inSequence - before.inSequence).toBe(0);
  expect(after.byIndex - before.byIndex).toBeLessThan(FEW);
  return answer;
}

/** The answer, where hardly more rows were read than it has; what is counted is counted in an index. */
async function counted<T>(read: () => Promise<T>): Promise<T> {
  const before = await readSoFar();
  const answer = await read();
  const after = await readSoFar();
  expect(after.inSequence - before.inSequence).toBe(0);
  expect(after.rows - before.rows).toBeLessThan(FEW_ROWS);
  return answer;
}

const newest = { sort: 'createdAt', order: 'desc' } as const;
const byName = { sort: 'name', order: 'asc' } as const;
const part = { limit: 20, offset: 0 };

describe('a page of leads', () => {
  it.each([
    ['of the account', undefined, LEADS],
    ['of a list with half of them', 0, LEADS / 2],
    ['of a list with the older ones', 1, LEADS / 10],
    ['of an empty list', 2, 0],
  ])('%s is read by its index, in both orders, and counted', async (_, list, total) => {
    const filter = { leadListId: list === undefined ? undefined : lists[list] };
    for (const order of [newest, byName, { ...newest, order: 'asc' } as const]) {
      const page = await cheap(() => listLeads({ db }, USER, { filter, order, ...part }));
      expect(page).toMatchObject({ total, hasNext: total > 20 });
      expect(page.rows).toHaveLength(Math.min(20, total));
    }
  });

  it.each([
    ['a status that one has', { status: 'replied' } as const, 'Ann11'],
    ['addresses that are valid', { emailValid: true }, 'Ann12'],
    ['a score', { minValidationScore: 80 }, 'Ann13'],
    [
      'two letters of a person, between others than of ASCII, or of a company',
      { search: 'JQ' },
      'Ann28 Ann27 Ann26 Ann25 Ann9',
    ],
    ['two letters that nobody has', { search: 'wx' }, ''],
    ['a name', { search: 'ann49999' }, 'Ann49999'],
    ['a name that nobody has', { search: 'bartholomew' }, ''],
  ])('with %s reads what has it', async (_, filter, expected) => {
    const page = await cheap(() => listLeads({ db }, USER, { filter, order: newest, ...part }));
    expect(page.rows.map((row) => row.first_name).join(' ')).toBe(expected);
    expect(page).toMatchObject({ total: page.rows.length, hasNext: false });
  });

  it.each<[string, LeadFilter, number]>([
    ['a status that many have', { status: 'contacted' }, 49_998],
    ['addresses that are not valid', { emailValid: false }, LEADS],
    ['a search that all fit', { search: 'an' }, LEADS],
    ['a search that many fit here and there', { search: '77' }, 49_977],
    ['a search that many older ones fit', { search: 'nn2' }, 29_999],
    ['a search that a list has often', { search: 'an', leadListId: 1 }, 30_000],
    ['a name that one in a hundred has', { search: '77 lee' }, 49_977],
  ])('with %s reads the first ones, and says that there are more', async (_, filter, first) => {
    const { leadListId: list } = filter;
    const wanted = { ...filter, leadListId: list === undefined ? undefined : lists[list] };
    const read = () => listLeads({ db }, USER, { filter: wanted, order: newest, ...part });
    const page = filter.search === 'nn2' ? await read() : await counted(read);
    expect(page).toMatchObject({ isCapped: true, hasNext: true });
    expect(page.total).toBeGreaterThanOrEqual(50);
    expect(page.rows[0]!.first_name).toBe(`Ann${first}`);
  });
});

describe('a search that some leads fit, all over the account', () => {
  it.each([
    ['a name that one in a hundred has', '77 lee', 49_977, 100],
    ['a part of an address', '377@f', 49_377, 1_000],
  ])('finds %s and reads hardly more than is shown', async (_, search, last, step) => {
    const before = await readSoFar();
    const page = await listLeads({ db }, USER, { filter: { search }, order: newest, ...part });
    const after = await readSoFar();
    const numbers = Array.from({ length: 20 }, (__, at) => last - at * step);
    expect(page.rows.map((row) => row.first_name)).toEqual(numbers.map((n) => `Ann${n}`));
    expect(page).toMatchObject({ total: 50, isCapped: true, hasNext: true });
    expect(after.inSequence - before.inSequence).toBe(0);
    expect(after.rows - before.rows).toBeLessThan(SOME_ROWS);
  });
});

/** How often the index of leads' texts is asked. */
async function searchesOfTexts(read: () => Promise<unknown>): Promise<number> {
  const soFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ scans: number }>`
      select sum(idx_scan)::int as scans from pg_stat_user_indexes
      where indexrelname like 'leads_search%'`.execute(db);
    return rows[0]!.scans;
  };
  const before = await soFar();
  await read();
  return (await soFar()) - before;
}

const find = (user: string, search: string) =>
  listLeads({ db }, user, { filter: { search }, order: newest, ...part });

describe('a search that few leads fit', () => {
  it.each(['ann31234', '31234@f', 'jqö', 'nobody'])(
    'asks two blocks and then the whole index: %s',
    async (search) => {
      expect(await searchesOfTexts(() => find(USER, search))).toBeLessThanOrEqual(3);
    },
  );
});

describe('a page of companies', () => {
  it.each([
    ['of the account', undefined, LEADS],
    ['of a list', 0, LEADS / 8],
  ])('%s is read by its index, in both orders, and counted', async (_, list, total) => {
    const filter = { leadListId: list === undefined ? undefined : lists[list] };
    for (const order of [newest, byName]) {
      const page = await cheap(() => listCompanies({ db }, USER, { filter, order, ...part }));
      expect(page).toMatchObject({ total, hasNext: true });
      expect(page.rows[0]!.leads_count).toBe(list === undefined && order === newest ? 0 : 4);
    }
  });

  it('with two letters reads what has them', async () => {
    const filter = { search: 'jq' };
    const page = await cheap(() => listCompanies({ db }, USER, { filter, order: newest, ...part }));
    expect(page).toMatchObject({ rows: [{ name: 'Firm 7 jq' }], total: 1 });
  });

  it.each([
    ['desc', '.old.', 'Firm 1500'],
    ['asc', '.new.', 'Firm 48501'],
  ] as const)(
    'reads few of those that have a text, none of them near: %s',
    async (way, search, first) => {
      const order = { sort: 'createdAt', order: way } as const;
      const wanted = { filter: { search }, order, ...part };
      const page = await cheap(() => listCompanies({ db }, USER, wanted));
      expect(page).toMatchObject({ hasNext: true, isCapped: true });
      expect(page.rows[0]!.name).toBe(first);
    },
  );
});

it('lists and counts lists without reading what is in them', async () => {
  const page = await cheap(() => listLeadLists({ db }, USER, part));
  expect(page.rows.map((list) => [list.companies_count, list.leads_count])).toEqual([
    [0, 0],
    [LEADS / 40, LEADS / 10],
    [LEADS / 8, LEADS / 2],
  ]);
  const list = await cheap(() => getUserLeadList({ db }, USER, lists[0]!));
  expect(list).toMatchObject({ companies_count: LEADS / 8, leads_count: LEADS / 2 });
});

describe('a page of messages', () => {
  it.each([
    ['of a kind that many have', { kind: 'reply' } as const, 10_000, true],
    ['of an interest that many have', { interest: 'question' } as const, 10_000, true],
    ['about a word that all have', { search: 'offer' }, 50, true],
    ['about a word that few have', { search: 'zebras' }, 20, false],
    ['about the beginning of a word', { search: 'zeb' }, 20, false],
    ['about words that nobody has', { search: 'zebras gnus' }, 0, false],
  ])('%s reads few of them', async (_, filter, total, isCapped) => {
    const page = await counted(() => listUserMessages({ db }, { userId: USER, filter }, part));
    expect(page).toMatchObject({ total, isCapped });
    const dates = (JSON.parse(page.items) as { sent_at: string }[]).map((item) => item.sent_at);
    expect(dates).toHaveLength(Math.min(20, total));
    expect(dates).toEqual(dates.toSorted().toReversed());
  });
});

it('lists and counts unread messages and threads without reading more than the page', async () => {
  const filter = { isRead: false };
  const page = await cheap(() => listUserMessages({ db }, { userId: USER, filter }, part));
  expect(page).toMatchObject({ total: 10_000, isCapped: true });
  const of = { userId: USER, filter: {} };
  expect(await cheap(() => listUserThreads({ db }, of, part))).toMatchObject({ total: 10_000 });
});

it.each([
  [{}, 20, 10_000],
  [{ kind: 'email', reason: 'bounce' } as const, 20, 10_000],
  [{ reason: 'complaint' } as const, 1, 1],
  [{ search: '4711@gone' }, 5, 5],
  [{ search: 'old' }, 20, 50],
  [{ search: 'd1' }, 20, 112],
  [{ search: 'd5', reason: 'complaint' } as const, 1, 1],
  [{ search: 'xq' }, 0, 0],
  [{ search: 'old', reason: 'complaint' } as const, 1, 1],
])('lists and counts suppressions with %j by an index', async (filter, found, total) => {
  const page = await cheap(() => listSuppressions({ db }, USER, { filter, ...part }));
  expect(page.rows).toHaveLength(found);
  expect(page).toMatchObject({ total, hasNext: total > 20 });
});

/** The last one: its leads are the newest of all. */
describe('an account that has few of all leads, far apart from each other', () => {
  const MINOR = 'minor';
  beforeAll(async () => {
    await db.insertInto('users').values({ user_id: MINOR, email: 'm@example.test' }).execute();
    await sql`
      insert into leads (id, user_id, first_name, last_name, name_key) overriding system value
      select ${LEADS}::integer + n * 100, ${MINOR}, 'Bob',
        case n % 400 when 0 then 'Quux' else 'Lee' end || n, 'bob'
      from generate_series(1, 1200) as n`.execute(db);
    await database.vacuum();
  });

  it('is searched block by block', async () => {
    // One, one, two and four of its blocks; the whole index would have been the third.
    expect(await searchesOfTexts(() => find(MINOR, 'quux'))).toBeGreaterThan(3);
    const page = await find(MINOR, 'quux');
    expect(page.rows.map((row) => row.last_name)).toEqual(['Quux1200', 'Quux800', 'Quux400']);
    expect(page).toMatchObject({ total: 3, hasNext: false });
  });
});
