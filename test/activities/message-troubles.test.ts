/** A host that puts off for now: its mailbox rests, and a message that alone is put off ends. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMailboxTroubles, newTroubles } from '../../activities/campaigns/mailbox-troubles.ts';
import { sendMessage, type MessageSetting } from '../../activities/campaigns/send-message.ts';
import {
  runSendingSession,
  type SendingMemory,
} from '../../activities/campaigns/sending-session.ts';
import type { ClaimedMessage } from '../../src/db/sending/send-claim-rows.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld(NAMES.map((name) => `${name}.test`));
  userId = await addSender(world.database.db);
});
afterAll(() => world.close());
beforeEach(() => void (world.smtp.twist = () => undefined));

async function newCampaign(leads: number, domain: string) {
  const { db, cipher } = world.tools();
  const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1, domain });
  const { campaignId } = await addCampaign(db, userId, { leads, mailboxIds });
  return { campaignId, mailboxId: mailboxIds[0]! };
}

const recipientsOf = (campaignId: number) =>
  world.database.db
    .selectFrom('recipients')
    .innerJoin('leads', 'leads.id', 'recipients.lead_id')
    .select(['leads.email', 'recipients.lead_id', 'recipients.status', 'recipients.hold_reason'])
    .where('campaign_id', '=', campaignId)
    .orderBy('leads.id')
    .execute();

it('rests longer from session to session, up to a quarter of an hour', async () => {
  const { db } = world.database;
  const { campaignId, mailboxId } = await newCampaign(1, 'one.test');
  world.smtp.twist = (step) =>
    step === 'AUTH' ? { reply: '454 4.7.0 Too many login attempts' } : undefined;
  const memory: SendingMemory = {};
  const attempt = randomUUID();
  let skewMs = 0;
  const clock = { now: () => new Date(Date.now() + skewMs) };
  const rests: number[] = [];
  for (let session = 0; session < 9; session += 1) {
    const limits = { sessionMs: 25_000, idleMs: 2_000, memory, isNew: session === 0 };
    await runSendingSession(world.tools({ clock, attempt }), campaignId, limits);
    const { next_send_at: next } = await db
      .selectFrom('mailboxes')
      .select('next_send_at')
      .where('id', '=', mailboxId)
      .executeTakeFirstOrThrow();
    const restMs = next!.getTime() - clock.now().getTime();
    rests.push(Math.ceil(restMs / 5_000) * 5);
    skewMs += restMs + 1;
  }
  expect(rests).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900]);
}, 240_000);

/** An hour takes a tenth of a second. */
const FAST = { DAY_SECONDS: 2.4 };
const VERIFY = { reply: '451 4.7.1 Cannot verify the recipient’s domain' };

it('gives a message up that is put off for a day while others go, and shows it meanwhile', async () => {
  const { campaignId } = await newCampaign(120, 'two.test');
  const { db } = world.database;
  const [bad, ...others] = await recipientsOf(campaignId);
  const waiting = others.map(({ lead_id }) => lead_id);
  const due = (leadIds: number[], at: Date) =>
    db
      .updateTable('recipients')
      .set({ due_at: at })
      .where('campaign_id', '=', campaignId)
      .where('lead_id', 'in', leadIds)
      .execute();
  await due(waiting, new Date(Date.now() + 3_600_000));
  let offered = 0;
  world.smtp.twist = (step, { to }) => {
    if (step !== 'RCPT' || to !== bad!.email) return undefined;
    offered += 1;
    // Somebody else is written to between two tries.
    void due(waiting.splice(0, 1), new Date());
    return VERIFY;
  };
  const run = world.run(campaignId, FAST);
  await expect
    .poll(async () => (await recipientsOf(campaignId))[0], { timeout: 90_000 })
    .toMatchObject({ status: 'queued', hold_reason: 'soft_bounce' });
  await expect
    .poll(async () => (await recipientsOf(campaignId))[0]!.status, { timeout: 90_000 })
    .toBe('failed');
  // The others are an hour away: the session ends for now.
  expect(await run).toMatchObject({ isDone: false });
  await due([...waiting, -1], new Date());
  expect(await world.run(campaignId, FAST)).toMatchObject({ isDone: true });
  const [first, ...rest] = await recipientsOf(campaignId);
  expect(first!.hold_reason).toBe('delivery_refused');
  expect(new Set(rest.map(({ status }) => status))).toEqual(new Set(['completed']));
  expect(offered).toBeGreaterThan(24);
  const send = await db
    .selectFrom('sends')
    .select(['state', 'smtp_reply'])
    .where('campaign_id', '=', campaignId)
    .where('state', '<>', 'sent')
    .executeTakeFirstOrThrow();
  expect(send).toMatchObject({
    state: 'refused',
    smtp_reply: expect.stringMatching(/^451 4\.7\.1/),
  });
}, 240_000);

