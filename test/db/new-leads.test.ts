/** New leads a day: the campaign's cap and share, exact whoever claims at the same time. Choice 66. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { recoverMessages } from '../../src/db/sending/send-progress.ts';
import type { Config } from '../../src/config.ts';
import { seededRandom } from '../chaos/seeded-random.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Noon of a Monday in New York. */
const NOON = new Date('2027-03-01T17:00:00.000Z');
const MIDNIGHT = new Date('2027-03-02T05:00:00.000Z');
const later = (ms: number, from = NOON) => new Date(from.getTime() + ms);

interface Settings {
  max_new_leads_per_day?: number | null;
  new_lead_share?: number | null;
}

/** With the whole day as its window, in New York. */
async function campaignWith(settings: Settings, { leads = 20, mailboxes = 1, followups = 0 } = {}) {
  const { db, cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: mailboxes });
  const dueAt = later(-30 * DAY);
  const made = await addCampaign(db, userId, { leads, mailboxIds, followups, dueAt });
  const row = { timezone: 'America/New_York', start_time: '00:00', end_time: '23:59' };
  const rows = db.updateTable('campaigns').where('id', '=', made.campaignId);
  await rows.set({ ...row, ...settings }).execute();
  return { ...made, mailboxIds };
}

const request = (campaignId: number, now: Date, claimedBy: string = randomUUID(), most = 100) => ({
  campaignId,
  claimedBy,
  now,
  most,
  chance: () => 0.5,
});

const claim = (
  campaignId: number,
  now: Date,
  { settings = {}, by }: { settings?: Partial<Config>; by?: string } = {},
) =>
  world.database.db
    .transaction()
    .execute((trx) =>
      claimMessages(trx, world.tools({}, settings).config, request(campaignId, now, by)),
    );

const end = (
  campaignId: number,
  claimedBy: string,
  message: ClaimedMessage,
  {
    state,
    at,
    dueAt,
    isFree,
  }: Pick<DeliveryResult, 'state' | 'at' | 'isFree'> & { dueAt: Date | null },
) => {
  const { sendId, leadId, mailboxId, variant, messageId, step } = message;
  const next = state === 'sent' ? step.position + 1 : step.position;
  const status =
    dueAt === null
      ? ('completed' as const)
      : next === 0
        ? ('queued' as const)
        : ('in_progress' as const);
  const recipient = { status, step: next, dueAt, holdReason: null };
  const ids = { sendId, leadId, mailboxId, variant, messageId, step: step.position };
  const judged = { hasBounced: false, ...(isFree !== undefined && { isFree }) };
  const done = { ...ids, state, reply: '', subject: '', at, recipient, ...judged };
  return world.database.db
    .transaction()
    .execute((trx) => writeDeliveryResults(trx, { campaignId, userId, claimedBy }, [done]));
};

/** Claims, and sends at once what was claimed; there is no follow-up. */
async function send(campaignId: number, at: Date, settings: Partial<Config> = {}) {
  const by = randomUUID();
  const { messages } = await claim(campaignId, at, { settings, by });
  for (const message of messages)
    await end(campaignId, by, message, { state: 'sent', at, dueAt: null });
  return messages.map(({ leadId }) => leadId);
}

const recover = (campaignId: number, now: Date) =>
  world.database.db
    .transaction()
    .execute((trx) => recoverMessages(trx, { campaignId, exceptBy: null, now }));

