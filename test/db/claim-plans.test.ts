/** What a claim and its results read of a campaign much larger than the average one, with the plan for any campaign. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { MailboxCapacity } from '../../src/db/sending/mailbox-capacity.ts';
import { insertClaims, type PlannedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult, EndedSession } from '../../src/domain/sending/delivery-results.ts';
import type { Database } from '../../src/db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMailbox } from '../support/inbox/inbox-messages.ts';

const LARGE = 30_000;
const SMALL = 40;
const SMALL_CAMPAIGNS = 1_500;
/** Plans for the first values are made anew each time; that for any values comes after five. */
const CLAIMS = 14;
/** Of one message, by all its statements. */
const MOST = 100;
const USER = 'skewed';

let database: TestDatabase;
let db: Kysely<Database>;
let mailboxId: number;
let campaignId: number;
let leadIds: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await db.insertInto('users').values({ user_id: USER, email: 's@example.test' }).execute();
  ({ mailboxId } = await addMailbox(db, USER));
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
      max_followups, followup_delay_days)
    select ${USER}, 'C' || n, 'active', 'UTC', array['mon'], '00:00', '23:59', 1, 3
    from generate_series(0, ${SMALL_CAMPAIGNS}::integer) as n returning id`.execute(db);
  campaignId = rows[0]!.id;
  const leads = await sql<{ id: number }>`
    insert into leads (user_id, first_name, last_name, name_key, email, email_key)
    select ${USER}, 'Ann' || n, 'Lee', 'ann' || n, 'a' || n || '@f.test', 'a' || n || '@f.test'
    from generate_series(1, ${LARGE}::integer) as n returning id`.execute(db);
  leadIds = leads.rows.map(({ id }) => id);
  await sql`
    insert into recipients (campaign_id, lead_id, user_id, step, status, due_at)
    select campaign.id, lead.id, ${USER}, 0, 'queued', now()
    from unnest(${rows.map(({ id }) => id)}::bigint[]) with ordinality as campaign (id, n)
    join unnest(${leadIds}::bigint[]) with ordinality as lead (id, n)
      on campaign.n = 1 or lead.n <= ${SMALL}`.execute(db);
  await database.vacuum();
}, 240_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function readSoFar(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0) + (select sum(idx_tup_read)
      from pg_stat_user_indexes where relname = 'recipients'))::int as read
    from pg_stat_user_tables where relname = 'recipients'`.execute(db);
  return rows[0]!.read;
}

const planned = (n: number): PlannedMessage =>
  ({
    leadId: leadIds[n]!,
    mailboxId,
    mailboxEmail: 'ann@host.test',
    step: { position: 0, delayDays: 0, subjectTemplate: 's', bodyTemplate: 'b', variants: [] },
    variant: 0,
    messageId: `<${randomUUID()}@host.test>`,
    recipient: { firstName: 'Ann', lastName: 'Lee', email: `a${n}@f.test`, custom: {} },
    windowUntil: new Date(),
    thread: null,
    recipientDomain: 'f.test',
    emailKey: `a${n + 1}@f.test`,
  }) as unknown as PlannedMessage;

it('reads the recipients of the messages, however many the campaign has', async () => {
  const claimedBy = randomUUID();
  const now = new Date();
  const limits = { gapMs: 60_000, gapJitter: 0 };
  const open = [{ mailboxId, limits } as unknown as MailboxCapacity];
  const reads: { claim: number; results: number }[] = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    const before = await readSoFar();
    const claimant = { userId: USER, campaignId, claimedBy, now, open, chance: () => 0.5 };
    const { messages, spent } = await db
      .transaction()
      .execute((trx) => insertClaims(trx, [planned(SMALL + n)], claimant));
    const [claimed] = messages;
    expect(spent.get(mailboxId)).toEqual(new Date(now.getTime() + 60_000));
    const between = await readSoFar();
    const session = { campaignId, userId: USER, claimedBy, daySeconds: 86_400 } as EndedSession;
    const recipient = { status: 'completed', step: 0, dueAt: null, holdReason: null };
    const end = {
      sendId: claimed!.sendId,
      leadId: claimed!.leadId,
      mailboxId,
      step: 0,
      variant: 0,
      state: 'sent',
      at: now,
      recipient,
      subject: 's',
      reply: '250 ok',
    } as unknown as DeliveryResult;
    const { written } = await db
      .transaction()
      .execute((trx) => writeDeliveryResults(trx, session, [end]));
    expect(written).toHaveLength(1);
    reads.push({ claim: between - before, results: (await readSoFar()) - between });
  }
  expect(Math.max(...reads.map(({ claim }) => claim))).toBeLessThan(MOST);
  expect(Math.max(...reads.map(({ results }) => results))).toBeLessThan(MOST);
}, 120_000);
