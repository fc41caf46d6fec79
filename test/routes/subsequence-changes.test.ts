/** Subsequences whose rule, mailboxes or answers change after they were planned. Choices 116, 117. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginDueStarts } from '../../activities/campaigns/due-starts.ts';
import { createRests } from '../../activities/engine/rests.ts';
import type { Config } from '../../src/config.ts';
import { lockUserCampaign, updateCampaign } from '../../src/db/campaigns/campaigns.ts';
import { cancelUnwanted, planStarts } from '../../src/db/campaigns/subsequence-starts.ts';
import { openDatabase } from '../../src/db/database.ts';
import { releaseRecipients } from '../../src/db/sending/unassigned-recipients.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { answerTo, type Answer } from '../support/campaigns/answers.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { untilWaiting, withoutPatience } from '../support/database/lock-waiters.ts';

const NOT_NOW = 'Not right now, but please check back in March.';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  // The rules are made before the answers come.
  users.clock.at = new Date(Date.now() - 3 * HOUR_MS);
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
const DAILY = {
  activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  startTime: '00:00',
  endTime: '23:59',
};

/** A campaign that was sent to two leads, and a draft that those enter who say `not_now`. */
async function pair(startsOn: object = {}) {
  const assignedMailboxes = await ann.mailboxes(2);
  const create = (more: object): Promise<{ id: number }> =>
    ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...DAILY, assignedMailboxes, ...more });
  const { id: source } = await create({});
  const leadIds = (await ann.leads(2)) as [number, number];
  await ann.ok('POST', `/v1/campaigns/${source}/leads`, { leadIds });
  const rule = { campaignId: source, interest: ['not_now'], afterDays: 2, ...startsOn };
  const { id: next } = await create({ startsOn: rule });
  const answers = (leadId: number, answer: Answer = {}) =>
    answerTo(db(), { campaignId: source, leadId, text: NOT_NOW, ...answer });
  const change = (body: object) => ann.ok('PATCH', `/v1/campaigns/${next}`, body);
  const start = () => ann.ok('POST', `/v1/campaigns/${next}/start`);
  return { source, next, leadIds, answers, rule, change, start, assignedMailboxes, create };
}

/** Lets days pass since now, in which the answers have come. */
const pass = (days: number) => void (users.clock.at = new Date(Date.now() + days * DAY_MS));
const context = () => ({ ...users.api.context, clock: { now: () => users.clock.at } });
const begin = () => beginDueStarts(context());
const starts = (next: number) =>
  db()
    .selectFrom('subsequence_starts')
    .select(['lead_id', 'status', 'reason'])
    .where('campaign_id', '=', next)
    .orderBy('lead_id')
    .execute();
const recipient = (campaignId: number, leadId: number) =>
  ann.ok('GET', `/v1/campaigns/${campaignId}/leads/${leadId}`);
const claim = (campaignId: number) =>
  db()
    .transaction()
    .execute((trx) =>
      claimMessages(trx, config, {
        campaignId,
        claimedBy: randomUUID(),
        now: users.clock.at,
        most: 50,
      }),
    );
/** The last answer of the lead. */
const answerOf = async (leadId: number) =>
  (
    await db()
      .selectFrom('messages')
      .select('id')
      .where('lead_id', '=', leadId)
      .orderBy('received_at', 'desc')
      .executeTakeFirstOrThrow()
  ).id;
const mailboxOf = async (campaignId: number, leadId: number) =>
  (
    await db()
      .selectFrom('recipients')
      .select('mailbox_id')
      .where('campaign_id', '=', campaignId)
      .where('lead_id', '=', leadId)
      .executeTakeFirstOrThrow()
  ).mailbox_id;

