/** Campaigns whose window is read by the clock of each recipient. Choice 128. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findSendWindow } from '../../src/db/campaigns/campaigns.ts';
import { requestOfRecipients } from '../../src/db/campaigns/recipient-requests.ts';
import { takeUpOutsideWindow } from '../../src/db/campaigns/window-changes.ts';
import { startOnOrAfter } from '../../src/domain/sending/send-window.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

/** 10:00 in New York, 16:00 in Berlin, 07:00 in Los Angeles, midnight in Tokyo. */
const MONDAY = new Date('2027-03-01T15:00:00.000Z');

interface Person {
  timezone?: string;
  country?: string;
  state?: string;
}

/** Nine to five on weekdays, by default in New York. */
async function campaignOf(people: readonly Person[], { isOfRecipient = true } = {}) {
  const { db, cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: people.length });
  const made = await addCampaign(db, userId, { leads: people.length, mailboxIds });
  for (const [n, { timezone = null, country = null, state = null }] of people.entries()) {
    await sql`
      with company as (
        insert into companies (user_id, name, name_key, country_code, state, provenance)
        values (${userId}, ${`C${n}`}, ${`c${n} ${randomUUID()}`}, ${country}, ${state}, '{}')
        returning id)
      update leads set timezone = ${timezone}, company_id = company.id
      from company where leads.id = ${made.leadIds[n]!}`.execute(db);
  }
  await db
    .updateTable('campaigns')
    .set({
      timezone: 'America/New_York',
      start_time: '09:00',
      end_time: '17:00',
      active_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      use_recipient_timezone: isOfRecipient,
    })
    .where('id', '=', made.campaignId)
    .execute();
  return made;
}

const claim = (campaignId: number, now: Date) =>
  world.database.db.transaction().execute((trx) =>
    claimMessages(trx, world.tools().config, {
      campaignId,
      claimedBy: randomUUID(),
      now,
      most: 100,
      chance: () => 0.5,
    }),
  );

const recipientsOf = (campaignId: number) =>
  world.database.db
    .selectFrom('recipients')
    .select(['lead_id', 'due_at', 'hold_reason'])
    .where('campaign_id', '=', campaignId)
    .orderBy('lead_id')
    .execute();

const WORLD: Person[] = [
  { timezone: 'Europe/Berlin' },
  { timezone: 'Asia/Tokyo' },
  { country: 'DE' },
  { country: 'US', state: 'CA' },
  { country: 'US' },
  { timezone: 'Eastern Time (US & Canada)', country: 'JP' },
];

