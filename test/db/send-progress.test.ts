/** The steps of a message after its claim: what stops it at the last moment, and what a hold outlives. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaignRows } from '../../src/transactions/campaign-states.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import { beginMessages, recoverMessages } from '../../src/db/sending/send-progress.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld([]);
  userId = await addSender(world.database.db);
});
afterAll(() => world.close());

const DAY_MS = 86_400_000;
const now = new Date();
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);

const claim = (campaignId: number, claimedBy: string, at: Date) =>
  world.database.db
    .transaction()
    .execute((trx) =>
      claimMessages(trx, world.tools().config, { campaignId, claimedBy, now: at, most: 10 }),
    );

const resultOf = (
  message: ClaimedMessage,
  change: Partial<DeliveryResult> = {},
): DeliveryResult => ({
  sendId: message.sendId,
  leadId: message.leadId,
  mailboxId: message.mailboxId,
  step: message.step.position,
  variant: message.variant,
  messageId: message.messageId,
  state: 'sent',
  reply: '250 2.0.0 Ok',
  subject: 'Hello',
  at: now,
  recipient: {
    status: 'in_progress',
    step: message.step.position + 1,
    dueAt: now,
    holdReason: null,
  },
  hasBounced: false,
  ...change,
});

const textOf = ({ sendId, recipient }: ClaimedMessage) => ({
  sendId,
  fromName: 'Ann',
  to: recipient.email,
  subject: 'Hello',
  text: 'Hello there',
  references: [],
  at: now,
});

const end = (campaignId: number, claimedBy: string, ends: DeliveryResult[]) =>
  world.database.db
    .transaction()
    .execute((trx) => writeDeliveryResults(trx, { campaignId, userId, claimedBy }, ends));

const record = (sendId: number, outcome: Omit<SendOutcome, 'at'>) =>
  world.database.db
    .transaction()
    .execute((trx) => recordSendOutcome(trx, sendId, { at: now, ...outcome }));

const recipientOf = (campaignId: number) =>
  world.database.db
    .selectFrom('recipients')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow();

/** Somebody with a first message that was sent, and a follow-up that is claimed. */
async function claimedFollowUp() {
  const { db, cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId, leadIds } = await addCampaign(world.database.db, userId, {
    leads: 1,
    mailboxIds,
    followups: 2,
    delayDays: 1,
  });
  const claimedBy = randomUUID();
  const [first] = (await claim(campaignId, claimedBy, now)).messages;
  await beginMessages(world.database.db, claimedBy, [textOf(first!)]);
  await end(campaignId, claimedBy, [resultOf(first!)]);
  const [second] = (await claim(campaignId, claimedBy, now)).messages;
  return { campaignId, leadId: leadIds[0]!, claimedBy, first: first!, second: second! };
}

describe('beginMessages', () => {
  it.each([
    ['answered', { kind: 'replied' }],
    ['bounced', { kind: 'bounced' }],
    ['unsubscribed', { kind: 'unsubscribed' }],
    ['said to be away', { kind: 'auto_replied', backAt: inDays(14) }],
  ] as const)(
    'a follow-up stays unsent when its recipient has %s. Choice 9',
    async (_, outcome) => {
      const { claimedBy, first, second } = await claimedFollowUp();
      await record(first.sendId, outcome);
      const begun = await beginMessages(world.database.db, claimedBy, [textOf(second)]);
      expect(begun.size).toBe(0);
    },
  );

  it('a message stays unsent when its lead got another address since the claim', async () => {
    const { claimedBy, leadId, second } = await claimedFollowUp();
    const email = `${randomUUID()}@new.test`;
    await world.database.db
      .updateTable('leads')
      .set({ email, email_key: email })
      .where('id', '=', leadId)
      .execute();
    const begun = await beginMessages(world.database.db, claimedBy, [textOf(second)]);
    expect(begun.size).toBe(0);
  });

  it('a follow-up to somebody who said nothing goes out', async () => {
    const { claimedBy, second } = await claimedFollowUp();
    const begun = await beginMessages(world.database.db, claimedBy, [textOf(second)]);
    expect([...begun]).toEqual([second.sendId]);
  });
});

