/** What a claim reads of other campaigns to know whose mailboxes are shared, before Postgres has counted any rows. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { candidatesOf } from '../../src/db/sending/mailbox-candidates.ts';
import type { Database } from '../../src/db/tables.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const CAMPAIGNS = 1_000;
const MAILBOXES = 10;
/** Plans for the first values are made anew each time; that for any values comes after five. */
const CLAIMS = 8;
const cipher = createCipher(`test:${Buffer.alloc(32, 7).toString('base64')}`);

let database: TestDatabase;
/** One connection, whose plans are those of all its statements before. */
let db: Kysely<Database>;
let campaignIds: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  const userId = await addSender(db);
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: MAILBOXES });
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
      max_followups, followup_delay_days)
    select ${userId}, 'C' || n, 'active', 'UTC', array['mon'], '00:00', '23:59', 0, 3
    from generate_series(1, ${CAMPAIGNS}::int) n returning id`.execute(db);
  campaignIds = rows.map(({ id }) => id);
  await sql`insert into mailboxes (user_id, cluster_id, email, status)
    select user_id, cluster_id, n || '-' || email, status
    from mailboxes cross join generate_series(2, ${CAMPAIGNS}::int) n`.execute(db);
  await sql`insert into campaign_mailboxes (campaign_id, mailbox_id)
    select (${campaignIds}::bigint[])[n], id
    from (select id, 1 + (row_number() over (order by id) - 1) / ${MAILBOXES}::int as n from mailboxes) dealt`.execute(
    db,
  );
  await sql`insert into campaign_mailboxes (campaign_id, mailbox_id)
    values (${campaignIds[1]!}, ${mailboxIds[0]!})`.execute(db);
}, 60_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ n: number }>`
    select sum(seq_tup_read + coalesce(idx_scan, 0))::int as n from pg_stat_user_tables
    where relname in ('campaigns', 'campaign_mailboxes')`.execute(db);
  return rows[0]!.n;
}

it('looks up the campaigns that share a mailbox, and reads no others', async () => {
  const before = await readSoFar();
  for (let n = 0; n < CLAIMS; n += 1) {
    const { rows } = await candidatesOf(campaignIds[0]!, new Date()).execute(db);
    expect(rows.map((one) => one.is_shared)).toEqual([
      true,
      ...Array.from({ length: MAILBOXES - 1 }, () => false),
    ]);
  }
  expect((await readSoFar()) - before).toBeLessThan(CLAIMS * 10 * MAILBOXES);
});