describe('the mailbox of the answer', () => {
  it.each(['a draft', 'a started campaign'])(
    'is taken off %s: another one writes the first message',
    async (state) => {
      const { next, leadIds, answers, change, start, assignedMailboxes } = await pair();
      const [lead] = leadIds;
      await answers(lead);
      if (state !== 'a draft') await start();
      pass(3);
      await begin();
      const bound = await mailboxOf(next, lead);
      expect(assignedMailboxes).toContain(bound);
      const others = assignedMailboxes.filter((id) => id !== bound);
      await change({ assignedMailboxes: others });
      if (state === 'a draft') await start();
      expect((await claim(next)).messages).toMatchObject([
        { leadId: lead, mailboxId: others[0], thread: null },
      ]);
    },
  );

  it.each(['failing', 'gone'])(
    'is %s: the lead is free for another one, and not at its end',
    async (why) => {
      const { next, leadIds, answers, start } = await pair();
      await answers(leadIds[0]);
      await start();
      pass(3);
      await begin();
      const bound = (await mailboxOf(next, leadIds[0]))!;
      const ids = { failing: [], gone: [], [why]: [bound], now: users.clock.at };
      await db()
        .transaction()
        .execute((trx) => releaseRecipients(trx, next, ids));
      expect(await mailboxOf(next, leadIds[0])).toBeNull();
      expect(await recipient(next, leadIds[0])).toMatchObject({
        status: 'queued',
        holdReason: null,
      });
    },
  );

  it.each([true, false])(
    'is free again before the first message, which continues the thread where it goes out from there: %s',
    async (isThere) => {
      const { source, next, leadIds, answers, change, start, assignedMailboxes } = await pair();
      const [lead] = leadIds;
      await answers(lead, { id: 'later@client.test' });
      await start();
      pass(3);
      await begin();
      const bound = (await mailboxOf(next, lead))!;
      const ids = { failing: [bound], gone: [], now: users.clock.at };
      await db()
        .transaction()
        .execute((trx) => releaseRecipients(trx, next, ids));
      const from = isThere ? bound : assignedMailboxes.find((id) => id !== bound)!;
      await change({ assignedMailboxes: [from] });
      const messageIds = [`<${source}.${lead}@d.test>`, '<later@client.test>'];
      const thread = isThere ? { subject: 'Re: Hello', messageIds, isOpened: true } : null;
      expect((await claim(next)).messages).toMatchObject([{ mailboxId: from, thread }]);
    },
  );

  it('writes the first message once more, in the thread, where the address was corrected after a bounce', async () => {
    const { source, next, leadIds, answers, start } = await pair();
    const [lead] = leadIds;
    await answers(lead, { id: 'later@client.test' });
    await start();
    pass(3);
    await begin();
    const bound = await mailboxOf(next, lead);
    const [first] = (await claim(next)).messages;
    const sent = { state: 'sent' as const, sent_at: users.clock.at };
    await db().updateTable('sends').set(sent).where('id', '=', first!.sendId).execute();
    const bounced = { kind: 'bounced' as const, at: users.clock.at };
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, first!.sendId, bounced));
    await ann.ok('PATCH', `/v1/leads/${lead}`, { personEmail: 'corrected@x.example' });
    expect(await mailboxOf(next, lead)).toBe(bound);
    const messageIds = [`<${source}.${lead}@d.test>`, '<later@client.test>'];
    expect((await claim(next)).messages).toMatchObject([
      { mailboxId: bound, recipient: { email: 'corrected@x.example' }, thread: { messageIds } },
    ]);
  });
});

describe('a rule that is made or changed', () => {
  it('says nothing about answers of before, also when they are judged afterwards', async () => {
    const { next, leadIds, answers, change, rule } = await pair();
    const [old, fresh] = leadIds;
    await answers(old, { text: 'Can you send me a price?', minutesAgo: 30 });
    users.clock.at = new Date(Date.now() - 20 * 60_000);
    // The same once more changes nothing.
    await change({ startsOn: rule });
    await answers(fresh, { minutesAgo: 40 });
    expect(await starts(next)).toMatchObject([{ lead_id: fresh, status: 'pending' }]);
    await change({ startsOn: { ...rule, interest: ['not_now', 'question'] } });
    const id = await answerOf(old);
    await ann.ok('PATCH', `/v1/inbox/${id}`, { interest: 'not_now' });
    expect(await starts(next)).toMatchObject([{ lead_id: fresh, status: 'pending' }]);
    const copy = await ann.ok('POST', `/v1/campaigns/${next}/duplicate`);
    await ann.ok('PATCH', `/v1/inbox/${id}`, { interest: 'question' });
    expect(await starts(copy.id)).toEqual([]);
  });

  it('cancels what came from another campaign than the one that is named now', async () => {
    const { source, next, leadIds, answers, change, rule, create } = await pair();
    await answers(leadIds[0]);
    const { id: other } = await create({});
    await change({ startsOn: { ...rule, campaignId: null } });
    await change({ startsOn: { ...rule, campaignId: source } });
    expect(await starts(next)).toMatchObject([{ status: 'pending' }]);
    await change({ startsOn: { ...rule, campaignId: other } });
    expect(await starts(next)).toMatchObject([{ status: 'cancelled', reason: 'rule_changed' }]);
  });

  it('while an answer is stored: the answer is cancelled when it is due', async () => {
    const { next, leadIds, answers } = await pair();
    let storing: Promise<void> | undefined;
    await db()
      .transaction()
      .execute(async (trx) => {
        await lockUserCampaign(trx, ann.userId, next, 'outcomes');
        // It has read the rule of before, and waits to refer to the campaign.
        storing = answers(leadIds[0]);
        await untilWaiting(db(), 1, '%insert into subsequence_starts');
        await updateCampaign(trx, next, { starts_on_interests: ['meeting'] });
        await cancelUnwanted(trx, next, users.clock.at);
      });
    await storing;
    expect(await starts(next)).toMatchObject([{ status: 'pending' }]);
    pass(3);
    await begin();
    expect(await starts(next)).toMatchObject([{ status: 'cancelled', reason: 'rule_changed' }]);
  });
});

