/** What comes in about a message before its delivery result is written: a bounce may be faster than the result. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import { beginMessages, recoverMessages } from '../../src/db/sending/send-progress.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
const now = new Date();
const earlier = new Date(now.getTime() - 5_000);
beforeAll(async () => {
  world = await startSessionWorld([]);
  userId = await addSender(world.database.db);
});
afterAll(() => world.close());

/** A message whose text is being sent. */
async function messageUnderWay() {
  const { db, cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
  const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds, followups: 1 });
  const claimedBy = randomUUID();
  const { messages } = await db
    .transaction()
    .execute((trx) =>
      claimMessages(trx, world.tools().config, { campaignId, claimedBy, now, most: 1 }),
    );
  const message = messages[0]!;
  const { sendId } = message;
  const text = {
    sendId,
    fromName: 'Ann',
    to: message.recipient.email,
    subject: 'Hello',
    text: 'Hello there',
    references: [],
    at: now,
  };
  expect((await beginMessages(db, claimedBy, [text])).size).toBe(1);
  const write = (state: 'sent' | 'uncertain') => {
    const end: DeliveryResult = {
      sendId,
      leadId: message.leadId,
      mailboxId: message.mailboxId,
      step: 0,
      variant: message.variant,
      messageId: message.messageId,
      state,
      reply: state === 'sent' ? '250 2.0.0 Ok' : '',
      subject: 'Hello',
      at: now,
      recipient:
        state === 'sent'
          ? { status: 'in_progress', step: 1, dueAt: now, holdReason: null }
          : { status: 'failed', step: 0, dueAt: null, holdReason: 'delivery_uncertain' },
      hasBounced: false,
    };
    return db
      .transaction()
      .execute((trx) => writeDeliveryResults(trx, { campaignId, userId, claimedBy }, [end]));
  };
  const record = (outcome: Omit<SendOutcome, 'at'>, at = earlier) =>
    db.transaction().execute((trx) => recordSendOutcome(trx, sendId, { at, ...outcome }));
  const read = async () => ({
    send: await db
      .selectFrom('sends')
      .select(['state', 'sent_at', 'subject', 'bounced_at', 'rejected_at', 'rejection'])
      .where('id', '=', sendId)
      .executeTakeFirstOrThrow(),
    recipient: await db
      .selectFrom('recipients')
      .select(['status', 'step', 'due_at', 'paused_due_at', 'hold_reason'])
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow(),
    counters: await db
      .selectFrom('campaign_counters')
      .select(['sent', 'uncertain', 'bounced', 'rejected', 'replied'])
      .where('campaign_id', '=', campaignId)
      .execute(),
  });
  const recover = () =>
    db
      .transaction()
      .execute((trx) => recoverMessages(trx, { campaignId, exceptBy: randomUUID(), now }));
  const pause = () =>
    db.transaction().execute(async (trx) => {
      await sql`update recipients set status = 'paused', paused_due_at = due_at, due_at = null
        where campaign_id = ${campaignId}`.execute(trx);
    });
  return { write, record, read, recover, pause };
}

const NOTHING = { sent: 0, uncertain: 0, bounced: 0, rejected: 0, replied: 0 };

describe('before the result of its delivery is written', () => {
  it('a bounce is kept, and counted once', async () => {
    const message = await messageUnderWay();
    await message.record({ kind: 'bounced' });
    await message.write('sent');
    await message.record({ kind: 'bounced' }, now);
    const { send, recipient, counters } = await message.read();
    expect(send).toMatchObject({ state: 'sent', bounced_at: earlier });
    expect(recipient.status).toBe('bounced');
    expect(counters).toEqual([{ ...NOTHING, sent: 1, bounced: 1 }]);
  });

  it('a refusal by a policy is kept with its words', async () => {
    const message = await messageUnderWay();
    await message.record({ kind: 'rejected', words: 'listed' });
    await message.write('sent');
    const { send, counters } = await message.read();
    expect(send).toMatchObject({ state: 'sent', rejected_at: earlier, rejection: 'listed' });
    expect(counters).toEqual([{ ...NOTHING, sent: 1, rejected: 1 }]);
  });

  it.each(['bounced', 'replied'] as const)('one that was %s is not uncertain', async (kind) => {
    const message = await messageUnderWay();
    await message.record({ kind });
    await message.write('uncertain');
    const { send, recipient, counters } = await message.read();
    expect(send).toMatchObject({ state: 'sent', sent_at: expect.any(Date), subject: 'Hello' });
    expect(recipient.status).toBe(kind);
    expect(counters).toEqual([{ ...NOTHING, sent: 1, [kind]: 1 }]);
  });

  it('one that was answered is not uncertain where its session died', async () => {
    const message = await messageUnderWay();
    await message.record({ kind: 'replied' });
    await message.recover();
    const { send, recipient, counters } = await message.read();
    expect(send.state).toBe('sent');
    expect(recipient.status).toBe('replied');
    expect(counters).toEqual([{ ...NOTHING, sent: 1, replied: 1 }]);
  });

  const ends = {
    'the result of its delivery is unknown': 'write',
    'its session died': 'recover',
  } as const;
  describe.each(Object.entries(ends))('where %s', (_, way) => {
    const end = (message: Awaited<ReturnType<typeof messageUnderWay>>) =>
      way === 'write' ? message.write('uncertain') : message.recover();

    it.each([
      { kind: 'opened' },
      { kind: 'clicked', url: 'https://acme.test' },
      { kind: 'bounced', isPermanent: false },
    ] as const)('one that was $kind has arrived, and its recipient goes on', async (outcome) => {
      const message = await messageUnderWay();
      await message.record(outcome);
      await end(message);
      const { send, recipient, counters } = await message.read();
      expect(send.state).toBe('sent');
      expect(recipient).toMatchObject({ status: 'in_progress', step: 1, hold_reason: null });
      const days = (recipient.due_at!.getTime() - now.getTime()) / 86_400_000;
      expect(days).toBeCloseTo(3);
      expect(counters).toMatchObject([{ sent: 1, uncertain: 0 }]);
    });

    it.each([false, true])(
      'whose recipient is away goes on at the named day, paused: %s',
      async (isPaused) => {
        const message = await messageUnderWay();
        const backAt = new Date(now.getTime() + 20 * 86_400_000);
        if (isPaused) await message.pause();
        await message.record({ kind: 'auto_replied', backAt });
        await end(message);
        const { send, recipient } = await message.read();
        expect(send.state).toBe('sent');
        expect(recipient).toMatchObject({
          step: 1,
          hold_reason: 'auto_reply',
          ...(isPaused
            ? { status: 'paused', due_at: null, paused_due_at: backAt }
            : { status: 'in_progress', due_at: backAt }),
        });
      },
    );

    it('one that only a program has fetched stays uncertain', async () => {
      const message = await messageUnderWay();
      await message.record({ kind: 'machine_opened' });
      await end(message);
      const { send, recipient } = await message.read();
      expect(send.state).toBe('uncertain');
      expect(recipient).toMatchObject({ status: 'failed', hold_reason: 'delivery_uncertain' });
    });
  });

  it('one about which nothing came stays uncertain', async () => {
    const message = await messageUnderWay();
    await message.write('uncertain');
    const { send, counters } = await message.read();
    expect([send.state, send.sent_at]).toEqual(['uncertain', null]);
    expect(counters).toEqual([{ ...NOTHING, uncertain: 1 }]);
  });
});
