/** What an answer, a bounce, a complaint or an unsubscription changes, and that it does so once. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToCounters } from '../../src/db/campaigns/campaign-counters.ts';
import { lockCampaign } from '../../src/db/campaigns/campaigns.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createCipher } from '../../src/encryption/cipher.ts';

const cipher = createCipher(`k:${Buffer.alloc(32, 7).toString('base64')}`);
const at = new Date('2026-03-02T10:00:00Z');
const DAY_MS = 86_400_000;

let database: TestDatabase;
let userId: string;
let mailboxId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  userId = await addSender(database.db);
  [mailboxId] = (await addMailboxes({ db: database.db, cipher }, userId, { count: 1 })) as [number];
});
afterAll(() => database.close());

/** A message of step 0 that was sent, or whose fate is unknown, with a follow-up due in 3 days. */
async function newMessage(state: 'sent' | 'uncertain' = 'sent', followups = 0) {
  const { db } = database;
  const { campaignId, leadIds } = await addCampaign(db, userId, {
    leads: 1,
    mailboxIds: [mailboxId],
    followups,
  });
  const leadId = leadIds[0]!;
  const isSent = state === 'sent';
  await db
    .updateTable('recipients')
    .set({
      status: isSent ? 'in_progress' : 'failed',
      step: isSent ? 1 : 0,
      due_at: isSent ? new Date(at.getTime() + 3 * DAY_MS) : null,
      mailbox_id: mailboxId,
      hold_reason: isSent ? null : 'delivery_uncertain',
    })
    .where('campaign_id', '=', campaignId)
    .execute();
  const lead = await db.selectFrom('leads').selectAll().where('id', '=', leadId).executeTakeFirst();
  const { id } = await db
    .insertInto('sends')
    .values({
      user_id: userId,
      campaign_id: campaignId,
      lead_id: leadId,
      step: 0,
      mailbox_id: mailboxId,
      recipient_domain: lead!.email!.split('@')[1]!,
      email_key: lead!.email_key,
      message_id: `<${randomUUID()}@host.test>`,
      state,
      claimed_by: randomUUID(),
      claimed_at: at,
      sent_at: isSent ? at : null,
      smtp_reply: null,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, campaignId, leadId, email: lead!.email! };
}

/** The outcome twice: as a bounce is read from two folders. */
async function record(id: number, outcome: Partial<SendOutcome> & Pick<SendOutcome, 'kind'>) {
  for (const later of [0, 60_000]) {
    await database.db.transaction().execute((trx) =>
      recordSendOutcome(trx, id, {
        ...outcome,
        at: new Date((outcome.at ?? at).getTime() + later),
      }),
    );
  }
}

async function stateOf({ id, campaignId, leadId, email }: Awaited<ReturnType<typeof newMessage>>) {
  const { db } = database;
  const one = <T>(rows: T[]): T => rows[0]!;
  const recipient = one(
    await db.selectFrom('recipients').selectAll().where('campaign_id', '=', campaignId).execute(),
  );
  const lead = one(await db.selectFrom('leads').selectAll().where('id', '=', leadId).execute());
  const suppression = await db
    .selectFrom('suppressions')
    .select('reason')
    .where('value', '=', email)
    .executeTakeFirst();
  const events = await db
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('resource', '=', `lead/${leadId}`)
    .execute();
  const counters = await db
    .selectFrom('campaign_counters')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .execute();
  const send = one(await db.selectFrom('sends').selectAll().where('id', '=', id).execute());
  return { recipient, lead, suppression, events, counters, send };
}

describe('recordSendOutcome', () => {
  it.each(['unsubscribed', 'bounced', 'complained', 'replied'] as const)(
    'records that a message is %s while a request holds the campaign',
    async (kind) => {
      const message = await newMessage();
      await database.db.transaction().execute(async (request) => {
        await lockCampaign(request, message.campaignId);
        // The first outcome of the day also writes the day's row of counters, which refers to the campaign.
        await database.db.transaction().execute(async (trx) => {
          await sql`set local lock_timeout = '2s'`.execute(trx);
          await recordSendOutcome(trx, message.id, { kind, at });
        });
      });
      expect((await stateOf(message)).counters).toMatchObject([{ [kind]: 1 }]);
    },
  );

  it.each([
    ['replied', 'replied', 'replied', undefined],
    ['bounced', 'bounced', 'bounced', 'bounce'],
    ['complained', 'unsubscribed', 'unsubscribed', 'complaint'],
    ['unsubscribed', 'unsubscribed', 'unsubscribed', 'unsubscribe'],
  ] as const)('%s ends the sequence, once. Choices 9, 17', async (kind, status, lead, reason) => {
    const message = await newMessage();
    await record(message.id, { kind });
    const after = await stateOf(message);
    const hold = kind === 'complained' ? kind : null;
    expect(after.recipient).toMatchObject({ status, due_at: null, hold_reason: hold });
    expect(after.lead.status).toBe(lead);
    expect(after.suppression?.reason).toBe(reason);
    expect(after.events.map(({ type }) => type)).toEqual([`email.${kind}`]);
    expect(after.counters).toHaveLength(1);
    expect(after.counters[0]).toMatchObject({ [kind]: 1, sent: 0 });
    expect(after.send[`${kind}_at`]).toEqual(at);
  });

  it('an automatic answer postpones and is no answer', async () => {
    const message = await newMessage();
    const backAt = new Date(at.getTime() + 9 * DAY_MS);
    await record(message.id, { kind: 'auto_replied', backAt });
    const after = await stateOf(message);
    expect(after.recipient).toMatchObject({
      status: 'in_progress',
      due_at: backAt,
      hold_reason: 'auto_reply',
    });
    expect(after.counters[0]).toMatchObject({ auto_replied: 1, replied: 0 });
    expect(after.lead.status).toBe('pending');
  });

  it('an automatic answer without a date holds for three days of sending, never less', async () => {
    const message = await newMessage();
    await database.db
      .transaction()
      .execute((trx) =>
        recordSendOutcome(trx, message.id, { kind: 'auto_replied', at }, { DAY_SECONDS: 60 }),
      );
    const { recipient } = await stateOf(message);
    expect(recipient.due_at).toEqual(new Date(at.getTime() + 3 * DAY_MS));
  });

  it('a 4.x.x report is noted and suppresses nobody', async () => {
    const message = await newMessage();
    await record(message.id, { kind: 'bounced', isPermanent: false, status: '4.2.2' });
    const after = await stateOf(message);
    expect(after.recipient).toMatchObject({ status: 'in_progress', hold_reason: 'soft_bounce' });
    expect(after.suppression).toBeUndefined();
    expect(after.counters).toHaveLength(0);
    expect(after.events[0]!.payload).toMatchObject({ isPermanent: false, status: '4.2.2' });
    await record(message.id, { kind: 'bounced' });
    expect((await stateOf(message)).recipient.status).toBe('bounced');
  });

  it('a message that expired in the queue counts as bounced and holds the follow-up', async () => {
    const message = await newMessage();
    const before = await stateOf(message);
    const expired = {
      kind: 'bounced',
      isPermanent: false,
      hasExpired: true,
      status: '4.4.1',
    } as const;
    await record(message.id, expired);
    await record(message.id, expired);
    const after = await stateOf(message);
    expect(after.recipient).toMatchObject({
      status: 'paused',
      due_at: null,
      paused_due_at: before.recipient.due_at,
      hold_reason: 'undelivered',
    });
    expect(after.suppression).toBeUndefined();
    expect(after.counters[0]).toMatchObject({ bounced: 1 });
    expect(after.events).toHaveLength(1);
  });

  it('a complaint stays one when its reader unsubscribes, too', async () => {
    const message = await newMessage();
    await record(message.id, { kind: 'complained' });
    await record(message.id, { kind: 'unsubscribed' });
    const { recipient } = await stateOf(message);
    expect(recipient).toMatchObject({ status: 'unsubscribed', hold_reason: 'complained' });
  });

  it('an answer after an unsubscription does not bring the lead back', async () => {
    const message = await newMessage();
    await record(message.id, { kind: 'unsubscribed' });
    await record(message.id, { kind: 'replied' });
    const after = await stateOf(message);
    expect([after.recipient.status, after.lead.status]).toEqual(['unsubscribed', 'unsubscribed']);
  });

  it.each([
    ['bounced', 'bounce'],
    ['complained', 'complaint'],
    ['unsubscribed', 'unsubscribe'],
  ] as const)(
    '%s suppresses the address of the message when the lead is gone',
    async (kind, reason) => {
      const message = await newMessage();
      await database.db.deleteFrom('leads').where('id', '=', message.leadId).execute();
      await record(message.id, { kind });
      expect((await stateOf(message)).suppression?.reason).toBe(reason);
    },
  );

  it.each(['bounced', 'complained', 'unsubscribed'] as const)(
    '%s of an old address leaves the lead with its new one',
    async (kind) => {
      const message = await newMessage();
      const email = message.email.replace('@', '-new@');
      await database.db
        .updateTable('leads')
        .set({ email, email_key: email })
        .where('id', '=', message.leadId)
        .execute();
      await record(message.id, { kind });
      expect((await stateOf(message)).lead.status).toBe('pending');
      expect((await stateOf(message)).suppression).toBeDefined();
      expect((await stateOf({ ...message, email })).suppression).toBeUndefined();
    },
  );

  it.each(['opened', 'clicked', 'auto_replied'] as const)(
    '%s proves a message of unknown fate, and its follow-up is due',
    async (kind) => {
      const message = await newMessage('uncertain', 1);
      await database.db
        .insertInto('send_texts')
        .values({
          send_id: message.id,
          from_name: 'Ann',
          to_address: message.email,
          subject: 'Hello P0',
          body_text: 'Hi',
          reference_ids: [],
          written_at: at,
        })
        .execute();
      const seenAt = new Date(at.getTime() + DAY_MS);
      const backAt = new Date(at.getTime() + 9 * DAY_MS);
      await record(message.id, { kind, at: seenAt, ...(kind === 'auto_replied' && { backAt }) });
      const after = await stateOf(message);
      // Its subject is that of the thread that goes on.
      expect(after.send).toMatchObject({ state: 'sent', sent_at: at, subject: 'Hello P0' });
      const isAway = kind === 'auto_replied';
      expect(after.recipient).toMatchObject({
        status: 'in_progress',
        step: 1,
        due_at: isAway ? backAt : new Date(seenAt.getTime() + 3 * DAY_MS),
        hold_reason: isAway ? 'auto_reply' : null,
      });
      expect(after.lead.status).toBe('contacted');
    },
  );

  it('the last message of unknown fate, once proven, completes its recipient', async () => {
    const message = await newMessage('uncertain');
    await record(message.id, { kind: 'opened' });
    const after = await stateOf(message);
    expect(after.recipient).toMatchObject({ status: 'completed', due_at: null, hold_reason: null });
    expect(after.lead.status).toBe('completed');
    // Somebody whose messages failed otherwise stays so.
    const refused = await newMessage('uncertain', 1);
    await database.db
      .updateTable('recipients')
      .set({ hold_reason: 'no_mailbox' })
      .where('campaign_id', '=', refused.campaignId)
      .execute();
    await record(refused.id, { kind: 'opened' });
    expect((await stateOf(refused)).recipient).toMatchObject({ status: 'failed', due_at: null });
  });

  it('an answer proves that a message of unknown fate arrived', async () => {
    const message = await newMessage('uncertain');
    const send = { campaign_id: message.campaignId, step: 0, variant: 0 };
    const answeredAt = new Date(at.getTime() + 2 * DAY_MS);
    await database.db.transaction().execute(async (trx) => {
      await addToCounters(trx, at, [{ send, outcome: 'uncertain', by: 1 }]);
      await recordSendOutcome(trx, message.id, { kind: 'replied', at: answeredAt });
    });
    const after = await stateOf(message);
    expect(after.send.state).toBe('sent');
    expect(after.recipient).toMatchObject({ status: 'replied', hold_reason: null });
    // On the day of the message; only the answer is of the later one.
    const days = after.counters.toSorted((a, b) => b.sent - a.sent);
    expect(days).toMatchObject([
      { sent: 1, uncertain: 0, replied: 0 },
      { sent: 0, uncertain: 0, replied: 1 },
    ]);
  });
});
