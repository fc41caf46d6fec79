/**
 * A day of warm-up against real mail hosts of the sandbox. docs/sending-rules.md#warm-up-volume;
 * choice 28.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWarmupMessage, noteWarmupBounce } from '../../src/db/warmup/warmup-messages.ts';
import { recoverMessages } from '../../src/db/warmup/warmup-sends.ts';
import { endWarmup } from '../../src/db/warmup/warmups.ts';
import {
  startWarmupWorld,
  type RunningRound,
  type WarmupWorld,
} from '../support/campaigns/warmup-world.ts';

/** A day of 6 s: 2 s asleep, 4 s awake, 1 s asleep. A gap of a minute is then about 4 ms. */
let world: WarmupWorld;
beforeAll(async () => {
  world = await startWarmupWorld({ DAY_SECONDS: '6', SEND_MAILBOX_HOURLY_LIMIT: '50' });
});
afterAll(() => world?.close());

beforeEach(() => world.wakeUp());

const running: RunningRound[] = [];
const run = (round: { mailboxId: number; operationId: number }) => {
  const started = world.run(round);
  running.push(started);
  return started;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((round) => round.stop()));
  await world.reset();
});

const now = () => world.context.clock.now().getTime();
const mine = () => world.tenants[0]!.mailboxIds[0]!;
const theirs = () => world.tenants[1]!.mailboxIds;

/** Rounds until it is true: a round that rests is run again, as the workflow does. */
async function keepRunning(
  rounds: { mailboxId: number; operationId: number }[],
  condition: () => Promise<boolean>,
) {
  let isOver = false;
  const loops = rounds.map(async (round) => {
    while (!isOver) {
      const result = await run(round).ended;
      if ('error' in result) return;
      const waitMs = result.nextAt === null ? 0 : Date.parse(result.nextAt) - now();
      await new Promise((resolve) => setTimeout(resolve, Math.max(10, waitMs)));
    }
  });
  try {
    await world.until(condition, 40_000);
  } finally {
    isOver = true;
    await Promise.all(running.map((round) => round.stop()));
    await Promise.all(loops);
  }
}

