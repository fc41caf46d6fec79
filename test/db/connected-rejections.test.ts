/** Connected mailboxes, which are in no cluster, have a domain as well: what is refused is counted and paused by it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listPausedMailboxes, pauseWhatIsRejected } from '../../src/db/sending/rejections.ts';
import { markSenderRefused } from '../../src/db/sending/sending-mailboxes.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => void (world = await startSessionWorld([])));
afterAll(() => world.close());
beforeEach(async () => void (userId = await addSender(world.database.db)));

const now = new Date();

async function connected(count: number, domain: string): Promise<number[]> {
  const { db, cipher } = world.tools();
  const ids = await addMailboxes({ db, cipher }, userId, { count, domain });
  await db.updateTable('mailboxes').set({ cluster_id: null }).where('id', 'in', ids).execute();
  return ids;
}

/** A message of each mailbox to the company, one of which is refused. */
async function refuseOneOf(mailboxIds: readonly number[], company: string, at: number) {
  const { db } = world.database;
  const { campaignId, leadIds } = await addCampaign(db, userId, {
    leads: mailboxIds.length,
    mailboxIds: [...mailboxIds],
  });
  const { rows } = await sql<{ id: number }>`
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
      message_id, state, claimed_by, claimed_at, sent_at)
    select ${userId}, ${campaignId}, lead_id, 0, mailbox_id, ${company},
      '<' || gen_random_uuid() || '@x.test>', 'sent', ${randomUUID()}, ${now}, ${now}
    from unnest(${leadIds}::bigint[], ${[...mailboxIds]}::bigint[]) as each (lead_id, mailbox_id)
    returning id`.execute(db);
  const sendId = rows[at]!.id;
  const { config } = world.tools({}, { SEND_REJECTION_MIN_SENDS: 20 });
  await db.transaction().execute(async (trx) => {
    await recordSendOutcome(trx, sendId, { kind: 'rejected', at: now, words: '550 spam' });
    await pauseWhatIsRejected(trx, config, { sendIds: [sendId], now });
  });
}

const failing = async (ids: readonly number[]) => {
  const rows = await world.database.db
    .selectFrom('mailboxes')
    .select('failing_reason')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
  return rows.map(({ failing_reason: reason }) => reason);
};

it('pauses the domain of their addresses past the share', async () => {
  const { db } = world.database;
  const domain = `own-${randomUUID().slice(0, 8)}.test`;
  const ids = await connected(10, domain);
  const others = await connected(1, `of-${domain}`);
  // Companies with servers of their own, and three messages of each mailbox: too few for any of them.
  for (const n of [0, 1, 2]) await refuseOneOf(ids, `company-${n}.test`, n);
  const told = await db
    .selectFrom('events')
    .select('payload')
    .where('user_id', '=', userId)
    .where('type', '=', 'sending.paused')
    .execute();
  const paused = { scope: 'domain', subject: domain, letters: 30, rejected: 3, words: '550 spam' };
  expect(told).toMatchObject([{ payload: paused }]);
  const soon = new Date(now.getTime() + 3_600_000);
  expect(new Set(await listPausedMailboxes(db, [...ids, ...others], soon))).toEqual(new Set(ids));
  expect(await failing([...ids, ...others])).toEqual([...ids.map(() => 'policy_rejections'), null]);
});

it('takes them all out where a blocklist has their domain', async () => {
  const domain = `own-${randomUUID().slice(0, 8)}.test`;
  const ids = await connected(2, domain);
  const others = await connected(1, `of-${domain}`);
  await world.database.db
    .transaction()
    .execute((trx) => markSenderRefused(trx, ids[0]!, { isListed: true, now }));
  expect(await failing([...ids, ...others])).toEqual(['sender_refused', 'sender_refused', null]);
});