describe('maxNewLeadsPerDay', () => {
  it('as many new leads a day of the campaign, and then waits for its midnight', async () => {
    const { campaignId } = await campaignWith({ max_new_leads_per_day: 3 });
    expect(await send(campaignId, NOON)).toHaveLength(3);
    for (const at of [later(MINUTE), later(-1, MIDNIGHT)]) {
      const none = await claim(campaignId, at);
      expect(none).toMatchObject({ messages: [], nextAt: MIDNIGHT });
    }
    expect((await claim(campaignId, MIDNIGHT)).messages).toHaveLength(3);
  });

  it('waits for the window where that opens after midnight', async () => {
    const { campaignId } = await campaignWith({ max_new_leads_per_day: 1 });
    const rows = world.database.db.updateTable('campaigns').where('id', '=', campaignId);
    await rows.set({ start_time: '09:00', end_time: '17:00' }).execute();
    expect(await send(campaignId, NOON)).toHaveLength(1);
    const { nextAt } = await claim(campaignId, later(MINUTE));
    expect(nextAt).toEqual(new Date('2027-03-02T14:00:00.000Z'));
  });

  it('holds nobody back without it', async () => {
    const { campaignId } = await campaignWith({});
    expect((await claim(campaignId, NOON)).messages).toHaveLength(20);
  });

  it('a claim that is taken back, or lost with its worker, frees its place', async () => {
    const { campaignId } = await campaignWith({ max_new_leads_per_day: 2 });
    const by = randomUUID();
    const { messages } = await claim(campaignId, NOON, { by });
    await end(campaignId, by, messages[0]!, { state: 'back', at: NOON, dueAt: NOON });
    const again = await claim(campaignId, later(MINUTE));
    expect(again.messages).toHaveLength(1);
    await recover(campaignId, later(2 * MINUTE));
    await recover(campaignId, later(2 * MINUTE));
    expect((await claim(campaignId, later(3 * MINUTE))).messages).toHaveLength(2);
    expect((await claim(campaignId, later(4 * MINUTE))).messages).toHaveLength(0);
  });

  it('is exact for claims at the same moment from different mailboxes', async () => {
    const { campaignId, mailboxIds } = await campaignWith(
      { max_new_leads_per_day: 3 },
      { mailboxes: 2 },
    );
    const { db } = world.database;
    const free = (id: number, next_send_at: Date | null) =>
      db.updateTable('mailboxes').set({ next_send_at }).where('id', '=', id).execute();
    await free(mailboxIds[1]!, later(MINUTE));
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let hasClaimed: (count: number) => void = () => undefined;
    const claimed = new Promise<number>((resolve) => (hasClaimed = resolve));
    const { config } = world.tools();
    const first = db.transaction().execute(async (trx) => {
      const { messages } = await claimMessages(trx, config, {
        ...request(campaignId, NOON),
        most: 2,
      });
      hasClaimed(messages.length);
      await gate;
    });
    expect(await claimed).toBe(2);
    let isDone = false;
    const second = claim(campaignId, later(MINUTE)).finally(() => (isDone = true));
    // It waits for the first one, which may still be taken back.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`.execute(
          db,
        );
        return rows[0]!.waits;
      })
      .toBe(true);
    expect(isDone).toBe(false);
    release();
    await first;
    expect((await second).messages).toHaveLength(1);
  });

  it('follow-ups go on; a first message that was put off counts on the day it is tried', async () => {
    const { campaignId, leadIds } = await campaignWith(
      { max_new_leads_per_day: 2 },
      { followups: 1, leads: 6 },
    );
    const by = randomUUID();
    const [sent, deferred] = (await claim(campaignId, NOON, { by })).messages;
    const soon = later(10 * MINUTE);
    await end(campaignId, by, sent!, { state: 'sent', at: NOON, dueAt: soon });
    await end(campaignId, by, deferred!, { state: 'deferred', at: NOON, dueAt: soon });
    // On the same day its place is its own.
    const again = await claim(campaignId, soon, { by });
    expect(again.messages.map(({ leadId, step }) => [leadId, step.position])).toEqual(
      expect.arrayContaining([
        [sent!.leadId, 1],
        [deferred!.leadId, 0],
      ]),
    );
    expect(again.messages).toHaveLength(2);
    const retried = again.messages.find(({ leadId }) => leadId === deferred!.leadId)!;
    const nextDay = later(MINUTE, MIDNIGHT);
    await end(campaignId, by, retried, { state: 'deferred', at: soon, dueAt: nextDay });
    const rows = world.database.db.updateTable('campaigns').where('id', '=', campaignId);
    await rows.set({ max_new_leads_per_day: 1 }).execute();
    // A new day with one place, which somebody else has: the one that was put off waits for the next.
    expect(await send(campaignId, MIDNIGHT)).toEqual([leadIds[2]]);
    expect((await claim(campaignId, nextDay)).dropped).toBe(1);
    const row = await world.database.db
      .selectFrom('recipients')
      .select(['due_at', 'hold_reason', 'status'])
      .where('lead_id', '=', deferred!.leadId)
      .executeTakeFirst();
    expect(row).toEqual({
      due_at: later(DAY, MIDNIGHT),
      hold_reason: 'new_lead_limit',
      status: 'queued',
    });
    const third = await claim(campaignId, later(DAY, MIDNIGHT));
    expect(third.messages.map(({ leadId }) => leadId)).toEqual([deferred!.leadId]);
  });

  it.each([1, 2, 3])(
    'no day has more, and none is left empty, whatever happens (seed %i)',
    async (seed) => {
      const random = seededRandom(seed);
      const cap = 3 + Math.floor(random() * 5);
      const { campaignId, mailboxIds } = await campaignWith(
        { max_new_leads_per_day: cap },
        { leads: 60, mailboxes: 3, followups: 1 },
      );
      const settings = { SEND_MAILBOX_DAILY_LIMIT: 1_000 };
      const days = new Map<string, Set<number>>();
      const dayOf = (at: Date) =>
        new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(at);
      for (let n = 0; n < 5 * 12; n += 1) {
        const at = later(n * 120 * MINUTE);
        const free = mailboxIds.filter(() => random() < 0.7);
        const { db } = world.database;
        await db
          .updateTable('mailboxes')
          .set({ next_send_at: later(DAY, at) })
          .execute();
        if (free.length > 0) {
          const some = db.updateTable('mailboxes').where('id', 'in', free);
          await some.set({ next_send_at: null }).execute();
        }
        const by = [randomUUID(), randomUUID()];
        const claims = await Promise.all(
          by.map((one) => claim(campaignId, at, { settings, by: one })),
        );
        for (const [index, { messages }] of claims.entries()) {
          for (const message of messages) {
            const fate = random();
            if (fate < 0.1) continue;
            const state = fate < 0.2 ? 'back' : fate < 0.35 ? 'deferred' : 'sent';
            const dueAt = later(
              state === 'sent' ? 2 * DAY : 60 * MINUTE * (1 + Math.floor(random() * 30)),
              at,
            );
            const rest = {
              state,
              at,
              dueAt: state === 'sent' && message.step.position === 1 ? null : dueAt,
              // Of those that are put off, each second one may go from another mailbox.
              ...(state === 'deferred' && { isFree: message.sendId % 2 === 0 }),
            } as const;
            await end(campaignId, by[index]!, message, rest);
            if (state === 'back' || message.step.position > 0) continue;
            days.set(dayOf(at), (days.get(dayOf(at)) ?? new Set()).add(message.leadId));
          }
        }
        // The worker is killed now and then: what it held goes back.
        await recover(campaignId, at);
        const { rows } = await sql<{ n: number }>`select count(*)::integer as n from sends
        where campaign_id = ${campaignId} and step = 0
          and claimed_at >= (${dayOf(at)}::date::timestamp at time zone 'America/New_York')`.execute(
          db,
        );
        expect(rows[0]!.n).toBeLessThanOrEqual(cap);
      }
      for (const leads of days.values()) expect(leads.size).toBeLessThanOrEqual(cap);
      const whole = [...days.entries()].slice(1, -1).map(([, leads]) => leads.size);
      expect(Math.max(...whole)).toBe(cap);
    },
    60_000,
  );
});