describe('warmUpRound', () => {
  it('writes to the other tenant, whose mailbox saves, flags and answers', async () => {
    const rounds = await Promise.all(
      [mine(), theirs()[0]!].map((id) => world.enrol(id, { replyRate: 100, startVolume: 2 })),
    );
    await keepRunning(rounds, async () => {
      const messages = await world.messages();
      const saved = messages.some(({ saved_at }) => saved_at !== null);
      // The partner may have read a message before it was moved: then the next one is.
      if (!saved && messages.some(({ state }) => state === 'sent')) await moveToJunk();
      const answered = messages.some(
        ({ in_reply_to_id, state }) => in_reply_to_id !== null && state === 'sent',
      );
      return saved && answered;
    });
    const messages = await world.messages();
    const saved = messages.find(({ saved_at }) => saved_at !== null)!;
    expect(saved).toMatchObject({ seen_in: 'spam', state: 'sent' });
    const imap = await world.imap(saved.to_mailbox_id!);
    await imap.open('INBOX');
    const header = { name: 'Message-ID', value: saved.message_id };
    const [uid] = await imap.search('INBOX', header);
    const flags = await imap.fetchFlags('INBOX');
    expect(flags.find((message) => message.uid === uid)!.flags).toEqual(
      expect.arrayContaining(['\\Seen', '\\Flagged']),
    );
    const [batch] = await all(
      imap.fetchNew('INBOX', { afterUid: uid! - 1, maxBytes: 50_000, batch: 1 }),
    );
    await imap.close();
    const source = batch![0]!.source.toString();
    // No mark by which a receiver could know what it is.
    expect(source).not.toMatch(/warm-?up|outreach|https?:|text\/html|List-Unsubscribe/i);
    const id = saved.message_id;
    expect(await isWarmupMessage(world.database.db, saved.to_mailbox_id!, id)).toBe(true);
    expect(await isWarmupMessage(world.database.db, theirs()[1]!, id)).toBe(false);
    const own = world.tenants.map(({ mailboxIds }) => mailboxIds);
    const within = messages.filter(({ from_mailbox_id, to_mailbox_id }) =>
      own.some((ids) => ids.includes(from_mailbox_id) && ids.includes(to_mailbox_id!)),
    );
    expect(within).toEqual([]);
  });

  it('plans a day once, however often it is begun, and sends nothing twice', async () => {
    await world.enrol(theirs()[0]!);
    await world.enrol(theirs()[1]!);
    const round = await world.enrol(mine(), { startVolume: 4 });
    const first = run(round);
    await world.until(async () => (await world.messages()).length > 0);
    await first.stop();
    const planned = (await world.messages()).map(({ id }) => id);
    const day = await dayOf(mine());
    await keepRunning([round], async () =>
      (await world.messages())
        .filter(({ id }) => planned.includes(id))
        .every(({ state }) => state === 'sent' || state === 'cancelled'),
    );
    const messages = await world.messages();
    const ofDay = messages.filter(({ id }) => planned.includes(id));
    expect(ofDay).toHaveLength(4);
    expect(await dayOf(mine())).toBeGreaterThanOrEqual(day);
    const copies = await copiesIn(theirs()[0]!, messages);
    expect(copies.filter((count) => count > 1)).toEqual([]);
  });

  it('takes back what a dead attempt claimed, and never repeats what may be on the wire', async () => {
    const { operationId } = await world.enrol(mine());
    const dead = '00000000-0000-4000-8000-000000000001';
    const alive = '00000000-0000-4000-8000-000000000002';
    await insertMessage('claimed', dead);
    await insertMessage('sending', dead);
    await insertMessage('sending', alive);
    await recoverMessages(world.database.db, mine(), alive);
    expect(operationId).toBeGreaterThan(0);
    const messages = await world.messages();
    expect(messages.map(({ state, claimed_by }) => ({ state, claimed_by }))).toEqual([
      { state: 'planned', claimed_by: null },
      { state: 'uncertain', claimed_by: dead },
      { state: 'sending', claimed_by: alive },
    ]);
  });

  it('ends within seconds when it is paused or stopped, or when another run took over', async () => {
    const round = await world.enrol(mine());
    const paused = run(round);
    await setStatus(mine(), 'paused');
    expect(await paused.ended).toMatchObject({ state: 'paused', isDone: false });
    await setStatus(mine(), 'warming');
    const stopped = run(round);
    await world.database.db.transaction().execute((trx) => endWarmup(trx, mine(), 'user'));
    expect(await stopped.ended).toMatchObject({ state: 'over', isDone: true });
    const next = await world.enrol(mine());
    expect(await run(round).ended).toMatchObject({ state: 'over', isDone: true });
    expect(next.operationId).toBeGreaterThan(round.operationId);
  });

  it('ends with its mailbox', async () => {
    const { db } = world.database;
    const mailboxId = world.tenants[0]!.mailboxIds[1]!;
    const round = await world.enrol(mailboxId);
    await db
      .updateTable('mailboxes')
      .set({ status: 'deleted' })
      .where('id', '=', mailboxId)
      .execute();
    expect(await run(round).ended).toMatchObject({ state: 'over', isDone: true });
    const row = await rowOf(mailboxId);
    expect(row).toMatchObject({ status: 'inactive', status_reason: 'mailbox_gone' });
    await db
      .updateTable('mailboxes')
      .set({ status: 'active' })
      .where('id', '=', mailboxId)
      .execute();
  });

  it('goes into quarantine when the login is refused, tells clients, and comes back', async () => {
    const { db } = world.database;
    await world.enrol(theirs()[0]!);
    const round = await world.enrol(mine());
    const { password } = await db
      .selectFrom('mailboxes')
      .select('password')
      .where('id', '=', mine())
      .executeTakeFirstOrThrow();
    const wrong = world.context.cipher.seal('wrong', `mailbox:${mine()}:password`);
    await db.updateTable('mailboxes').set({ password: wrong }).where('id', '=', mine()).execute();
    await keepRunning([round], async () => (await rowOf(mine())).status === 'quarantined');
    expect((await rowOf(mine())).status_reason).toBe('login_refused');
    expect((await world.messages()).filter(({ state }) => state === 'sent')).toEqual([]);
    await db.updateTable('mailboxes').set({ password }).where('id', '=', mine()).execute();
    await keepRunning([round], async () => (await rowOf(mine())).status === 'warming');
    const events = await db
      .selectFrom('events')
      .select(['type', 'resource', 'payload'])
      .orderBy('id')
      .execute();
    // What messages of the tests before have proven was told, too.
    const told = events.filter(({ type }) => type === 'mailbox.health_changed').slice(-2);
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { mailboxId: mine(), aspect: 'warmup', health: 'quarantined', reason: 'login_refused' },
      // Nothing was sent yet that could prove it healthy, as `GET /v1/warmup` says.
      { mailboxId: mine(), aspect: 'warmup', health: 'unknown', healthScore: null, reason: null },
    ]);
    const shape = ['aspect', 'at', 'email', 'health', 'healthScore', 'mailboxId', 'reason'];
    expect(told.map(({ payload }) => Object.keys(payload).toSorted())).toEqual([shape, shape]);
  });

  it('notes a bounce once, on the mailbox’s own messages alone', async () => {
    await insertMessage('sent', '00000000-0000-4000-8000-000000000001');
    const { db } = world.database;
    const [message] = await world.messages();
    const ids = [message!.message_id];
    expect(await noteWarmupBounce(db, theirs()[0]!, ids, new Date())).toBe(false);
    expect(await noteWarmupBounce(db, mine(), ids, new Date(1_000))).toBe(true);
    expect(await noteWarmupBounce(db, mine(), ids, new Date(2_000))).toBe(true);
    expect((await world.messages())[0]!.bounced_at).toEqual(new Date(1_000));
  });
});

