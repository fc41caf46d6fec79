/** Pausing, resuming and removing single leads of a campaign. Choice 9. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Config } from '../../src/config.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { holdForReview } from '../../src/db/sending/review-holds.ts';
import { addMessage } from '../support/inbox/inbox-messages.ts';
import { beginMessages, recoverMessages } from '../../src/db/sending/send-progress.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;
beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  bob = await users.newUser();
});
afterAll(() => users?.close());
beforeEach(() => {
  users.clock.at = MONDAY;
  users.signals.length = 0;
  users.temporal.failure = undefined;
});

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
  SEND_RECIPIENT_DOMAIN_DAILY_LIMIT: 0,
} as Config;

const attempt = randomUUID();
const db = () => users.database.db;
const days = (n: number) => new Date(MONDAY.getTime() + n * 86_400_000);

const claim = (campaignId: number, now = users.clock.at) =>
  db()
    .transaction()
    .execute((trx) =>
      claimMessages(trx, config, { campaignId, claimedBy: attempt, now, most: 50 }),
    );

const begin = ({ sendId }: ClaimedMessage) =>
  beginMessages(db(), attempt, [
    {
      sendId,
      fromName: 'Ann',
      to: 'x@y.test',
      subject: 'S',
      text: 'T',
      references: [],
      at: MONDAY,
    },
  ]);

/** The server has taken it; the next one is due `dueAt`. */
const end = (campaignId: number, message: ClaimedMessage, dueAt: Date | null, state = 'sent') => {
  const { sendId, leadId, mailboxId, variant, messageId, step } = message;
  const at = users.clock.at;
  const next = state === 'sent' ? step.position + 1 : step.position;
  const status = dueAt === null ? 'completed' : 'in_progress';
  const recipient = { status, step: next, dueAt, holdReason: null } as const;
  const ids = { sendId, leadId, mailboxId, variant, messageId, step: step.position };
  const done = { ...ids, state, reply: '250', subject: 'S', at, recipient, hasBounced: false };
  const round = { campaignId, userId: ann.userId, claimedBy: attempt };
  return db()
    .transaction()
    .execute((trx) => writeDeliveryResults(trx, round, [done as DeliveryResult]));
};

/** An active campaign with a follow-up after three days. */
async function running(leads = 2) {
  const { id } = await ann.campaign({ maxFollowups: 1, followupDelayDays: 3 }, leads);
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  const rows = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
  const leadIds = rows.map(({ leadId }: { leadId: number }) => leadId) as number[];
  const path = `/v1/campaigns/${id}/leads`;
  const of = (leadId: number) => `${path}/${leadId}`;
  return {
    id: id as number,
    leadIds,
    path,
    pause: (leadId: number) => ann.ok('POST', `${of(leadId)}/pause`),
    resume: (leadId: number) => ann.ok('POST', `${of(leadId)}/resume`),
    remove: (leadId: number) => ann.ok('DELETE', of(leadId)),
    read: (leadId: number) => ann.ok('GET', of(leadId)),
    stats: async () => (await ann.ok('GET', `/v1/campaigns/${id}`)).stats,
  };
}

const leadsOf = (messages: readonly ClaimedMessage[]) => messages.map(({ leadId }) => leadId);

