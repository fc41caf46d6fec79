/**
 * One message at a time from a mailbox: gap, hour, day, cold day.
 * docs/sending-rules.md#one-message-at-a-time.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCipher } from '../../src/encryption/cipher.ts';
import { reserveMailboxSlot } from '../../src/db/sending/mailbox-slots.ts';
import { takeSlot, type SlotLimits } from '../../src/domain/sending/mailbox-slots.ts';
import { seededRandom } from '../chaos/seeded-random.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const limits: SlotLimits = {
  gapMs: 10 * MINUTE,
  gapJitter: 0.2,
  hourMs: HOUR,
  dayMs: DAY,
  hourly: 8,
  daily: 50,
  dailyCold: 30,
};

describe('slots of a mailbox', () => {
  it('keep gap, hour, day and cold day over weeks of random asking', () => {
    const random = seededRandom(5);
    const sent: { at: number; kind: 'cold' | 'warmup' }[] = [];
    let nextSendAt: Date | null = null;
    const own = { ...limits, gapMs: 2 * MINUTE };
    const refusedUntil: { at: number; nextAt: number }[] = [];
    for (let at = 0; at < 14 * DAY; at += random() * 6 * MINUTE) {
      const kind = random() < 0.7 ? 'cold' : 'warmup';
      const of = (wanted: string) =>
        sent
          .filter((message) => message.kind === wanted && message.at > at - DAY)
          .map((message) => new Date(message.at))
          .toReversed();
      const use = { nextSendAt, cold: of('cold'), warmup: of('warmup') };
      const slot = takeSlot(kind, own, use, { now: new Date(at), chance: random() });
      if (slot.granted) {
        nextSendAt = slot.nextSendAt;
        sent.push({ at, kind });
      } else refusedUntil.push({ at, nextAt: slot.nextAt.getTime() });
    }
    expect(refusedUntil.filter(({ at, nextAt }) => nextAt <= at)).toEqual([]);
    const within = (ms: number, kind?: string) =>
      Math.max(
        ...sent.map(
          ({ at }) =>
            sent.filter(
              (other) =>
                other.at >= at && other.at < at + ms && (kind === undefined || other.kind === kind),
            ).length,
        ),
      );
    const gaps = sent.slice(1).map(({ at }, n) => at - sent[n]!.at);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(own.gapMs * 0.8);
    expect([within(HOUR), within(DAY), within(DAY, 'cold')]).toEqual([8, 50, 30]);
  });

  it('say exactly when the limit that refuses is over', () => {
    const now = new Date(DAY);
    const ago = (ms: number) => new Date(now.getTime() - ms);
    const eight = Array.from({ length: 8 }, (_, n) => ago((n + 1) * 5 * MINUTE));
    const use = { nextSendAt: null, cold: eight, warmup: [] };
    const slot = takeSlot('warmup', limits, use, { now, chance: 0.5 });
    const nextAt = new Date(now.getTime() + 20 * MINUTE);
    expect(slot).toEqual({ granted: false, nextAt, limit: 'hour' });
    const late = takeSlot('warmup', limits, use, { now: nextAt, chance: 0.5 });
    expect(late).toEqual({
      granted: true,
      nextSendAt: new Date(nextAt.getTime() + 10 * MINUTE),
    });
  });

  it('give no cold message where warm-up allows none, and leave warm-up alone', () => {
    const none = { ...limits, dailyCold: 0 };
    const use = { nextSendAt: null, cold: [], warmup: [] };
    const at = { now: new Date(DAY), chance: 0 };
    expect(takeSlot('cold', none, use, at)).toMatchObject({ granted: false, limit: 'cold_day' });
    expect(takeSlot('warmup', none, use, at).granted).toBe(true);
  });
});

describe('reserveMailboxSlot', () => {
  let database: TestDatabase;
  let mailboxId: number;
  let partnerId: number;
  beforeAll(async () => {
    database = await createTestDatabase();
    const cipher = createCipher(`test:${Buffer.alloc(32).toString('base64')}`);
    const userId = await addSender(database.db);
    const needs = { db: database.db, cipher };
    [mailboxId, partnerId] = (await addMailboxes(needs, userId, { count: 2 })) as [number, number];
  });
  afterAll(() => database?.close());

  const settings = {
    SEND_MAILBOX_DAILY_LIMIT: 30,
    SEND_MAILBOX_DAILY_MAX: 50,
    SEND_MAILBOX_HOURLY_LIMIT: 8,
    SEND_MIN_GAP_SECONDS: 0,
    SEND_GAP_JITTER: 0,
    DAY_SECONDS: 86_400,
  };
  const now = new Date('2026-03-03T12:00:00Z');
  const reserve = (gapSeconds = 0) =>
    database.db.transaction().execute(async (trx) => {
      const own = { ...settings, SEND_MIN_GAP_SECONDS: gapSeconds };
      const slot = await reserveMailboxSlot(trx, own, { mailboxId, kind: 'warmup', now });
      if (!slot.granted) return slot.limit;
      const message = {
        from_mailbox_id: mailboxId,
        to_mailbox_id: partnerId,
        to_address: 'm2@example.test',
        message_id: randomUUID(),
        state: 'claimed',
        planned_at: now,
        claimed_at: now,
      } as const;
      await trx.insertInto('warmup_letters').values(message).execute();
      return 'granted';
    });

  it('grants twenty at once no more than the hour allows', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserve()));
    expect(answers.filter((answer) => answer === 'granted')).toHaveLength(8);
    expect(new Set(answers)).toEqual(new Set(['granted', 'hour']));
  });

  it('grants one of five at once where there is a gap', async () => {
    await database.db.deleteFrom('warmup_letters').execute();
    const answers = await Promise.all(Array.from({ length: 5 }, () => reserve(600)));
    expect(answers.toSorted()).toEqual(['gap', 'gap', 'gap', 'gap', 'granted']);
  });

  it('grants nothing to a mailbox that is gone', async () => {
    await database.db
      .updateTable('mailboxes')
      .set({ status: 'deleted' })
      .where('id', '=', mailboxId)
      .execute();
    expect(await reserve()).toBe('gone');
  });
});
