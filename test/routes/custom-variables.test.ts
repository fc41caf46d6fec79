/** Custom fields in campaigns: in texts, in what is missing for whom, and as a choice of leads. Choice 99. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config.ts';
import { renderMessage } from '../../src/domain/sending/message-content.ts';
import { environmentSchema } from '../../src/settings/environment.ts';
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
/** With an industry, 1,200 employees and a day; with an industry alone; with nothing. */
let leads: [number, number, number];
let fields: Record<string, number>;

beforeAll(async () => {
  users = await startCampaignUsers();
});
afterAll(() => users?.close());
beforeEach(async () => {
  ann = await users.newUser();
  fields = {};
  const types = { industry: 'text', employees: 'number', since: 'date', vip: 'boolean' };
  for (const [name, type] of Object.entries(types)) {
    fields[name] = (await ann.ok('POST', '/v1/custom-fields', { name, type })).id;
  }
  const ids = [];
  const values = [
    { industry: 'Bakery & Café', employees: 12_000, since: '2026-03-01', vip: true },
    { industry: 'Butcher', employees: 5 },
    {},
  ];
  for (const [at, custom] of values.entries()) {
    const person = { firstName: `P${at}`, lastName: 'X', email: `p${at}@acme${at}.com`, custom };
    const body = { company_name: 'Acme', people: [person] };
    ids.push((await ann.ok('POST', '/v1/leads', body)).leads[0].id);
  }
  leads = ids as typeof leads;
});

const text = {
  ...MESSAGE,
  subjectTemplate: 'For {{custom.industry|companies}}',
  bodyTemplate: 'You are {{custom.employees}} since {{custom.since}}: {{custom.vip|?}}.',
};

async function campaign(more: object = {}, leadIds: readonly number[] = leads) {
  const { id } = await ann.campaign({ ...text, ...more }, 0);
  await ann.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  return id as number;
}

const fieldsOf = ({ body }: Awaited<ReturnType<CampaignUser['call']>>) =>
  (body.details as { field: string; message: string }[]).map(({ field }) => field);

describe('a text', () => {
  it('of a field that there is not is refused by the name of the text, on creation and on change', async () => {
    const wrong = {
      bodyTemplate: 'Hi {{custom.none|x}}',
      variants: [{ subjectTemplate: '{{custom.Industry}}', bodyTemplate: 'Hi' }],
      steps: [{ order: 1, bodyTemplate: '{a|{{custom.industry}}} {{custom.constructor}}' }],
    };
    const answer = await ann.call('POST', '/v1/campaigns', { ...MESSAGE, ...wrong });
    expect(answer.status).toBe(400);
    const named = ['bodyTemplate', 'variants[0].subjectTemplate', 'steps[0].bodyTemplate'];
    expect(fieldsOf(answer)).toEqual(named);
    expect(answer.body.error).toContain(
      'bodyTemplate: unknown variable {{custom.none}}: there is no such custom field',
    );
    const id = await campaign();
    const change = await ann.call('PATCH', `/v1/campaigns/${id}`, wrong);
    expect(change.status).toBe(400);
    expect(fieldsOf(change)).toEqual(named);
  });

  it('of another account knows its own fields alone', async () => {
    const eve = await users.newUser();
    const answer = await eve.call('POST', '/v1/campaigns', text);
    expect(fieldsOf(answer)).toEqual([
      'subjectTemplate',
      'bodyTemplate',
      'bodyTemplate',
      'bodyTemplate',
    ]);
  });
});

