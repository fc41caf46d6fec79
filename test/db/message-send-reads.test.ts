/** The message that somebody answers is found by their address, however many a mailbox has sent. */
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findSendsByAddress } from '../../src/db/inbox/message-sends.ts';
import type { Database } from '../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMailbox } from '../support/inbox/inbox-messages.ts';

const SENDS = 30_000;
const USER = 'sender';

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: Kysely<Database>;
let mailboxId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await db.insertInto('users').values({ user_id: USER, email: 's@example.test' }).execute();
  ({ mailboxId } = await addMailbox(db, USER));
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
      max_followups, followup_delay_days)
    values (${USER}, 'One', 'active', 'UTC', array['mon'], '00:00', '23:59', 1, 3)
    returning id`.execute(db);
  await sql`
    insert into leads (user_id, first_name, last_name, name_key, email, email_key)
    select ${USER}, 'Ann' || n, 'Lee', 'ann' || n, 'a' || n || '@f.test', 'a' || n || '@f.test'
    from generate_series(1, ${SENDS}::integer) as n`.execute(db);
  await sql`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
      message_id, subject, state, claimed_by, claimed_at, sent_at)
    select ${USER}, ${rows[0]!.id}, id, 0, ${mailboxId}, 'f.test', email_key, '<' || id || '@d.test>',
      'A question', 'sent', gen_random_uuid(), now() - id * interval '1 minute',
      now() - id * interval '1 minute'
    from leads where user_id = ${USER}`.execute(db);
  await database.vacuum();
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

/** Rows of messages that were read, by indexes or without one. */
async function readBy(read: () => Promise<unknown>): Promise<number> {
  const soFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ read: number }>`
      select ((select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'sends')
        + seq_tup_read)::int as read
      from pg_stat_user_tables where relname = 'sends'`.execute(db);
    return rows[0]!.read;
  };
  const before = await soFar();
  await read();
  return (await soFar()) - before;
}

it('reads a few rows for each address of a batch', async () => {
  const keys = Array.from({ length: 50 }, (_, n) => `a${(n + 1) * 500}@f.test`);
  const strangers = Array.from({ length: 50 }, (_, n) => `stranger${n}@g.test`);
  const wanted = [...keys, ...strangers].map((emailKey) => ({ emailKey, receivedAt: new Date() }));
  let found: { emailKey: string | null }[] = [];
  const read = await readBy(async () => {
    const sends = await findSendsByAddress(db, { userId: USER, mailboxId }, wanted);
    found = sends.filter((send) => send !== undefined);
  });
  expect(found.map(({ emailKey }) => emailKey)).toEqual(keys);
  expect(read).toBeLessThanOrEqual(4 * keys.length);
});
