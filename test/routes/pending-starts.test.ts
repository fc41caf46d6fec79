/** Who is to enter a campaign by which answer, and when. Choice 130. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginDueStarts } from '../../activities/campaigns/due-starts.ts';
import { answerTo, type Answer } from '../support/campaigns/answers.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

const NOT_NOW = 'Not right now, but please check back in March.';
const DAY_MS = 86_400_000;

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  // The rules are made before the answers come.
  users.clock.at = new Date(Date.now() - 3 * 3_600_000);
  ann = await users.newUser();
});

const db = () => users.database.db;

/** A campaign that was sent to some, and one that those enter who say `not_now`. */
async function pair(count: number) {
  const assignedMailboxes = await ann.mailboxes(1);
  const create = (more: object) =>
    ann.ok('POST', '/v1/campaigns', { ...MESSAGE, assignedMailboxes, ...more });
  const { id: source } = await create({});
  const leadIds = await ann.leads(count);
  await ann.ok('POST', `/v1/campaigns/${source}/leads`, { leadIds });
  const startsOn = { campaignId: source, interest: ['not_now'], afterDays: 2 };
  const { id: next } = await create({ startsOn });
  const answers = (leadId: number, answer: Answer = {}) =>
    answerTo(db(), { campaignId: source, leadId, text: NOT_NOW, ...answer });
  return { source, leadIds, answers, path: `/v1/campaigns/${next}/pending-starts`, next };
}

/** Two days and a bit after now, in which the answers have come. */
async function pass() {
  users.clock.at = new Date(Date.now() + 2.1 * DAY_MS);
  await beginDueStarts({ ...users.api.context, clock: { now: () => users.clock.at } });
}
const idsOf = ({ body }: { body: { data: { leadId: number }[] } }) =>
  body.data.map(({ leadId }) => leadId);

