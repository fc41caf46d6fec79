/** Places of the day's new leads: who waits for them asks for no mailbox, who is paused gives theirs back. Choice 66. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestOfRecipients } from '../../src/db/campaigns/recipient-requests.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

const MINUTE = 60_000;
const NOON = new Date('2027-03-01T12:00:00.000Z');
const MIDNIGHT = new Date('2027-03-02T00:00:00.000Z');
const later = (ms: number, from = NOON) => new Date(from.getTime() + ms);

const newMailboxes = (count = 1) => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count });
};

/** Open all day, in UTC, with so many new leads a day. */
async function campaignOf(mailboxIds: number[], max: number | null, leads = 20) {
  const { db } = world.database;
  const made = await addCampaign(db, userId, { leads, mailboxIds, dueAt: later(-MINUTE) });
  await db
    .updateTable('campaigns')
    .set({ start_time: '00:00', end_time: '23:59', max_new_leads_per_day: max })
    .where('id', '=', made.campaignId)
    .execute();
  return made.campaignId;
}

const claim = (campaignId: number, now: Date, claimedBy: string = randomUUID(), most = 100) =>
  world.database.db.transaction().execute((trx) =>
    claimMessages(trx, world.tools().config, {
      campaignId,
      claimedBy,
      now,
      most,
      chance: () => 0.5,
    }),
  );

function end(
  campaignId: number,
  claimedBy: string,
  { sendId, leadId, mailboxId, variant, messageId }: ClaimedMessage,
  {
    state,
    at,
    dueAt,
    isFree = false,
  }: Pick<DeliveryResult, 'state' | 'at' | 'isFree'> & { dueAt: Date | null },
) {
  const status = dueAt === null ? ('completed' as const) : ('queued' as const);
  const recipient = { status, step: dueAt === null ? 1 : 0, dueAt, holdReason: null };
  const ids = { sendId, leadId, mailboxId, variant, messageId, step: 0 };
  const ended = { ...ids, state, reply: '', subject: '', at, recipient, hasBounced: false, isFree };
  return world.database.db
    .transaction()
    .execute((trx) => writeDeliveryResults(trx, { campaignId, userId, claimedBy }, [ended]));
}

/** Claims as many as there are places, and puts all of them off to `dueAt`; `isFree`: for any mailbox. */
async function putOff(
  campaignId: number,
  dueAt: Date,
  { at = NOON, isFree = false }: { at?: Date; isFree?: boolean } = {},
): Promise<number[]> {
  const by = randomUUID();
  const { messages } = await claim(campaignId, at, by);
  for (const message of messages) {
    await end(campaignId, by, message, { state: 'deferred', at, dueAt, isFree });
  }
  return messages.map(({ leadId }) => leadId);
}

const ask = (campaignId: number, leadId: number, request: 'pause' | 'resume' | 'remove') =>
  world.database.db
    .transaction()
    .execute((trx) =>
      requestOfRecipients(trx, { campaignId, leadIds: [leadId], now: NOON }, request),
    );

const leadsOf = ({ messages }: { messages: ClaimedMessage[] }) =>
  messages.map(({ leadId }) => leadId);

describe('a campaign that has had its new leads of the day', () => {
  it('asks for no turn at a shared mailbox, and waits for its next day', async () => {
    const mailboxIds = await newMailboxes();
    const [spent, other] = [await campaignOf(mailboxIds, 1), await campaignOf(mailboxIds, null)];
    const by = randomUUID();
    const [message] = (await claim(spent, NOON, by)).messages;
    await end(spent, by, message!, { state: 'sent', at: NOON, dueAt: null });
    const { db } = world.database;
    const gap = { next_send_at: later(10 * MINUTE) };
    await db.updateTable('mailboxes').set(gap).where('id', 'in', mailboxIds).execute();
    const waits = await claim(spent, later(MINUTE));
    expect(waits).toMatchObject({ messages: [], nextAt: MIDNIGHT, isShared: false });
    const asked = db.selectFrom('campaign_mailboxes').select('wants_until');
    expect(await asked.where('campaign_id', '=', spent).execute()).toEqual([{ wants_until: null }]);
    // One that has places left does ask.
    expect(await claim(other, later(MINUTE))).toMatchObject({ messages: [], isShared: true });
  });
});