describe('a campaign in the zones of its recipients', () => {
  it('writes to those whose window is open, and puts the others off to theirs', async () => {
    const { campaignId, leadIds } = await campaignOf(WORLD);
    const { messages, dropped } = await claim(campaignId, MONDAY);
    const [berlin, tokyo, german, californian, american, japanese] = leadIds;
    expect(messages.map(({ leadId, windowUntil }) => [leadId, windowUntil.toISOString()])).toEqual([
      [berlin, '2027-03-01T16:00:00.000Z'],
      [german, '2027-03-01T16:00:00.000Z'],
      // Where nobody knows, the campaign's own zone counts.
      [american, '2027-03-01T22:00:00.000Z'],
    ]);
    expect(dropped).toBe(3);
    const waits = (await recipientsOf(campaignId)).filter((row) => row.hold_reason !== null);
    const tuesday = new Date('2027-03-02T00:00:00.000Z');
    const hold_reason = 'outside_window';
    expect(waits).toEqual([
      { lead_id: tokyo, due_at: tuesday, hold_reason },
      { lead_id: californian, due_at: new Date('2027-03-01T17:00:00.000Z'), hold_reason },
      { lead_id: japanese, due_at: tuesday, hold_reason },
    ]);
    const over = { due_at: null };
    const { db } = world.database;
    const sent = messages.map(({ leadId }) => leadId);
    await db.updateTable('recipients').set(over).where('lead_id', 'in', sent).execute();
    // It wakes for the first of them, though its own window is closed by the time of the last.
    expect((await claim(campaignId, MONDAY)).nextAt).toEqual(new Date('2027-03-01T17:00:00.000Z'));
    const next = await claim(campaignId, new Date('2027-03-02T00:00:00.000Z'));
    expect(next.messages.map(({ leadId }) => leadId)).toEqual([californian, tokyo, japanese]);
  });

  it('reads its window in its own zone where it does not ask for theirs', async () => {
    const { campaignId } = await campaignOf(WORLD, { isOfRecipient: false });
    expect((await claim(campaignId, MONDAY)).messages).toHaveLength(WORLD.length);
  });

  it('gives no place of a mailbox to those who are put off', async () => {
    const night = Array.from({ length: 30 }, () => ({ timezone: 'Asia/Tokyo' }));
    const { campaignId, leadIds } = await campaignOf([...night, { timezone: 'Europe/Berlin' }]);
    await world.database.db
      .deleteFrom('campaign_mailboxes')
      .where('campaign_id', '=', campaignId)
      .where(
        'mailbox_id',
        '>',
        sql<number>`(select min(mailbox_id) from campaign_mailboxes
        where campaign_id = ${campaignId})`,
      )
      .execute();
    let sent: number[] = [];
    for (let rounds = 0; sent.length === 0 && rounds < 40; rounds += 1) {
      sent = (await claim(campaignId, MONDAY)).messages.map(({ leadId }) => leadId);
    }
    expect(sent).toEqual([leadIds.at(-1)]);
  });

  it('never writes to anybody outside of nine to five on a weekday where they are', async () => {
    const zones = [
      'Pacific/Kiritimati',
      'Asia/Kathmandu',
      'Africa/Lagos',
      'America/St_Johns',
      'Pacific/Pago_Pago',
    ];
    const { campaignId, leadIds } = await campaignOf(zones.map((timezone) => ({ timezone })));
    const zoneOf = new Map(leadIds.map((id, n) => [id, zones[n]!]));
    const { db } = world.database;
    let written = 0;
    const hours = fc.integer({ min: 0, max: 24 * 400 });
    await fc.assert(
      fc.asyncProperty(hours, async (hour) => {
        await db.deleteFrom('sends').where('campaign_id', '=', campaignId).execute();
        const fresh = { due_at: new Date(0), hold_reason: null, mailbox_id: null };
        await db
          .updateTable('recipients')
          .set(fresh)
          .where('campaign_id', '=', campaignId)
          .execute();
        await db
          .updateTable('mailboxes')
          .set({ next_send_at: null })
          .where('user_id', '=', userId)
          .execute();
        const now = new Date(MONDAY.getTime() + hour * 3_600_000);
        const { messages } = await claim(campaignId, now);
        for (const { leadId } of messages) {
          const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(
            zoneOf.get(leadId)!,
          );
          expect([there.dayOfWeek <= 5, there.hour >= 9, there.hour < 17]).toEqual([
            true,
            true,
            true,
          ]);
        }
        written += messages.length;
      }),
      { numRuns: 60 },
    );
    expect(written).toBeGreaterThan(20);
  });

  it('looks again at all who wait after a change of times, paused ones too, a portion at a time', async () => {
    const { campaignId, leadIds } = await campaignOf([
      { timezone: 'Asia/Tokyo' },
      { timezone: 'Asia/Seoul' },
      { timezone: 'Europe/Berlin' },
    ]);
    await claim(campaignId, MONDAY);
    const { db } = world.database;
    const [, seoul] = leadIds;
    const pause = { campaignId, leadIds: [seoul!], now: MONDAY };
    await db.transaction().execute((trx) => requestOfRecipients(trx, pause, 'pause'));
    const before = await recipientsOf(campaignId);
    const changed = { id: campaignId, times_changed_at: new Date(MONDAY.getTime() + 1_000) };
    const { times_changed_at } = changed;
    await db
      .updateTable('campaigns')
      .set({ times_changed_at })
      .where('id', '=', campaignId)
      .execute();
    await takeUpOutsideWindow(db, changed, AbortSignal.abort());
    expect(await recipientsOf(campaignId)).toEqual(before);
    await takeUpOutsideWindow(db, changed, new AbortController().signal);
    const rows = await db
      .selectFrom('recipients')
      .select(['lead_id', 'due_at', 'paused_due_at', 'hold_reason', 'updated_at'])
      .where('campaign_id', '=', campaignId)
      .orderBy('lead_id')
      .execute();
    expect(rows.map(({ hold_reason }) => hold_reason)).toEqual([null, null, null]);
    expect(rows[0]!.due_at).toEqual(MONDAY);
    expect(rows[1]!.due_at).toBeNull();
    expect(rows[1]!.paused_due_at).toEqual(MONDAY);
    expect(rows[2]!.due_at).toEqual(before[2]!.due_at);
    const campaign = await db
      .selectFrom('campaigns')
      .select('times_changed_at')
      .where('id', '=', campaignId)
      .executeTakeFirst();
    expect(campaign).toEqual({ times_changed_at: null });
  });

  it('reads the day on which somebody is back in their own calendar', async () => {
    const { campaignId, leadIds } = await campaignOf([{ country: 'US', state: 'CA' }]);
    const { db } = world.database;
    await db
      .updateTable('campaigns')
      .set({ timezone: 'Asia/Tokyo' })
      .where('id', '=', campaignId)
      .execute();
    const of = { campaignId, leadId: leadIds[0]!, at: MONDAY };
    const window = await findSendWindow(db, of);
    // 09:00 in Los Angeles, not 09:00 in Tokyo, which is the afternoon before there.
    expect(startOnOrAfter(window!, '2027-03-10')).toEqual(new Date('2027-03-10T17:00:00.000Z'));
    const unknown = await findSendWindow(db, { ...of, leadId: null });
    expect(unknown).toMatchObject({ timezone: 'Asia/Tokyo' });
  });
});
