/** What a mailbox in warm-up asks of the database while nothing is due. */
import { randomUUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/db/tables.ts';
import { wakingHours } from '../../src/domain/warmup/warmup-days.ts';
import {
  startWarmupWorld,
  type RunningRound,
  type WarmupWorld,
} from '../support/campaigns/warmup-world.ts';

/** Days as long as real ones: what partners wrote is tended every five minutes. */
let world: WarmupWorld;
let db: Kysely<Database>;
/** Of the rounds alone: those that were asked, and those without an answer yet. */
let statements = 0;
let open = 0;
beforeAll(async () => {
  world = await startWarmupWorld();
  ({ db } = world.database);
  await db.updateTable('users').set({ timezone: 'UTC' }).execute();
  const counting = db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      open += 1;
      return node;
    },
    async transformResult({ result }) {
      open -= 1;
      return result;
    },
  });
  world.context.db = counting;
});
afterAll(() => world?.close());

beforeEach(() => world.wakeUp());

let running: RunningRound | undefined;
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await running?.stop();
  running = undefined;
  await world.reset();
});

/** Of those that wait by promise vitest knows nothing, and who imports them by name has to be told. */
function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(timers, 'setTimeout').mockImplementation(
    (ms, value, options) =>
      new Promise((resolve, reject) => {
        setTimeout(() => resolve(value!), ms);
        options?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  syncBuiltinESMExports();
}

const now = () => world.context.clock.now().getTime();

/** A round whose day is planned: one message, so many milliseconds from now. */
async function idle(messageInMs: number) {
  const mailboxId = world.tenants[0]!.mailboxIds[0]!;
  const to = world.tenants[1]!.mailboxIds[0]!;
  const daySeconds = world.context.config.DAY_SECONDS;
  const calendar = { timezone: 'UTC', weekdaysOnly: false, daySeconds };
  const day = wakingHours(calendar, world.context.clock.now());
  const enrolled = await world.enrol(mailboxId, {}, { day: 1, day_started_at: day.from });
  const { email } = await db
    .selectFrom('mailboxes')
    .select('email')
    .where('id', '=', to)
    .executeTakeFirstOrThrow();
  const plannedAt = new Date(now() + messageInMs);
  const message = { from_mailbox_id: mailboxId, to_mailbox_id: to, to_address: email };
  await db
    .insertInto('warmup_letters')
    .values({ ...message, message_id: `<${randomUUID()}@north.com>`, planned_at: plannedAt })
    .execute();
  statements = 0;
  running = world.run(enrolled);
  await settle();
  return { mailboxId, plannedAt };
}

/** Until the round has asked all that it wants to know. Timers of a test may stand still. */
async function settle(): Promise<void> {
  for (let before = -1, since = performance.now(); performance.now() < since + 300;) {
    if (before !== statements || open > 0) since = performance.now();
    before = statements;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const elapse = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};

describe('a mailbox in warm-up whose next message is hours away', () => {
  it('asks one statement a minute', async () => {
    useFakeTimers();
    await idle(3 * 3_600_000);
    const begun = statements;
    for (let n = 0; n < 20; n += 1) await elapse(3_000);
    expect(statements - begun).toBe(1);
  }, 180_000);

  it('sees within a minute that it was paused', async () => {
    useFakeTimers();
    const { mailboxId } = await idle(3 * 3_600_000);
    await db
      .updateTable('warmups')
      .set({ status: 'paused' })
      .where('mailbox_id', '=', mailboxId)
      .execute();
    await elapse(60_000);
    expect(await running!.ended).toMatchObject({ state: 'paused' });
  });

  it('writes at the very moment, and asks nothing before', async () => {
    useFakeTimers();
    const { plannedAt } = await idle(4_500);
    const begun = statements;
    for (let n = 0; n < 4; n += 1) await elapse(1_000);
    expect(statements).toBe(begun);
    const isSent = async () => (await world.messages())[0]!.state === 'sent';
    while (now() < plannedAt.getTime() + 10_000 && !(await isSent())) await elapse(250);
    const [message] = await world.messages();
    expect(message).toMatchObject({ state: 'sent' });
    expect(message!.claimed_at!.getTime() - plannedAt.getTime()).toBeLessThan(1_000);
  });
});
