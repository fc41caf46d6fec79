/** Changes of campaigns that concern very many leads: a portion in the request, the others after it. Choice 145. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { continueChanges } from '../../activities/campaigns/open-portions.ts';
import { completeCampaign } from '../../src/transactions/campaign-states.ts';
import { PORTION } from '../../src/transactions/campaigns/recipient-portions.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import {
  MESSAGE,
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

/** More than two portions. */
const LEADS = 2 * PORTION + 500;
const DAY = 86_400_000;

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  ann = await users.newUser();
});

const continued = () => continueChanges(users.api.context);

async function untilDone(): Promise<void> {
  while (await continued());
}

async function addList(leads: number): Promise<number> {
  const { id } = await ann.ok('POST', '/v1/lead-lists', { name: 'Large' });
  await sql`
    with company as (
      insert into companies (user_id, lead_list_id, name, name_key)
      values (${ann.userId}, ${id}, 'Large', 'large') returning id)
    insert into leads (user_id, company_id, name_key, email, email_key)
    select ${ann.userId}, company.id, 'n' || n, 'n' || n || '@large.example', 'n' || n || '@large.example'
    from company, generate_series(1, ${leads}::integer) as n`.execute(users.database.db);
  return id;
}

interface Row {
  lead_id: number;
  due_at: Date | null;
  hold_reason: string | null;
  status: string;
}

const recipients = async (campaignId: number): Promise<Row[]> =>
  users.database.db
    .selectFrom('recipients')
    .select(['lead_id', 'due_at', 'hold_reason', 'status'])
    .where('campaign_id', '=', campaignId)
    .orderBy('lead_id')
    .execute();

const status = async (id: number) => (await ann.ok('GET', `/v1/campaigns/${id}`)).status;

/** An active campaign whose follow-ups of the third day are due, in the order of leads, and nothing else. */
async function addThreads(): Promise<number> {
  const { db } = users.database;
  const campaign = await ann.campaign({ maxFollowups: 2, followupDelayDays: 3 }, 0);
  const id: number = campaign.id;
  const mailboxId = Number(campaign.assignedMailboxes[0]);
  await addList(LEADS);
  await sql`
    with recipient as (
      insert into recipients (campaign_id, lead_id, user_id, status, step, due_at, mailbox_id)
      select ${id}, id, user_id, 'in_progress', 1, ${MONDAY}::timestamptz - id * interval '1 second', ${mailboxId}
      from leads where user_id = ${ann.userId} returning *)
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, message_id, subject,
      state, claimed_by, claimed_at, sent_at)
    select user_id, campaign_id, lead_id, 0, mailbox_id, 'large.example', '<' || campaign_id || '-' || lead_id || '@x.test>',
      'Hello', 'sent', gen_random_uuid(), due_at - interval '3 days', due_at - interval '3 days'
    from recipient`.execute(db);
  await db.updateTable('campaigns').set({ status: 'active' }).where('id', '=', id).execute();
  return id;
}

const claim = (campaignId: number) =>
  users.database.db.transaction().execute((trx) =>
    claimMessages(trx, users.api.context.config, {
      campaignId,
      claimedBy: randomUUID(),
      now: users.clock.at,
      most: 10,
    }),
  );

it.each(['PATCH', 'POST', 'start'] as const)(
  'enrols a large list after the request, each lead once (%s)',
  async (by) => {
    const leadListIds = [await addList(LEADS)];
    const mailboxes = { assignedMailboxes: await ann.mailboxes(1) };
    const order = { ...MESSAGE, ...mailboxes, ...(by === 'POST' && { leadListIds }) };
    const { id } = await ann.ok('POST', '/v1/campaigns', order);
    if (by === 'PATCH') await ann.ok('PATCH', `/v1/campaigns/${id}`, { leadListIds });
    if (by === 'start') {
      await ann.ok('PATCH', `/v1/campaigns/${id}`, { leadListIds });
      await sql`delete from recipients where campaign_id = ${id}`.execute(users.database.db);
      await ann.ok('POST', `/v1/campaigns/${id}/start`);
    }
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.leads).toBe(PORTION);
    // Two workers, one of which is taken for dead.
    await Promise.all([continued(), continued()]);
    expect((await recipients(id)).length).toBe(LEADS);
    await untilDone();
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.leads).toBe(LEADS);
  },
);

it('answers for a list of a portion as before, and leaves nothing to be done', async () => {
  const leadListIds = [await addList(PORTION - 1)];
  await ann.ok('POST', '/v1/suppressions', { email: 'n7@large.example' });
  const { id } = await ann.ok('POST', '/v1/campaigns', MESSAGE);
  const changed = await ann.ok('PATCH', `/v1/campaigns/${id}`, { leadListIds });
  expect(changed).toMatchObject({
    skippedReasons: { suppressed: 1 },
    stats: { leads: PORTION - 2 },
  });
  expect(await continued()).toBe(false);
});