describe('POST /v1/campaigns/:id/leads/:leadId/pause', () => {
  it('holds one lead back, shows and counts it; the others go on', async () => {
    const { id, leadIds, path, pause, read, stats } = await running();
    const [one, two] = leadIds as [number, number];
    const paused = { leadId: one, status: 'paused', holdReason: 'lead_paused', nextSendAt: null };
    expect(await pause(one)).toMatchObject(paused);
    expect(await pause(one)).toMatchObject(paused);
    expect(await read(one)).toMatchObject({
      ...paused,
      explanation: expect.stringMatching(/resume/),
    });
    expect(await ann.ok('GET', `${path}?status=paused`)).toMatchObject([paused]);
    expect(await stats()).toMatchObject({ leads: 2, paused: 1, removed: 0 });
    expect(leadsOf((await claim(id)).messages)).toEqual([two]);
  });

  it('a pause before a claim, and one that waits for it, both end with nothing on its way', async () => {
    const { id, leadIds, pause, read } = await running(1);
    const [lead] = leadIds as [number];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let claimed: (messages: ClaimedMessage[]) => void = () => undefined;
    const hasClaimed = new Promise<ClaimedMessage[]>((resolve) => (claimed = resolve));
    const claiming = db()
      .transaction()
      .execute(async (trx) => {
        const now = users.clock.at;
        const request = { campaignId: id, claimedBy: attempt, now, most: 5 };
        claimed((await claimMessages(trx, config, request)).messages);
        await gate;
      });
    const [message] = await hasClaimed;
    const pausing = pause(lead);
    release();
    await Promise.all([claiming, pausing]);
    expect(await read(lead)).toMatchObject({ status: 'paused', sends: [], mailboxId: null });
    expect(await begin(message!)).toEqual(new Set());
    // The round writes what became of its claim: nothing of it is left.
    expect(await end(id, message!, MONDAY, 'back')).toMatchObject({ written: [] });
    expect((await claim(id)).messages).toEqual([]);
    expect(await read(lead)).toMatchObject({ status: 'paused', step: 0 });
  });

  it('finishes a message that was handed over, and goes on behind it after a resume', async () => {
    const { id, leadIds, pause, read, resume } = await running(1);
    const [lead] = leadIds as [number];
    const [message] = (await claim(id)).messages;
    expect((await begin(message!)).size).toBe(1);
    expect(await pause(lead)).toMatchObject({ status: 'paused' });
    await end(id, message!, days(3));
    expect(await read(lead)).toMatchObject({
      status: 'paused',
      step: 1,
      holdReason: 'lead_paused',
      sends: [{ state: 'sent' }],
    });
    expect((await claim(id, days(4))).messages).toEqual([]);
    expect(await resume(lead)).toMatchObject({ status: 'in_progress', step: 1 });
    const due = await db()
      .selectFrom('recipients')
      .select('due_at')
      .where('lead_id', '=', lead)
      .execute();
    expect(due).toEqual([{ due_at: days(3) }]);
  });

  it('a worker that dies leaves a paused lead paused, and a message of unknown fate over', async () => {
    const { id, leadIds, pause, read } = await running(2);
    const [one, two] = leadIds as [number, number];
    const { messages } = await claim(id);
    await begin(messages.find(({ leadId }) => leadId === two)!);
    await pause(one);
    await pause(two);
    const recover = () =>
      db()
        .transaction()
        .execute((trx) => recoverMessages(trx, { campaignId: id, exceptBy: null, now: MONDAY }));
    expect(await recover()).toMatchObject({ uncertain: 1 });
    expect(await recover()).toMatchObject({ back: 0, uncertain: 0 });
    expect(await read(one)).toMatchObject({ status: 'paused', step: 0 });
    expect(await read(two)).toMatchObject({ status: 'failed', holdReason: 'delivery_uncertain' });
  });

  it('400 for a lead that has ended or a campaign that is cancelled, 404 for a foreign one', async () => {
    const { id, leadIds, path, stats } = await running(1);
    const [lead] = leadIds as [number];
    for (const status of ['completed', 'replied', 'unsubscribed', 'bounced', 'failed'] as const) {
      await db()
        .updateTable('recipients')
        .set({ status, due_at: null })
        .where('campaign_id', '=', id)
        .execute();
      for (const request of ['pause', 'resume']) {
        const answer = await ann.call('POST', `${path}/${lead}/${request}`);
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
        expect(answer.body.error).toContain(status);
      }
    }
    const foreign = await bob.call('POST', `${path}/${lead}/pause`);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'CAMPAIGN_NOT_FOUND' } });
    const [stranger] = await ann.leads(1);
    for (const [method, words] of [
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['DELETE', ''],
    ] as const) {
      const answer = await ann.call(method, `${path}/${stranger}${words}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'LEAD_NOT_FOUND' } });
    }
    expect((await ann.call('POST', `${path}/x/pause`)).body.code).toBe('INVALID_INPUT');
    await ann.ok('POST', `/v1/campaigns/${id}/cancel`);
    const over = await ann.call('DELETE', `${path}/${lead}`);
    expect(over).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
    expect(await stats()).toMatchObject({ paused: 0, removed: 0 });
  });
});

describe('POST /v1/campaigns/:id/leads/:leadId/resume', () => {
  it('keeps the date of a follow-up that is still to come; one that has passed is due at once', async () => {
    const { id, leadIds, pause, resume } = await running(2);
    const [one, two] = leadIds as [number, number];
    for (const message of (await claim(id)).messages) {
      await begin(message);
      await end(id, message, days(3));
    }
    await pause(one);
    await pause(two);
    users.clock.at = days(1);
    expect(await resume(one)).toMatchObject({
      nextSendAt: days(3).toISOString(),
      holdReason: null,
    });
    users.clock.at = days(9);
    expect(await resume(two)).toMatchObject({ nextSendAt: days(9).toISOString() });
    expect(await resume(two)).toMatchObject({ status: 'in_progress' });
    expect(new Set(leadsOf((await claim(id)).messages))).toEqual(new Set([one, two]));
  });

  it('follows changes that were made meanwhile: new delays, shorter sequences, automatic answers', async () => {
    const { id, leadIds, pause, resume, read } = await running(3);
    const [late, away, short] = leadIds as [number, number, number];
    const sends = new Map<number, number>();
    for (const message of (await claim(id)).messages) {
      await begin(message);
      await end(id, message, days(3));
      sends.set(message.leadId, message.sendId);
    }
    for (const lead of leadIds) await pause(lead);
    const back = { kind: 'auto_replied', at: MONDAY, backAt: days(10) } as const;
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, sends.get(away)!, back));
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { followupDelayDays: 5 });
    // Five days after a Monday is no sending day: the next window.
    expect(await resume(late)).toMatchObject({ nextSendAt: '2027-03-08T14:00:00.000Z' });
    expect(await resume(away)).toMatchObject({
      nextSendAt: expect.stringMatching(/2027-03-11/),
      holdReason: 'auto_reply',
    });
    await ann.ok('PATCH', `/v1/campaigns/${id}`, { maxFollowups: 0 });
    expect(await read(short)).toMatchObject({ status: 'completed' });
  });

  it('an answer ends a paused lead for good', async () => {
    const { id, leadIds, pause, path } = await running(1);
    const [lead] = leadIds as [number];
    const [message] = (await claim(id)).messages;
    await begin(message!);
    await end(id, message!, days(3));
    await pause(lead);
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, message!.sendId, { kind: 'replied', at: MONDAY }));
    const answer = await ann.call('POST', `${path}/${lead}/resume`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
  });

  it('wakes the campaign, and keeps nothing while the workflow engine is down; a pause works then', async () => {
    const { id, leadIds, pause, resume, path, read } = await running(1);
    const [lead] = leadIds as [number];
    users.temporal.failure = new Error('connection refused');
    await pause(lead);
    expect((await ann.call('POST', `${path}/${lead}/resume`)).status).toBe(502);
    expect(await read(lead)).toMatchObject({ status: 'paused' });
    users.temporal.failure = undefined;
    await resume(lead);
    expect(users.signals).toEqual([`campaign/${id} settingsChanged`]);
  });
});

describe('DELETE /v1/campaigns/:id/leads/:leadId', () => {
  it('ends the sequence for good; what was sent stays readable', async () => {
    const { id, leadIds, remove, read, path, stats } = await running(2);
    const [one, two] = leadIds as [number, number];
    for (const message of (await claim(id)).messages) {
      await begin(message);
      await end(id, message, days(3));
    }
    expect(await remove(one)).toMatchObject({ status: 'removed', nextSendAt: null });
    expect(await remove(one)).toMatchObject({ status: 'removed' });
    expect(await read(one)).toMatchObject({ status: 'removed', sends: [{ state: 'sent' }] });
    expect(await stats()).toMatchObject({ leads: 1, removed: 1, contacted: 2 });
    expect(await ann.ok('GET', `${path}?status=removed`)).toMatchObject([{ leadId: one }]);
    expect(leadsOf((await claim(id, days(7))).messages)).toEqual([two]);
    for (const request of ['pause', 'resume']) {
      const answer = await ann.call('POST', `${path}/${one}/${request}`);
      expect(answer.body.code).toBe('INVALID_STATE');
    }
  });

  it('outlasts what comes of its messages: answers, bounces, a message that was under way', async () => {
    const { id, leadIds, remove, read, path } = await running(2);
    const [one, two] = leadIds as [number, number];
    const { messages } = await claim(id);
    for (const message of messages) await begin(message);
    await remove(one);
    await remove(two);
    for (const message of messages) await end(id, message, days(3));
    for (const [index, kind] of (['replied', 'bounced'] as const).entries()) {
      await db()
        .transaction()
        .execute((trx) => recordSendOutcome(trx, messages[index]!.sendId, { kind, at: MONDAY }));
    }
    for (const lead of [one, two]) expect(await read(lead)).toMatchObject({ status: 'removed' });
    expect((await claim(id, days(9))).messages).toEqual([]);
    const answered = messages[0]!.leadId;
    await ann.ok('POST', path, { leadIds: [answered] });
    expect(await read(answered)).toMatchObject({ status: 'replied', nextSendAt: null });
    expect((await claim(id, days(9))).messages).toEqual([]);
  });

  it('one whose message was refused as spam meanwhile stays ended when it is added again', async () => {
    const { id, leadIds, remove, read, path } = await running(1);
    const [one] = leadIds as [number];
    const { messages } = await claim(id);
    await begin(messages[0]!);
    await end(id, messages[0]!, days(3));
    await remove(one);
    const outcome = { kind: 'rejected' as const, at: MONDAY, words: '550 5.7.1 spam' };
    await db()
      .transaction()
      .execute((trx) => recordSendOutcome(trx, messages[0]!.sendId, outcome));
    await ann.ok('POST', path, { leadIds: [one] });
    expect(await read(one)).toMatchObject({ status: 'failed', holdReason: 'policy_rejection' });
  });

  it('its list does not bring it back, its own id does: where it stood', async () => {
    const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name: 'Removed' });
    const person = (n: number) => ({
      firstName: `P${n}`,
      lastName: 'Lee',
      email: `p${n}@back.example`,
    });
    const body = { company_name: 'Back', leadListId, people: [person(1), person(2)] };
    await ann.ok('POST', '/v1/leads', body);
    const { id, leadIds, remove, read, path, stats } = await running(1);
    await ann.ok('POST', path, { leadListId });
    const rows = await ann.ok('GET', path);
    const [one, two] = rows
      .map(({ leadId }: { leadId: number }) => leadId)
      .filter((leadId: number) => leadId !== leadIds[0]);
    const messages = (await claim(id)).messages.filter(({ leadId }) => leadId !== two);
    for (const message of messages) {
      await begin(message);
      await end(id, message, days(3));
    }
    await remove(one);
    await remove(two);
    expect(await ann.ok('POST', path, { leadListId })).toEqual({
      added: 0,
      skipped: 2,
      skippedReasons: { removed: 2 },
    });
    const again = await ann.ok('PATCH', `/v1/campaigns/${id}`, { leadListIds: [leadListId] });
    expect(again.skippedReasons).toEqual({ removed: 2 });
    expect(await ann.ok('POST', path, { leadIds: [one, two, leadIds[0]] })).toMatchObject({
      added: 2,
      skippedReasons: { already_in_campaign: 1 },
    });
    expect(await read(one)).toMatchObject({
      status: 'in_progress',
      step: 1,
      nextSendAt: days(3).toISOString(),
    });
    expect(await read(two)).toMatchObject({ status: 'queued', step: 0 });
    expect(await stats()).toMatchObject({ leads: 3, removed: 0 });
  });

  it.each(['before it was removed', 'while it was removed'])(
    'what came of its messages %s counts when it is put back',
    async (when) => {
      const { id, leadIds, remove, read, path } = await running(3);
      const [doubtful, undelivered, away] = leadIds as [number, number, number];
      const sent = new Map<number, ClaimedMessage>();
      for (const message of (await claim(id)).messages) {
        await begin(message);
        await end(id, message, days(3));
        sent.set(message.leadId, message);
      }
      const happens = async () => {
        const { mailboxId } = sent.get(doubtful)!;
        const from = { userId: ann.userId, mailboxId, campaignId: id, leadId: doubtful };
        await addMessage(db(), { ...from, kind: 'needs_review' });
        const expired = { kind: 'bounced', isPermanent: false, hasExpired: true } as const;
        const back = { kind: 'auto_replied', backAt: days(10) } as const;
        await db()
          .transaction()
          .execute(async (trx) => {
            await holdForReview(trx, { campaignId: id, leadId: doubtful }, MONDAY);
            for (const [leadId, outcome] of [
              [undelivered, expired],
              [away, back],
            ] as const) {
              await recordSendOutcome(trx, sent.get(leadId)!.sendId, { ...outcome, at: MONDAY });
            }
          });
      };
      if (when.startsWith('before')) await happens();
      for (const leadId of leadIds) await remove(leadId);
      if (when.startsWith('while')) await happens();
      for (const leadId of leadIds) {
        expect(await read(leadId)).toMatchObject({ status: 'removed', holdReason: null });
      }
      await ann.ok('POST', path, { leadIds });
      expect(await read(doubtful)).toMatchObject({ holdReason: 'needs_review', nextSendAt: null });
      const rows = db().selectFrom('recipients').select(['status', 'hold_reason', 'due_at']);
      const stored = (leadId: number) =>
        rows.where('lead_id', '=', leadId).executeTakeFirstOrThrow();
      expect(await stored(undelivered)).toMatchObject({
        status: 'paused',
        hold_reason: 'undelivered',
      });
      expect(await stored(away)).toMatchObject({ hold_reason: 'auto_reply', due_at: days(10) });
      expect((await claim(id, days(4))).messages).toEqual([]);
    },
  );

  it('400 for a lead whose sequence is over for good', async () => {
    const { id, leadIds, path } = await running(1);
    for (const status of ['completed', 'replied', 'unsubscribed'] as const) {
      const rows = db().updateTable('recipients').where('campaign_id', '=', id);
      await rows.set({ status, due_at: null }).execute();
      const answer = await ann.call('DELETE', `${path}/${leadIds[0]}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
    }
  });
});

