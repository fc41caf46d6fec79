/** POST /v1/leads: its five rules, in both shapes. Spec: Leads; choices 47, 52, 53, 59. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import { wordsOf } from '../support/api/refusals.ts';
import { startLeadWorld, type LeadWorld } from '../support/leads/lead-users.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await startLeadWorld();
});
afterAll(() => world.close());

const newUser = () => world.newUser();

const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.com' };
const acme = { company_name: 'Acme', people: [ann] };

describe('POST /v1/leads', () => {
  it('201 with the company and the leads in exactly the shape of the specification', async () => {
    const { call, ok } = await newUser();
    const list = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const person = {
      ...ann,
      role: 'CEO',
      phone: '+1 555 010 0000',
      social_profile_url: 'https://linkedin.com/in/ann',
    };
    const { status, body } = await call('POST', '/v1/leads', {
      company_name: 'Acme',
      leadListId: list.id,
      source: 'fair',
      people: [person],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      message: 'Leads: 1 created, 0 found',
      meta: { requestId: expect.any(String) },
      data: {
        company_id: expect.any(Number),
        company_name: 'Acme',
        lead_list_id: list.id,
        leads: [
          {
            id: expect.any(Number),
            personFirstName: 'Ann',
            personLastName: 'Lee',
            personRole: 'CEO',
            // Beyond the specification: choice 128.
            personTimezone: null,
            personEmail: 'ann@acme.com',
            personPhone: '+1 555 010 0000',
            socialProfileUrl: 'https://linkedin.com/in/ann',
            status: 'pending',
            leadSource: 'fair',
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          },
        ],
        importedLeads: 1,
        foundLeads: 0,
        importedCompanies: 1,
        foundCompanies: 0,
        skippedItems: 0,
      },
    });
  });

  it.each([
    ['company_name is missing', { people: [ann] }, 'company_name'],
    ['people is missing', { company_name: 'Acme' }, 'people'],
    ['people is empty', { company_name: 'Acme', people: [] }, 'people'],
    ['there are over 500', { company_name: 'Acme', people: Array(501).fill(ann) }, 'people'],
    [
      'a first name is missing',
      { ...acme, people: [{ lastName: 'Lee', email: 'a@b.co' }] },
      'people[0].firstName',
    ],
    [
      'a last name is empty',
      { ...acme, people: [{ ...ann, lastName: ' ' }] },
      'people[0].lastName',
    ],
    [
      'an address is malformed (choice 59)',
      { ...acme, people: [ann, { ...ann, email: 'ann@' }] },
      'people[1].email',
    ],
    ['a phone has no digits', { ...acme, people: [{ ...ann, phone: 'none' }] }, 'people[0].phone'],
    [
      'a profile is a script',
      { ...acme, people: [{ ...ann, social_profile_url: 'javascript:alert(1)' }] },
      'people[0].social_profile_url',
    ],
    [
      'somebody cannot be reached (rule 1)',
      { ...acme, people: [{ firstName: 'A', lastName: 'B', email: '' }] },
      'people[0]',
    ],
    [
      'a list comes with a single person (rule 4)',
      { personFirstName: 'A', personLastName: 'B', personEmail: 'a@b.co', leadListId: 1 },
      'leadListId',
    ],
    ['a single person cannot be reached', { personFirstName: 'A', personLastName: 'B' }, ''],
    [
      'a single person has no last name',
      { personFirstName: 'A', personEmail: 'a@b.co' },
      'personLastName',
    ],
  ])('400 naming the field when %s', async (_case, given, field) => {
    const { call } = await newUser();
    const { status, body } = await call('POST', '/v1/leads', given);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(body.details.map((problem: { field: string }) => problem.field)).toContain(field);
    expect((await call('GET', '/v1/leads')).body.data).toEqual([]);
  });

  it('finds or creates the company and each person (rule 2), and says so', async () => {
    const { call, ok } = await newUser();
    const first = await ok('POST', '/v1/leads', acme);
    const { status, body } = await call('POST', '/v1/leads', {
      company_name: 'ACME, Inc.',
      people: [
        { ...ann, role: 'CEO' },
        { firstName: 'Bob', lastName: 'Ray', phone: '+1 555 010 0001' },
      ],
    });
    expect(status).toBe(201);
    expect(body.message).toBe('Leads: 1 created, 1 found');
    expect(body.data).toMatchObject({
      company_id: first.company_id,
      company_name: 'Acme',
      leads: [{ id: first.leads[0].id, personRole: 'CEO' }, { personFirstName: 'Bob' }],
    });
  });

  it('answers somebody who comes twice once', async () => {
    const { ok } = await newUser();
    const { leads } = await ok('POST', '/v1/leads', { ...acme, people: [ann, ann] });
    expect(leads).toHaveLength(1);
  });

  it('puts a company without a list into the list (rule 2)', async () => {
    const { ok } = await newUser();
    await ok('POST', '/v1/leads', acme);
    const list = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const added = await ok('POST', '/v1/leads', { ...acme, leadListId: list.id });
    expect(added.lead_list_id).toBe(list.id);
    expect(await ok('GET', `/v1/lead-lists/${list.id}/leads`)).toHaveLength(1);
  });

  it('gives a list companies and leads of its own, and moves none of another (choice 53)', async () => {
    const { ok } = await newUser();
    const [spring, autumn] = [
      await ok('POST', '/v1/lead-lists', { name: 'Spring' }),
      await ok('POST', '/v1/lead-lists', { name: 'Autumn' }),
    ];
    const first = await ok('POST', '/v1/leads', { ...acme, leadListId: spring.id });
    const second = await ok('POST', '/v1/leads', { ...acme, leadListId: autumn.id });
    expect([first.lead_list_id, second.lead_list_id]).toEqual([spring.id, autumn.id]);
    expect(second.company_id).not.toBe(first.company_id);
    for (const { lead_list_id: id, leads } of [first, second]) {
      expect(await ok('GET', `/v1/lead-lists/${id}/leads`)).toMatchObject([{ id: leads[0].id }]);
    }
  });

  it('tells what a lead that was found keeps, and fills in the rest', async () => {
    const { call } = await newUser();
    const add = (person: object) =>
      call('POST', '/v1/leads', { company_name: 'Acme', people: [person] });
    await add(ann);
    const { body } = await add({ ...ann, firstName: 'Bob', lastName: 'Ray', role: 'CEO' });
    expect(body.data).toMatchObject({
      leads: [
        {
          personFirstName: 'Ann',
          personLastName: 'Lee',
          personRole: 'CEO',
          kept: ['personFirstName', 'personLastName'],
        },
      ],
      importedLeads: 0,
      foundLeads: 1,
    });
    expect(body.message).toBe(
      'Leads: 0 created, 1 found. 1 of those found keep what was stored; `kept` of each tells which fields',
    );
  });

  it('404 for a list of another user as for one that is missing, and keeps nothing (rule 3)', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const list = await other.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    const foreign = await mine.call('POST', '/v1/leads', { ...acme, leadListId: list.id });
    const missing = await mine.call('POST', '/v1/leads', { ...acme, leadListId: 999_999 });
    expect({ status: foreign.status, code: foreign.body.code }).toEqual({
      status: 404,
      code: 'LEAD_LIST_NOT_FOUND',
    });
    expect(wordsOf(foreign.body, list.id)).toBe(wordsOf(missing.body, 999_999));
    expect(await mine.ok('GET', '/v1/companies')).toEqual([]);
  });

  it('takes a single person without a company, or into one by its id (rule 4, choice 52)', async () => {
    const { ok } = await newUser();
    const single = { personFirstName: 'Ann', personLastName: 'Lee', personEmail: 'ann@acme.com' };
    const alone = await ok('POST', '/v1/leads', single);
    expect(alone).toMatchObject({ company_id: null, company_name: null, lead_list_id: null });
    expect(alone.leads).toMatchObject([{ personEmail: 'ann@acme.com', leadSource: null }]);
    const { company_id } = await ok('POST', '/v1/leads', {
      company_name: 'Globex',
      people: [{ firstName: 'Bob', lastName: 'Ray', phone: '+1 555 010 0001' }],
    });
    const joined = await ok('POST', '/v1/leads', {
      ...single,
      companyId: company_id,
      source: 'me',
    });
    expect(joined).toMatchObject({ company_id, company_name: 'Globex', leads: alone.leads });
    expect(await ok('GET', '/v1/leads')).toHaveLength(2);
  });

  it('404 for a company of another user as for one that is missing', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { company_id } = await other.ok('POST', '/v1/leads', acme);
    const single = { personFirstName: 'Ann', personLastName: 'Lee', personEmail: 'ann@acme.com' };
    const foreign = await mine.call('POST', '/v1/leads', { ...single, companyId: company_id });
    const missing = await mine.call('POST', '/v1/leads', { ...single, companyId: 999_999 });
    expect({ status: foreign.status, code: foreign.body.code }).toEqual({
      status: 404,
      code: 'COMPANY_NOT_FOUND',
    });
    expect(wordsOf(foreign.body, company_id)).toBe(wordsOf(missing.body, 999_999));
    expect(await mine.ok('GET', '/v1/leads')).toEqual([]);
  });

  it('400 when everybody was erased, and no company is left behind (rule 3)', async () => {
    const { userId, call, ok } = await newUser();
    await world.database.db
      .insertInto('erasure_tombstones')
      .values({ user_id: userId, key_hash: tombstoneHash(userId, 'email:ann@acme.com') })
      .execute();
    const { status, body } = await call('POST', '/v1/leads', acme);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PEOPLE_ERASED' });
    expect(await ok('GET', '/v1/companies')).toEqual([]);
  });

  it('keeps requests at the same time apart: a refused one does not touch the others', async () => {
    const { call, ok } = await newUser();
    const requests = Array.from({ length: 40 }, (_, i) => ({
      company_name: `Company ${i % 7}`,
      people: [{ firstName: `P${i % 20}`, lastName: 'Lee', email: `p${i % 20}@example.com` }],
      ...(i % 13 === 3 && { leadListId: 999_999 }),
    }));
    const answers = await Promise.all(requests.map((body) => call('POST', '/v1/leads', body)));
    expect(answers.map(({ status }) => status)).toEqual(
      requests.map((body) => ('leadListId' in body ? 404 : 201)),
    );
    const answered = answers.map(({ body }) => [
      body.data?.company_name,
      body.data?.leads[0].personEmail,
    ]);
    expect(answered).toEqual(
      requests.map((body) =>
        'leadListId' in body ? [undefined, undefined] : [body.company_name, body.people[0]!.email],
      ),
    );
    const pairs = requests
      .filter((body) => !('leadListId' in body))
      .map((body) => `${body.company_name} ${body.people[0]!.email}`);
    expect(await ok('GET', '/v1/leads')).toHaveLength(new Set(pairs).size);
  });
});
