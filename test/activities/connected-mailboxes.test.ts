/**
 * A mailbox that its owner has connected keeps limits, warm-up and health as one of a cluster does: the same
 * expectations for both, by the API and with rounds against a submission host. Choice 105.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { judgeWarmup } from '../../activities/warmup/health.ts';
import { noteProven } from '../../src/transactions/mailboxes/connections.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DOMAINS = ['own.test', 'elsewhere.test'];

let world: SessionWorld;
let users: CampaignUsers;
let ann: CampaignUser;

beforeAll(async () => {
  world = await startSessionWorld(DOMAINS);
  users = await startCampaignUsers();
});
afterAll(async () => {
  await users?.close();
  await world?.close();
});
beforeEach(async () => {
  ann = await users.newUser();
  users.clock.at = MONDAY;
  world.smtp.taken.length = 0;
  world.smtp.twist = () => undefined;
});

const db = () => users.database.db;

async function ownMailbox(): Promise<number> {
  const [id] = await ann.mailboxes(1);
  const host_name = `mail.${DOMAINS[0]}`;
  await db().updateTable('servers').set({ host_name }).where('user_id', '=', ann.userId).execute();
  return id!;
}

/** By the API; its proof, which has tests of its own, has succeeded. */
async function connectedMailbox(): Promise<number> {
  const [, domain] = DOMAINS;
  const host = `mail.${domain}`;
  const { id } = await ann.ok('POST', '/v1/mailboxes/connect', {
    email: `ann-${randomUUID().slice(0, 8)}@${domain}`,
    password: 'app password',
    smtp: { host, port: 465 },
    imap: { host, port: 993 },
  });
  await db()
    .transaction()
    .execute((trx) => noteProven(trx, id));
  return id;
}

/** A started campaign from the mailbox to people at domains of their own. */
async function started(mailboxId: number, leads: number): Promise<number> {
  const order = { assignedMailboxes: [mailboxId], startTime: '00:00', endTime: '23:59' };
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const { id } = await ann.campaign({ ...order, activeDays: days, timezone: 'UTC' }, leads);
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  return id;
}

/** Rounds until the campaign is over, or the clock has come to `until`: who sleeps moves it. */
async function run(campaignId: number, until: number): Promise<void> {
  const { cipher } = users.api.context;
  const { clock } = users;
  const stop = new AbortController();
  const moveTo = (at: number) => {
    clock.at = new Date(Math.min(at, until));
    if (at >= until) stop.abort();
  };
  const sleep = async (ms: number) => moveTo(clock.at.getTime() + ms);
  const own = { db: db(), cipher, clock: { now: () => clock.at }, signal: stop.signal, sleep };
  // Gaps without chance: the same for both kinds.
  const tools = () => world.tools({ ...own, attempt: randomUUID(), chance: () => 0.5 });
  while (!stop.signal.aborted) {
    const round = await runSendingSession(tools(), campaignId).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    if (!round || round.isDone) return;
    moveTo(round.nextAt === null ? until : Date.parse(round.nextAt));
  }
}

/** The most that were sent within any stretch of that length. */
async function mostWithin(campaignId: number, ms: number): Promise<number> {
  const sends = db().selectFrom('sends').select('claimed_at');
  const rows = await sends.where('campaign_id', '=', campaignId).execute();
  const times = rows.map(({ claimed_at: at }) => at.getTime());
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + ms).length),
  );
}
const later = (ms: number) => MONDAY.getTime() + ms;

const limit = (id: number, limits: object) => ann.ok('PATCH', `/v1/mailboxes/${id}/limits`, limits);
const statusOf = async (campaignId: number) =>
  (await ann.ok('GET', `/v1/campaigns/${campaignId}/sending-status`)).mailboxes[0];
const warmupOf = (id: number) => ann.ok('GET', `/v1/warmup/mailboxes/${id}`);

/** As rounds of warm-up leave it. */
const standing = (id: number, change: { status: 'active' | 'throttled'; cold_day?: number }) =>
  db()
    .updateTable('warmups')
    .set({ day: 30, cold_day: 1, ...change })
    .where('mailbox_id', '=', id)
    .execute();

/** Messages of its warm-up, found in spam or in the inbox of a seed. */
const letters = (id: number, seen_in: 'spam' | 'inbox', count: number) =>
  db()
    .insertInto('warmup_letters')
    .values(
      Array.from({ length: count }, () => ({
        from_mailbox_id: id,
        to_address: 'anna@seeds.test',
        message_id: randomUUID(),
        state: 'sent' as const,
        seen_in,
        seen_at: MONDAY,
        planned_at: MONDAY,
        claimed_at: MONDAY,
      })),
    )
    .execute();

async function healthTold(mailboxId: number) {
  const told = db().selectFrom('events').select('payload').orderBy('id');
  const rows = await told.where('resource', '=', `mailbox/${mailboxId}`).execute();
  return rows.map(({ payload }) => payload).filter((payload) => 'health' in payload);
}