describe('POST /v1/campaigns/:id/leads/bulk-*', () => {
  it('does the same to many, and tells by reason whom it left', async () => {
    const { id, leadIds, path } = await running(4);
    const [one, two, three, over] = leadIds as [number, number, number, number];
    const rows = db().updateTable('recipients').where('lead_id', '=', over);
    await rows.set({ status: 'replied', due_at: null }).execute();
    const [stranger] = await bob.leads(1);
    const all = { leadIds: [...leadIds, one, stranger] };
    const skipped = { skipped: 2, skippedReasons: { not_in_campaign: 1, ended: 1 } };
    expect(await ann.ok('POST', `${path}/bulk-pause`, all)).toEqual({
      changed: 3,
      unchanged: 0,
      ...skipped,
    });
    await ann.ok('POST', `${path}/bulk-resume`, { leadIds: [three] });
    expect(await ann.ok('POST', `${path}/bulk-resume`, all)).toEqual({
      changed: 2,
      unchanged: 1,
      ...skipped,
    });
    expect(await ann.ok('POST', `${path}/bulk-remove`, { leadIds: [one, two] })).toMatchObject({
      changed: 2,
    });
    expect(leadsOf((await claim(id)).messages)).toEqual([three]);
    const bad = await ann.call('POST', `${path}/bulk-pause`, { leadIds: [] });
    expect(bad).toMatchObject({ status: 400, body: { details: [{ field: 'leadIds' }] } });
    expect((await bob.call('POST', `${path}/bulk-remove`, all)).status).toBe(404);
  });
});