it('a portion that failed is done again, and other campaigns go on', async () => {
  const leadListIds = [await addList(LEADS)];
  const ids: number[] = [];
  for (const name of ['One', 'Two']) {
    ids.push((await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, name, leadListIds })).id);
  }
  const [one, two] = ids as [number, number];
  const { db } = users.database;
  let failures = 0;
  // The process dies at the end of its transaction.
  const dying = {
    ...users.api.context,
    logger: { error: () => void (failures += 1) },
    clock: {
      now: () => {
        if (failures === 0) throw new Error('gone');
        return MONDAY;
      },
    },
  };
  expect(await continueChanges(dying as never)).toBe(true);
  expect(failures).toBe(1);
  // Whichever came first.
  const enrolled = [(await recipients(one)).length, (await recipients(two)).length];
  expect(new Set(enrolled)).toEqual(new Set([PORTION, 2 * PORTION]));
  await untilDone();
  const { rows } = await sql<{ left: number }>`select count(*)::integer as left from campaigns
    where lists_enrolled_to is not null`.execute(db);
  expect(rows[0]!.left).toBe(0);
  expect((await recipients(one)).length).toBe(LEADS);
});

it('does not complete a campaign while leads of its lists are still to be enrolled', async () => {
  const { db } = users.database;
  const { id } = await ann.campaign({ leadListIds: [await addList(LEADS)] }, 0);
  await db.updateTable('campaigns').set({ status: 'active' }).where('id', '=', id).execute();
  const end = () => db.transaction().execute((trx) => completeCampaign(trx, id, MONDAY));
  const stopAll = () =>
    db.updateTable('recipients').set({ due_at: null }).where('campaign_id', '=', id).execute();
  await stopAll();
  expect([await end(), await status(id)]).toEqual([false, 'active']);
  await untilDone();
  await stopAll();
  expect([await end(), await status(id)]).toEqual([true, 'completed']);
});

it('stops enrolling when the lists are taken away, or the campaign is cancelled', async () => {
  const leadListIds = [await addList(LEADS)];
  const taken = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, leadListIds });
  const cancelled = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, leadListIds });
  await ann.ok('PATCH', `/v1/campaigns/${taken.id}`, { leadListIds: [] });
  await ann.ok('POST', `/v1/campaigns/${cancelled.id}/cancel`);
  await untilDone();
  expect((await recipients(taken.id)).length).toBe(PORTION);
  expect((await recipients(cancelled.id)).length).toBe(PORTION);
});

it('writes no follow-up earlier than a new delay permits, whether its portion was done or not', async () => {
  const id = await addThreads();
  await ann.ok('PATCH', `/v1/campaigns/${id}`, { followupDelayDays: 7 });
  for (let n = 0; n < 5; n += 1) expect((await claim(id)).messages).toEqual([]);
  const due = (await recipients(id)).map(({ due_at: at }) => at!.getTime() > MONDAY.getTime());
  expect(due.filter((isLater) => !isLater).length).toBeGreaterThan(0);
  await untilDone();
  const after = await recipients(id);
  for (const { lead_id: n, due_at: at } of after) {
    expect(at!.getTime()).toBe(MONDAY.getTime() - n * 1_000 + 4 * DAY);
  }
  users.clock.at = new Date(MONDAY.getTime() + 4 * DAY);
  expect((await claim(id)).messages.length).toBeGreaterThan(0);
});

it('does what several changes of the delays want, of which the first was not done', async () => {
  const id = await addThreads();
  await ann.ok('PATCH', `/v1/campaigns/${id}`, { followupDelayDays: 7 });
  await continued();
  await ann.ok('PATCH', `/v1/campaigns/${id}`, { followupDelayDays: 1 });
  await ann.ok('PATCH', `/v1/campaigns/${id}`, { name: 'Another' });
  await untilDone();
  for (const { lead_id: n, due_at: at } of await recipients(id)) {
    expect(at!.getTime()).toBe(MONDAY.getTime() - n * 1_000 - 2 * DAY);
  }
});

it('ends all who have had the last message of a sequence that became shorter', async () => {
  const id = await addThreads();
  await ann.ok('PATCH', `/v1/campaigns/${id}`, { maxFollowups: 0 });
  expect((await claim(id)).messages).toEqual([]);
  await untilDone();
  expect(new Set((await recipients(id)).map((row) => row.status))).toEqual(new Set(['completed']));
});

it('takes up all who were held for their address', async () => {
  const { db } = users.database;
  const { id } = await ann.ok('POST', '/v1/campaigns', MESSAGE);
  await addList(LEADS);
  await sql`insert into recipients (campaign_id, lead_id, user_id, hold_reason)
    select ${id}, id, user_id, 'role_address' from leads where user_id = ${ann.userId}`.execute(db);
  await db.updateTable('campaigns').set({ status: 'active' }).where('id', '=', id).execute();
  await ann.ok('PATCH', `/v1/campaigns/${id}`, { riskyAddresses: { role: 'allow' } });
  const held = async () => (await recipients(id)).filter((row) => row.hold_reason !== null).length;
  expect(await held()).toBe(LEADS - PORTION);
  await db.updateTable('recipients').set({ due_at: null }).where('campaign_id', '=', id).execute();
  const end = () => db.transaction().execute((trx) => completeCampaign(trx, id, MONDAY));
  expect(await end()).toBe(false);
  await untilDone();
  expect(await held()).toBe(0);
});