const rowOf = (mailboxId: number) =>
  world.database.db
    .selectFrom('warmups')
    .selectAll()
    .where('mailbox_id', '=', mailboxId)
    .executeTakeFirstOrThrow();

const dayOf = async (mailboxId: number) => (await rowOf(mailboxId)).day;

const setStatus = (mailboxId: number, status: 'paused' | 'warming') =>
  world.database.db
    .updateTable('warmups')
    .set({ status })
    .where('mailbox_id', '=', mailboxId)
    .execute();

async function insertMessage(state: 'claimed' | 'sending' | 'sent', claimedBy: string) {
  await world.database.db
    .insertInto('warmup_letters')
    .values({
      from_mailbox_id: mine(),
      to_mailbox_id: theirs()[0]!,
      to_address: 'm1@south.com',
      message_id: `<${Math.random()}@north.com>`,
      state,
      planned_at: new Date(),
      claimed_by: claimedBy,
      claimed_at: new Date(),
    })
    .execute();
}

/** What lies unread in an inbox goes to spam, as a strict provider would have it. */
async function moveToJunk(): Promise<void> {
  for (const mailboxId of [mine(), theirs()[0]!]) {
    const imap = await world.imap(mailboxId);
    try {
      await imap.open('INBOX');
      const unseen = (await imap.fetchFlags('INBOX')).filter(
        ({ flags }) => !flags.includes('\\Seen'),
      );
      if (unseen.length === 0) continue;
      await imap.move(
        'INBOX',
        unseen.map(({ uid }) => uid),
        'Junk',
      );
    } finally {
      await imap.close();
    }
  }
}

/** How many copies of each message lie in a mailbox. */
async function copiesIn(mailboxId: number, messages: { message_id: string }[]): Promise<number[]> {
  const imap = await world.imap(mailboxId);
  await imap.open('INBOX');
  const counts: number[] = [];
  for (const { message_id: value } of messages) {
    counts.push((await imap.search('INBOX', { name: 'Message-ID', value })).length);
  }
  await imap.close();
  return counts;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
