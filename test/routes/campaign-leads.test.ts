/** Leads of campaigns over HTTP: who is added, and why each is or is not written to. Choice 9. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteLeads } from '../../src/db/leads/leads.ts';
import {
  MESSAGE,
  MONDAY,
  noteSent,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;

beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
  bob = await users.newUser();
});
afterAll(() => users?.close());
beforeEach(() => {
  users.signals.length = 0;
  users.temporal.failure = undefined;
  users.clock.at = MONDAY;
});

const draft = (body: object = {}) => ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...body });
const add = (id: number, body: object) => ann.ok('POST', `/v1/campaigns/${id}/leads`, body);
const leadStatus = async (id: number) => (await ann.ok('GET', `/v1/leads/${id}`)).status;
const setRecipient = (campaignId: number, change: object) =>
  users.database.db
    .updateTable('recipients')
    .set(change)
    .where('campaign_id', '=', campaignId)
    .execute();
const person = (name: string, email?: string) => ({
  firstName: name,
  lastName: 'Lee',
  ...(email === undefined ? { phone: '+49 30 1234567' } : { email }),
});

describe('POST /v1/campaigns/:id/leads', () => {
  it.each([[[]], [['removed']]])(
    'adds the others while one of the leads is deleted, whether it was in the campaign: %j',
    async (states) => {
      const { id } = await draft();
      const [one, two] = await ann.leads(2);
      const { db } = users.database;
      if (states.length > 0) {
        await add(id, { leadIds: [two] });
        await setRecipient(id, { status: 'removed', due_at: null });
      }
      let adding: Promise<unknown> | undefined;
      await db.transaction().execute(async (trx) => {
        await deleteLeads(trx, ann.userId, [two!]);
        adding = add(id, { leadIds: [one, two] });
        await untilWaiting(db);
      });
      expect(await adding).toMatchObject({ added: 1, skippedReasons: { not_found: 1 } });
    },
  );

  it('adds leads once, and makes pending ones active (Choices 9, 17)', async () => {
    const { id } = await draft();
    const [one, two] = await ann.leads(2);
    expect(await add(id, { leadIds: [one, two, one] })).toEqual({
      added: 2,
      skipped: 0,
      skippedReasons: {},
    });
    expect(await leadStatus(one!)).toBe('active');
    expect(await add(id, { leadIds: [one, two] })).toMatchObject({
      added: 0,
      skippedReasons: { already_in_campaign: 2 },
    });
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.leads).toBe(2);
  });

  it('skips whoever cannot or must not be written to, by reason', async () => {
    const { id } = await draft();
    const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name: 'Mixed' });
    const people = [
      person('Ok', 'ok@mixed.example'),
      person('Phone'),
      person('Wrong', 'wrong@mixed.example'),
      person('Opted', 'opted@mixed.example'),
      person('Domain', 'x@blocked.example'),
      person('Gone', 'gone@mixed.example'),
    ];
    const { leads } = await ann.ok('POST', '/v1/leads', {
      company_name: 'Mixed',
      leadListId,
      people,
    });
    const db = users.database.db;
    await db
      .updateTable('leads')
      .set({ validation_status: 'invalid' })
      .where('email', '=', 'wrong@mixed.example')
      .execute();
    await ann.ok('POST', '/v1/suppressions', { email: 'opted@mixed.example' });
    await ann.ok('POST', '/v1/suppressions', { domain: 'blocked.example' });
    const key_hash = createHash('sha256').update(`${ann.userId}:email:gone@mixed.example`).digest();
    await db.insertInto('erasure_tombstones').values({ user_id: ann.userId, key_hash }).execute();
    const [foreign] = await bob.leads(1);
    const result = await add(id, { leadListId, leadIds: [leads[0].id, foreign, 999_999] });
    expect(result).toEqual({
      added: 1,
      skipped: 7,
      skippedReasons: { not_found: 2, no_email: 1, invalid_email: 1, suppressed: 2, erased: 1 },
    });
  });

  it('leaves out who is written to by another campaign, where that is asked', async () => {
    const [busy, free] = await ann.leads(2);
    const first = await draft();
    await add(first.id, { leadIds: [busy] });
    const { id } = await draft();
    const body = { leadIds: [busy, free], skipIfInOtherCampaign: true };
    expect(await add(id, body)).toMatchObject({
      added: 1,
      skippedReasons: { in_other_campaign: 1 },
    });
    expect(await add(id, { leadIds: [busy] })).toMatchObject({ added: 1 });
  });

  it('wakes an active campaign; a cancelled one takes nobody', async () => {
    const { id } = await ann.campaign();
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    await add(id, { leadIds: await ann.leads(1) });
    expect(users.signals).toEqual([`campaign/${id} leadsAdded`]);
    users.temporal.failure = new Error('connection refused');
    const leadIds = await ann.leads(1);
    const down = await ann.call('POST', `/v1/campaigns/${id}/leads`, { leadIds });
    expect(down.status).toBe(502);
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.leads).toBe(2);
    users.temporal.failure = undefined;
    await ann.ok('POST', `/v1/campaigns/${id}/cancel`);
    const over = await ann.call('POST', `/v1/campaigns/${id}/leads`, { leadIds });
    expect(over).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
  });

  it('400 without leads, 404 for another user’s list', async () => {
    const { id } = await draft();
    const path = `/v1/campaigns/${id}/leads`;
    expect((await ann.call('POST', path, {})).body.code).toBe('VALIDATION_ERROR');
    const { id: leadListId } = await bob.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    expect((await ann.call('POST', path, { leadListId })).body.code).toBe('LEAD_LIST_NOT_FOUND');
  });

  it('adds a list of 10,000 leads in one go, which holds the campaign for a part at a time', async () => {
    const { id } = await draft();
    const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name: 'Large' });
    await sql`
      with company as (
        insert into companies (user_id, lead_list_id, name, name_key)
        values (${ann.userId}, ${leadListId}, 'Large', 'large') returning id)
      insert into leads (user_id, company_id, name_key, email, email_key)
      select ${ann.userId}, company.id, 'n' || n, 'n' || n || '@large.example', 'n' || n || '@large.example'
      from company, generate_series(1, 10000) as n`.execute(users.database.db);
    expect(await add(id, { leadListId })).toMatchObject({ added: 10_000, skipped: 0 });
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.leads).toBe(10_000);
    const { rows } = await sql<{ transactions: number }>`
      select count(distinct xmin::text)::integer as transactions
      from recipients where campaign_id = ${id}`.execute(users.database.db);
    expect(rows[0]!.transactions).toBeGreaterThan(1);
    expect(await add(id, { leadListId })).toEqual({
      added: 0,
      skipped: 10_000,
      skippedReasons: { already_in_campaign: 10_000 },
    });
  });

  it('counts stay right when a list is deleted (Spec: Lead lists, cascade)', async () => {
    const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name: 'Short' });
    const people = [person('A', 'a@short.example'), person('B', 'b@short.example')];
    await ann.ok('POST', '/v1/leads', { company_name: 'Short', leadListId, people });
    const { id } = await draft({ leadListIds: [leadListId] });
    await add(id, { leadIds: await ann.leads(1) });
    expect((await ann.ok('GET', `/v1/campaigns/${id}`)).stats.leads).toBe(3);
    await ann.ok('DELETE', `/v1/lead-lists/${leadListId}`);
    expect(await ann.ok('GET', `/v1/campaigns/${id}`)).toMatchObject({
      leadListIds: [],
      stats: { leads: 1 },
    });
    expect(await ann.ok('GET', `/v1/campaigns/${id}/leads`)).toHaveLength(1);
  });
});

describe('GET /v1/campaigns/:id/leads', () => {
  it('pages by number and by cursor, filtered by status', async () => {
    const { id } = await draft();
    const leadIds = await ann.leads(5);
    await add(id, { leadIds });
    const path = `/v1/campaigns/${id}/leads`;
    const idsOf = (answer: { body: { data: { leadId: number }[] } }) =>
      answer.body.data.map(({ leadId }) => leadId);
    const first = await ann.call('GET', `${path}?limit=2`);
    expect(idsOf(first)).toEqual(leadIds.slice(0, 2));
    expect(first.body.meta.pagination).toMatchObject({ total: 5, totalPages: 3, hasNext: true });
    const { nextCursor } = first.body.meta.pagination;
    const next = await ann.call('GET', `${path}?limit=3&cursor=${nextCursor}`);
    expect(idsOf(next)).toEqual(leadIds.slice(2));
    expect(next.body.meta.pagination).toEqual({ limit: 3, hasNext: false, nextCursor: null });
    expect(idsOf(await ann.call('GET', `${path}?limit=2&page=3`))).toEqual(leadIds.slice(4));
    expect((await ann.call('GET', `${path}?status=replied`)).body.data).toEqual([]);
    expect((await ann.call('GET', `${path}?cursor=x`)).status).toBe(400);
  });
});

describe('GET /v1/campaigns/:id/leads/:leadId', () => {
  /** One lead of a campaign that may be started, and the one GET about it. */
  async function enrolled() {
    const { id, assignedMailboxes } = await ann.campaign();
    const [{ leadId }] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    return {
      id,
      leadId: leadId as number,
      mailboxId: Number(assignedMailboxes[0]),
      why: () => ann.ok('GET', `/v1/campaigns/${id}/leads/${leadId}`),
      start: () => ann.ok('POST', `/v1/campaigns/${id}/start`),
    };
  }
  const setMailbox = (id: number, change: object) =>
    users.database.db.updateTable('mailboxes').set(change).where('id', '=', id).execute();

  it('answers in each state of the campaign', async () => {
    const { id, why, start } = await enrolled();
    expect(await why()).toMatchObject({
      status: 'queued',
      holdReason: 'campaign_not_started',
      nextSendAt: null,
      sends: [],
    });
    await start();
    expect(await why()).toMatchObject({ holdReason: null, nextSendAt: MONDAY.toISOString() });
    await ann.ok('POST', `/v1/campaigns/${id}/pause`);
    const paused = { status: 'paused', holdReason: 'campaign_paused', nextSendAt: null };
    expect(await why()).toMatchObject(paused);
    const those = (status: string) => ann.ok('GET', `/v1/campaigns/${id}/leads?status=${status}`);
    expect(await those('paused')).toMatchObject([paused]);
    expect(await those('queued')).toEqual([]);
    await ann.ok('POST', `/v1/campaigns/${id}/cancel`);
    expect(await why()).toMatchObject({ holdReason: 'campaign_cancelled', nextSendAt: null });
  });

  it('waits for the window, the mailbox and its own day', async () => {
    const { id, why, start, mailboxId } = await enrolled();
    await start();
    users.clock.at = new Date('2027-03-06T15:00:00.000Z');
    expect(await why()).toMatchObject({
      holdReason: 'outside_window',
      nextSendAt: '2027-03-08T14:00:00.000Z',
    });
    users.clock.at = MONDAY;
    const nextFree = new Date('2027-03-01T15:10:00.000Z');
    await setMailbox(mailboxId, { next_send_at: nextFree });
    expect(await why()).toMatchObject({
      holdReason: 'mailbox_limit',
      nextSendAt: nextFree.toISOString(),
    });
    await setRecipient(id, { step: 1, status: 'in_progress', mailbox_id: mailboxId });
    await setRecipient(id, { due_at: new Date('2027-03-06T09:00:00.000Z') });
    const followup = await why();
    expect(followup).toMatchObject({ holdReason: null, nextSendAt: '2027-03-08T14:00:00.000Z' });
    expect(followup.explanation).toContain('follow-up');
  });

  it('tells a mailbox that fails or warms up, and one that is gone', async () => {
    const { id, why, start, mailboxId } = await enrolled();
    await start();
    await setMailbox(mailboxId, { failing_reason: 'login refused' });
    const failing = await why();
    expect(failing).toMatchObject({ holdReason: 'no_mailbox', nextSendAt: null });
    expect(failing.explanation).toContain('login refused');
    await setMailbox(mailboxId, { failing_reason: null });
    await sql`insert into warmups (mailbox_id, user_id, status, start_volume, daily_increase,
        max_volume, reply_rate, weekdays_only, day)
      values (${mailboxId}, ${ann.userId}, 'warming', 5, 2, 40, 30, true, 3)`.execute(
      users.database.db,
    );
    expect(await why()).toMatchObject({ holdReason: 'warming_up' });
    await setRecipient(id, { step: 1, status: 'in_progress', mailbox_id: mailboxId });
    await setMailbox(mailboxId, { status: 'deleted' });
    expect(await why()).toMatchObject({ holdReason: 'mailbox_failing', nextSendAt: null });
  });

  it('tells a suppression at once, and a lead that lost its address', async () => {
    const { leadId, why, start } = await enrolled();
    await start();
    const { personEmail } = await ann.ok('GET', `/v1/leads/${leadId}`);
    await ann.ok('POST', '/v1/suppressions', { email: personEmail });
    expect(await why()).toMatchObject({ holdReason: 'suppressed', nextSendAt: null });
  });

  it.each([
    ['replied', null, 'answered'],
    ['completed', null, 'All messages were sent'],
    ['bounced', null, 'does not exist'],
    ['unsubscribed', null, 'unsubscribed'],
    ['unsubscribed', 'complained', 'The recipient has reported a message as spam, so nothing'],
    ['skipped', 'suppressed', 'suppression list'],
    ['failed', 'delivery_uncertain', 'not sent twice'],
    ['failed', 'delivery_refused', 'refused'],
    ['failed', 'template_failed', 'template'],
    ['failed', 'template_empty', 'nothing was left'],
  ] as const)('tells why nothing more is sent: %s, %s', async (state, hold_reason, words) => {
    const { id, why, start } = await enrolled();
    await start();
    await setRecipient(id, { status: state, hold_reason, due_at: null });
    const answer = await why();
    expect(answer).toMatchObject({ status: state, holdReason: hold_reason, nextSendAt: null });
    expect(answer.explanation).toContain(words);
  });

  it('shows the messages with their states', async () => {
    const { id, leadId, mailboxId, why } = await enrolled();
    await noteSent(users, { campaignId: id, leadId, mailboxId });
    expect((await why()).sends).toMatchObject([
      { step: 0, state: 'sent', mailboxId, subject: 'Hello', sentAt: MONDAY.toISOString() },
    ]);
  });

  it('tells what keeps the leads of its lists out of it, and how they get in', async () => {
    const { id: leadListId } = await ann.ok('POST', '/v1/lead-lists', { name: 'Left out' });
    const put = async (...people: object[]): Promise<number[]> => {
      const body = { company_name: 'Left out', leadListId, people };
      const { leads } = await ann.ok('POST', '/v1/leads', body);
      return leads.map((lead: { id: number }) => lead.id);
    };
    await ann.ok('POST', '/v1/suppressions', { email: 'never@left.example' });
    const [ok, mute, never] = await put(
      person('Ok', 'ok@left.example'),
      { firstName: 'Mute', lastName: 'Lee', phone: '+49 30 7654321' },
      person('Never', 'never@left.example'),
    );
    const created = await draft({
      leadListIds: [leadListId],
      assignedMailboxes: await ann.mailboxes(1),
    });
    const { id } = created;
    expect(created).toMatchObject({
      stats: { leads: 1 },
      skippedReasons: { no_email: 1, suppressed: 1 },
    });
    const why = (leadId: number) => ann.ok('GET', `/v1/campaigns/${id}/leads/${leadId}`);
    const out = { status: 'skipped', nextSendAt: null, addedAt: null, sends: [] };
    const words = 'The lead stands in a list of the campaign and was not added to it';
    expect(await why(mute!)).toMatchObject({
      ...out,
      leadId: mute,
      personFirstName: 'Mute',
      companyName: 'Left out',
      holdReason: 'no_email',
      explanation: `${words}: the lead has no e-mail address`,
    });
    expect(await why(never!)).toMatchObject({ ...out, holdReason: 'suppressed' });
    const [late] = await put(person('Late', 'late@left.example'));
    const byStart = {
      ...out,
      holdReason: 'not_added',
      explanation: `${words}; the next start adds it`,
    };
    expect(await why(late!)).toMatchObject(byStart);
    const started = await ann.ok('POST', `/v1/campaigns/${id}/start`);
    expect(started.skippedReasons).toEqual({ no_email: 1, suppressed: 1 });
    expect(await why(late!)).toMatchObject({ status: 'queued' });
    expect(await why(ok!)).toMatchObject({ status: 'queued' });
    const [later] = await put(person('Later', 'later@left.example'));
    expect(await why(later!)).toMatchObject({ ...out, holdReason: 'not_added' });
    const changed = await ann.ok('PATCH', `/v1/campaigns/${id}`, { leadListIds: [leadListId] });
    expect(changed).toMatchObject({ stats: { leads: 3 }, skippedReasons: { no_email: 1 } });
    // Asked for by its id, in no list of the campaign.
    const other = await draft();
    await add(other.id, { leadIds: [never] });
    expect(await ann.ok('GET', `/v1/campaigns/${other.id}/leads/${never}`)).toMatchObject({
      ...out,
      holdReason: 'suppressed',
      explanation: 'The lead is not in the campaign: the address is on the suppression list',
    });
  });

  it('404 for a lead that is not in the campaign, and for another user’s', async () => {
    const { id } = await enrolled();
    const [own] = await ann.leads(1);
    const [foreign] = await bob.leads(1);
    for (const leadId of [own, foreign]) {
      const answer = await ann.call('GET', `/v1/campaigns/${id}/leads/${leadId}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'LEAD_NOT_FOUND' } });
    }
  });
});
