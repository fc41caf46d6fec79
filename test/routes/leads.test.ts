/** Leads over HTTP: the rules of POST /v1/leads, lists, changes. Spec: Leads; choices 17, 18, 52, 53. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyRoutes } from '../../src/routes/companies.ts';
import { leadListRoutes } from '../../src/routes/lead-lists.ts';
import { leadRoutes } from '../../src/routes/leads.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let api: TestApi;
let users = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    database,
    routes: (context) => [
      ...leadRoutes(context),
      ...companyRoutes(context),
      ...leadListRoutes(context),
    ],
  });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

/** A user of a test's own. */
async function newUser() {
  const userId = `leads-${++users}`;
  const token = await api.jwt(userId);
  const call = async (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token, ...(body !== undefined && { body }) });
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  return { userId, call, ok };
}

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
            personEmail: 'ann@acme.com',
            personPhone: '+1 555 010 0000',
            socialProfileUrl: 'https://linkedin.com/in/ann',
            status: 'pending',
            leadSource: 'fair',
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          },
        ],
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
});
