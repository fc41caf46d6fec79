/** The deletion of a campaign of very many leads: hidden at once, its recipients removed in portions. Choice 145. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { continueChanges } from '../../activities/campaigns/open-portions.ts';
import { continueCampaign } from '../../src/transactions/campaigns/campaign-portions.ts';
import { PORTION } from '../../src/transactions/campaigns/recipient-portions.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import {
  MONDAY,
  noteSent,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

/** More than two portions. */
const LEADS = 2 * PORTION + 500;

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  ann = await users.newUser();
});

/** A draft with so many leads, all of whom are due. */
async function largeCampaign(): Promise<{ id: number; mailboxId: number; leadIds: number[] }> {
  const { db } = users.database;
  const { id, assignedMailboxes } = await ann.campaign({}, 0);
  const { rows } = await sql<{ id: number }>`
    insert into leads (user_id, name_key, email, email_key)
    select ${ann.userId}, 'n' || n, 'n' || n || '@large.example', 'n' || n || '@large.example'
    from generate_series(1, ${LEADS}::integer) as n returning id`.execute(db);
  const leadIds = rows.map((row) => row.id);
  await sql`insert into recipients (campaign_id, lead_id, user_id, due_at)
    select ${id}, lead_id, ${ann.userId}, ${MONDAY}::timestamptz
    from unnest(${leadIds}::bigint[]) as lead_id`.execute(db);
  return { id, mailboxId: Number(assignedMailboxes[0]), leadIds };
}

const left = async (id: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from recipients where campaign_id = ${id}`.execute(
    users.database.db,
  );
  return rows[0]!.count;
};
const campaignRow = (id: number) =>
  users.database.db
    .selectFrom('campaigns')
    .select(['deleted_at', 'recipients_removed_to'])
    .where('id', '=', id)
    .executeTakeFirst();
const continued = () => continueChanges(users.api.context);
async function untilDone(): Promise<void> {
  while (await continued());
}

it('is answered at once, whoever is being written to in another portion', async () => {
  const { id, leadIds } = await largeCampaign();
  const { db } = users.database;
  const last = await db.transaction().execute(async (trx) => {
    await sql`select from recipients where campaign_id = ${id} and lead_id = ${leadIds.at(-1)!}
      for update`.execute(trx);
    await ann.ok('DELETE', `/v1/campaigns/${id}`);
    return left(id);
  });
  expect(last).toBe(LEADS - PORTION);
});

it('hides it at once and sends nothing; unsubscribing works meanwhile, and after it', async () => {
  const { id, mailboxId, leadIds } = await largeCampaign();
  const written = [leadIds[0]!, leadIds.at(-1)!];
  for (const leadId of written) await noteSent(users, { campaignId: id, leadId, mailboxId });
  await sql`update sends set email_key = leads.email_key from leads
    where leads.id = sends.lead_id and sends.campaign_id = ${id}`.execute(users.database.db);
  await ann.ok('DELETE', `/v1/campaigns/${id}`);
  expect(await left(id)).toBe(LEADS - PORTION);
  for (const path of ['', '/leads', '/analytics', '/sending-status']) {
    const { status, body } = await ann.call('GET', `/v1/campaigns/${id}${path}`);
    expect([status, body.code]).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
  }
  expect(await ann.ok('GET', '/v1/campaigns')).toEqual([]);
  const claimed = await users.database.db.transaction().execute((trx) =>
    claimMessages(trx, users.api.context.config, {
      campaignId: id,
      claimedBy: randomUUID(),
      now: users.clock.at,
      most: 10,
    }),
  );
  expect(claimed).toMatchObject({ state: 'over', messages: [] });
  await unsubscribe(id, written[1]!);
  await untilDone();
  expect(await left(id)).toBe(0);
  await unsubscribe(id, written[0]!);
  expect(await campaignRow(id)).toEqual({
    deleted_at: expect.any(Date),
    recipients_removed_to: null,
  });
  expect((await ann.call('DELETE', `/v1/campaigns/${id}`)).status).toBe(404);
});

async function unsubscribe(campaignId: number, leadId: number): Promise<void> {
  const { id } = await users.database.db
    .selectFrom('sends')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('lead_id', '=', leadId)
    .executeTakeFirstOrThrow();
  const link = new URL(users.api.context.recipientLinks.unsubscribeUrl(id)).pathname;
  const answer = await users.api.call('POST', link, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.status).toBe(200);
  expect((await ann.ok('GET', `/v1/leads/${leadId}`)).status).toBe('unsubscribed');
}

it('goes on where a worker died, and two workers at once do no harm', async () => {
  const { id } = await largeCampaign();
  await ann.ok('DELETE', `/v1/campaigns/${id}`);
  const times = { now: users.clock.at, daySeconds: 86_400 };
  const dying = users.database.db.transaction().execute(async (trx) => {
    await continueCampaign(trx, id, times);
    throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await left(id)).toBe(LEADS - PORTION);
  expect(await Promise.all([continued(), continued()])).toEqual([true, true]);
  await untilDone();
  expect(await left(id)).toBe(0);
  // Nothing was ever sent: nothing stays.
  expect(await campaignRow(id)).toBeUndefined();
});

it('of a small one leaves nothing to be done', async () => {
  const { id } = await ann.campaign();
  await ann.ok('DELETE', `/v1/campaigns/${id}`);
  expect(await campaignRow(id)).toBeUndefined();
  expect(await continued()).toBe(false);
});
