/** What a campaign does with risky addresses, over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => {
  users = await startCampaignUsers();
  ann = await users.newUser();
});
afterAll(() => users?.close());

const RULES = { minValidationScore: 50, riskyAddresses: { unknown: 'hold' } };
const ANSWERED = {
  minValidationScore: 50,
  riskyAddresses: { catchAll: 'allow', unknown: 'hold', role: 'allow' },
};

const verdict = (ids: number[], status: string, score: number, reason: string) =>
  users.database.db
    .updateTable('leads')
    .set({
      validation_status: status,
      validation_score: score,
      validation_reason: reason,
      email_valid: status !== 'invalid' && score >= 70,
    })
    .where('id', 'in', ids)
    .execute();

it('a campaign answers its rules, and a copy has them', async () => {
  const made = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...RULES });
  expect(made).toMatchObject(ANSWERED);
  expect(await ann.ok('POST', `/v1/campaigns/${made.id}/duplicate`)).toMatchObject(ANSWERED);
  const change = { minValidationScore: null, riskyAddresses: { role: 'hold' } };
  expect(await ann.ok('PATCH', `/v1/campaigns/${made.id}`, change)).toMatchObject({
    minValidationScore: null,
    riskyAddresses: { catchAll: 'allow', unknown: 'hold', role: 'hold' },
  });
});

it.each([
  { minValidationScore: 0 },
  { minValidationScore: 101 },
  { riskyAddresses: { spam: 'hold' } },
  { riskyAddresses: { role: 'never' } },
])('400 for %j', async (rules) => {
  const answer = await ann.call('POST', '/v1/campaigns', { ...MESSAGE, ...rules });
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
});

it('risky leads are added, invalid ones are not, and preflight counts the kinds', async () => {
  const leads = await ann.leads(5);
  await verdict([leads[0]!], 'valid', 95, 'mailbox_exists');
  await verdict([leads[1]!], 'risky', 60, 'catch_all');
  await verdict([leads[2]!], 'unknown', 40, 'greylisted');
  await verdict([leads[3]!], 'invalid', 0, 'mailbox_not_found');
  const { id } = await ann.ok('POST', '/v1/campaigns', { ...MESSAGE, ...RULES });
  expect(await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds: leads })).toMatchObject({
    added: 4,
    skippedReasons: { invalid_email: 1 },
  });
  expect((await ann.ok('GET', `/v1/campaigns/${id}/preflight`)).addresses).toEqual({
    valid: 1,
    catchAll: 1,
    risky: 0,
    unknown: 1,
    invalid: 0,
    unverified: 1,
    role: 0,
    held: 2,
  });
});

it('a lead that is held says why, and is due again when the campaign allows it', async () => {
  const campaign = await ann.campaign({ riskyAddresses: { catchAll: 'hold' } }, 1);
  const path = `/v1/campaigns/${campaign.id}`;
  const [lead] = await ann.ok('GET', `${path}/leads`);
  await users.database.db
    .updateTable('recipients')
    .set({ due_at: null, hold_reason: 'catch_all_address' })
    .where('lead_id', '=', lead.leadId)
    .execute();
  expect(await ann.ok('GET', `${path}/leads/${lead.leadId}`)).toMatchObject({
    status: 'queued',
    holdReason: 'catch_all_address',
    nextSendAt: null,
  });
  await ann.ok('PATCH', path, { riskyAddresses: { catchAll: 'allow' } });
  const after = await ann.ok('GET', `${path}/leads/${lead.leadId}`);
  expect(after.holdReason).not.toBe('catch_all_address');
});
