/** A host that puts off for now: its mailbox rests, and a message that alone is put off ends. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  runSendingSession,
  type SendingMemory,
} from '../../activities/campaigns/sending-session.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld(['one.test', 'two.test']);
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
    .select(['leads.email', 'recipients.status', 'recipients.hold_reason'])
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
}, 60_000);

it('gives a message up that is put off for a day while others go, and shows it meanwhile', async () => {
  const { campaignId } = await newCampaign(4, 'two.test');
  const [bad] = await recipientsOf(campaignId);
  let offered = 0;
  world.smtp.twist = (step, { to }) => {
    if (step !== 'RCPT' || to !== bad!.email) return undefined;
    offered += 1;
    return { reply: '451 4.7.1 Cannot verify the recipient’s domain' };
  };
  // An hour takes a tenth of a second.
  const run = world.run(campaignId, { DAY_SECONDS: 2.4 });
  await expect
    .poll(async () => (await recipientsOf(campaignId))[0])
    .toMatchObject({ status: 'queued', hold_reason: 'soft_bounce' });
  expect(await run).toMatchObject({ isDone: true });
  expect((await recipientsOf(campaignId)).map(({ status }) => status)).toEqual([
    'failed',
    'completed',
    'completed',
    'completed',
  ]);
  expect((await recipientsOf(campaignId))[0]!.hold_reason).toBe('delivery_refused');
  expect(offered).toBeGreaterThan(24);
  const send = await world.database.db
    .selectFrom('sends')
    .select(['state', 'smtp_reply'])
    .where('campaign_id', '=', campaignId)
    .where('state', '<>', 'sent')
    .executeTakeFirstOrThrow();
  expect(send).toMatchObject({
    state: 'refused',
    smtp_reply: expect.stringMatching(/^451 4\.7\.1/),
  });
}, 60_000);
