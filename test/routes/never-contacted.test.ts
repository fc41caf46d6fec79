/** Campaigns for those whom the account has never written to. Choice 67. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environmentSchema } from '../../src/settings/environment.ts';
import type { Config } from '../../src/config.ts';
import { claimMessages } from '../../src/transactions/claim-messages.ts';
import {
  MESSAGE,
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  ann = await users.newUser();
  bob = await users.newUser();
});

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
} as Config;

const request = (campaignId: number) => ({
  campaignId,
  claimedBy: randomUUID(),
  now: users.clock.at,
  most: 50,
});
const claim = (campaignId: number) =>
  users.database.db.transaction().execute((trx) => claimMessages(trx, config, request(campaignId)));

/** Leads `p<n>@seen.example` of the user's list; the ids in their order. */
async function people(user: CampaignUser, count = 3) {
  const { id: leadListId } = await user.ok('POST', '/v1/lead-lists', { name: 'Seen' });
  const body = {
    company_name: 'Seen',
    leadListId,
    people: Array.from({ length: count }, (_, n) => ({
      firstName: `P${n}`,
      lastName: 'Lee',
      email: `p${n}@seen.example`,
    })),
  };
  const { leads } = await user.ok('POST', '/v1/leads', body);
  return { leadListId, body, leadIds: leads.map(({ id }: { id: number }) => id) as number[] };
}

/** A campaign that has written to these leads. */
async function written(user: CampaignUser, leadIds: number[]) {
  const { id } = await user.campaign({}, 0);
  await user.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  await user.ok('POST', `/v1/campaigns/${id}/start`);
  expect((await claim(id)).messages).toHaveLength(leadIds.length);
  const sent = { state: 'sent' as const, sent_at: MONDAY };
  await users.database.db.updateTable('sends').set(sent).where('campaign_id', '=', id).execute();
  return id as number;
}

const only = { onlyNeverContacted: true };

