/**
 * A tenant that is alone warms up with seeds outside, who answer. docs/sending-rules.md#seed-mailboxes;
 * choice 28.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newMemory, visitMailbox } from '../../activities/inbox/watch-mailbox.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { noteSeedAnswer } from '../../src/db/warmup/warmup-messages.ts';
import { SEED_ADDRESSES } from '../../src/sandbox/warmup-seeds.ts';
import { getWarmupStats } from '../../src/services/warmup/warmup-stats.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';

let world: WarmupWorld;
beforeAll(async () => {
  world = await startWarmupWorld({
    DAY_SECONDS: '6',
    SEND_MAILBOX_HOURLY_LIMIT: '50',
    WARMUP_SEED_ADDRESSES: SEED_ADDRESSES.join(','),
  });
  world.wakeUp();
});
afterAll(() => world?.close());

it('notes the answers of seeds, which stay out of the inbox', async () => {
  const { context, database, tenants } = world;
  const [{ userId, mailboxIds, domain }] = tenants as [(typeof tenants)[number]];
  const mailboxId = mailboxIds[0]!;
  const round = await world.enrol(mailboxId, { startVolume: 12 });
  const { cluster_id: clusterId } = await database.db
    .selectFrom('mailboxes')
    .select('cluster_id')
    .where('id', '=', mailboxId)
    .executeTakeFirstOrThrow();
  const readInbox = async () => {
    const { mailboxes } = await readSyncSnapshot(database.db, clusterId!);
    const { signal } = new AbortController();
    const rest = { ownAddresses: new Set([`m1@${domain}`]), signal, memory: newMemory() };
    await visitMailbox(
      context,
      mailboxes.find(({ id }) => id === mailboxId)!,
      rest,
    );
  };
  const seen = async () => (await world.messages()).filter(({ seen_at }) => seen_at !== null);

  let running = world.run(round);
  try {
    await world.until(async () => {
      if ((await seen()).length > 0) return true;
      await readInbox();
      // A round that rests is run again, as the workflow does.
      const ended = await Promise.race([running.ended, Promise.resolve()]);
      if (ended) running = world.run(round);
      return false;
    }, 40_000);
  } finally {
    await running.stop();
  }
  const messages = (await world.messages()).filter(({ state }) => state === 'sent');
  expect(messages.every(({ to_address }) => SEED_ADDRESSES.includes(to_address))).toBe(true);
  expect(await database.db.selectFrom('messages').select('id').execute()).toEqual([]);
  // Nobody else hides a message by naming one of them.
  const stranger = { messageIds: messages.map(({ message_id }) => message_id), from: 'a@b.test' };
  const noted = noteSeedAnswer(database.db, mailboxId, { ...stranger, at: new Date() });
  expect(await noted).toBe(false);
  // An answer says that a message was read, not where it lay.
  const stats = await getWarmupStats(context, { userId, mailboxId }, {});
  expect(stats).toMatchObject({ inbox: 0, spam: 0, healthScore: null });
});