describe('GET /v1/campaigns/:id/pending-starts', () => {
  it('tells who enters when, by which answer to which campaign, until they have entered', async () => {
    const { source, leadIds, answers, path, next } = await pair(2);
    const [lead] = leadIds as [number];
    expect(await ann.ok('GET', path)).toEqual([]);
    await answers(lead);
    const { personEmail, personFirstName, personLastName } = await ann.ok(
      'GET',
      `/v1/leads/${lead}`,
    );
    const { items } = await ann.ok('GET', '/v1/inbox?direction=inbound');
    const { received_at } = await db()
      .selectFrom('messages')
      .select('received_at')
      .where('id', '=', items[0].id)
      .executeTakeFirstOrThrow();
    const receivedAt = received_at.toISOString();
    const [start] = await ann.ok('GET', path);
    expect(start).toEqual({
      leadId: lead,
      personFirstName,
      personLastName,
      personEmail,
      interest: 'not_now',
      status: 'pending',
      startsAt: new Date(received_at.getTime() + 2 * DAY_MS).toISOString(),
      holdReason: null,
      cancelReason: null,
      answer: { id: items[0].id, threadId: items[0].thread_id, campaignId: source, receivedAt },
      updatedAt: expect.any(String),
    });
    await pass();
    expect(await ann.ok('GET', path)).toEqual([]);
    expect(await ann.ok('GET', `${path}?status=started`)).toEqual([
      { ...start, status: 'started', startsAt: null, updatedAt: users.clock.at.toISOString() },
    ]);
    expect(await ann.ok('GET', `/v1/campaigns/${next}/leads`)).toMatchObject([{ leadId: lead }]);
  });

  it('tells whose start was cancelled, and why; also where the answer is deleted', async () => {
    const { leadIds, answers, path } = await pair(3);
    const [corrected, suppressed, gone] = leadIds as [number, number, number];
    for (const [at, lead] of leadIds.entries()) await answers(lead, { minutesAgo: 50 - at });
    const { items } = await ann.ok('GET', '/v1/inbox?direction=inbound');
    const answerOf = (lead: number) => items[leadIds.length - 1 - leadIds.indexOf(lead)].id;
    await ann.ok('PATCH', `/v1/inbox/${answerOf(corrected)}`, { interest: 'meeting' });
    const { personEmail } = await ann.ok('GET', `/v1/leads/${suppressed}`);
    await ann.ok('POST', '/v1/suppressions', { email: personEmail });
    await db().deleteFrom('messages').where('id', '=', answerOf(gone)).execute();
    expect(await ann.ok('GET', path)).toMatchObject([
      { leadId: suppressed },
      { leadId: gone, answer: null, startsAt: expect.any(String) },
    ]);
    await pass();
    expect(await ann.ok('GET', `${path}?status=cancelled`)).toMatchObject([
      { leadId: corrected, startsAt: null, cancelReason: 'interest_changed', interest: 'not_now' },
      { leadId: suppressed, startsAt: null, cancelReason: 'suppressed' },
    ]);
    expect(await ann.ok('GET', `${path}?status=started`)).toMatchObject([
      { leadId: gone, cancelReason: null, answer: null },
    ]);
  });

  it('tells that one waits for the review of an answer', async () => {
    const { leadIds, answers, path } = await pair(1);
    const [lead] = leadIds as [number];
    await answers(lead, { minutesAgo: 50 });
    await answers(lead, { minutesAgo: 20 });
    await sql`update messages set kind = 'needs_review'
      where id = (select max(id) from messages where lead_id = ${lead})`.execute(db());
    await pass();
    expect(await ann.ok('GET', path)).toMatchObject([
      { leadId: lead, status: 'pending', holdReason: 'needs_review' },
    ]);
  });

  it('pages by number and by cursor, the next one first', async () => {
    const { leadIds, answers, path } = await pair(5);
    for (const [at, lead] of leadIds.entries()) await answers(lead, { minutesAgo: 10 + at });
    const order = leadIds.toReversed();
    const first = await ann.call('GET', `${path}?limit=2`);
    expect(idsOf(first)).toEqual(order.slice(0, 2));
    const { nextCursor, ...place } = first.body.meta.pagination;
    expect(place).toMatchObject({ total: 5, totalPages: 3, hasNext: true });
    // Where the page began does not matter any more.
    await ann.ok('DELETE', `/v1/leads/${order[1]}`);
    const second = await ann.call('GET', `${path}?limit=3&cursor=${nextCursor}`);
    expect(idsOf(second)).toEqual(order.slice(2));
    expect(second.body.meta.pagination).toEqual({ limit: 3, hasNext: false, nextCursor: null });
    expect(idsOf(await ann.call('GET', `${path}?limit=3&page=2`))).toEqual(order.slice(4));
    await pass();
    const started = await ann.call('GET', `${path}?status=started&limit=3`);
    const ids = [...order.slice(2), order[0]!].toSorted((one, other) => one - other);
    expect(idsOf(started)).toEqual(ids.slice(0, 3));
    const more = `${path}?status=started&cursor=${started.body.meta.pagination.nextCursor}`;
    expect(idsOf(await ann.call('GET', more))).toEqual(ids.slice(3));
    for (const wrong of ['cursor=x', 'status=planned']) {
      expect((await ann.call('GET', `${path}?${wrong}`)).status).toBe(400);
    }
  });

  it('leaves out the leads of a list that is being deleted', async () => {
    const { source, leadIds, answers, path } = await pair(1);
    const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name: 'Gone' });
    const people = [{ firstName: 'Bo', lastName: 'Ray', email: 'bo@x.example' }];
    const { leads } = await ann.ok('POST', '/v1/leads', {
      company_name: 'Acme',
      leadListId,
      people,
    });
    await ann.ok('POST', `/v1/campaigns/${source}/leads`, { leadIds: [leads[0].id] });
    for (const lead of [...leadIds, leads[0].id]) await answers(lead);
    expect(await ann.ok('GET', path)).toHaveLength(2);
    await db()
      .updateTable('lead_lists')
      .set({ deleted_at: new Date() })
      .where('id', '=', leadListId)
      .execute();
    const { body } = await ann.call('GET', path);
    expect([idsOf({ body }), body.meta.pagination.total]).toEqual([leadIds, 1]);
  });
});