describe('writeDeliveryResults', () => {
  it.each([
    ['a NUL', '250 ok \u0000', '250 ok '],
    ['half a surrogate pair', '250 ok \ud83d', '250 ok \ufffd'],
  ])('a reply with %s takes no other message with it', async (_, reply, kept) => {
    const { db, cipher } = world.tools();
    const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 2 });
    const { campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds, followups: 1 });
    const claimedBy = randomUUID();
    const { messages } = await claim(campaignId, claimedBy, now);
    expect(messages).toHaveLength(2);
    await beginMessages(db, claimedBy, messages.map(textOf));
    const [bad, good] = messages;
    await end(campaignId, claimedBy, [resultOf(bad!, { reply }), resultOf(good!)]);
    const written = await db
      .selectFrom('sends')
      .select(['state', 'smtp_reply'])
      .where('campaign_id', '=', campaignId)
      .orderBy('smtp_reply')
      .execute();
    expect(written).toEqual(
      [
        { state: 'sent', smtp_reply: kept },
        { state: 'sent', smtp_reply: '250 2.0.0 Ok' },
      ].toSorted((a, b) => (a.smtp_reply < b.smtp_reply ? -1 : 1)),
    );
  });

  it('a refusal by a policy with such a reply is told, too', async () => {
    const { campaignId, claimedBy, second } = await claimedFollowUp();
    await beginMessages(world.database.db, claimedBy, [textOf(second)]);
    const refused = {
      state: 'refused',
      isRejected: true,
      reply: '550 5.7.1\u0000 \ud83d',
    } as const;
    const recipient = {
      status: 'failed',
      step: 1,
      dueAt: null,
      holdReason: 'delivery_refused',
    } as const;
    await end(campaignId, claimedBy, [resultOf(second, { ...refused, recipient })]);
    const { rejection } = await world.database.db
      .selectFrom('sends')
      .select('rejection')
      .where('id', '=', second.sendId)
      .executeTakeFirstOrThrow();
    expect(rejection).toBe('550 5.7.1 \ufffd');
  });
});

describe('messages that two processes are at work on', () => {
  /** Two claimed messages, of which the younger lies first in the table: a scan meets it first. */
  async function twoClaims() {
    const { db, cipher } = world.tools();
    const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 2 });
    const { campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds });
    const claimedBy = randomUUID();
    const { messages } = await claim(campaignId, claimedBy, now);
    const [older, younger] = messages.toSorted((one, other) => one.sendId - other.sendId);
    await db
      .updateTable('sends')
      .set({ claimed_at: new Date(now.getTime() + 1) })
      .where('id', '=', older!.sendId)
      .execute();
    return { campaignId, claimedBy, older: older!, younger: younger! };
  }

  type Claims = Awaited<ReturnType<typeof twoClaims>>;
  const worked: Record<string, (claims: Claims) => Promise<unknown>> = {
    begins: ({ claimedBy, older, younger }) =>
      beginMessages(world.database.db, claimedBy, [textOf(younger), textOf(older)]),
    ends: ({ campaignId, claimedBy, older, younger }) =>
      end(campaignId, claimedBy, [resultOf(younger), resultOf(older)]),
    recovers: ({ campaignId }) =>
      world.database.db
        .transaction()
        .execute((trx) => recoverMessages(trx, { campaignId, exceptBy: randomUUID(), now })),
  };

  it.each(Object.keys(worked))(
    'whoever %s messages locks the older one first: nobody is caught in a deadlock',
    async (name) => {
      const { db } = world.database;
      const claims = await twoClaims();
      const rowOf = ({ sendId }: ClaimedMessage) => sql`select id from sends where id = ${sendId}`;
      const [working, free] = await db.transaction().execute(async (trx) => {
        await sql`${rowOf(claims.older)} for update`.execute(trx);
        const work = worked[name]!(claims);
        await untilWaiting(db);
        const { rows } = await sql`${rowOf(claims.younger)} for update skip locked`.execute(db);
        return [work, rows.length] as const;
      });
      await working;
      expect(free).toBe(1);
    },
  );
});