it('gives nobody up for a day in which the mailbox has sent nothing, though it had sent after a first trouble', async () => {
  const { campaignId } = await newCampaign(2, 'three.test');
  const [bad] = await recipientsOf(campaignId);
  let isAlone = false;
  let offered = 0;
  world.smtp.twist = (step, { to }) => {
    if (step !== 'RCPT') return undefined;
    if (to !== bad!.email) {
      isAlone = true;
      return undefined;
    }
    if (isAlone) offered += 1;
    // More tries than a day has, after the other one is gone.
    return offered <= 40 ? VERIFY : undefined;
  };
  expect(await world.run(campaignId, FAST)).toMatchObject({ isDone: true });
  expect(await recipientsOf(campaignId)).toMatchObject([
    { status: 'completed' },
    { status: 'completed' },
  ]);
}, 240_000);

it('tells the trouble of a message from that of a host by what the same mailbox has sent since', async () => {
  const first = await newCampaign(1, 'four.test');
  const second = await newCampaign(1, 'five.test');
  const troubles = createMailboxTroubles(world.tools(), newTroubles());
  const leadId = 1;
  expect(await troubles.isOfMessage({ leadId, mailboxId: first.mailboxId })).toBe(false);
  await world.run(first.campaignId);
  await world.run(second.campaignId);
  expect(await troubles.isOfMessage({ leadId, mailboxId: second.mailboxId })).toBe(false);
  expect(await troubles.isOfMessage({ leadId, mailboxId: first.mailboxId })).toBe(true);
  expect(await troubles.isOfMessage({ leadId, mailboxId: first.mailboxId })).toBe(false);
});

it('lets another mailbox take over whom the host of the first one puts off, without a message so far', async () => {
  const { db, cipher } = world.tools();
  const [refused] = await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'six.test' });
  const [fine] = await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'seven.test' });
  const { campaignId, leadIds } = await addCampaign(db, userId, {
    leads: 12,
    mailboxIds: [refused!, fine!],
  });
  const { email } = (await recipientsOf(campaignId)).find((one) => one.lead_id === leadIds[0])!;
  world.smtp.twist = (step, { to, user }) =>
    step === 'RCPT' && user.endsWith('@six.test') && to === email ? VERIFY : undefined;
  expect(await world.run(campaignId, { DAY_SECONDS: 20 })).toMatchObject({ isDone: true });
  const statuses = (await recipientsOf(campaignId)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['completed']));
});

it('waits for a recipient’s server that puts off a message after its host did', async () => {
  const { campaignId, mailboxId } = await newCampaign(1, 'eight.test');
  const { db } = world.database;
  await sql`
    insert into sends (user_id, campaign_id, lead_id, step, variant, mailbox_id, recipient_domain,
      email_key, message_id, state, claimed_by, claimed_at, attempts, smtp_reply)
    select leads.user_id, ${campaignId}, lead_id, 0, 0, ${mailboxId}, 'x.test', leads.email_key,
      '<one@eight.test>', 'deferred', gen_random_uuid(), now(), 3, '451 4.7.1 Cannot verify'
    from recipients join leads on leads.id = lead_id where campaign_id = ${campaignId}`.execute(db);
  const replies = ['450 4.2.0 Greylisted', '450 4.2.0 Greylisted'];
  world.smtp.twist = (step) => {
    const reply = step === 'RCPT' ? replies.shift() : undefined;
    return reply === undefined ? undefined : { reply };
  };
  expect(await world.run(campaignId, FAST)).toMatchObject({ isDone: true });
  expect(replies).toEqual([]);
  expect(await recipientsOf(campaignId)).toMatchObject([{ status: 'completed' }]);
});

it('leaves a host alone that puts off several messages one after the other', async () => {
  const { campaignId, mailboxId } = await newCampaign(3, 'nine.test');
  const [bad, worse] = await recipientsOf(campaignId);
  const trouble: string[] = [];
  const tools = world.tools();
  const hooks = {
    connections: {
      use: () =>
        Promise.reject(new ProviderError('rate_limited', 'no', { provider: 'smtp', ...VERIFY })),
    },
    begin: () => Promise.resolve(),
    trouble: () => Promise.resolve(void trouble.push('rests')),
    isOfMessage: () => Promise.resolve(true),
  };
  const message = { mailboxId, leadId: bad!.lead_id, attempts: 0, step: { position: 0 } };
  for (const leadId of [bad!.lead_id, worse!.lead_id]) {
    const result = await sendMessage(tools, hooks, {} as MessageSetting, {
      ...(message as ClaimedMessage),
      leadId,
    });
    expect(result.state).toBe('deferred');
  }
  expect(trouble).toEqual(['rests', 'rests']);
});
