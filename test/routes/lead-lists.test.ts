/** Lead lists over HTTP, and what goes when one goes. Spec: Lead lists; choices 3-5, 62. */
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDeletionActivities } from '../../activities/leads/list-deletions.ts';
import { startLeadWorld, type LeadWorld } from '../support/leads/lead-users.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await startLeadWorld();
});
afterAll(() => world.close());

const newUser = () => world.newUser();

describe('lead lists', () => {
  it('POST answers 201 with the record (choice 3)', async () => {
    const { call } = await newUser();
    const { status, body } = await call('POST', '/v1/lead-lists', {
      name: ' Spring ',
      description: 'Fair',
    });
    expect({ status, data: body.data }).toEqual({
      status: 201,
      data: {
        id: expect.any(Number),
        name: 'Spring',
        description: 'Fair',
        source: 'api',
        companiesCount: 0,
        leadsCount: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
  });

  it.each([
    ['is missing', {}],
    ['is empty', { name: '  ' }],
    ['has over 200 characters', { name: 'x'.repeat(201) }],
  ])('400 when the name %s (choice 4)', async (_case, given) => {
    const { call } = await newUser();
    const { status, body } = await call('POST', '/v1/lead-lists', given);
    expect({ status, field: body.details[0].field }).toEqual({ status: 400, field: 'name' });
  });

  it('GET counts companies and leads through the companies', async () => {
    const { ok, call, add } = await newUser();
    const spring = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    await ok('POST', '/v1/lead-lists', { name: 'Autumn' });
    await add('Acme', ['Ann', 'Bob'], spring.id);
    await add('Globex', ['Cyd'], spring.id);
    expect(await ok('GET', `/v1/lead-lists/${spring.id}`)).toMatchObject({
      companiesCount: 2,
      leadsCount: 3,
    });
    const { body } = await call('GET', '/v1/lead-lists?limit=1&page=2');
    expect(body.data).toMatchObject([{ id: spring.id, companiesCount: 2, leadsCount: 3 }]);
    expect(body.meta.pagination).toMatchObject({ total: 2, hasNext: false });
  });

  it('PATCH changes what is given', async () => {
    const { ok } = await newUser();
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Spring', description: 'Fair' });
    expect(await ok('PATCH', `/v1/lead-lists/${id}`, { name: 'Summer' })).toMatchObject({
      name: 'Summer',
      description: 'Fair',
    });
    expect(await ok('PATCH', `/v1/lead-lists/${id}`, { description: null })).toMatchObject({
      description: null,
    });
  });

  it('answers a foreign one like a missing one, and INVALID_INPUT for what is no number', async () => {
    const [mine, other] = [await newUser(), await newUser()];
    const { id } = await other.ok('POST', '/v1/lead-lists', { name: 'Theirs' });
    for (const [method, rest] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/companies'],
      ['GET', '/leads'],
    ] as const) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
      const ask = (list: string | number) =>
        mine.call(method, `/v1/lead-lists/${list}${rest}`, body);
      const [foreign, missing, wrong] = [await ask(id), await ask(999_999), await ask('x')];
      expect({ status: foreign.status, code: foreign.body.code }).toEqual({
        status: 404,
        code: 'LEAD_LIST_NOT_FOUND',
      });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
      for (const large of ['9999999999999999', '9'.repeat(40)]) {
        const answer = await ask(large);
        expect({ ...answer.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
      }
      expect({ status: wrong.status, code: wrong.body.code }).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
      });
    }
    expect((await other.ok('GET', '/v1/lead-lists'))[0].name).toBe('Theirs');
  });
});

describe('what is in a list', () => {
  it('is shown by companies and leads, with the queries of choice 5', async () => {
    const { ok, call, add } = await newUser();
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const { company_id } = await add('Acme', ['Ann', 'Bob'], id);
    await add('Globex', ['Cyd'], id);
    await add('Elsewhere', ['Dan']);
    const names = async (query: string) =>
      (await ok('GET', `/v1/lead-lists/${id}/leads${query}`))
        .map((lead: { personFirstName: string }) => lead.personFirstName)
        .join(' ');
    expect(await names('')).toBe('Cyd Bob Ann');
    expect(await names('?sort=name&order=asc')).toBe('Ann Bob Cyd');
    expect(await names(`?companyId=${company_id}&search=bo`)).toBe('Bob');
    expect(await names('?status=contacted')).toBe('');
    expect(await names('?hasEmail=false')).toBe('');
    const { body } = await call('GET', `/v1/lead-lists/${id}/companies?sort=name&limit=1`);
    expect(body.data).toMatchObject([{ name: 'Acme', leadListId: id, leadsCount: 2 }]);
    expect(body.meta.pagination).toMatchObject({ total: 2, hasNext: true });
    const leads = await call('GET', `/v1/lead-lists/${id}/leads?page=2&limit=2`);
    expect(leads.body.meta.pagination).toMatchObject({ total: 3, totalPages: 2, hasNext: false });
  });
});

describe('DELETE /v1/lead-lists/:id', () => {
  it('deletes the list, its companies and the leads under them, and counts them exactly', async () => {
    const { ok, call, add } = await newUser();
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    await add('Acme', ['Ann', 'Bob'], id);
    await add('Globex', ['Cyd'], id);
    await add('Elsewhere', ['Dan']);
    const { status, body } = await call('DELETE', `/v1/lead-lists/${id}`);
    // Choice 62: the message stands in `data` as the specification lists it, and at top level.
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          lead_list_id: id,
          deleted_companies: 2,
          deleted_leads: 3,
          message: 'Lead list deleted',
        },
        message: 'Lead list deleted',
        meta: { requestId: expect.any(String) },
      },
    });
    expect(await ok('GET', '/v1/leads')).toMatchObject([{ personFirstName: 'Dan' }]);
    expect(await ok('GET', '/v1/companies')).toMatchObject([{ name: 'Elsewhere' }]);
    expect((await call('DELETE', `/v1/lead-lists/${id}`)).status).toBe(404);
  });

  it('of a big one answers at once, and leaves its rows to a job', async () => {
    const { userId, ok, call, add } = await newUser();
    const { db } = world.database;
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Big' });
    const { company_id: companyId, ids } = await add('Acme', ['Ann'], id);
    await add('Elsewhere', ['Dan']);
    await sql`insert into leads (user_id, company_id, name_key, email, email_key)
      select ${userId}, ${companyId}, 'p' || n, n || '@acme.example', n || '@acme.example'
      from generate_series(1, 10000) as n`.execute(db);
    const { status, body } = await call('DELETE', `/v1/lead-lists/${id}`);
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        lead_list_id: id,
        deleted_companies: 1,
        deleted_leads: 10_001,
        message: 'Lead list deleted',
      },
    });
    const gone = [`/v1/lead-lists/${id}`, `/v1/lead-lists/${id}/leads`, `/v1/leads/${ids[0]}`];
    for (const path of [...gone, `/v1/companies/${companyId}`]) {
      expect((await call('GET', path)).status).toBe(404);
    }
    for (const path of [...gone.slice(0, 1), gone[2]!, `/v1/companies/${companyId}`]) {
      expect((await call('PATCH', path, { name: 'x', personRole: 'x' })).status).toBe(404);
      expect((await call('DELETE', path)).status).toBe(404);
    }
    expect(await ok('GET', '/v1/lead-lists')).toEqual([]);
    expect(await ok('GET', '/v1/leads')).toMatchObject([{ personFirstName: 'Dan' }]);
    expect(await ok('GET', '/v1/companies')).toMatchObject([{ name: 'Elsewhere' }]);
    const operations = db.selectFrom('operations').select(['kind', 'workflow_id', 'input']);
    expect(await operations.where('user_id', '=', userId).execute()).toMatchObject([
      {
        kind: 'deleteLeadList',
        workflow_id: `lead-list-deletion/${id}`,
        input: { leadListId: id },
      },
    ]);
    const rows = db.selectFrom('leads').select(({ fn }) => fn.countAll<number>().as('n'));
    expect(await rows.where('company_id', '=', companyId).execute()).toEqual([{ n: 10_001 }]);
    await listDeletionActivities({ db }).removeListPortions({ leadListId: id });
    const leads = db.selectFrom('leads').select('first_name').where('user_id', '=', userId);
    expect(await leads.execute()).toEqual([{ first_name: 'Dan' }]);
  });

  it('leaves what has filled it, without the list (choice 4)', async () => {
    const { userId, ok } = await newUser();
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const { db } = world.database;
    const job = await db
      .insertInto('email_validation_jobs')
      .values({ user_id: userId, kind: 'list', lead_list_id: id, total: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ok('DELETE', `/v1/lead-lists/${id}`);
    const left = db
      .selectFrom('email_validation_jobs')
      .select('lead_list_id')
      .where('id', '=', job.id);
    expect(await left.executeTakeFirstOrThrow()).toEqual({ lead_list_id: null });
  });

  it('500 LEAD_LIST_DELETE_ERROR when it cannot be deleted, and then nothing of it is', async () => {
    const { ok, call, add } = await newUser();
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Held' });
    const { company_id } = await add('Acme', ['Ann'], id);
    const { ownerUrl } = world.database;
    const refuse = `create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'no'; end $$;
      create trigger refuse before delete on lead_lists for each row
        when (old.name = 'Held') execute function refuse()`;
    await execute(ownerUrl, refuse);
    const { status, body } = await call('DELETE', `/v1/lead-lists/${id}`);
    expect({ status, code: body.code, error: body.error }).toEqual({
      status: 500,
      code: 'LEAD_LIST_DELETE_ERROR',
      error: 'The lead list could not be deleted',
    });
    expect(await ok('GET', `/v1/companies/${company_id}`)).toMatchObject({ leadsCount: 1 });
  });
});

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
