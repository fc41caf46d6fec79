/** A page of who is to enter a campaign is read by its index, however many have entered it. Choice 130. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { countStarts, listStarts } from '../../src/db/campaigns/pending-starts.ts';
import { readStats } from '../../src/db/campaigns/campaign-stats.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const LEADS = 20_000;
const PENDING = 50;
const USER = 'starts';
const DUE = Date.parse('2027-03-01T15:00:00.000Z');

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: ReturnType<typeof openDatabase>;
let campaignId: number;
let leads: number[];

/** Every 400th is to enter the campaign, the last lead first; half of the others have, half are not to any more. */
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await db.insertInto('users').values({ user_id: USER, email: 's@example.test' }).execute();
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
      max_followups, followup_delay_days)
    select ${USER}, 'Next ' || n, 'active', 'UTC', array['mon'], '00:00', '23:59', 1, 3
    from generate_series(1, 2) as n returning id`.execute(db);
  campaignId = rows[0]!.id;
  const made = await sql<{ id: number }>`
    insert into leads (user_id, first_name, last_name, name_key, email, email_key)
    select ${USER}, 'Ann' || n, 'Lee', 'ann' || n, 'a' || n || '@f.test', 'a' || n || '@f.test'
    from generate_series(1, ${LEADS}::integer) as n returning id`.execute(db);
  leads = made.rows.map(({ id }) => id);
  for (const { id } of rows) {
    await sql`
      insert into subsequence_starts (campaign_id, lead_id, interest, status, due_at, updated_at)
      select ${id}, lead_id, 'not_now', status,
        case status when 'pending' then to_timestamp(${DUE / 1000}::float8) - n * interval '1.000001 minutes' end, now()
      from (select lead_id, n, case when n % ${LEADS / PENDING}::integer = 0 then 'pending'
          when n % 2 = 0 then 'started' else 'cancelled' end as status
        from unnest(${leads}::bigint[]) with ordinality as all_leads (lead_id, n)) as each`.execute(
      db,
    );
  }
  await database.vacuum();
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

/** The answer, and what was read of the table: entries of its indexes, rows without one. */
async function readBy<T>(read: () => Promise<T>): Promise<[T, number, number]> {
  const soFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ entries: number; rows: number }>`
      select (select sum(idx_tup_read)::int from pg_stat_user_indexes
          where relname = 'subsequence_starts') as entries,
        seq_tup_read::int as rows from pg_stat_user_tables
      where relname = 'subsequence_starts'`.execute(db);
    return rows[0]!;
  };
  const before = await soFar();
  const answer = await read();
  const after = await soFar();
  return [answer, after.entries - before.entries, after.rows - before.rows];
}

describe('a page of starts', () => {
  it.each(['pending', 'started', 'cancelled'] as const)(
    '%s: reads no more than it has, at its beginning and anywhere behind a place',
    async (status) => {
      const of = { userId: USER, campaignId, status };
      const seen: number[] = [];
      for (let after: Awaited<ReturnType<typeof listStarts>>[number] | undefined; ;) {
        const place = after && { dueMicros: after.due_micros, leadId: after.lead_id };
        const [page, entries, rows] = await readBy(() =>
          listStarts(db, of, { limit: 20, after: place }),
        );
        expect([entries <= 25, rows]).toEqual([true, 0]);
        seen.push(...page.map(({ lead_id }) => lead_id));
        after = page.at(-1);
        if (page.length < 20 || seen.length >= 100) break;
      }
      const isOf = (at: number) =>
        at % (LEADS / PENDING) === 0 ? 'pending' : at % 2 === 0 ? 'started' : 'cancelled';
      const expected = leads.filter((_, at) => isOf(at + 1) === status);
      if (status === 'pending') expected.reverse();
      expect(seen).toEqual(expected.slice(0, Math.min(100, expected.length)));
    },
  );

  it('is counted by its index, and not beyond what is worth counting', async () => {
    const count = (status: 'pending' | 'started') =>
      readBy(() => countStarts(db, { userId: USER, campaignId, status }));
    const [pending, few, none] = await count('pending');
    expect([pending, few <= PENDING + 5, none]).toEqual([PENDING, true, 0]);
    expect((await count('started'))[0]).toBe(LEADS / 2 - PENDING);
    const [stats, entries, rows] = await readBy(() => readStats(db, [campaignId]));
    expect(stats.get(campaignId)!.pending_starts).toBe(PENDING);
    expect([entries <= PENDING + 5, rows]).toEqual([true, 0]);
  });
});
