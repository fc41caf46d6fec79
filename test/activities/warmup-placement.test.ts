/**
 * Where warm-up messages land is seen in seed mailboxes. docs/sending-rules.md#seed-mailboxes; choice 28.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measurePlacement } from '../../activities/warmup/measure-placement.ts';
import { judgeWarmup } from '../../activities/warmup/health.ts';
import type { WarmupSession } from '../../activities/warmup/warmup-mailbox.ts';
import { withLease } from '../../src/db/leases.ts';
import { noteSeedAnswer } from '../../src/db/warmup/warmup-messages.ts';
import type { MailboxAccess } from '../../src/providers/mail-transport/port.ts';
import { SEED_ADDRESSES, SEED_MAILBOXES } from '../../src/sandbox/warmup-seeds.ts';
import { getWarmupStats } from '../../src/services/warmup/warmup-stats.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';

let world: WarmupWorld;
beforeAll(async () => {
  world = await startWarmupWorld({
    DAY_SECONDS: '6',
    SEND_MAILBOX_HOURLY_LIMIT: '50',
    WARMUP_SEED_MAILBOXES: SEED_MAILBOXES,
  });
});
afterAll(() => world?.close());

const setJunk = (percent: number) => world.world.control('PUT', '/seeds/junk', { percent });
const placed = async () => (await world.messages()).filter(({ seen_in }) => seen_in !== null);

/** A day of messages to seeds, until so many of them were found. */
async function placementOf(percent: number, count: number) {
  await world.reset();
  await setJunk(percent);
  world.wakeUp();
  const { userId, mailboxIds } = world.tenants[0]!;
  const mailboxId = mailboxIds[0]!;
  const round = await world.enrol(mailboxId, { startVolume: 12 });
  let running = world.run(round);
  try {
    await world.until(async () => {
      const ended = await Promise.race([running.ended, Promise.resolve()]);
      if (ended) running = world.run(round);
      return (await placed()).length >= count;
    }, 40_000);
  } finally {
    await running.stop();
  }
  await judgeWarmup(world.context, mailboxId);
  return getWarmupStats(world.context, { userId, mailboxId }, {});
}

describe('placement', () => {
  it('is the inbox, and then health is proven', async () => {
    const stats = await placementOf(0, 4);
    expect(stats).toMatchObject({ spam: 0, healthScore: 100 });
    expect(stats.inbox).toBeGreaterThanOrEqual(4);
    expect((await placed()).every(({ to_address: to }) => SEED_ADDRESSES.includes(to))).toBe(true);
  });

  it('is spam where the provider thinks so: the mailbox sends less', async () => {
    const stats = await placementOf(100, 4);
    expect(stats.inbox).toBe(0);
    expect(stats.spam).toBeGreaterThanOrEqual(4);
    expect(stats.healthScore).toBeLessThan(70);
    const { status } = await world.database.db
      .selectFrom('warmups')
      .select('status')
      .executeTakeFirstOrThrow();
    expect(['throttled', 'quarantined']).toContain(status);
  });

  it('does not change when the seed answers, and is looked for while another looks there', async () => {
    await placementOf(100, 1);
    const { db } = world.database;
    const [message] = await placed();
    const { from_mailbox_id: mailboxId, message_id: id, to_address: from } = message!;
    await noteSeedAnswer(db, mailboxId, { messageIds: [id], from, at: new Date() });
    expect((await placed())[0]).toMatchObject({ id: message!.id, seen_in: 'spam' });

    await db
      .updateTable('warmup_letters')
      .set({ seen_in: null })
      .where('id', '=', message!.id)
      .execute();
    const { mailTransport } = world.context;
    const opened: MailboxAccess[] = [];
    const openImap = (access: MailboxAccess) => {
      opened.push(access);
      return mailTransport.openImap(access);
    };
    const context = { ...world.context, mailTransport: { ...mailTransport, openImap } };
    const { signal } = new AbortController();
    const round = { context, mailboxId, operationId: 0, claimedBy: '', signal } as WarmupSession;
    const look = () => measurePlacement(round, { now: context.clock.now() } as never);
    const find = async () => (await placed()).find((each) => each.id === message!.id)?.seen_in;
    const lease = { name: `warmup seed ${from}`, waitMs: 0, busy: () => new Error('busy') };
    await withLease(db, lease, look);
    expect(await find()).toBeUndefined();
    await look();
    expect(await find()).toBe('spam');
    // The operator named it: it may be inside.
    expect(opened).toContainEqual(expect.objectContaining({ email: from }));
    expect(opened.every(({ isOperators }) => isOperators)).toBe(true);
  });
});