describe('a doubtful answer', () => {
  const DOUBTFUL = { text: 'Hmm.', headers: { 'Auto-Submitted': 'auto-replied' }, minutesAgo: 1 };
  const decide = async (kind: string) => {
    const { items } = await ann.ok('GET', '/v1/inbox?kind=needs_review');
    await ann.ok('PATCH', `/v1/inbox/${items[0].id}`, { kind });
  };

  it('leaves a subsequence pending until a person has said what it is', async () => {
    const { next, leadIds, answers } = await pair();
    await answers(leadIds[0]);
    await answers(leadIds[0], DOUBTFUL);
    pass(3);
    await begin();
    expect(await starts(next)).toMatchObject([{ status: 'pending' }]);
    await decide('auto_reply');
    await begin();
    expect(await starts(next)).toMatchObject([{ status: 'started' }]);
  });

  it('holds one that has begun, also before its first message from any mailbox', async () => {
    const { next, leadIds, answers, start } = await pair();
    const [lead] = leadIds;
    await start();
    await answers(lead);
    pass(3);
    await begin();
    await sql`update recipients set mailbox_id = null where campaign_id = ${next}`.execute(db());
    await answers(lead, DOUBTFUL);
    expect(await recipient(next, lead)).toMatchObject({ holdReason: 'needs_review' });
    expect(await claim(next)).toMatchObject({ messages: [], nextAt: expect.any(Date) });
    await decide('message');
    expect(await recipient(next, lead)).toMatchObject({ holdReason: null });
    expect((await claim(next)).messages).toMatchObject([{ leadId: lead }]);
  });
});

describe('a start that fails', () => {
  it('stops no other one, and is tried again', async () => {
    const { next, leadIds, answers } = await pair();
    const [broken, fine] = leadIds;
    await answers(broken, { minutesAgo: 50 });
    await answers(fine, { minutesAgo: 40 });
    const owner = openDatabase(users.database.ownerUrl, { poolSize: 1 });
    await sql`alter table recipients add constraint broken check (
      campaign_id <> ${sql.lit(next)} or lead_id <> ${sql.lit(broken)})`.execute(owner);
    pass(3);
    await begin();
    const states = async () => (await starts(next)).map(({ status }) => status);
    expect(await states()).toEqual(['pending', 'started']);
    await sql`alter table recipients drop constraint broken`.execute(owner);
    await owner.destroy();
    await begin();
    expect(await states()).toEqual(['started', 'started']);
  });
});