describe.each([
  ['a mailbox of a cluster', ownMailbox],
  ['a connected mailbox', connectedMailbox],
])('%s', (_, newMailbox) => {
  it('keeps the gap between two messages', async () => {
    const id = await newMailbox();
    await limit(id, { minGapSeconds: 600, hourlyLimit: 50, dailyLimit: 50 });
    const campaignId = await started(id, 4);
    await run(campaignId, later(DAY_MS));
    expect(world.smtp.taken).toHaveLength(4);
    expect(await mostWithin(campaignId, 10 * MINUTE_MS)).toBe(1);
  });

  it('keeps its limit of an hour', async () => {
    const id = await newMailbox();
    await limit(id, { minGapSeconds: 0, hourlyLimit: 2, dailyLimit: 50 });
    const campaignId = await started(id, 5);
    await run(campaignId, later(HOUR_MS - MINUTE_MS));
    expect(world.smtp.taken).toHaveLength(2);
    expect(await statusOf(campaignId)).toMatchObject({ sentLastHour: 2, hourlyLimit: 2 });
    await run(campaignId, later(DAY_MS));
    expect(world.smtp.taken).toHaveLength(5);
    expect(await mostWithin(campaignId, HOUR_MS)).toBe(2);
  });

  it('keeps its limit of a day', async () => {
    const id = await newMailbox();
    await limit(id, { minGapSeconds: 0, hourlyLimit: 50, dailyLimit: 3 });
    const campaignId = await started(id, 5);
    await run(campaignId, later(DAY_MS - HOUR_MS));
    expect(world.smtp.taken).toHaveLength(3);
    expect(await statusOf(campaignId)).toMatchObject({ sentLastDay: 3, dailyLimit: 3 });
    await run(campaignId, later(2 * DAY_MS));
    expect(world.smtp.taken).toHaveLength(5);
    expect(await mostWithin(campaignId, DAY_MS)).toBe(3);
  });

  it('has the limits of the installation until it has its own', async () => {
    const id = await newMailbox();
    const defaults = { dailyLimit: 30, hourlyLimit: 8, minGapSeconds: 600 };
    expect(await ann.ok('GET', `/v1/mailboxes/${id}/limits`)).toEqual(defaults);
    await limit(id, { dailyLimit: 12 });
    expect(await limit(id, { dailyLimit: null })).toEqual(defaults);
    const tooMany = await ann.call('PATCH', `/v1/mailboxes/${id}/limits`, { dailyLimit: 51 });
    expect(tooMany.body.code).toBe('VALIDATION_ERROR');
  });

  it('sends nothing cold while it warms up, then as much as each day allows', async () => {
    const id = await newMailbox();
    await limit(id, { minGapSeconds: 0, hourlyLimit: 50, dailyLimit: 50 });
    await ann.ok('POST', `/v1/warmup/mailboxes/${id}/start`);
    expect(await warmupOf(id)).toMatchObject({ status: 'warming', coldAllowance: 0 });
    const campaignId = await started(id, 20);
    await run(campaignId, later(HOUR_MS));
    expect(world.smtp.taken).toEqual([]);
    expect(await statusOf(campaignId)).toMatchObject({ holdReason: 'warming_up', dailyLimit: 0 });

    await standing(id, { status: 'active' });
    const { coldAllowance } = await warmupOf(id);
    expect(coldAllowance).toBeGreaterThan(0);
    await run(campaignId, later(DAY_MS));
    expect(world.smtp.taken).toHaveLength(coldAllowance);
  });

  it('sends half while its warm-up finds messages in spam, and nothing where most are', async () => {
    const id = await newMailbox();
    const { context } = users.api;
    await limit(id, { minGapSeconds: 0, hourlyLimit: 50, dailyLimit: 50 });
    await ann.ok('POST', `/v1/warmup/mailboxes/${id}/start`);
    await standing(id, { status: 'active', cold_day: 3 });
    const { coldAllowance: whole } = await warmupOf(id);
    await letters(id, 'inbox', 10);
    await letters(id, 'spam', 10);
    await judgeWarmup(context, id);
    const throttled = await warmupOf(id);
    expect(throttled).toMatchObject({ status: 'throttled', health: 'throttled', healthScore: 60 });
    expect(throttled.coldAllowance).toBe(Math.ceil(whole / 2));

    const campaignId = await started(id, 5);
    await letters(id, 'spam', 60);
    await judgeWarmup(context, id);
    expect(await warmupOf(id)).toMatchObject({ health: 'quarantined', coldAllowance: 0 });
    await run(campaignId, later(HOUR_MS));
    expect(world.smtp.taken).toEqual([]);
    expect(await statusOf(campaignId)).toMatchObject({ holdReason: 'mailbox_failing' });
    expect(await healthTold(id)).toMatchObject([
      { mailboxId: id, aspect: 'warmup', health: 'throttled', reason: 'spam' },
      { mailboxId: id, aspect: 'warmup', health: 'quarantined', reason: 'spam' },
    ]);
  });

  it('is taken out where its login is refused, says so, and pauses what it alone sends', async () => {
    const id = await newMailbox();
    const campaignId = await started(id, 2);
    world.smtp.twist = (step) =>
      step === 'AUTH' ? { reply: '535 5.7.8 Authentication failed' } : undefined;
    await run(campaignId, later(HOUR_MS));
    expect(await statusOf(campaignId)).toMatchObject({ failingReason: 'login_refused' });
    const { status, pauseReason } = await ann.ok('GET', `/v1/campaigns/${campaignId}`);
    expect([status, pauseReason]).toEqual(['paused', 'no_mailbox']);
    expect(await healthTold(id)).toMatchObject([
      { mailboxId: id, aspect: 'sending', health: 'failing', reason: 'login_refused' },
    ]);
  });
});