describe('a preview', () => {
  it.each([
    ['en', '12,000', 'March 1, 2026', 'yes'],
    ['de', '12.000', '1. März 2026', 'ja'],
  ])('writes values as %s does', async (language, employees, since, vip) => {
    const id = await campaign({ language });
    const shown = await ann.ok('POST', `/v1/campaigns/${id}/preview`, { leadId: leads[0] });
    expect(shown.subject).toBe('For Bakery & Café');
    expect(shown.text).toContain(`You are ${employees} since ${since}: ${vip}.`);
    expect(shown.letters).toMatchObject([{ missing: [] }]);
  });

  it('names what the lead lacks, in each message', async () => {
    const steps = [{ order: 1, bodyTemplate: 'Still {{custom.vip}}, {{firstName}}?' }];
    const id = await campaign({ steps });
    const shown = await ann.ok('POST', `/v1/campaigns/${id}/preview`, { leadId: leads[1] });
    expect(shown.letters.map((each: { missing: string[] }) => each.missing)).toEqual([
      ['custom.since'],
      ['custom.vip'],
    ]);
    const none = await ann.campaign(text, 0);
    expect(await ann.ok('POST', `/v1/campaigns/${none.id}/preview`)).toMatchObject({
      leadId: null,
      letters: [{ missing: ['custom.employees', 'custom.since'] }],
    });
  });

  it('of HTML escapes what a value holds', async () => {
    const id = await campaign({ bodyTemplate: '<p>{{custom.industry}}</p>' });
    const { html } = await ann.ok('POST', `/v1/campaigns/${id}/preview`, { leadId: leads[0] });
    expect(html).toContain('<p>Bakery &amp; Café</p>');
  });
});

describe('a preflight', () => {
  it('counts and names who lacks what, of custom fields and of others', async () => {
    const steps = [{ order: 1, bodyTemplate: '{{custom.since}} {{role}} {{custom.industry|x}}' }];
    const id = await campaign({ steps });
    const { missingValues, ready } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    const [second, third] = [leads[1], leads[2]].map((lead, at) => ({
      id: lead,
      name: `P${at + 1} X`,
      email: `p${at + 1}@acme${at + 1}.com`,
    }));
    expect(missingValues).toMatchObject([
      { variable: 'custom.employees', fields: ['bodyTemplate'], leads: 1, examples: [third] },
      {
        variable: 'custom.since',
        fields: ['bodyTemplate', 'steps[0].bodyTemplate'],
        leads: 2,
        examples: [second, third],
      },
      { variable: 'role', fields: ['steps[0].bodyTemplate'], leads: 3 },
    ]);
    // A gap is no reason not to send.
    expect(ready).toBe(true);
  });

  it('warns of a text that comes out empty without a value, and counts a field as personal', async () => {
    const id = await campaign({ bodyTemplate: '{{custom.industry}}' });
    const { warnings } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    const messages = warnings.map(({ message }: { message: string }) => message);
    expect(messages).toContainEqual(
      'bodyTemplate comes out empty for 1 lead(s) without custom.industry: an empty message is not sent',
    );
    expect(messages.join()).not.toContain('the same for every lead');
  });
});

const config = {
  ...environmentSchema.parse({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
  }),
  SEND_MIN_GAP_SECONDS: 0,
} as Config;

describe('what is sent', () => {
  it('has the values, and leaves a gap for those that are missing as for a first name', async () => {
    const id = await campaign();
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    const { messages } = await users.database.db.transaction().execute((trx) =>
      claimMessages(trx, config, {
        campaignId: id,
        claimedBy: randomUUID(),
        now: MONDAY,
        most: 9,
      }),
    );
    const written = messages.map(({ step, recipient, leadId }) => {
      const seed = { campaignId: id, leadId, position: 0 };
      const links = { unsubscribeUrl: 'https://o.example/u/x', unsubscribeToken: 'x' };
      const sender = { name: 'Ann', email: 'a@b.example', postalAddress: 'x' };
      const order = {
        step,
        variant: 0,
        seed,
        recipient,
        sender,
        links,
        language: 'en',
        thread: null,
      };
      const { subject, text: body } = renderMessage(order);
      return [subject, body.split('\n')[0]];
    });
    expect(written.toSorted(([a], [b]) => a!.localeCompare(b!))).toEqual([
      ['For Bakery & Café', 'You are 12,000 since March 1, 2026: yes.'],
      ['For Butcher', 'You are 5 since: ?.'],
      ['For companies', 'You are since: ?.'],
    ]);
  });
});