describe('an automatic answer during a claim', () => {
  const away = { kind: 'auto_replied', backAt: inDays(14) } as const;
  const held = { due_at: inDays(14), hold_reason: 'auto_reply', status: 'in_progress' };

  it('holds until its day when the round dies', async () => {
    const { campaignId, first } = await claimedFollowUp();
    await record(first.sendId, away);
    const recovered = await world.database.db
      .transaction()
      .execute((trx) => recoverMessages(trx, { campaignId, exceptBy: randomUUID(), now }));
    expect(recovered).toEqual({ back: 1, uncertain: 0 });
    expect(await recipientOf(campaignId)).toMatchObject({ ...held, step: 1 });
  });

  it('holds when the claim is taken back, and the message goes out on its day', async () => {
    const { campaignId, claimedBy, first, second } = await claimedFollowUp();
    await record(first.sendId, away);
    const recipient = { status: 'in_progress', step: 1, dueAt: now, holdReason: null } as const;
    await end(campaignId, claimedBy, [resultOf(second, { state: 'back', recipient })]);
    expect(await recipientOf(campaignId)).toMatchObject({ ...held, step: 1 });
    expect((await claim(campaignId, claimedBy, inDays(13))).messages).toHaveLength(0);
    expect((await claim(campaignId, claimedBy, inDays(14.1))).messages).toHaveLength(1);
  });

  it('holds the message after one that was under way', async () => {
    const { campaignId, claimedBy, first, second } = await claimedFollowUp();
    await beginMessages(world.database.db, claimedBy, [textOf(second)]);
    await record(first.sendId, away);
    await end(campaignId, claimedBy, [resultOf(second)]);
    expect(await recipientOf(campaignId)).toMatchObject({ ...held, step: 2 });
  });

  it('is over at its day, not when a lost claim would have been found', async () => {
    const { campaignId, claimedBy, first, second } = await claimedFollowUp();
    const backAt = new Date(now.getTime() + 60_000);
    await record(first.sendId, { ...away, backAt });
    const recipient = { status: 'in_progress', step: 1, dueAt: now, holdReason: null } as const;
    await end(campaignId, claimedBy, [resultOf(second, { state: 'back', recipient })]);
    expect((await recipientOf(campaignId)).due_at).toEqual(backAt);
  });
});

describe('a refused address', () => {
  it('is suppressed as the message had it, also when the lead is gone or has another', async () => {
    const { db } = world.database;
    for (const change of ['deleted', 'corrected'] as const) {
      const { campaignId, leadId, claimedBy, second } = await claimedFollowUp();
      await beginMessages(db, claimedBy, [textOf(second)]);
      const corrected = `${randomUUID()}@new.test`;
      await (change === 'deleted'
        ? db.deleteFrom('leads').where('id', '=', leadId).execute()
        : db
            .updateTable('leads')
            .set({ email: corrected, email_key: corrected })
            .where('id', '=', leadId)
            .execute());
      const recipient = { status: 'bounced', step: 1, dueAt: null, holdReason: null } as const;
      const refused = { state: 'refused', hasBounced: true, recipient } as const;
      await end(campaignId, claimedBy, [resultOf(second, refused)]);
      const values = await db
        .selectFrom('suppressions')
        .select('value')
        .where('user_id', '=', userId)
        .where('value', 'in', [second.recipient.email, corrected])
        .execute();
      expect(values).toEqual([{ value: second.recipient.email }]);
      const lead = await db
        .selectFrom('leads')
        .select('status')
        .where('id', '=', leadId)
        .executeTakeFirst();
      expect(lead?.status).toBe(change === 'deleted' ? undefined : 'contacted');
    }
  });
});

