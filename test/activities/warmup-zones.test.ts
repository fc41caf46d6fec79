/** A day of warm-up stays one day when the account's time zone changes in the middle of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDay } from '../../activities/warmup/plan-day.ts';
import { DEFAULT_WARMUP } from '../../src/domain/warmup/warmup.ts';
import { wakingHours } from '../../src/domain/warmup/warmup-days.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';

let world: WarmupWorld;
beforeAll(async () => void (world = await startWarmupWorld()));
afterAll(() => world?.close());

const hoursIn = (timezone: string, at: string) =>
  wakingHours(
    { timezone, weekdaysOnly: false, daySeconds: world.context.config.DAY_SECONDS },
    new Date(at),
  );

/** The day that is planned at this time in this zone, after one that began in New York at 8 (13:00 UTC). */
async function dayAfterMove(timezone: string, at: string): Promise<number> {
  await world.reset();
  const mailboxId = world.tenants[0]!.mailboxIds[0]!;
  const { from } = hoursIn('America/New_York', '2026-12-01T15:00:00Z');
  expect(from).toEqual(new Date('2026-12-01T13:00:00Z'));
  await world.enrol(world.tenants[1]!.mailboxIds[0]!, DEFAULT_WARMUP);
  const { operationId } = await world.enrol(mailboxId, {}, { day: 3, day_started_at: from });
  const { db } = world.database;
  const row = () =>
    db
      .selectFrom('warmups')
      .selectAll()
      .where('mailbox_id', '=', mailboxId)
      .executeTakeFirstOrThrow();
  const session = { context: world.context, mailboxId, operationId } as unknown as Parameters<
    typeof planDay
  >[0];
  const mailbox = { row: await row(), now: new Date(at), email: 'm1@north.com', dailyLimit: null };
  await planDay(
    session,
    mailbox as unknown as Parameters<typeof planDay>[1],
    hoursIn(timezone, at),
  );
  return (await row()).day;
}

describe('a warm-up day that began in New York', () => {
  it.each([
    ['Europe/Berlin', '2026-12-01T15:00:00Z', 3],
    ['America/Los_Angeles', '2026-12-01T16:30:00Z', 3],
    ['Asia/Tokyo', '2026-12-01T23:30:00Z', 3],
    // The next morning there.
    ['America/New_York', '2026-12-02T13:30:00Z', 4],
    ['Europe/Berlin', '2026-12-02T07:30:00Z', 4],
    ['America/Los_Angeles', '2026-12-02T16:30:00Z', 4],
  ])('is followed by another one in %s at %s only by the next morning', async (zone, at, day) => {
    expect(await dayAfterMove(zone, at)).toBe(day);
  });
});