describe('a field that a text has', () => {
  it('is not deleted while a campaign is active or paused, and then no draft starts without it', async () => {
    const id = await campaign();
    const draft = await campaign();
    await ann.ok('POST', `/v1/campaigns/${id}/start`);
    const path = `/v1/custom-fields/${fields.employees}`;
    const remove = () => ann.call('DELETE', path);
    expect((await remove()).body).toMatchObject({
      code: 'CUSTOM_FIELD_IN_USE',
      details: [{ campaignId: id }],
    });
    await ann.ok('POST', `/v1/campaigns/${id}/pause`);
    expect((await remove()).body.code).toBe('CUSTOM_FIELD_IN_USE');
    await ann.ok('POST', `/v1/campaigns/${id}/cancel`);
    expect((await remove()).status).toBe(200);
    const start = await ann.call('POST', `/v1/campaigns/${draft}/start`);
    expect(start.body).toMatchObject({ code: 'CAMPAIGN_NOT_READY' });
    expect(fieldsOf(start)).toEqual(['bodyTemplate']);
    const { problems, missingValues } = await ann.ok('GET', `/v1/campaigns/${draft}/preflight`);
    expect(problems).toMatchObject([{ field: 'bodyTemplate' }]);
    expect(missingValues[0]).toMatchObject({ variable: 'custom.employees', leads: 3 });
  });
});

describe('leads of a campaign', () => {
  const add = (id: number, body: object) => ann.call('POST', `/v1/campaigns/${id}/leads`, body);
  const idsIn = async (id: number) => {
    const rows: { leadId: number }[] = await ann.ok('GET', `/v1/campaigns/${id}/leads`);
    return rows.map(({ leadId }) => leadId).toSorted((a, b) => a - b);
  };

  it('are chosen by custom fields, of the account or of a list', async () => {
    const { id } = await ann.campaign({}, 0);
    const some = await add(id, { custom: { 'employees.min': 6, industry: 'Bakery & Café' } });
    expect(some.body.data).toMatchObject({ added: 1, skipped: 0 });
    expect(await idsIn(id)).toEqual([leads[0]]);
    const more = await add(id, { custom: { 'employees.max': '12000' } });
    expect(more.body.data).toMatchObject({ added: 1, skippedReasons: { already_in_campaign: 1 } });
    const list = await ann.ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const eve = { firstName: 'Eve', lastName: 'P', email: 'e@e.com', custom: { vip: true } };
    const joe = { firstName: 'Joe', lastName: 'P', email: 'j@e.com' };
    const people = { company_name: 'Else', leadListId: list.id, people: [eve, joe] };
    const added = await ann.ok('POST', '/v1/leads', people);
    const ofList = await add(id, { leadListId: list.id, custom: { vip: true } });
    expect(ofList.body.data).toMatchObject({ added: 1, skipped: 0 });
    expect(await idsIn(id)).toContain(added.leads[0].id);
    const nobody = await add(id, { custom: { industry: 'Florist' } });
    expect(nobody.body).toMatchObject({
      message: 'No lead has these values: nobody was added',
      data: { added: 0, skipped: 0 },
    });
  });

  it.each([
    [{ custom: { none: 1 } }, 'custom.none'],
    [{ custom: { employees: 'many' } }, 'custom.employees'],
    [{ custom: {} }, 'custom'],
    [{ custom: [] }, 'custom'],
    [{ custom: { vip: true }, leadIds: [1] }, 'custom'],
    [{}, 'leadIds'],
  ])('%j is refused', async (body, field) => {
    const { id } = await ann.campaign({}, 0);
    const answer = await add(id, body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([field]);
  });
});
