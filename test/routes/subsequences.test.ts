/** Campaigns that leads enter by what their answers mean. Choices 116, 117. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginDueStarts } from '../../activities/campaigns/due-starts.ts';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import type { Config } from '../../src/config.ts';
import { completeCampaign } from '../../src/transactions/campaign-states.ts';
import { recoverMessages } from '../../src/db/sending/send-progress.ts';
import { answerTo, type Answer } from '../support/campaigns/answers.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  // The rules are made before the answers come.
  users.clock.at = new Date(Date.now() - 3 * 3_600_000);
  ann = await users.newUser();
});

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
} as Config;

const db = () => users.database.db;
const NOT_NOW = 'Not right now, but please check back in March.';
const NO = 'No thanks, we already have a supplier and are happy with them.';
const DAY_MS = 86_400_000;

/** A campaign that was sent to two leads, and one that those enter who say `not_now`. */
async function pair(startsOn: object = {}, order: object = {}) {
  const assignedMailboxes = await ann.mailboxes(2);
  const create = (more: object) =>
    ann.ok('POST', '/v1/campaigns', { ...MESSAGE, assignedMailboxes, maxFollowups: 1, ...more });
  const { id: source } = await create({});
  const leadIds = (await ann.leads(2)) as [number, number];
  await ann.ok('POST', `/v1/campaigns/${source}/leads`, { leadIds });
  const { id: next } = await create({
    startsOn: { campaignId: source, interest: ['not_now'], afterDays: 2, ...startsOn },
    subjectTemplate: 'Another subject',
    ...order,
  });
  await ann.ok('POST', `/v1/campaigns/${next}/start`);
  const answers = (leadId: number, answer: Answer = {}) =>
    answerTo(db(), { campaignId: source, leadId, ...answer });
  return { source: source as number, next: next as number, leadIds, answers };
}

/** Lets days pass since now, in which the answers have come. */
const pass = (days: number) => void (users.clock.at = new Date(Date.now() + days * DAY_MS));
const begin = () => beginDueStarts({ ...users.api.context, clock: { now: () => users.clock.at } });
const starts = (next: number) =>
  db()
    .selectFrom('subsequence_starts')
    .select(['lead_id', 'status', 'reason', 'due_at'])
    .where('campaign_id', '=', next)
    .orderBy('lead_id')
    .execute();
const pending = async (next: number) =>
  (await ann.ok('GET', `/v1/campaigns/${next}`)).stats.pendingStarts as number;
const recipients = async (next: number) =>
  ((await ann.call('GET', `/v1/campaigns/${next}/leads`)).body.data as { leadId: number }[]).map(
    ({ leadId }) => leadId,
  );
/** Opens its window at whatever time it is. */
async function claim(campaignId: number, claimedBy = randomUUID()) {
  await db()
    .updateTable('campaigns')
    .set({
      active_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      start_time: '00:00',
      end_time: '23:59',
    })
    .where('id', '=', campaignId)
    .execute();
  const request = { campaignId, claimedBy, now: users.clock.at, most: 50 };
  return db()
    .transaction()
    .execute((trx) => claimMessages(trx, config, request));
}

