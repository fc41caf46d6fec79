/** A session that has sent messages knows when the next are due, also where their results or limits change that. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

const DAY_MS = 86_400_000;

let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld(['one.test', 'two.test']);
  userId = await addSender(world.database.db);
});
afterAll(() => world?.close());

const newMailboxes = (count: number, domain: string) => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count, domain });
};

/** Binds a lead to a mailbox, as its thread is or the answer by which it has entered. */
const bind = (campaignId: number, leadId: number, mailboxId: number) =>
  sql`update recipients set mailbox_id = ${mailboxId} where campaign_id = ${campaignId}
    and lead_id = ${leadId}`.execute(world.database.db);

const session = (campaignId: number, settings = {}) => {
  const limits = { sessionMs: 25_000, idleMs: 2_000, memory: {}, isNew: false };
  return runSendingSession(world.tools({}, settings), campaignId, limits);
};

it('writes at once to a corrected address where the message to the old one comes back', async () => {
  const { db } = world.database;
  const [mailboxId] = await newMailboxes(1, 'one.test');
  const dueAt = new Date(Date.now() + 3 * DAY_MS);
  const order = { leads: 2, mailboxIds: [mailboxId!], dueAt };
  const { campaignId, leadIds } = await addCampaign(db, userId, order);
  const [leadId] = leadIds;
  for (const one of leadIds) await bind(campaignId, one, mailboxId!);
  await sql`update recipients set due_at = now() - interval '1 second'
    where campaign_id = ${campaignId} and lead_id = ${leadId!}`.execute(db);
  // By the answer with which it has entered it stays with its mailbox.
  await sql`with thread as (
      insert into threads (user_id, mailbox_id, subject, last_message_at)
      values (${userId}, ${mailboxId!}, 'Offer', now()) returning id
    ), answer as (
      insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address, sent_at, kind, lead_id)
      select ${userId}, ${mailboxId!}, id, 'inbound', '<answer@client.test>', 'ann@client.test', now(), 'reply', ${leadId!}
      from thread returning id
    )
    insert into subsequence_starts (campaign_id, lead_id, interest, status, updated_at, message_id)
    select ${campaignId}, ${leadId!}, 'interested', 'started', now(), id from answer`.execute(db);
  let correction: Promise<unknown> | undefined;
  const tried: string[] = [];
  world.smtp.twist = (step, { to }) => {
    if (step === 'BANNER') {
      correction ??=
        sql`update leads set email = 'new@corrected.test', email_key = 'new@corrected.test'
        where id = ${leadId!}`.execute(db);
    }
    if (step !== 'RCPT') return undefined;
    tried.push(to);
    return to === 'new@corrected.test' ? undefined : { reply: '550 5.1.1 no such user' };
  };
  await session(campaignId);
  await correction;
  world.smtp.twist = () => undefined;
  expect(tried).toHaveLength(2);
  expect(tried[1]).toBe('new@corrected.test');
});

it('goes on with the next mailbox of a domain where the first one had held all that is left of it', async () => {
  const { db } = world.database;
  const mailboxIds = await newMailboxes(2, 'two.test');
  const order = { leads: 3, mailboxIds, dueAt: new Date(Date.now() - 1_000) };
  const { campaignId, leadIds } = await addCampaign(db, userId, order);
  await bind(campaignId, leadIds[0]!, mailboxIds[0]!);
  await bind(campaignId, leadIds[1]!, mailboxIds[1]!);
  await bind(campaignId, leadIds[2]!, mailboxIds[0]!);
  await sql`update recipients set due_at = now() + interval '3 days'
    where campaign_id = ${campaignId} and lead_id = ${leadIds[2]!}`.execute(db);
  const { length } = world.smtp.taken;
  await session(campaignId, { SEND_DOMAIN_DAILY_LIMIT: 5 });
  expect(world.smtp.taken.length - length).toBe(2);
});
