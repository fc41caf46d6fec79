/** Texts of a step that are compared while a campaign sends, and the one that wins. Choice 127. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionTools } from '../../activities/campaigns/tools.ts';
import { createUpkeep } from '../../activities/campaigns/upkeep.ts';
import { lookForWinners } from '../../src/transactions/campaigns/variant-winners.ts';
import {
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { addLeads } from '../support/campaigns/campaign-world.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  users.clock.at = MONDAY;
  ann = await users.newUser();
});

const db = () => users.database.db;
const DAY_MS = 86_400_000;
const settings = { DAY_SECONDS: 86_400 };
const RULE = { metric: 'replied', minSends: 20, confidence: 0.95, afterDays: 3 };
const VARIANTS = { variants: [{ bodyTemplate: 'One' }, { bodyTemplate: 'Two' }] };

const newCampaign = async (order: object = { autoWinner: RULE }) =>
  (await ann.campaign({ ...VARIANTS, ...order }, 0)).id as number;

/** First messages of a text, of which the first ones were answered. */
async function sent(
  campaignId: number,
  variant: number,
  {
    count = 40,
    replied = 0,
    daysAgo = 4,
  }: { count?: number; replied?: number; daysAgo?: number } = {},
): Promise<void> {
  const at = new Date(users.clock.at.getTime() - daysAgo * DAY_MS);
  const leadIds = await addLeads(db(), ann.userId, count);
  await sql`
    insert into sends (user_id, campaign_id, lead_id, step, variant, mailbox_id, recipient_domain,
      message_id, subject, state, claimed_by, claimed_at, sent_at, replied_at)
    select ${ann.userId}, ${campaignId}, lead_id, 0, ${variant}, mailbox_id, 'client.test',
      '<' || ${randomUUID()}::text || n || '@d.test>', 'Hello', 'sent', gen_random_uuid(), ${at}, ${at},
      case when n <= ${replied} then ${users.clock.at}::timestamptz end
    from unnest(${leadIds}::bigint[]) with ordinality as lead (lead_id, n),
      campaign_mailboxes where campaign_id = ${campaignId}`.execute(db());
  await sql`
    insert into campaign_counters (campaign_id, day, step, variant, sent, replied)
    values (${campaignId}, ${at.toISOString().slice(0, 10)}::date, 0, ${variant}, ${count}, ${replied})
    on conflict (campaign_id, day, step, variant) do update
      set sent = campaign_counters.sent + excluded.sent,
        replied = campaign_counters.replied + excluded.replied`.execute(db());
}

/** What the answers to a text mean. */
async function answered(campaignId: number, variant: number, interest: string): Promise<void> {
  await sql`
    with thread as (
      insert into threads (user_id, mailbox_id, subject, last_message_at)
      select ${ann.userId}, mailbox_id, 'Re: Hello', now()
      from campaign_mailboxes where campaign_id = ${campaignId} returning id, mailbox_id
    )
    insert into messages (user_id, mailbox_id, thread_id, direction, kind, message_id, from_address,
      sent_at, campaign_id, lead_id, send_id, interest, interest_by)
    select ${ann.userId}, thread.mailbox_id, thread.id, 'inbound', 'reply', '<' || sends.id || '@x.test>',
      'p@x.test', now(), ${campaignId}, lead_id, sends.id, ${interest}, 'client'
    from thread, sends where campaign_id = ${campaignId} and variant = ${variant}
      and replied_at is not null`.execute(db());
}

const look = (id: number) => lookForWinners(db(), settings, id, users.clock.at);
const winners = async (id: number) => (await ann.ok('GET', `/v1/campaigns/${id}`)).winners;
const firstStep = async (id: number) =>
  (await ann.ok('GET', `/v1/campaigns/${id}/analytics/steps`))[0];
const change = (id: number, body: object) => ann.ok('PATCH', `/v1/campaigns/${id}`, body);

const eventsOf = (id: number) =>
  db()
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('resource', '=', `campaign/${id}`)
    .where('type', '=', 'campaign.variant_won')
    .execute();

