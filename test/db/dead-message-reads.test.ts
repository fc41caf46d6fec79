/** What a message reads of others that were sent since the last vacuum, and of its domain's mailboxes. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { MailboxCapacity } from '../../src/db/sending/mailbox-capacity.ts';
import { lockDomains } from '../../src/db/sending/mailbox-locks.ts';
import { insertClaims, type PlannedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { beginMessages } from '../../src/db/sending/send-progress.ts';
import type { DeliveryResult, EndedSession } from '../../src/domain/sending/delivery-results.ts';
import type { Database } from '../../src/db/tables.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import { addLeads, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createCipher } from '../../src/encryption/cipher.ts';

const SENT = 600;
const MAILBOXES = 100;
/** Plans for the first values are made anew each time; that for any values comes after five. */
const MESSAGES = 8;
const cipher = createCipher(`test:${Buffer.alloc(32, 7).toString('base64')}`);

let database: TestDatabase;
/** One connection, whose plans are those of all its statements before. */
let db: Kysely<Database>;
let userId: string;
let campaignId: number;
let mailboxIds: number[];
let leadIds: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 120_000 });
  await asOwner('alter table sends set (autovacuum_enabled = off)');
  userId = await addSender(db);
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: MAILBOXES, domain: 'd.test' });
  const { rows } = await sql<{ id: number }>`
    insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
      max_followups, followup_delay_days)
    values (${userId}, 'One', 'active', 'UTC', array['mon'], '00:00', '23:59', 0, 3)
    returning id`.execute(db);
  campaignId = rows[0]!.id;
  leadIds = await addLeads(db, userId, SENT + MESSAGES);
  await sql`insert into recipients (campaign_id, lead_id, user_id, due_at)
    select ${campaignId}, lead_id, ${userId}, now() from unnest(${leadIds}::bigint[]) as lead_id`.execute(
    db,
  );
  await sql`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
      message_id, state, claimed_by, claimed_at)
    select ${userId}, ${campaignId}, lead.id, 0, (${mailboxIds}::bigint[])[1 + lead.n % ${MAILBOXES}::int],
      'f.test', 'k' || n, '<' || n || '@d.test>', 'claimed', gen_random_uuid(), now()
    from unnest(${leadIds.slice(0, SENT)}::bigint[]) with ordinality as lead (id, n)`.execute(db);
  await sql`update sends set state = 'sending'`.execute(db);
  await sql`update sends set state = 'sent'`.execute(db);
  await database.analyze();
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function soFar(column: 'idx_tup_read' | 'idx_scan', index: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ n: number }>`
    select ${sql.ref(column)}::int as n from pg_stat_user_indexes where indexrelname = ${index}`.execute(
    db,
  );
  return rows[0]!.n;
}

const planned = (n: number): PlannedMessage =>
  ({
    leadId: leadIds[SENT + n]!,
    mailboxId: mailboxIds[n]!,
    mailboxEmail: 'm1@d.test',
    step: { position: 0, delayDays: 0, subjectTemplate: 's', bodyTemplate: 'b', variants: [] },
    variant: 0,
    messageId: `<${randomUUID()}@d.test>`,
    recipientDomain: 'f.test',
    emailKey: emails[n],
    recipient: { firstName: 'Ann', lastName: 'Lee', email: 'a@f.test', custom: {} },
    windowUntil: new Date(),
    thread: null,
  }) as unknown as PlannedMessage;
let emails: string[] = [];

it('reads no index of open messages, in which all that were sent are dead', async () => {
  const { rows } = await sql<{ email_key: string }>`
    select email_key from leads where id = any (${leadIds.slice(SENT)}::bigint[]) order by id`.execute(
    db,
  );
  emails = rows.map(({ email_key: key }) => key);
  const claimedBy = randomUUID();
  const now = new Date();
  const session = { campaignId, userId, claimedBy } as EndedSession;
  const before = await soFar('idx_tup_read', 'sends_open');
  for (let n = 0; n < MESSAGES; n += 1) {
    const mailboxId = mailboxIds[n]!;
    const open = [{ mailboxId, limits: { gapMs: 60_000, gapJitter: 0 } }];
    const claimant = { userId, campaignId, claimedBy, now, chance: () => 0.5 };
    const { messages } = await db.transaction().execute((trx) =>
      insertClaims(trx, [planned(n)], {
        ...claimant,
        open: open as unknown as MailboxCapacity[],
      }),
    );
    const { sendId, leadId } = messages[0]!;
    const text = { fromName: 'A', to: 'a@f.test', subject: 's', text: 't', references: [] };
    const begun = await beginMessages(db, claimedBy, [{ sendId, ...text, at: now }]);
    expect([...begun]).toEqual([sendId]);
    const recipient = { status: 'completed', step: 1, dueAt: null, holdReason: null };
    const said = { subject: 's', reply: '250 ok', messageId: messages[0]!.messageId };
    const end = { sendId, leadId, mailboxId, step: 0, variant: 0, ...said, at: now, recipient };
    const ends = [{ ...end, state: 'sent' } as unknown as DeliveryResult];
    const { written } = await db
      .transaction()
      .execute((trx) => writeDeliveryResults(trx, session, ends));
    expect(written).toHaveLength(1);
  }
  expect((await soFar('idx_tup_read', 'sends_open')) - before).toBeLessThan(MESSAGES);
}, 60_000);

it('counts the messages of a domain at once, not mailbox by mailbox', async () => {
  const { rows } = await sql<{ id: number }>`select id from domains`.execute(db);
  const ids = rows.map(({ id }) => id);
  const terms = { domainLimit: 2 * SENT, waits: true, now: new Date(), dayMs: 86_400_000 };
  const before = await soFar('idx_scan', 'sends_mailbox');
  const left = await db.transaction().execute((trx) => lockDomains(trx, ids, terms));
  expect(left.get(ids[0]!)).toBe(SENT - MESSAGES);
  expect((await soFar('idx_scan', 'sends_mailbox')) - before).toBeLessThan(MAILBOXES / 2);
});