describe('newLeadShare', () => {
  it('a share of what the mailboxes may send a day, and all of it for follow-ups', async () => {
    const settings = { SEND_MAILBOX_DAILY_LIMIT: 10 };
    const { campaignId, mailboxIds } = await campaignWith(
      { new_lead_share: 25 },
      { mailboxes: 2, followups: 1, leads: 40 },
    );
    const by = randomUUID();
    const { messages } = await claim(campaignId, NOON, { settings, by });
    expect(messages).toHaveLength(5);
    for (const message of messages) {
      await end(campaignId, by, message, { state: 'sent', at: NOON, dueAt: later(MINUTE) });
    }
    const followups = await claim(campaignId, later(2 * MINUTE), { settings });
    expect(followups.messages.map(({ step }) => step.position)).toEqual([1, 1, 1, 1, 1]);
    expect(followups.messages).toHaveLength(5);
    // A mailbox that fails has no part in the capacity; the sending domain's limit is one, too.
    const tomorrow = later(DAY);
    const { db } = world.database;
    const failing = db.updateTable('mailboxes').where('id', '=', mailboxIds[0]!);
    await failing.set({ failing_reason: 'login_refused' }).execute();
    expect(await send(campaignId, tomorrow, settings)).toHaveLength(2);
    const domain = { ...settings, SEND_DOMAIN_DAILY_LIMIT: 4 };
    expect((await claim(campaignId, later(2 * DAY), { settings: domain })).messages).toHaveLength(
      1,
    );
  });

  it('0 writes to no new lead at all, and looks again each day', async () => {
    const { campaignId } = await campaignWith({ new_lead_share: 0 });
    expect(await claim(campaignId, NOON)).toMatchObject({ messages: [], nextAt: MIDNIGHT });
  });
});