/** Text 1 is better beyond doubt. */
async function clearCampaign(order?: object): Promise<number> {
  const id = await newCampaign(order);
  await sent(id, 0, { replied: 2 });
  await sent(id, 1, { replied: 25 });
  await sent(id, 2, { replied: 3 });
  return id;
}

describe('autoWinner', () => {
  it('lets the best text win, once, and tells by which figures', async () => {
    const id = await clearCampaign();
    await Promise.all([look(id), look(id), look(id)]);
    await look(id);
    expect(await winners(id)).toEqual([{ step: 0, variant: 1 }]);
    const texts = [
      { variant: 0, sent: 40, successes: 2 },
      { variant: 1, sent: 40, successes: 25 },
      { variant: 2, sent: 40, successes: 3 },
    ];
    const figures = { metric: 'replied', confidence: 0.95, texts };
    const at = MONDAY.toISOString();
    expect(await eventsOf(id)).toEqual([
      {
        type: 'campaign.variant_won',
        payload: { campaignId: id, name: 'Spring', step: 0, variant: 1, ...figures, at },
      },
    ]);
    const step = await firstStep(id);
    expect(step.winner).toEqual({ variant: 1, decidedBy: 'test', decidedAt: at, figures });
    expect(step.variants.map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([
      false,
      true,
      false,
    ]);
    const { letters } = await ann.ok('POST', `/v1/campaigns/${id}/preview`);
    expect(letters[0]).toMatchObject({ variant: 1, text: expect.stringMatching(/^One/) });
  });

  it('is found by what a session of the campaign checks', async () => {
    const id = await clearCampaign();
    const { signal } = new AbortController();
    const tools = { ...users.api.context, signal } as unknown as SessionTools;
    expect(await createUpkeep(tools, id)(tools)).toBe(false);
    expect(await winners(id)).toEqual([{ step: 0, variant: 1 }]);
  });

  it('is decided by the next look where one dies with its transaction', async () => {
    const id = await clearCampaign();
    const owner = new pg.Client({ connectionString: users.database.ownerUrl });
    await owner.connect();
    await owner.query(`create function die() returns trigger language plpgsql
      as $$ begin raise exception 'died'; end $$`);
    await owner.query(`create trigger dies before insert on events for each row
      when (new.type = 'campaign.variant_won') execute function die()`);
    await expect(look(id)).rejects.toThrow('died');
    expect(await winners(id)).toEqual([]);
    await owner.query('drop trigger dies on events');
    await owner.end();
    await look(id);
    expect(await winners(id)).toEqual([{ step: 0, variant: 1 }]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('tells how each text does', async () => {
    const id = await clearCampaign({});
    const { variants, winner } = await firstStep(id);
    expect(winner).toBeNull();
    expect(variants[1]).toMatchObject({
      interested: 0,
      comparison: { metric: 'replied', rate: 62.5, low: 47.03, high: 75.78, bestProbability: 1 },
    });
    expect(variants[0].comparison).toMatchObject({ rate: 5, bestProbability: 0 });
  });

  it('decides nothing without the setting, nor by texts that are alike', async () => {
    const without = await clearCampaign({});
    const alike = await newCampaign();
    for (const variant of [0, 1, 2]) await sent(alike, variant, { replied: 4 + variant });
    for (const id of [without, alike]) {
      await look(id);
      expect(await winners(id)).toEqual([]);
      expect(await eventsOf(id)).toEqual([]);
    }
    // Looked at, it waits for twice as many messages: the same again is no second chance.
    await look(alike);
    const test = db().selectFrom('step_tests').selectAll().where('campaign_id', '=', alike);
    expect(await test.execute()).toMatchObject([{ looks: 1, looked_sends: 40, winner: null }]);
  });

  it('waits until each text was sent often enough, and had its days to be answered', async () => {
    const id = await newCampaign();
    await sent(id, 0);
    await sent(id, 1, { replied: 25 });
    await sent(id, 2, { count: 19 });
    await look(id);
    expect(await winners(id)).toEqual([]);
    await sent(id, 2, { daysAgo: 2 });
    await look(id);
    expect(await winners(id)).toEqual([]);
    users.clock.at = new Date(MONDAY.getTime() + 1.5 * DAY_MS);
    await look(id);
    expect(await winners(id)).toEqual([{ step: 0, variant: 1 }]);
  });

  it('counts by `interested` the answers that mean interest', async () => {
    const id = await newCampaign({
      variants: [{ bodyTemplate: 'One' }],
      autoWinner: { ...RULE, metric: 'interested' },
    });
    await sent(id, 0, { replied: 30 });
    await sent(id, 1, { replied: 15 });
    await look(id);
    expect(await winners(id)).toEqual([]);
    await db().updateTable('step_tests').set({ looked_sends: 0 }).execute();
    await answered(id, 0, 'not_interested');
    await answered(id, 1, 'meeting');
    await look(id);
    expect(await winners(id)).toEqual([{ step: 0, variant: 1 }]);
    expect((await firstStep(id)).variants).toMatchObject([
      { interested: 0, comparison: { metric: 'interested', rate: 0 } },
      { interested: 15, comparison: { metric: 'interested', rate: 37.5 } },
    ]);
  });

  it('takes rules within bounds, and fills in what is not given', async () => {
    const { autoWinner } = await ann.campaign({ autoWinner: {} }, 0);
    expect(autoWinner).toEqual({ ...RULE, minSends: 100 });
    const { status } = await ann.call('PATCH', `/v1/campaigns/${await newCampaign()}`, {
      autoWinner: { minSends: 3 },
    });
    expect(status).toBe(400);
  });
});

describe('winners', () => {
  it('can be undone for good, until the rule is given anew', async () => {
    const id = await clearCampaign();
    await look(id);
    await change(id, { winners: [{ step: 0, variant: null }] });
    await look(id);
    expect(await winners(id)).toEqual([{ step: 0, variant: null }]);
    await change(id, { autoWinner: RULE });
    expect(await winners(id)).toEqual([]);
    // What was sent before does not count any more.
    await look(id);
    expect(await winners(id)).toEqual([]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('can be chosen by hand, also against the figures', async () => {
    const id = await clearCampaign();
    await change(id, { winners: [{ step: 0, variant: 2 }] });
    await look(id);
    expect((await firstStep(id)).winner).toMatchObject({
      variant: 2,
      decidedBy: 'user',
      figures: null,
    });
    expect(await eventsOf(id)).toEqual([]);
  });

  it.each([
    [{ step: 0, variant: 3 }, 'winners[0].variant'],
    [{ step: 1, variant: 0 }, 'winners[0].step'],
  ])('must be a text of the campaign: %o', async (chosen, field) => {
    const id = await newCampaign();
    const { status, body } = await ann.call('PATCH', `/v1/campaigns/${id}`, { winners: [chosen] });
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ field }]);
  });

  it('stay through other changes, and end with a change of the texts, which counts anew', async () => {
    const id = await clearCampaign();
    await look(id);
    const read = await change(id, {
      name: 'Other',
      winners: [{ step: 0, variant: 1 }],
      ...VARIANTS,
    });
    expect(read.winners).toEqual([{ step: 0, variant: 1 }]);
    expect((await firstStep(id)).winner).toMatchObject({ decidedBy: 'test' });
    await change(id, { variants: [{ bodyTemplate: 'One' }, { bodyTemplate: 'Three' }] });
    expect(await winners(id)).toEqual([]);
    users.clock.at = new Date(MONDAY.getTime() + 10 * DAY_MS);
    for (const variant of [0, 1]) await sent(id, variant, { replied: variant });
    await sent(id, 3, { replied: 30 });
    await look(id);
    expect(await winners(id)).toEqual([{ step: 0, variant: 3 }]);
    expect((await eventsOf(id))[1]!.payload).toMatchObject({
      texts: [{ variant: 0, sent: 40, successes: 0 }, { variant: 1 }, { variant: 3 }],
    });
  });

  it('are not copied with the campaign; the rule is', async () => {
    const id = await clearCampaign();
    await look(id);
    const copy = await ann.ok('POST', `/v1/campaigns/${id}/duplicate`);
    expect(copy).toMatchObject({ autoWinner: RULE, winners: [] });
  });
});
