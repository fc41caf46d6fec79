/** Pages of a search are those of all that fit in their order, however many fit and wherever they stand. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { readMessagePage } from '../../src/db/inbox/inbox-pages.ts';
import type { MessagePosition } from '../../src/db/inbox/inbox-searches.ts';
import { searchLeads } from '../../src/db/leads/pages/lead-pages.ts';
import type { Database } from '../../src/db/tables.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { addMessage, addMailbox } from '../support/inbox/inbox-messages.ts';

const ROWS = 12_500;
const USER = 'searcher';

let database: TestDatabase;
let db: Kysely<Database>;
let listId: number;

/** `Ann<n>` of `Firm <n>`, every third company in the list; a message `number n` for each. */
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 4, connectionTimeoutMs: CONNECTION_MS });
  await db.insertInto('users').values({ user_id: USER, email: 's@example.test' }).execute();
  const list = { user_id: USER, name: 'Third' };
  ({ id: listId } = await db
    .insertInto('lead_lists')
    .values(list)
    .returning('id')
    .executeTakeFirstOrThrow());
  await sql`
    with company as (
      insert into companies (user_id, lead_list_id, name, name_key)
      select ${USER}, case n % 3 when 0 then ${listId}::bigint end, 'Firm ' || n || 'q', 'firm ' || n
      from generate_series(1, ${ROWS}::integer) as n returning id, name)
    insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key, status)
    select ${USER}, id, 'Ann', n, 'ann ' || lpad((n::bigint * 7919 % 100003)::text, 6, '0'),
      n || '@f.test', n || '@f.test', case n::integer % 2 when 0 then 'pending' else 'contacted' end
    from company, substr(name, 6) as word, rtrim(word, 'q') as n order by id`.execute(db);
  const { mailboxId } = await addMailbox(db, USER);
  const { threadId } = await addMessage(db, { userId: USER, mailboxId });
  await sql`
    insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address, subject,
      sent_at, received_at)
    select ${USER}, ${mailboxId}, ${threadId}, 'inbound', '<' || n || '@x.test>', 'a@x.test',
      'w' || reverse(n::text), now() - n / 2 * interval '1 minute', now() - n / 2 * interval '1 minute'
    from generate_series(1, ${ROWS}::integer) as n`.execute(db);
  await database.analyze();
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

/** From what all fit to what none does; the first ones often, seldom or never. */
const SEARCHES = ['ann', '77', '7q', 'nn 2', 'firm 1234', '777', 'nobody'];

describe('a page of leads', () => {
  const orders = [
    { sort: 'createdAt', order: 'desc' },
    { sort: 'name', order: 'asc' },
  ] as const;
  it.each(SEARCHES)('that have %s', async (search) => {
    for (const order of orders) {
      for (const filter of [
        { search },
        { search, leadListId: listId },
        { search, status: 'contacted' as const },
      ]) {
        const all = await leadsInOrder(filter, order);
        for (const offset of [0, 40]) {
          const page = await searchLeads(db, USER, { filter, order, limit: 20, offset });
          expect(page.rows.map(({ id }) => id)).toEqual(all.slice(offset, offset + 20));
          expectTotal(page, all.length);
        }
        const { rows } = await searchLeads(db, USER, { filter, order, limit: 20 });
        const last = rows.at(-1);
        if (!last) continue;
        const after = { id: last.id, name: last.name_key };
        const next = await searchLeads(db, USER, { filter, order, limit: 20, after });
        expect(next.rows.map(({ id }) => id)).toEqual(all.slice(20, 40));
      }
    }
  });
});

describe('a page of messages', () => {
  it.each(['w', 'w1', 'w74', 'w777', 'w9999', 'w00', 'nobody'])('that have %s', async (search) => {
    const { rows } = await sql<{ id: number }>`
      select id from messages where user_id = ${USER} and subject like ${`${search}%`}
      order by received_at desc, id desc`.execute(db);
    const all = rows.map(({ id }) => id);
    const read = async (page: { offset: number } | { after: MessagePosition }) => {
      const answer = await readMessagePage(
        db,
        { userId: USER, filter: { search } },
        { limit: 20, ...page },
      );
      const items = JSON.parse(answer.items) as { id: number }[];
      return { ...answer, ids: items.map(({ id }) => id) };
    };
    const page = await read({ offset: 0 });
    expect(page.ids).toEqual(all.slice(0, 20));
    expect(page.end === null).toBe(all.length <= 20);
    expectTotal({ total: page.total!, isCapped: page.isCapped }, all.length);
    expect((await read({ offset: 60 })).ids).toEqual(all.slice(60, 80));
    if (page.end === null) return;
    const next = await read({ after: page.end });
    expect(next).toMatchObject({ ids: all.slice(20, 40), total: null, isCapped: false });
  });
});

/** Exact, or less than there are and said to be so. */
function expectTotal({ total, isCapped }: { total: number; isCapped?: boolean }, all: number) {
  expect(total).toBeLessThanOrEqual(all);
  expect(total).toBeGreaterThanOrEqual(isCapped ? 50 : all);
}

async function leadsInOrder(
  { search, leadListId, status }: { search: string; leadListId?: number; status?: string },
  { sort, order }: { sort: 'createdAt' | 'name'; order: 'asc' | 'desc' },
): Promise<number[]> {
  const pattern = `%${search}%`;
  const { rows } = await sql<{ id: number }>`
    select leads.id from leads join companies on companies.id = company_id
    where leads.user_id = ${USER}
      and (first_name || ' ' || last_name ilike ${pattern} or email ilike ${pattern}
        or name ilike ${pattern})
      and lead_list_id is not distinct from ${leadListId === undefined ? sql`lead_list_id` : leadListId}
      and status = ${status ?? sql`status`}
    order by ${sql.raw(sort === 'name' ? `leads.name_key ${order}, leads.id ${order}` : `leads.id ${order}`)}
  `.execute(db);
  return rows.map(({ id }) => id);
}
