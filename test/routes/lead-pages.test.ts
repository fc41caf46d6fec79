/** Reading leads: all at once, in pages, behind a row, filtered and sorted. Choices 5, 18, 47. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../support/api/refusals.ts';
import { startLeadWorld, type LeadUser, type LeadWorld } from '../support/leads/lead-users.ts';

interface Shown {
  id: number;
  personFirstName: string;
}

let world: LeadWorld;
let user: LeadUser;
let listId: number;
let acme: number;

/** Seven leads: five of Acme in a list, one of Globex, one without a company. */
beforeAll(async () => {
  world = await startLeadWorld();
  user = await world.newUser();
  listId = (await user.ok('POST', '/v1/lead-lists', { name: 'Spring' })).id;
  acme = (await user.add('Acme', ['Eve', 'Ann', 'Cyd', 'bob', 'Dan'], listId)).company_id;
  await user.ok('POST', '/v1/leads', {
    company_name: 'Globex 100%',
    people: [{ firstName: 'Flo', lastName: 'Ray', phone: '+1 555 010 0000' }],
  });
  const alone = { personFirstName: 'Gus', personLastName: 'Ray', personEmail: 'gus@x.example' };
  await user.ok('POST', '/v1/leads', alone);
  const set = (name: string, values: object) =>
    world.database.db.updateTable('leads').set(values).where('first_name', '=', name).execute();
  await set('Ann', { validation_score: 95, email_valid: true });
  await set('Cyd', { validation_score: 60, email_valid: false });
  await set('Dan', { status: 'contacted' });
});
afterAll(() => world.close());

const names = (leads: Shown[]) => leads.map((lead) => lead.personFirstName).join(' ');
const get = (query: string) => user.call('GET', `/v1/leads${query}`);

describe('GET /v1/leads', () => {
  it('returns all leads of the account, in the shape of the specification', async () => {
    const { status, body } = await get('');
    expect({ status, meta: body.meta, message: body.message }).toEqual({
      status: 200,
      meta: undefined,
      message: 'Leads of the account',
    });
    expect(names(body.data)).toBe('Gus Flo Dan bob Cyd Ann Eve');
    expect(body.data[5]).toMatchObject({
      id: expect.any(Number),
      personFirstName: 'Ann',
      personLastName: 'Lee',
      personRole: null,
      personEmail: 'ann@acme.example',
      personPhone: null,
      status: 'pending',
      validationScore: 95,
      emailValid: true,
      companyId: acme,
      createdAt: expect.any(String),
    });
  });

  it('returns nobody else’s', async () => {
    const other = await world.newUser();
    expect(await other.ok('GET', '/v1/leads')).toEqual([]);
    for (const paging of ['', '&limit=2']) {
      const foreign = await other.call('GET', `/v1/leads?leadListId=${listId}${paging}`);
      const missing = await other.call('GET', `/v1/leads?leadListId=999999${paging}`);
      expect(foreign.status).toBe(404);
      expect(wordsOf(foreign.body, listId)).toBe(wordsOf(missing.body, 999999));
    }
  });

  it.each([
    ['?search=ann', 'Ann'],
    ['?search=ACME', 'Dan bob Cyd Ann Eve'],
    ['?search=cyd%20lee', 'Cyd'],
    ['?search=100%25', 'Flo'],
    ['?search=%25', 'Flo'],
    ['?search=_', ''],
    ['?search=', 'Gus Flo Dan bob Cyd Ann Eve'],
    ['?search=x.example', 'Gus'],
    ['?status=contacted', 'Dan'],
    ['?emailValid=true', 'Ann'],
    ['?emailValid=false', 'Cyd'],
    ['?minValidationScore=60', 'Cyd Ann'],
    ['?minValidationScore=61', 'Ann'],
    ['?hasEmail=false', 'Flo'],
    ['?hasEmail=true&search=ray', 'Gus'],
    ['?sort=name', 'Ann bob Cyd Dan Eve Flo Gus'],
    ['?sort=name&order=desc', 'Gus Flo Eve Dan Cyd bob Ann'],
    ['?sort=createdAt&order=asc', 'Eve Ann Cyd bob Dan Flo Gus'],
    ['?companyId=COMPANY', 'Dan bob Cyd Ann Eve'],
    ['?leadListId=LIST&sort=name', 'Ann bob Cyd Dan Eve'],
    ['?companyId=999999', ''],
  ])('%s -> %s, at once and in pages', async (query, expected) => {
    const asked = query.replace('COMPANY', String(acme)).replace('LIST', String(listId));
    expect(names((await get(asked)).body.data)).toBe(expected);
    expect(names((await get(`${asked}&limit=100`)).body.data)).toBe(expected);
  });

  it('pages by number, with the total and where the next page begins', async () => {
    const { body } = await get('?page=2&limit=3');
    expect(names(body.data)).toBe('bob Cyd Ann');
    expect(body.meta.pagination).toEqual({
      page: 2,
      limit: 3,
      total: 7,
      totalPages: 3,
      hasNext: true,
      nextCursor: expect.any(String),
    });
    expect((await get('?page=3')).body).toMatchObject({
      data: [],
      meta: { pagination: { page: 3, limit: 20, total: 7, hasNext: false, nextCursor: null } },
    });
    expect((await get('?limit=500')).body.meta.pagination.limit).toBe(100);
  });

  it.each(['sort=createdAt', 'sort=createdAt&order=asc', 'sort=name', 'sort=name&order=desc'])(
    'goes on behind a row in the order of %s, whatever comes and goes before it',
    async (sorting) => {
      const own = await world.newUser();
      await own.add('Acme', ['Eve', 'Ann', 'Cyd', 'Bob', 'Dan']);
      const all = names(await own.ok('GET', `/v1/leads?${sorting}`));
      const first = (await own.call('GET', `/v1/leads?${sorting}&limit=2`)).body;
      await own.ok('DELETE', `/v1/leads/${first.data[1].id}`);
      let seen = names(first.data);
      let cursor = first.meta.pagination.nextCursor as string | null;
      while (cursor !== null) {
        const { body } = await own.call('GET', `/v1/leads?limit=2&cursor=${cursor}`);
        seen += ` ${names(body.data)}`;
        cursor = body.meta.pagination.nextCursor;
        expect(body.meta.pagination).toEqual({
          limit: 2,
          hasNext: cursor !== null,
          nextCursor: cursor,
        });
      }
      expect(seen).toBe(all);
    },
  );

  it.each([
    'page=0',
    'limit=x',
    'cursor=abc',
    'cursor=',
    'sort=id',
    'order=up',
    'status=new',
    'emailValid=yes',
    'minValidationScore=101',
    'hasEmail=1',
    'companyId=x',
  ])('400 for ?%s, naming the field', async (query) => {
    const { status, body } = await get(`?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(body.details[0].field).toBe(query.split('=')[0]);
  });

  it('streams more leads than one page of the database has', async () => {
    const own = await world.newUser();
    await world.database.db
      .insertInto('leads')
      .values(
        Array.from({ length: 2_500 }, (_, i) => ({
          user_id: own.userId,
          first_name: `P${String(i).padStart(4, '0')}`,
          last_name: 'Lee',
          name_key: `p${String(i).padStart(4, '0')} lee`,
        })),
      )
      .execute();
    for (const query of ['', '?sort=name&order=desc']) {
      const leads: Shown[] = await own.ok('GET', `/v1/leads${query}`);
      expect(new Set(leads.map(({ id }) => id)).size).toBe(2_500);
      expect(leads[0]!.personFirstName).toBe('P2499');
    }
  });
});