describe('a campaign with startsOn', () => {
  it('is entered after the days by whom its interest fits, and by nobody else', async () => {
    const { next, leadIds, answers } = await pair();
    const [later, never] = leadIds;
    await answers(later, { text: NOT_NOW });
    await answers(never, { text: NO });
    expect(await starts(next)).toMatchObject([{ lead_id: later, status: 'pending' }]);
    expect(await pending(next)).toBe(1);
    pass(1.9);
    await begin();
    expect(await recipients(next)).toEqual([]);
    pass(2.1);
    await Promise.all([begin(), begin()]);
    expect(await recipients(next)).toEqual([later]);
    expect(await pending(next)).toBe(0);
    expect(await starts(next)).toMatchObject([{ status: 'started', due_at: null }]);
  });

  it('writes from the mailbox of the answer, in its thread, also after a worker has died', async () => {
    const { next, leadIds, answers, source } = await pair();
    await answers(leadIds[0], { text: NOT_NOW, id: 'later@client.test' });
    pass(3);
    await begin();
    const dead = randomUUID();
    const sent = await db()
      .selectFrom('sends')
      .select('mailbox_id')
      .where('campaign_id', '=', source)
      .executeTakeFirstOrThrow();
    const expected = {
      mailboxId: sent.mailbox_id,
      thread: {
        subject: 'Re: Hello',
        messageIds: [`<${source}.${leadIds[0]}@d.test>`, '<later@client.test>'],
        isOpened: true,
      },
    };
    expect((await claim(next, dead)).messages).toMatchObject([expected]);
    const recovery = { campaignId: next, exceptBy: null, now: users.clock.at };
    await db()
      .transaction()
      .execute((trx) => recoverMessages(trx, recovery));
    pass(4);
    expect((await claim(next)).messages).toMatchObject([expected]);
    // Its follow-up stays in the thread.
    await sql`update sends set state = 'sent', sent_at = now(), subject = 'Re: Hello', message_id = '<next@d.test>'
      where campaign_id = ${next}`.execute(db());
    const due = { step: 1, status: 'in_progress' as const, due_at: users.clock.at };
    await db().updateTable('recipients').set(due).where('campaign_id', '=', next).execute();
    const [followUp] = (await claim(next)).messages;
    expect(followUp!.thread).toEqual({
      subject: 'Re: Hello',
      messageIds: [...expected.thread.messageIds, '<next@d.test>'],
    });
  });

  it('writes a message of its own where the mailbox is none of its own', async () => {
    const { next, leadIds, answers } = await pair();
    const assignedMailboxes = await ann.mailboxes(1);
    await ann.ok('PATCH', `/v1/campaigns/${next}`, { assignedMailboxes });
    await answers(leadIds[0], { text: NOT_NOW });
    pass(3);
    await begin();
    expect((await claim(next)).messages).toMatchObject([
      { mailboxId: assignedMailboxes[0], thread: null },
    ]);
  });

  it('follows corrections until it starts, and is entered once', async () => {
    const { next, leadIds, answers } = await pair();
    await answers(leadIds[0], { text: NOT_NOW });
    const { items } = await ann.ok('GET', '/v1/inbox?direction=inbound');
    const correct = (interest: string | null) =>
      ann.ok('PATCH', `/v1/inbox/${items[0].id}`, { interest });
    await correct('meeting');
    expect(await starts(next)).toMatchObject([
      { status: 'cancelled', reason: 'interest_changed', due_at: null },
    ]);
    await correct('not_now');
    await correct('not_now');
    expect(await starts(next)).toMatchObject([{ status: 'pending', reason: null }]);
    pass(3);
    await begin();
    await correct(null);
    await correct('not_now');
    expect(await starts(next)).toMatchObject([{ status: 'started' }]);
    pass(9);
    await begin();
    expect(await recipients(next)).toEqual([leadIds[0]]);
  });

  it('another answer before cancels it, or moves it; another one afterwards ends it', async () => {
    const { next, leadIds, answers } = await pair();
    const [one, two] = leadIds;
    await answers(one, { text: NOT_NOW, minutesAgo: 50 });
    await answers(one, { text: NO, minutesAgo: 20 });
    await answers(two, { text: NOT_NOW, minutesAgo: 50 });
    const [, before] = await starts(next);
    await answers(two, {
      text: 'Sounds good, but not at the moment. Try me again in six months.',
      minutesAgo: 10,
    });
    const [cancelled, moved] = await starts(next);
    expect(cancelled).toMatchObject({ status: 'cancelled', reason: 'answered_again' });
    expect(moved!.status).toBe('pending');
    const movedBy = moved!.due_at!.getTime() - before!.due_at!.getTime();
    expect(Math.round(movedBy / 60_000)).toBe(40);
    pass(3);
    await begin();
    expect(await recipients(next)).toEqual([two]);
    await answers(two, {
      text: 'Now I would like to see it. Can you send me a price?',
      minutesAgo: 1,
    });
    expect(await ann.ok('GET', `/v1/campaigns/${next}/leads/${two}`)).toMatchObject({
      status: 'replied',
      nextSendAt: null,
    });
  });

  it('is not entered by whom must not be written to; the reason is kept', async () => {
    const { next, leadIds, answers } = await pair();
    const [one, two] = leadIds;
    for (const leadId of leadIds) await answers(leadId, { text: NOT_NOW });
    const { personEmail } = await ann.ok('GET', `/v1/leads/${one}`);
    await ann.ok('POST', '/v1/suppressions', { email: personEmail });
    await ann.ok('DELETE', `/v1/leads/${two}`);
    pass(3);
    await begin();
    expect(await starts(next)).toMatchObject([
      { lead_id: one, status: 'cancelled', reason: 'suppressed' },
    ]);
    expect(await recipients(next)).toEqual([]);
  });

  it('goes on while nobody is in it, and starts without leads', async () => {
    const { next } = await pair();
    expect(await ann.ok('GET', `/v1/campaigns/${next}`)).toMatchObject({ status: 'active' });
    const completed = await db()
      .transaction()
      .execute((trx) => completeCampaign(trx, next, users.clock.at));
    expect(completed).toBe(false);
    await claim(next);
    const tools = {
      ...users.api.context,
      config,
      clock: { now: () => users.clock.at },
      attempt: randomUUID(),
      signal: new AbortController().signal,
      sleep: async () => undefined,
      chance: () => 0.5,
      messageBudget: { open: () => ({ hold: () => undefined, mayHold: () => 1e9 }) },
    } as unknown as Parameters<typeof runSendingSession>[0];
    const limits = {
      sessionMs: 25_000,
      idleMs: 2_000,
      memory: { upkeep: Object.assign(async () => false, { isOpen: () => false }) },
      isNew: true,
    };
    expect(await runSendingSession(tools, next, limits)).toMatchObject({
      state: 'active',
      isDone: false,
      nextAt: new Date(users.clock.at.getTime() + DAY_MS).toISOString(),
    });
  });

  it('any other campaign counts without campaignId; what is pending goes with the rule', async () => {
    const { next, leadIds, answers } = await pair({ campaignId: null });
    await answers(leadIds[0], { text: NOT_NOW });
    expect(await pending(next)).toBe(1);
    await ann.ok('PATCH', `/v1/campaigns/${next}`, { startsOn: null });
    expect(await starts(next)).toMatchObject([{ status: 'cancelled', reason: 'rule_changed' }]);
    expect((await ann.ok('GET', `/v1/campaigns/${next}`)).startsOn).toBeNull();
  });

  it('is taken along by a duplicate, and validated', async () => {
    const { source, next } = await pair();
    const startsOn = { campaignId: source, interest: ['not_now'], afterDays: 2 };
    expect(await ann.ok('POST', `/v1/campaigns/${next}/duplicate`)).toMatchObject({ startsOn });
    const bob = await users.newUser();
    const wrong = async (user: CampaignUser, body: object) =>
      (await user.call('POST', '/v1/campaigns', { ...MESSAGE, ...body })).body;
    const code = { code: 'VALIDATION_ERROR' };
    const foreign = await wrong(bob, { startsOn });
    expect(foreign).toMatchObject({ ...code, details: [{ field: 'startsOn.campaignId' }] });
    expect(await wrong(ann, { startsOn, onlyNeverContacted: true })).toMatchObject(code);
    expect(await wrong(ann, { startsOn: { ...startsOn, interest: [] } })).toMatchObject(code);
    const own = { startsOn: { ...startsOn, campaignId: next } };
    expect((await ann.call('PATCH', `/v1/campaigns/${next}`, own)).body).toMatchObject(code);
  });
});
