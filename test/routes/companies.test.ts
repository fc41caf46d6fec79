/** Companies over HTTP. Spec: Company; choices 1, 2, 5. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLeadWorld, type LeadWorld } from '../support/leads/lead-users.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await startLeadWorld();
});
afterAll(() => world.close());

const newUser = () => world.newUser();

describe('GET /v1/companies', () => {
  it('lists a page of companies with their number of leads', async () => {
    const { call, add } = await newUser();
    await add('Acme', ['Ann', 'Bob']);
    await add('Globex', ['Cyd']);
    const { status, body } = await call('GET', '/v1/companies?limit=1');
    expect({ status, pagination: body.meta.pagination }).toEqual({
      status: 200,
      pagination: {
        page: 1,
        limit: 1,
        total: 2,
        totalPages: 2,
        hasNext: true,
        nextCursor: expect.any(String),
      },
    });
    expect(body.data).toMatchObject([{ name: 'Globex', leadsCount: 1 }]);
  });

  it('has every field of a company (choice 1)', async () => {
    const { ok, add } = await newUser();
    await add('Acme', ['Ann']);
    const [company] = await ok('GET', '/v1/companies');
    expect(Object.keys(company).toSorted()).toEqual(
      (
        'address category city countryCode createdAt domain id leadListId leadsCount mapsUrl name ' +
        'phone placeId rating reviewsCount source state updatedAt website'
      ).split(' '),
    );
  });

  it('searches, sorts, and lists those of a list', async () => {
    const { ok, add } = await newUser();
    const list = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    await add('Beta', ['Ann'], list.id);
    await add('alpha', ['Bob']);
    const names = async (query: string) =>
      (await ok('GET', `/v1/companies${query}`)).map(({ name }: { name: string }) => name);
    expect(await names('?sort=name')).toEqual(['alpha', 'Beta']);
    expect(await names('?order=asc')).toEqual(['Beta', 'alpha']);
    expect(await names('?search=ALP')).toEqual(['alpha']);
    expect(await names(`?leadListId=${list.id}`)).toEqual(['Beta']);
  });
});

describe('/v1/companies/:id', () => {
  it('GET shows where each field came from', async () => {
    const { ok, add } = await newUser();
    const { company_id } = await add('Acme', ['Ann']);
    const company = await ok('GET', `/v1/companies/${company_id}`);
    expect(company.provenance).toEqual({
      fields: { name: { source: 'api', at: company.createdAt } },
    });
  });

  it('PATCH changes what is given; the domain follows the website', async () => {
    const { ok, add } = await newUser();
    const { company_id } = await add('Acme', ['Ann']);
    const changed = await ok('PATCH', `/v1/companies/${company_id}`, {
      name: 'Acme Europe GmbH',
      website: 'https://www.acme.example/eu',
      countryCode: 'de',
      city: 'Berlin',
    });
    expect(changed).toMatchObject({
      name: 'Acme Europe GmbH',
      domain: 'acme.example',
      countryCode: 'DE',
      city: 'Berlin',
      leadsCount: 1,
    });
    expect(changed.provenance.fields.city.source).toBe('user');
    expect((await add('Acme Europe', ['Bob'])).company_id).toBe(company_id);
    const without = await ok('PATCH', `/v1/companies/${company_id}`, { website: null, city: '' });
    expect(without).toMatchObject({ website: null, domain: null, city: null });
  });

  it('PATCH moves it to another list of the account, or out of its list', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const list = await mine.ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const foreign = await other.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    const { company_id } = await mine.add('Acme', ['Ann']);
    const move = (leadListId: number | null) =>
      mine.call('PATCH', `/v1/companies/${company_id}`, { leadListId });
    expect((await move(list.id)).body.data.leadListId).toBe(list.id);
    expect((await move(foreign.id)).body.code).toBe('LEAD_LIST_NOT_FOUND');
    expect((await move(null)).body.data.leadListId).toBeNull();
  });

  it('DELETE takes the leads under it along', async () => {
    const { ok, add } = await newUser();
    const { company_id } = await add('Acme', ['Ann', 'Bob']);
    await add('Globex', ['Cyd']);
    expect(await ok('DELETE', `/v1/companies/${company_id}`)).toEqual({
      id: company_id,
      deletedLeads: 2,
    });
    expect(await ok('GET', '/v1/leads')).toHaveLength(1);
  });

  it('DELETE takes thousands of leads along, in portions', async () => {
    const { ok, call, add } = await newUser();
    const { company_id, ids } = await add('Acme', ['Ann']);
    await add('Globex', ['Cyd']);
    await sql`insert into leads (user_id, company_id, first_name, last_name, name_key, email,
        email_key, provenance)
      select user_id, company_id, 'P', n, 'p ' || n, n || '@acme.test', n || '@acme.test', '{}'
      from leads, generate_series(1, 4500) as n where id = ${ids[0]!}`.execute(world.database.db);
    const { db } = world.database;
    const counts: number[] = [];
    let isOver = false;
    const deleting = call('DELETE', `/v1/companies/${company_id}`).finally(() => (isOver = true));
    while (!isOver) {
      const { rows } = await sql<{ left: number }>`select count(*)::int as left from leads
        where company_id = ${company_id}`.execute(db);
      counts.push(rows[0]!.left);
    }
    const { body } = await deleting;
    expect(body.data).toEqual({ id: company_id, deletedLeads: 4_501 });
    expect(counts.some((left) => left > 0 && left < 4_501)).toBe(true);
    expect(await ok('GET', '/v1/leads')).toHaveLength(1);
  });

  it('answers a foreign one like a missing one', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { company_id } = await other.add('Acme', ['Ann']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
      const foreign = await mine.call(method, `/v1/companies/${company_id}`, body);
      const missing = await mine.call(method, '/v1/companies/999999', body);
      expect({ status: foreign.status, code: foreign.body.code }).toEqual({
        status: 404,
        code: 'COMPANY_NOT_FOUND',
      });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect((await mine.call('GET', '/v1/companies/x')).body.code).toBe('INVALID_INPUT');
  });

  it.each([
    ['name', { name: '' }],
    ['website', { website: 'not a page' }],
    ['countryCode', { countryCode: 'Germany' }],
    ['leadListId', { leadListId: 'x' }],
  ])('400 naming %s', async (field, given) => {
    const { call, add } = await newUser();
    const { company_id } = await add('Acme', ['Ann']);
    const { status, body } = await call('PATCH', `/v1/companies/${company_id}`, given);
    expect({ status, field: body.details[0].field }).toEqual({ status: 400, field });
  });
});