describe('another answer while the lead is left out of what has begun', () => {
  const suppress = async (email: string): Promise<number> => {
    await ann.ok('POST', '/v1/suppressions', { email });
    return (await ann.ok('GET', '/v1/suppressions'))[0].id;
  };

  it.each(['lifted', 'corrected', 'put back'])(
    'ends it: nothing is written after the lead is %s',
    async (way) => {
      const { next, leadIds, answers, start } = await pair();
      const [lead, other] = leadIds;
      await answers(lead);
      await answers(other);
      await start();
      pass(3);
      await begin();
      const { personEmail } = await ann.ok('GET', `/v1/leads/${lead}`);
      const path = `/v1/campaigns/${next}/leads`;
      const ids = [lead, other];
      if (way === 'put back') await ann.ok('POST', `${path}/bulk-remove`, { leadIds: ids });
      const entry = way === 'put back' ? undefined : await suppress(personEmail);
      const claimed = async () => (await claim(next)).messages.map(({ leadId }) => leadId);
      const meanwhile = entry ? await claimed() : [other];
      expect(meanwhile).toEqual([other]);
      await answers(lead, { id: 'again@client.test', text: 'Not for us.', minutesAgo: 0 });
      if (way === 'lifted') await ann.ok('DELETE', `/v1/suppressions/${entry}`);
      if (way === 'corrected') {
        await ann.ok('PATCH', `/v1/leads/${lead}`, { personEmail: 'corrected@x.example' });
      }
      if (way === 'put back') await ann.ok('POST', path, { leadIds: ids });
      expect(await claimed()).toEqual(way === 'put back' ? [other] : []);
      const { status } = await recipient(next, lead);
      expect(status).toBe(way === 'corrected' ? 'skipped' : 'replied');
    },
  );
});

describe('another answer that is stored while the lead comes back', () => {
  it('ends what has begun', async () => {
    const { next, leadIds, answers, start } = await pair();
    const [lead] = leadIds;
    await answers(lead);
    await start();
    pass(3);
    await begin();
    const { personEmail } = await ann.ok('GET', `/v1/leads/${lead}`);
    await ann.ok('POST', '/v1/suppressions', { email: personEmail });
    await claim(next);
    await answers(lead, { id: 'again@client.test', text: 'Not for us.', minutesAgo: 0 });
    const again = await answerOf(lead);
    const [entry] = await ann.ok('GET', '/v1/suppressions');
    await db().updateTable('messages').set({ kind: 'message' }).where('id', '=', again).execute();
    const lifting = await db()
      .transaction()
      .execute(async (trx) => {
        await trx.updateTable('messages').set({ kind: 'reply' }).where('id', '=', again).execute();
        await planStarts(trx, [again], { now: users.clock.at, daySeconds: 86_400 });
        const lifted = ann.ok('DELETE', `/v1/suppressions/${entry.id}`);
        await Promise.race([lifted, untilWaiting(db())]);
        return { lifted };
      });
    await lifting.lifted;
    expect((await claim(next)).messages).toEqual([]);
    expect(await recipient(next, lead)).toMatchObject({ status: 'replied' });
  });
});

describe('an answer that is deleted', () => {
  it('after it has begun a subsequence: an older one does not end that, a newer one does', async () => {
    const { next, leadIds, answers } = await pair();
    const [lead] = leadIds;
    await answers(lead, { text: 'Tell me more.', minutesAgo: 50 });
    await answers(lead, { minutesAgo: 40 });
    pass(3);
    await begin();
    const { items } = await ann.ok('GET', '/v1/inbox?direction=inbound&limit=2');
    const [newer, older] = items;
    await db().deleteFrom('messages').where('id', '=', newer.id).execute();
    await ann.ok('PATCH', `/v1/inbox/${older.id}`, { interest: 'meeting' });
    expect(await recipient(next, lead)).toMatchObject({ status: 'queued' });
    // It had begun before the next one came.
    await sql`update subsequence_starts set updated_at = now() - interval '30 minutes'
      where campaign_id = ${next}`.execute(db());
    await answers(lead, { text: 'Send it.', minutesAgo: 5 });
    expect(await recipient(next, lead)).toMatchObject({ status: 'replied' });
  });
});

it('a campaign that is locked keeps no lead of another one waiting', async () => {
  const locked = await pair();
  const other = await pair();
  for (const { answers, leadIds } of [locked, other]) await answers(leadIds[0]);
  pass(3);
  const rests = createRests();
  await db()
    .transaction()
    .execute(async (trx) => {
      await lockUserCampaign(trx, ann.userId, locked.next);
      await withoutPatience(db(), () => beginDueStarts(context(), rests));
    });
  expect(rests.resting()).toEqual([locked.next]);
  expect(await starts(locked.next)).toMatchObject([{ status: 'pending' }]);
  expect(await starts(other.next)).toMatchObject([{ status: 'started' }]);
});