describe('the end of a workflow', () => {
  const settle = (campaignId: number, outcome: 'succeeded' | 'failed') =>
    world.database.db
      .transaction()
      .execute((trx) => campaignRows.settle(trx, campaignId, { outcome }));

  it('closes what a killed round of a cancelled campaign has left open', async () => {
    const { db } = world.database;
    const { campaignId, claimedBy, second } = await claimedFollowUp();
    await beginMessages(db, claimedBy, [textOf(second)]);
    await db
      .updateTable('campaigns')
      .set({ status: 'cancelled' })
      .where('id', '=', campaignId)
      .execute();
    await settle(campaignId, 'succeeded');
    const send = await db
      .selectFrom('sends')
      .select('state')
      .where('id', '=', second.sendId)
      .executeTakeFirst();
    expect(send?.state).toBe('uncertain');
    expect((await recipientOf(campaignId)).hold_reason).toBe('delivery_uncertain');
  });

  it('before everybody was written to pauses the campaign with a reason. Choice 7', async () => {
    const { campaignId } = await claimedFollowUp();
    await settle(campaignId, 'failed');
    const campaign = await world.database.db
      .selectFrom('campaigns')
      .select(['status', 'pause_reason'])
      .where('id', '=', campaignId)
      .executeTakeFirst();
    expect(campaign).toEqual({ status: 'paused', pause_reason: 'insufficient_data' });
  });
});

describe('messages that were put off', () => {
  it('are found by an index of their own while their mailbox fails', async () => {
    const plan = await world.database.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      const { rows } = await sql<Record<string, string>>`explain delete from sends
        where campaign_id = 1 and step = 0 and state = 'deferred'
          and mailbox_id = any ('{1,2}'::bigint[])`.execute(trx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('sends_deferred');
  });

  const later = {
    state: 'deferred',
    reply: '450 4.2.0 Mailbox is busy',
    recipient: { status: 'queued', step: 0, dueAt: now, holdReason: 'soft_bounce' },
  } as const;
  const back = {
    state: 'back',
    recipient: { status: 'queued', step: 0, dueAt: now, holdReason: null },
  } as const;

  it.each<[string, (campaignId: number, by: string, message: ClaimedMessage) => Promise<unknown>]>([
    [
      'a round that dies',
      (campaignId) =>
        world.database.db
          .transaction()
          .execute((trx) => recoverMessages(trx, { campaignId, exceptBy: randomUUID(), now })),
    ],
    [
      'a claim that is taken back',
      (campaignId, by, message) => end(campaignId, by, [resultOf(message, back)]),
    ],
  ])('stay so behind %s: attempts, reply and mailbox are not forgotten', async (_, undo) => {
    const { db, cipher } = world.tools();
    const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
    const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
    const claimedBy = randomUUID();
    const [first] = (await claim(campaignId, claimedBy, now)).messages;
    await end(campaignId, claimedBy, [resultOf(first!, later)]);
    const [second] = (await claim(campaignId, claimedBy, now)).messages;
    expect(second).toMatchObject({ sendId: first!.sendId, attempts: 1 });
    await undo(campaignId, claimedBy, second!);
    const send = await db
      .selectFrom('sends')
      .select(['state', 'attempts', 'smtp_reply'])
      .where('id', '=', first!.sendId)
      .executeTakeFirst();
    expect(send).toEqual({ state: 'deferred', attempts: 0, smtp_reply: later.reply });
    const recipient = await recipientOf(campaignId);
    expect([recipient.due_at, recipient.mailbox_id === null]).toEqual([now, undo.length > 1]);
    const [third] = (await claim(campaignId, claimedBy, now)).messages;
    expect(third).toMatchObject({ sendId: first!.sendId, attempts: 1 });
  });
});
