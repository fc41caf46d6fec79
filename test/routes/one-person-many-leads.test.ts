/** What is about a person follows their address through all of their leads. Choice 53. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeResults } from '../../src/db/email-validation/email-validation-items.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import {
  MESSAGE,
  MONDAY,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { addSend } from '../support/campaigns/sends.ts';

const EMAIL = 'ann@x.example';

let users: CampaignUsers;
let user: CampaignUser;
/** One person in three companies, two of them in lists. */
let leads: number[];
let lists: number[];

beforeAll(async () => void (users = await startCampaignUsers()));
afterAll(() => users?.close());
beforeEach(async () => {
  user = await users.newUser();
  lists = [];
  for (const name of ['Spring', 'Autumn']) {
    lists.push((await user.ok('POST', '/v1/lead-lists', { name })).id);
  }
  leads = [
    await add('Acme', lists[0]),
    await add('Acme', lists[1]),
    await add('Globex', undefined, { firstName: 'Anna' }),
  ];
});

async function add(company: string, leadListId?: number, more: object = {}): Promise<number> {
  const person = { firstName: 'Ann', lastName: 'Lee', email: EMAIL, ...more };
  const body = { company_name: company, leadListId, people: [person] };
  return (await user.ok('POST', '/v1/leads', body)).leads[0].id;
}

const fieldsOf = (field: string, ids = leads) =>
  Promise.all(ids.map(async (id) => (await user.ok('GET', `/v1/leads/${id}`))[field]));

const happens = (sendId: number, outcome: Pick<SendOutcome, 'kind'>) =>
  users.database.db
    .transaction()
    .execute((trx) => recordSendOutcome(trx, sendId, { at: MONDAY, ...outcome }));

const messageTo = (leadId: number) => addSend(users.database.db, { userId: user.userId, leadId });