describe('onlyNeverContacted', () => {
  it('skips whom any campaign of the account has written to, and counts them', async () => {
    const { leadListId, leadIds } = await people(ann);
    await written(ann, leadIds.slice(0, 1));
    await written(bob, (await people(bob)).leadIds.slice(1, 2));
    const { id, ...created } = await ann.ok('POST', '/v1/campaigns', {
      ...MESSAGE,
      ...only,
      leadListIds: [leadListId],
    });
    expect(created).toMatchObject({
      ...only,
      stats: { leads: 2 },
      skippedReasons: { contacted_before: 1 },
    });
    expect(await ann.ok('GET', `/v1/campaigns/${id}/leads/${leadIds[0]}`)).toMatchObject({
      status: 'skipped',
      holdReason: 'contacted_before',
    });
    // The setting holds where a request says nothing; a request may say otherwise.
    const path = `/v1/campaigns/${id}/leads`;
    expect((await ann.ok('POST', path, { leadIds })).skippedReasons).toEqual({
      already_in_campaign: 2,
      contacted_before: 1,
    });
    const all = await ann.ok('POST', path, { leadIds, onlyNeverContacted: false });
    expect(all).toMatchObject({ added: 1 });
  });

  it('as an option of one request, in a campaign that writes to anybody', async () => {
    const { leadListId, leadIds } = await people(ann);
    await written(ann, leadIds.slice(0, 2));
    const { id, onlyNeverContacted } = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    expect(onlyNeverContacted).toBe(false);
    const path = `/v1/campaigns/${id}/leads`;
    expect(await ann.ok('POST', path, { leadListId, ...only })).toMatchObject({
      added: 1,
      skippedReasons: { contacted_before: 2 },
    });
    expect(await ann.ok('POST', path, { leadListId })).toMatchObject({ added: 2 });
    const { contactedBefore } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(contactedBefore).toBe(2);
    const wrong = await ann.call('POST', path, { leadIds, onlyNeverContacted: 'yes' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { details: [{ field: 'onlyNeverContacted' }] },
    });
  });

  it('knows a lead that was deleted and imported again, and a campaign that was deleted', async () => {
    const { body, leadIds } = await people(ann, 1);
    const before = await written(ann, leadIds);
    await ann.ok('DELETE', `/v1/leads/${leadIds[0]}`);
    await ann.ok('POST', `/v1/campaigns/${before}/cancel`);
    await ann.ok('DELETE', `/v1/campaigns/${before}`);
    const { leads } = await ann.ok('POST', '/v1/leads', body);
    expect(leads[0].id).not.toBe(leadIds[0]);
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...only });
    const added = await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds: [leads[0].id] });
    expect(added.skippedReasons).toEqual({ contacted_before: 1 });
  });

  it('who was put off and never got it was not written to', async () => {
    const { leadIds } = await people(ann, 1);
    const before = await written(ann, leadIds);
    const rows = users.database.db.updateTable('sends').where('campaign_id', '=', before);
    await rows.set({ state: 'deferred', sent_at: null }).execute();
    const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...only });
    const added = await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
    expect(added).toMatchObject({ added: 1 });
  });

  it('holds at the first message, too: of two campaigns that enrol somebody one writes', async () => {
    const { leadListId, leadIds } = await people(ann, 1);
    const start = async (order: object) => {
      const { id } = await ann.campaign(
        { ...order, maxFollowups: 1, leadListIds: [leadListId] },
        0,
      );
      await ann.ok('POST', `/v1/campaigns/${id}/start`);
      return id as number;
    };
    const [one, two, any] = [await start(only), await start(only), await start({})];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let claimed: (count: number) => void = () => undefined;
    const hasClaimed = new Promise<number>((resolve) => (claimed = resolve));
    const first = users.database.db.transaction().execute(async (trx) => {
      claimed((await claimMessages(trx, config, request(one))).messages.length);
      await gate;
    });
    expect(await hasClaimed).toBe(1);
    // At the same moment: it waits until the first one is written.
    const second = claim(two);
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`.execute(
          users.database.db,
        );
        return rows[0]!.waits;
      })
      .toBe(true);
    release();
    await first;
    expect((await second).messages).toEqual([]);
    const ofTwo = `/v1/campaigns/${two}/leads/${leadIds[0]}`;
    // The message of the first one may still be taken back.
    expect(await ann.ok('GET', ofTwo)).toMatchObject({ status: 'queued' });
    const { db } = users.database;
    const sent = { state: 'sent' as const, sent_at: MONDAY };
    await db.updateTable('sends').set(sent).where('campaign_id', '=', one).execute();
    const due = db.updateTable('recipients').set({ due_at: MONDAY });
    await due.where('campaign_id', '=', two).execute();
    expect((await claim(two)).messages).toEqual([]);
    expect(await ann.ok('GET', ofTwo)).toMatchObject({
      status: 'skipped',
      holdReason: 'contacted_before',
    });
    expect((await claim(any)).messages).toHaveLength(1);
  });

  it('its own messages are none of those: its follow-ups go on, and a lead that was removed comes back', async () => {
    const { leadListId, leadIds } = await people(ann, 1);
    const order = { ...only, maxFollowups: 1, leadListIds: [leadListId] };
    const { id } = await ann.campaign(order, 0);
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    expect((await claim(id)).messages).toHaveLength(1);
    const { db } = users.database;
    const sent = { state: 'sent' as const, sent_at: MONDAY };
    await db.updateTable('sends').set(sent).where('campaign_id', '=', id).execute();
    const next = { step: 1, status: 'in_progress' as const, due_at: MONDAY };
    await db.updateTable('recipients').set(next).where('campaign_id', '=', id).execute();
    await ann.ok('DELETE', `/v1/campaigns/${id}/leads/${leadIds[0]}`);
    const back = await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
    expect(back).toMatchObject({ added: 1 });
    users.clock.at = new Date(MONDAY.getTime() + 7 * 86_400_000);
    expect((await claim(id)).messages).toMatchObject([{ step: { position: 1 } }]);
  });

  it('is changed, and taken along by a duplicate', async () => {
    const { leadListId, leadIds } = await people(ann, 1);
    await written(ann, leadIds);
    const { id } = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    const change = { ...only, leadListIds: [leadListId] };
    expect(await ann.ok('PATCH', `/v1/campaigns/${id}`, change)).toMatchObject({
      ...only,
      skippedReasons: { contacted_before: 1 },
    });
    expect(await ann.ok('POST', `/v1/campaigns/${id}/duplicate`)).toMatchObject(only);
  });
});
