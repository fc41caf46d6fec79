/** The texts of a campaign change while it sends: for those who have not had them yet. Choices 8, 68. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Config } from '../../src/config.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import type { DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
});
afterAll(() => users?.close());
beforeEach(() => void (users.clock.at = MONDAY));

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
  SEND_MAILBOX_HOURLY_LIMIT: 100,
} as Config;

const attempt = randomUUID();
const db = () => users.database.db;
const days = (n: number) => new Date(MONDAY.getTime() + n * 86_400_000);

const claim = async (campaignId: number, most: number, now = MONDAY) =>
  (
    await db()
      .transaction()
      .execute((trx) => claimMessages(trx, config, { campaignId, claimedBy: attempt, now, most }))
  ).messages;

const end = (
  campaignId: number,
  message: ClaimedMessage,
  state: DeliveryResult['state'] = 'sent',
  dueAt: Date | null = days(3),
) => {
  const { sendId, leadId, mailboxId, variant, messageId, step } = message;
  const next = state === 'sent' ? step.position + 1 : step.position;
  const status = next === 0 ? ('queued' as const) : ('in_progress' as const);
  const recipient = { status, step: next, dueAt, holdReason: null };
  const ids = { sendId, leadId, mailboxId, variant, messageId, step: step.position };
  const done = { ...ids, state, reply: '', subject: 'S', at: MONDAY, recipient, hasBounced: false };
  const round = { campaignId, userId: ann.userId, claimedBy: attempt };
  return db()
    .transaction()
    .execute((trx) => writeDeliveryResults(trx, round, [done]));
};

const sendSome = async (campaignId: number, most: number, now = MONDAY) => {
  const messages = await claim(campaignId, most, now);
  for (const message of messages) await end(campaignId, message);
  return messages;
};

/** An active campaign of ten leads. */
async function running(order: object = {}) {
  const { id } = await ann.campaign({ bodyTemplate: 'Old', ...order }, 10);
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  return {
    id: id as number,
    change: (body: object) => ann.ok('PATCH', `/v1/campaigns/${id}`, body),
    refused: (body: object) => ann.call('PATCH', `/v1/campaigns/${id}`, body),
    steps: () => ann.ok('GET', `/v1/campaigns/${id}/analytics/steps`),
  };
}

const bodies = (messages: readonly ClaimedMessage[]) =>
  messages.map(({ step, variant }) => [step.bodyTemplate, variant]);