describe('all leads of a person', () => {
  it('are suppressed with the address, and lifted with it', async () => {
    const added = await user.ok('POST', '/v1/suppressions', { email: EMAIL });
    expect(await fieldsOf('status')).toEqual(['suppressed', 'suppressed', 'suppressed']);
    await user.ok('DELETE', `/v1/suppressions/${added.id ?? added[0].id}`);
    expect(await fieldsOf('status')).toEqual(['pending', 'pending', 'pending']);
  });

  it.each([
    ['unsubscribed', 'unsubscribed'],
    ['bounced', 'bounced'],
    ['complained', 'unsubscribed'],
  ] as const)(
    '%s by a message to one of them, and by any that comes later',
    async (kind, status) => {
      await happens(await messageTo(leads[1]!), { kind });
      expect(await fieldsOf('status')).toEqual([status, status, status]);
      const later = await add('Initech', lists[0]);
      expect(await fieldsOf('status', [later])).toEqual([status]);
      const single = { personFirstName: 'A', personLastName: 'L', personEmail: 'other@x.example' };
      const { leads: others } = await user.ok('POST', '/v1/leads', single);
      await user.ok('PATCH', `/v1/leads/${others[0].id}`, { personEmail: EMAIL });
      expect(await fieldsOf('status', [others[0].id])).toEqual([status]);
    },
  );

  it('have bounced when a server refuses the address', async () => {
    const { db } = users.database;
    const sendId = await messageTo(leads[0]!);
    const claimedBy = randomUUID();
    await db
      .updateTable('sends')
      .set({ state: 'sending', claimed_by: claimedBy })
      .where('id', '=', sendId)
      .execute();
    const send = await db
      .selectFrom('sends')
      .selectAll()
      .where('id', '=', sendId)
      .executeTakeFirstOrThrow();
    const round = { campaignId: send.campaign_id, userId: user.userId, claimedBy };
    const end = {
      sendId,
      leadId: leads[0]!,
      mailboxId: send.mailbox_id,
      step: 0,
      variant: 0,
      messageId: send.message_id,
      state: 'refused' as const,
      reply: '550 5.1.1 no such user',
      subject: 'Hello',
      at: MONDAY,
      recipient: { status: 'bounced' as const, step: 0, dueAt: null, holdReason: null },
      hasBounced: true,
    };
    await db.transaction().execute((trx) => writeDeliveryResults(trx, round, [end]));
    expect(await fieldsOf('status')).toEqual(['bounced', 'bounced', 'bounced']);
  });

  it('get the verdict of a validation of one list, and a lead that comes later does', async () => {
    const job = await user.ok('POST', `/v1/email-validation/lists/${lists[0]}`);
    const { db } = users.database;
    const item = await db
      .selectFrom('email_validation_items')
      .select(['id', 'email'])
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow();
    const check = {
      email: item.email,
      status: 'risky' as const,
      score: 60,
      isValid: false,
      reason: 'catch_all' as const,
      checks: {} as never,
      suggestion: null,
      checkedAt: '2027-01-01T00:00:00.000Z',
    };
    await db
      .transaction()
      .execute((trx) =>
        storeResults(trx, job.id, [{ id: item.id, email: item.email, check, againAt: null }]),
      );
    leads.push(await add('Initech', lists[1]));
    expect(await fieldsOf('validationScore')).toEqual([60, 60, 60, 60]);
  });

  it('are one address of a validation, though a list has it in two companies', async () => {
    await add('Initech', lists[0]);
    const listJob = await user.ok('POST', `/v1/email-validation/lists/${lists[0]}`);
    const bulk = { emails: [EMAIL, 'bob@x.example'], leadListId: lists[0] };
    const bulkJob = await user.ok('POST', '/v1/email-validation/bulk', bulk);
    const countItems = async (id: number) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from email_validation_items where job_id = ${id}`.execute(
        users.database.db,
      );
      return rows[0]!.n;
    };
    expect([listJob.total, await countItems(listJob.id)]).toEqual([1, 1]);
    expect([bulkJob.total, await countItems(bulkJob.id)]).toEqual([2, 2]);
  });

  it.each([
    ['one of them', (id: number) => [`/v1/leads/${id}/erase`, undefined]],
    ['the address', () => ['/v1/erasures', { email: EMAIL }]],
  ] as const)('are erased together, whatever name each has: by %s', async (_by, request) => {
    const [path, body] = request(leads[2]!);
    expect(await user.ok('POST', path as string, body)).toMatchObject({ leads: 3 });
    expect(await user.ok('GET', '/v1/leads')).toEqual([]);
    const again = {
      company_name: 'Acme',
      leadListId: lists[0],
      people: [{ firstName: 'Ann', lastName: 'Lee', email: EMAIL }],
    };
    expect((await user.call('POST', '/v1/leads', again)).body.code).toBe('PEOPLE_ERASED');
  });
});

it('erases also who is the same person by another key of one of the leads', async () => {
  const page = { social_profile_url: 'https://www.linkedin.com/in/ann-lee-smith' };
  const married = { firstName: 'Ann', lastName: 'Lee-Smith' };
  await add('Initech', lists[0], { ...married, ...page });
  await add('Hooli', lists[1], { ...married, ...page, email: undefined });
  expect(await user.ok('POST', `/v1/leads/${leads[0]}/erase`)).toMatchObject({ leads: 5 });
});

describe('a campaign', () => {
  const draft = async () => (await user.ok('POST', '/v1/campaigns', MESSAGE)).id as number;
  const enrol = (id: number, body: object) => user.call('POST', `/v1/campaigns/${id}/leads`, body);

  it('takes an address once, and tells which lead was left out for which', async () => {
    const id = await draft();
    const { body } = await enrol(id, { leadIds: leads });
    expect(body.data).toEqual({
      added: 1,
      skipped: 2,
      skippedReasons: { duplicate_address: 2 },
      duplicates: [
        { leadId: leads[1], recipientLeadId: leads[0] },
        { leadId: leads[2], recipientLeadId: leads[0] },
      ],
    });
    const other = await draft();
    await enrol(other, { leadIds: [leads[2]] });
    expect((await enrol(other, { leadListId: lists[1] })).body.data).toMatchObject({
      added: 0,
      skippedReasons: { duplicate_address: 1 },
      duplicates: [{ leadId: leads[1], recipientLeadId: leads[2] }],
    });
    expect(await user.ok('GET', `/v1/campaigns/${other}/leads/${leads[1]}`)).toMatchObject({
      status: 'skipped',
      holdReason: 'duplicate_address',
    });
  });

  it('tells it also where the leads of its lists are enrolled', async () => {
    const order = { ...MESSAGE, leadListIds: lists };
    expect(await user.ok('POST', '/v1/campaigns', order)).toMatchObject({
      skippedReasons: { duplicate_address: 1 },
      duplicates: [{ leadId: leads[1], recipientLeadId: leads[0] }],
    });
  });

  it('takes it once from requests at the same time', async () => {
    const id = await draft();
    const answers = await Promise.all(leads.map((lead) => enrol(id, { leadIds: [lead] })));
    const added: number[] = answers.map(({ body }) => body.data.added);
    expect(added.toSorted((one, other) => one - other)).toEqual([0, 0, 1]);
  });

  it('counts the person, not the lead, where it is in another campaign', async () => {
    await enrol(await draft(), { leadIds: [leads[0]] });
    const id = await draft();
    const order = { leadIds: [leads[1]], skipIfInOtherCampaign: true };
    expect((await enrol(id, order)).body.data.skippedReasons).toEqual({ in_other_campaign: 1 });
  });

  it('says so where a list is empty, or all of it is enrolled', async () => {
    const id = await draft();
    const { id: empty } = await user.ok('POST', '/v1/lead-lists', { name: 'Empty' });
    const messageOf = async (list: number) => (await enrol(id, { leadListId: list })).body.message;
    expect(await messageOf(empty)).toBe(`Lead list ${empty} has no leads: nobody was added`);
    expect(await messageOf(lists[0]!)).toBe('1 added, 0 skipped');
    expect(await messageOf(lists[0]!)).toBe(
      'The lead is in the campaign already: nobody was added',
    );
    const bob = { firstName: 'Bob', lastName: 'Ray', email: 'bob@x.example' };
    await user.ok('POST', '/v1/leads', {
      company_name: 'Acme',
      leadListId: lists[0],
      people: [bob],
    });
    expect(await messageOf(lists[0]!)).toBe('1 added, 1 skipped');
    expect(await messageOf(lists[0]!)).toBe(
      'All 2 leads are in the campaign already: nobody was added',
    );
  });

  it('does not write to an address again that it has written to by a lead that is gone', async () => {
    const { db } = users.database;
    const sendId = await messageTo(leads[0]!);
    const { campaign_id: id } = await db
      .selectFrom('sends')
      .select('campaign_id')
      .where('id', '=', sendId)
      .executeTakeFirstOrThrow();
    await user.ok('DELETE', `/v1/leads/${leads[0]}`);
    const again = await add('Acme', lists[0]);
    expect((await enrol(id, { leadIds: [again] })).body.data).toMatchObject({
      added: 0,
      skippedReasons: { already_contacted: 1 },
    });
  });

  it('leaves out a lead that is given the address of another of its leads', async () => {
    const id = await draft();
    const other = await add('Initech', lists[0], { email: 'other@x.example' });
    await enrol(id, { leadIds: [leads[0], other] });
    await user.ok('PATCH', `/v1/leads/${other}`, { personEmail: EMAIL });
    expect(await user.ok('GET', `/v1/campaigns/${id}/leads/${other}`)).toMatchObject({
      status: 'skipped',
      holdReason: 'duplicate_address',
    });
    expect(await user.ok('GET', `/v1/campaigns/${id}/leads/${leads[0]}`)).toMatchObject({
      status: 'queued',
    });
  });

  it('stops for every lead that has the address when one answers', async () => {
    const sendId = await messageTo(leads[0]!);
    const { db } = users.database;
    // A lead that was given the address after it was added.
    await sql`insert into recipients (campaign_id, lead_id, user_id, status, due_at)
      select campaign_id, ${leads[1]}, user_id, 'queued', now() from sends where id = ${sendId}`.execute(
      db,
    );
    await happens(sendId, { kind: 'replied' });
    const rows = await db
      .selectFrom('recipients')
      .select(['lead_id', 'status', 'due_at'])
      .where('user_id', '=', user.userId)
      .orderBy('lead_id')
      .execute();
    expect(rows).toEqual([
      { lead_id: leads[0], status: 'replied', due_at: null },
      { lead_id: leads[1], status: 'replied', due_at: null },
    ]);
    // Who is not in the campaign was not answered for.
    expect(await fieldsOf('status')).toEqual(['replied', 'replied', 'pending']);
  });
});