describe.each([
  ['a first message that was put off', false],
  ['one that is free to go from another mailbox', true],
])('%s', (_, isFree) => {
  it.each(['pause', 'remove'] as const)(
    'frees its place with a %s of its lead',
    async (request) => {
      const campaignId = await campaignOf(await newMailboxes(), 2);
      const [first, second] = await putOff(campaignId, later(10 * MINUTE), { isFree });
      expect((await claim(campaignId, later(MINUTE))).messages).toHaveLength(0);
      await ask(campaignId, first!, request);
      const next = await claim(campaignId, later(2 * MINUTE));
      expect(next.messages).toHaveLength(1);
      expect([first, second]).not.toContain(next.messages[0]!.leadId);
    },
  );

  it('waits for the next day where its lead comes back and the place is taken', async () => {
    const campaignId = await campaignOf(await newMailboxes(), 2);
    const soon = later(10 * MINUTE);
    const [first, second] = await putOff(campaignId, soon, { isFree });
    await ask(campaignId, first!, 'pause');
    const by = randomUUID();
    const taken = await claim(campaignId, later(2 * MINUTE), by);
    await end(campaignId, by, taken.messages[0]!, { state: 'sent', at: NOON, dueAt: null });
    await ask(campaignId, first!, 'resume');
    // Two places, of which the other one that was put off has its own.
    const again = await claim(campaignId, soon, by);
    expect(again.dropped).toBe(1);
    const messages = [...again.messages, ...(await claim(campaignId, soon, by)).messages];
    expect(messages).toHaveLength(1);
    expect([first, second]).toContain(messages[0]!.leadId);
    await end(campaignId, by, messages[0]!, { state: 'sent', at: soon, dueAt: null });
    const row = await world.database.db
      .selectFrom('recipients')
      .select(['due_at', 'hold_reason'])
      .where('campaign_id', '=', campaignId)
      .where('hold_reason', '=', 'new_lead_limit')
      .execute();
    expect(row).toEqual([{ due_at: MIDNIGHT, hold_reason: 'new_lead_limit' }]);
    expect(leadsOf(await claim(campaignId, MIDNIGHT))).toHaveLength(2);
  });

  it('keeps its place where its lead comes back before anybody took it', async () => {
    const campaignId = await campaignOf(await newMailboxes(), 1);
    const soon = later(10 * MINUTE);
    const [first] = await putOff(campaignId, soon, { isFree });
    await ask(campaignId, first!, 'pause');
    await ask(campaignId, first!, 'resume');
    expect((await claim(campaignId, later(MINUTE))).messages).toHaveLength(0);
    expect(leadsOf(await claim(campaignId, soon))).toEqual([first]);
  });
});

describe('a first message that is put off again and again, free to go from another mailbox', () => {
  it('is tried at each of its times, in its place of the day', async () => {
    const campaignId = await campaignOf(await newMailboxes(2), 2);
    const times = [0, 10, 20, 30].map((minutes) => later(minutes * MINUTE));
    const tried = await putOff(campaignId, times[1]!, { isFree: true });
    expect(tried).toHaveLength(2);
    // Nobody else has a place: the campaign waits for those that have theirs, not for its next day.
    for (const [n, at] of times.entries()) {
      if (n === 0) continue;
      const waits = await claim(campaignId, later(-MINUTE, at));
      expect(waits).toMatchObject({ messages: [], dropped: 0, nextAt: at });
      const next = later(10 * MINUTE, at);
      const again = [
        ...(await putOff(campaignId, next, { at, isFree: true })),
        ...(await putOff(campaignId, next, { at, isFree: true })),
      ];
      expect(new Set(again)).toEqual(new Set(tried));
      expect(again).toHaveLength(2);
    }
    expect(await claim(campaignId, later(31 * MINUTE))).toMatchObject({ messages: [] });
  });

  it('asks for a turn at a shared mailbox', async () => {
    const mailboxIds = await newMailboxes();
    const [campaignId] = [await campaignOf(mailboxIds, 1), await campaignOf(mailboxIds, null)];
    const soon = later(10 * MINUTE);
    const [first] = await putOff(campaignId, soon, { isFree: true });
    const { db } = world.database;
    const gap = { next_send_at: later(MINUTE, soon) };
    await db.updateTable('mailboxes').set(gap).where('id', 'in', mailboxIds).execute();
    expect(await claim(campaignId, soon)).toMatchObject({ messages: [], isShared: true });
    expect(leadsOf(await claim(campaignId, later(MINUTE, soon)))).toEqual([first]);
  });

  it('needs a place of the next day there, as others do', async () => {
    const campaignId = await campaignOf(await newMailboxes(), 1, 2);
    await putOff(campaignId, later(MINUTE, MIDNIGHT), { isFree: true });
    const other = await putOff(campaignId, later(2 * MINUTE, MIDNIGHT), { at: MIDNIGHT });
    expect(other).toHaveLength(1);
    const next = later(86_400_000, MIDNIGHT);
    expect(await claim(campaignId, later(MINUTE, MIDNIGHT))).toMatchObject({
      messages: [],
      nextAt: later(2 * MINUTE, MIDNIGHT),
    });
    const at = later(2 * MINUTE, MIDNIGHT);
    const by = randomUUID();
    const kept = await claim(campaignId, at, by);
    expect(leadsOf(kept)).toEqual(other);
    await end(campaignId, by, kept.messages[0]!, { state: 'sent', at, dueAt: null });
    expect((await claim(campaignId, next)).messages).toHaveLength(1);
  });
});