describe('PATCH of texts while a campaign sends', () => {
  it.each(['active', 'paused'])('is for those who come after it (%s)', async (state) => {
    const { id, change, steps } = await running();
    const before = await sendSome(id, 3);
    if (state === 'paused') await ann.ok('POST', `/v1/campaigns/${id}/pause`);
    expect(await change({ bodyTemplate: 'New' })).toMatchObject({ bodyTemplate: 'New' });
    if (state === 'paused') await ann.ok('POST', `/v1/campaigns/${id}/resume`);
    const after = await sendSome(id, 100);
    expect(bodies(before)).toEqual(Array.from({ length: 3 }, () => ['Old', 0]));
    expect(bodies(after)).toEqual(Array.from({ length: 7 }, () => ['New', 1]));
    expect(new Set([...before, ...after].map(({ leadId }) => leadId)).size).toBe(10);
    // What comes of a message counts for the text that it had.
    for (const [message, kind] of [
      [before[0]!, 'replied'],
      [after[0]!, 'opened'],
    ] as const) {
      await db()
        .transaction()
        .execute((trx) => recordSendOutcome(trx, message.sendId, { kind, at: MONDAY }));
    }
    const [first] = await steps();
    expect(first).toMatchObject({ position: 0, sent: 10, replied: 1, opened: 1 });
    expect(first.variants).toMatchObject([
      { variant: 0, isCurrent: false, bodyTemplate: 'Old', sent: 3, replied: 1, opened: 0 },
      { variant: 1, isCurrent: true, bodyTemplate: 'New', sent: 7, replied: 0, opened: 1 },
    ]);
    const lead = `/v1/campaigns/${id}/leads/${before[0]!.leadId}`;
    expect(await ann.ok('GET', lead)).toMatchObject({ sends: [{ variant: 0, subject: 'S' }] });
  });

  it('a message that was claimed before keeps its text; one that was put off gets the new one', async () => {
    const { id, change, steps } = await running();
    const [claimed, deferred] = await claim(id, 2);
    await end(id, deferred!, 'deferred', MONDAY);
    await change({ bodyTemplate: 'New' });
    expect(bodies([claimed!])).toEqual([['Old', 0]]);
    await end(id, claimed!);
    const [again] = await claim(id, 1, days(0));
    expect(again).toMatchObject({ leadId: deferred!.leadId, attempts: 1, variant: 1 });
    await end(id, again!);
    expect(again!.step.bodyTemplate).toBe('New');
    const row = await db()
      .selectFrom('sends')
      .select('variant')
      .where('id', '=', again!.sendId)
      .execute();
    expect(row).toEqual([{ variant: 1 }]);
    expect((await steps())[0].variants).toMatchObject([
      { variant: 0, sent: 1 },
      { variant: 1, sent: 1 },
    ]);
  });

  it('each text keeps its number: beside others, in another order, and when it comes back', async () => {
    const text = (bodyTemplate: string) => ({ bodyTemplate });
    const { id, change, steps } = await running({ variants: [text('B'), text('C')] });
    const numbers = async () =>
      (await steps())[0].variants.map((one: { [key: string]: unknown }) => [
        one.variant,
        one.bodyTemplate,
        one.isCurrent,
      ]);
    // Nothing was sent: nobody tells them apart yet.
    await change({ variants: [text('B'), text('D')] });
    expect(await numbers()).toEqual([
      [0, 'Old', true],
      [1, 'B', true],
      [2, 'D', true],
    ]);
    await sendSome(id, 4);
    await change({ variants: [text('E'), text('B')] });
    const now = [
      [0, 'Old', true],
      [1, 'B', true],
      [2, 'D', false],
      [3, 'E', true],
    ];
    expect(await numbers()).toEqual(now);
    await change({ name: 'Another name' });
    expect(await numbers()).toEqual(now);
    const after = await sendSome(id, 100);
    const texts = new Map([
      [0, 'Old'],
      [1, 'B'],
      [3, 'E'],
    ]);
    for (const { variant, step } of after) {
      const index = step.numbers!.indexOf(variant);
      expect([step.bodyTemplate, ...step.variants.map((one) => one.bodyTemplate)][index]).toBe(
        texts.get(variant),
      );
    }
    await change({ variants: [text('D')] });
    expect(await numbers()).toEqual([
      [0, 'Old', true],
      [1, 'B', false],
      [2, 'D', true],
      [3, 'E', false],
    ]);
    // A variant without a subject goes by that of its step: then it is another text.
    await change({ subjectTemplate: 'Another subject' });
    expect((await numbers()).slice(-2)).toEqual([
      [4, 'Old', true],
      [5, 'D', true],
    ]);
    const { id: copy } = await ann.ok('POST', `/v1/campaigns/${id}/duplicate`);
    const [first] = await ann.ok('GET', `/v1/campaigns/${copy}/analytics/steps`);
    expect(first.variants.map(({ variant }: { variant: number }) => variant)).toEqual([0, 1]);
  });

  it('a follow-up takes the place of a built-in reminder that was sent', async () => {
    const { id, change, steps } = await running({ maxFollowups: 1 });
    for (const message of await claim(id, 2)) await end(id, message, 'sent', MONDAY);
    const [reminder] = await sendSome(id, 1);
    expect(reminder).toMatchObject({ step: { position: 1 }, variant: 0 });
    await change({ steps: [{ order: 1, bodyTemplate: 'Mine' }] });
    const messages = await claim(id, 2);
    expect(messages.find(({ step }) => step.position === 1)).toMatchObject({
      variant: 1,
      step: { bodyTemplate: 'Mine' },
    });
    expect((await steps())[1].variants).toMatchObject([
      {
        variant: 0,
        isCurrent: false,
        sent: 1,
        bodyTemplate: expect.stringMatching(/last message/),
      },
      { variant: 1, isCurrent: true, bodyTemplate: 'Mine' },
    ]);
  });

  it('is checked as at the creation, and never gives somebody a text twice', async () => {
    const step = (order: number, bodyTemplate: string) => ({ order, bodyTemplate });
    const { id, change, refused } = await running({ steps: [step(1, 'One'), step(2, 'Two')] });
    for (const message of await claim(id, 2)) await end(id, message, 'sent', MONDAY);
    await sendSome(id, 2);
    const bad = await refused({ bodyTemplate: '{{nonsense}}' });
    expect(bad).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(bad.body.details[0].field).toBe('bodyTemplate');
    // Follow-up 1 would come again as the second one.
    const shifted = { steps: [step(1, 'Between'), step(2, 'One'), step(3, 'Two')] };
    expect(await refused(shifted)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_STATE', details: [{ field: 'steps[1]' }] },
    });
    // One that was sent is changed, not taken out.
    expect(await refused({ steps: [] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_STATE', details: [{ field: 'steps[0]' }] },
    });
    const changed = await change({ steps: [step(1, 'Better'), step(2, 'Two')] });
    expect(changed.steps).toMatchObject([step(1, 'Better'), step(2, 'Two')]);
    await change({ steps: [step(1, 'Better'), step(2, 'Three'), step(3, 'Four')] });
    await ann.ok('POST', `/v1/campaigns/${id}/cancel`);
    expect((await refused({ bodyTemplate: 'Late' })).body.code).toBe('INVALID_STATE');
  });
});
