/** Fields that accounts define: their definitions, and their values in leads, files and filters. Choice 99. */
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { customFieldDeletionActivities } from '../../activities/leads/custom-field-deletions.ts';
import type { Context } from '../../src/context.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';

const started: Operation[] = [];
const { api, database } = describeApi(() => ({
  context: {
    startOperation: async (operation: Operation) => started.push(operation) > 0,
  } as unknown as Partial<Context>,
}));
let token: string;
let userId: string;
let users = 0;

beforeEach(async () => {
  started.length = 0;
  userId = `user-${(users += 1)}`;
  token = await api.jwt(userId);
});

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token, ...(body && { body }) });

async function ok(method: string, path: string, body?: object) {
  const answer = await call(method, path, body);
  if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const define = (name: string, type = 'text', more: object = {}) =>
  ok('POST', '/v1/custom-fields', { name, type, ...more });

async function refused(method: string, path: string, body?: object) {
  const { status, body: answer } = await call(method, path, body);
  expect(status).toBe(400);
  const details = (answer.details ?? []) as { field: string; message: string }[];
  return { code: answer.code, fields: details.map(({ field }) => field), error: answer.error };
}

/** One of each type. */
const all = {
  industry: 'Bakery',
  employees: 12.5,
  founded: '1987-02-03',
  vip: false,
  page: 'https://acme.example/about',
};

async function defineAll() {
  await define('industry', 'text', { label: 'Branche der Firma', choices: ['Bakery', 'Butcher'] });
  await define('employees', 'number');
  await define('founded', 'date', { label: 'Gründung' });
  await define('vip', 'boolean');
  await define('page', 'url');
}

const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.com' };
const add = (person: object, name = 'Acme') =>
  ok('POST', '/v1/leads', { company_name: name, people: [person] });
const names = (rows: { personFirstName: string }[]) => rows.map((row) => row.personFirstName);

describe('/v1/custom-fields', () => {
  it('defines, lists, reads, changes and deletes fields', async () => {
    const field = await define('industry', 'text', { label: 'Industry', choices: ['A', 'B'] });
    expect(field).toMatchObject({
      name: 'industry',
      label: 'Industry',
      type: 'text',
      choices: ['A', 'B'],
    });
    expect(await define('size', 'number')).toMatchObject({ label: 'size', choices: null });
    const listed: { name: string }[] = await ok('GET', '/v1/custom-fields');
    expect(listed.map(({ name }) => name)).toEqual(['industry', 'size']);
    const path = `/v1/custom-fields/${field.id}`;
    expect(await ok('PATCH', path, { label: 'Sector', choices: null })).toMatchObject({
      id: field.id,
      name: 'industry',
      label: 'Sector',
      choices: null,
    });
    expect(await ok('GET', path)).toMatchObject({ label: 'Sector' });
    expect(await ok('DELETE', path)).toEqual({ id: field.id });
    expect((await call('GET', path)).body.code).toBe('CUSTOM_FIELD_NOT_FOUND');
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await call('PATCH', path, { label: 'x' })).status).toBe(404);
    // No lead had a value.
    expect(started).toEqual([]);
  });

  it.each([
    [{ name: '__proto__', type: 'text' }, ['name']],
    [{ name: 'A', type: 'text' }, ['name']],
    [{ name: 'a.b', type: 'text' }, ['name']],
    [{ name: 'a', type: 'money' }, ['type']],
    [{ name: 'a', type: 'number', choices: ['1'] }, ['choices']],
    [{ name: 'a', type: 'text', choices: [] }, ['choices']],
    [{ name: 'a', type: 'text', choices: ['x', 'X'] }, ['choices']],
    [{ type: 'text' }, ['name']],
  ])('refuses %j', async (body, fields) => {
    expect(await refused('POST', '/v1/custom-fields', body)).toMatchObject({ fields });
  });

  it('keeps names apart, and the name and type of each for good', async () => {
    const { id } = await define('size', 'number');
    const again = { name: 'size', type: 'text' };
    expect((await refused('POST', '/v1/custom-fields', again)).code).toBe('CUSTOM_FIELD_EXISTS');
    const path = `/v1/custom-fields/${id}`;
    for (const change of [{ name: 'other' }, { type: 'text' }, {}, { choices: ['a'] }]) {
      expect((await refused('PATCH', path, change)).code).toBe('VALIDATION_ERROR');
    }
  });

  it('takes fifty and no more, also at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 52 }, (_, at) =>
        call('POST', '/v1/custom-fields', { name: `f${at}`, type: 'text' }),
      ),
    );
    const codes = answers.filter(({ status }) => status === 400).map(({ body }) => body.code);
    expect(codes).toEqual(['TOO_MANY_CUSTOM_FIELDS', 'TOO_MANY_CUSTOM_FIELDS']);
    expect(await ok('GET', '/v1/custom-fields')).toHaveLength(50);
  });
});

describe('values', () => {
  beforeEach(defineAll);

  it('are taken of people and of a single person, shown, and their source with them', async () => {
    const { leads } = await add({ ...ann, custom: { ...all, industry: 'bakery', vip: null } });
    const { vip: _, ...kept } = all;
    expect(leads).toMatchObject([{ custom: kept }]);
    const single = { personFirstName: 'Bob', personLastName: 'Ray', personEmail: 'bob@b.com' };
    await ok('POST', '/v1/leads', { ...single, custom: all });
    await add({ firstName: 'Cid', lastName: 'Fox', email: 'cid@acme.com' });
    const shown = await ok('GET', `/v1/leads/${leads[0].id}`);
    expect(shown.custom).toEqual(kept);
    expect(shown.provenance.fields).toMatchObject({ 'custom.industry': { source: 'api' } });
    expect(shown.provenance.fields).not.toHaveProperty('custom.vip');
    const rows: { custom: object }[] = await ok('GET', '/v1/leads');
    expect(rows.map((row) => row.custom)).toEqual([{}, all, kept]);
    const page: { custom: object }[] = await ok('GET', '/v1/leads?page=1&limit=2');
    expect(page.map((row) => row.custom)).toEqual([{}, all]);
  });

  it('are refused by the name of the field, and nobody is stored', async () => {
    const people = [
      { ...ann, custom: { employees: 'many', none: 1 } },
      { ...ann, email: 'b@b.com', custom: JSON.parse('{"__proto__": 1, "constructor": 1}') },
    ];
    expect(await refused('POST', '/v1/leads', { company_name: 'Acme', people })).toEqual({
      code: 'VALIDATION_ERROR',
      // `__proto__` is dropped from every body.
      fields: [
        'people[0].custom.employees',
        'people[0].custom.none',
        'people[1].custom.constructor',
      ],
      error: expect.stringContaining('people[0].custom.employees: must be a number'),
    });
    const single = { personFirstName: 'B', personLastName: 'R', personEmail: 'bob@b.com' };
    const body = { ...single, custom: { founded: '2023-02-29' } };
    expect((await refused('POST', '/v1/leads', body)).fields).toEqual(['custom.founded']);
    for (const custom of [[], 'x', null]) {
      expect((await refused('POST', '/v1/leads', { ...single, custom })).fields).toEqual([
        'custom',
      ]);
    }
    expect(await ok('GET', '/v1/leads')).toEqual([]);
  });

  it('fill what is missing of a lead, and otherwise stay and are told', async () => {
    await add({ ...ann, custom: { industry: 'Bakery' } });
    const { leads } = await add({ ...ann, custom: { industry: 'Butcher', employees: 5 } });
    expect(leads).toMatchObject([
      { custom: { industry: 'Bakery', employees: 5 }, kept: ['custom.industry'] },
    ]);
    const again = await add({ ...ann, custom: { industry: 'Bakery', employees: 5 } });
    expect(again.leads[0]).not.toHaveProperty('kept');
    const shown = await ok('GET', `/v1/leads/${leads[0].id}`);
    expect(shown.custom).toEqual({ industry: 'Bakery', employees: 5 });
  });

  it('are changed and taken away one by one', async () => {
    const { leads } = await add({ ...ann, custom: all });
    const path = `/v1/leads/${leads[0].id}`;
    const changed = await ok('PATCH', path, { custom: { industry: 'Butcher', employees: null } });
    const { employees: _, ...others } = all;
    expect(changed.custom).toEqual({ ...others, industry: 'Butcher' });
    expect(changed.provenance.fields['custom.industry']).toMatchObject({ source: 'user' });
    const role = await ok('PATCH', path, { personRole: 'CEO' });
    expect(role.custom).toEqual({ ...others, industry: 'Butcher' });
    expect(await refused('PATCH', path, { custom: { vip: 'yes', other: null } })).toMatchObject({
      fields: ['custom.vip', 'custom.other'],
    });
    const none = Object.fromEntries(Object.keys(all).map((name) => [name, null]));
    expect((await ok('PATCH', path, { custom: none })).custom).toEqual({});
    expect(await ok('GET', '/v1/leads?custom.industry=Butcher')).toEqual([]);
  });

  it('are bounded together', async () => {
    for (let at = 0; at < 17; at += 1) await define(`t${at}`);
    const text = 'ü'.repeat(250);
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, text]));
    const { leads } = await add({ ...ann, custom: values(15) });
    const path = `/v1/leads/${leads[0].id}`;
    expect(await refused('PATCH', path, { custom: { t15: text, t16: text } })).toMatchObject({
      fields: ['custom'],
      error: expect.stringContaining('custom has more than 8,192 bytes'),
    });
    const more = { ...ann, custom: { t15: text, t16: text } };
    expect((await add(more)).leads[0].kept).toEqual(['custom.t16']);
    const other = { ...ann, email: 'x@y.com', custom: values(17) };
    const body = { company_name: 'Acme', people: [other] };
    expect((await refused('POST', '/v1/leads', body)).fields).toEqual(['people[0].custom']);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await defineAll();
    await add({ ...ann, custom: all });
    const bob = { firstName: 'Bob', lastName: 'Ray', email: 'bob@acme.com' };
    await add({ ...bob, custom: { industry: 'Bakery', employees: 100, founded: '2020-01-01' } });
    const cid = { firstName: 'Cid', lastName: 'Fox', email: 'cid@acme.com' };
    await add({ ...cid, custom: { industry: 'Butcher', employees: -1, vip: true } });
    await add({ firstName: 'Dan', lastName: 'Orr', email: 'dan@acme.com' });
  });

  it.each([
    ['custom.industry=Bakery', 'Bob Ann'],
    ['custom[industry]=Bakery&sort=name', 'Ann Bob'],
    ['custom.industry=bakery', ''],
    ['custom.employees=12.5', 'Ann'],
    ['custom.employees.min=12.5', 'Bob Ann'],
    ['custom.employees.max=12.5', 'Cid Ann'],
    ['custom[employees.min]=0&custom.employees.max=50', 'Ann'],
    ['custom.founded=2020-01-01', 'Bob'],
    ['custom.founded.max=2000-01-01', 'Ann'],
    ['custom.founded.min=1987-02-03', 'Bob Ann'],
    ['custom.vip=false', 'Ann'],
    ['custom.vip=true', 'Cid'],
    ['custom.page=https%3A%2F%2Facme.example%2Fabout', 'Ann'],
    ['custom.industry=Bakery&custom.employees.min=50', 'Bob'],
    ['custom.industry=Bakery&search=ann', 'Ann'],
    ['custom.industry=Bakery&status=replied', ''],
  ])('%s finds %j, all of them and page by page', async (query, found) => {
    const expected = found === '' ? [] : found.split(' ');
    expect(names(await ok('GET', `/v1/leads?${query}`))).toEqual(expected);
    const { body } = await call('GET', `/v1/leads?${query}&limit=1`);
    expect(names(body.data)).toEqual(expected.slice(0, 1));
    expect(body.meta.pagination.total).toBe(expected.length);
    const rows = parse((await call('GET', `/v1/leads/export?${query}`)).body, {
      columns: true,
      bom: true,
    }) as { personFirstName: string }[];
    expect(names(rows).toSorted()).toEqual(expected.toSorted());
    if (expected.length < 2) return;
    const { nextCursor } = body.meta.pagination;
    const next = await ok('GET', `/v1/leads?${query}&limit=1&cursor=${nextCursor}`);
    expect(names(next)).toEqual(expected.slice(1, 2));
  });

  it.each([
    ['custom.none=1', 'custom.none', 'there is no such custom field'],
    ['custom.__proto__=1', 'custom.__proto__', 'there is no such custom field'],
    ['custom[constructor]=1', 'custom.constructor', 'there is no such custom field'],
    ['custom.employees=many', 'custom.employees', 'must be a number'],
    ['custom.employees=', 'custom.employees', 'must be a number'],
    ['custom.founded.min=2023-02-29', 'custom.founded.min', 'must be a day such as 2026-03-01'],
    ['custom.industry.min=A', 'custom.industry.min', 'is of a number or a date'],
    ['custom.industry=', 'custom.industry', 'must not be empty'],
    ['custom=1', 'custom', 'must be an object'],
    ['custom.vip=true&custom[vip]=true', 'custom.vip', 'must be given once'],
  ])('%s is refused', async (query, field, words) => {
    const answer = await refused('GET', `/v1/leads?${query}`);
    expect(answer).toMatchObject({ code: 'VALIDATION_ERROR', fields: [field] });
    expect(answer.error).toContain(words);
  });

  it('see the leads of a list, and none of another account with a field of that name', async () => {
    const { id } = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
    const eve = { firstName: 'Eve', lastName: 'Poe', email: 'eve@e.com', custom: all };
    await ok('POST', '/v1/leads', { company_name: 'Else', leadListId: id, people: [eve] });
    const query = 'custom.industry=Bakery';
    expect(names(await ok('GET', `/v1/lead-lists/${id}/leads?${query}`))).toEqual(['Eve']);
    expect(names(await ok('GET', `/v1/leads?leadListId=${id}&${query}&page=1`))).toEqual(['Eve']);
    token = await api.jwt('stranger');
    expect((await refused('GET', `/v1/leads?${query}`)).fields).toEqual(['custom.industry']);
    await define('industry');
    expect(await ok('GET', `/v1/leads?${query}`)).toEqual([]);
  });
});

describe('a file', () => {
  async function importFile(body: object | string) {
    const headers = typeof body === 'string' ? { 'content-type': 'text/csv' } : {};
    const answer = await api.call('POST', '/v1/leads/import', { token, headers, body });
    expect(answer.status).toBe(201);
    await runLeadImport(database, answer.body.data.id);
    return ok('GET', `/v1/leads/import/${answer.body.data.id}`);
  }
  const custom = async () => {
    const rows: { personFirstName: string; custom: object }[] = await ok('GET', '/v1/leads');
    return Object.fromEntries(rows.map((row) => [row.personFirstName, row.custom]));
  };

  beforeEach(defineAll);

  it('is read by the names and labels of fields', async () => {
    const done = await importFile(
      [
        'First name,Email,Branche der Firma,EMPLOYEES,custom.vip,Gründung,Other',
        'Ann,ann@a.com,BAKERY,"1.200,5",ja,3.2.1987,x',
        'Bob,bob@b.com,,,,,',
        'Cid,cid@c.com,Baker,1,no,2020-01-01,x',
        'Dan,dan@d.com,Bakery,"1,200",no,2020-01-01,x',
      ].join('\n'),
    );
    expect(done).toMatchObject({
      importedLeads: 2,
      failedRows: 2,
      customColumns: {
        'custom.industry': 'Branche der Firma',
        'custom.employees': 'EMPLOYEES',
        'custom.vip': 'custom.vip',
        'custom.founded': 'Gründung',
      },
      ignoredColumns: ['Other'],
    });
    expect(await custom()).toEqual({
      Ann: { industry: 'Bakery', employees: 1_200.5, vip: true, founded: '1987-02-03' },
      Bob: {},
    });
    const errors = parse((await call('GET', `/v1/leads/import/${done.id}/errors`)).body, {
      columns: true,
      bom: true,
    });
    expect(errors).toMatchObject([
      { row: '4', column: 'Branche der Firma', problem: 'is not one of Bakery, Butcher' },
      { row: '5', column: 'EMPLOYEES', problem: expect.stringContaining('thousands') },
    ]);
    const ofAnn = (await ok('GET', '/v1/leads?custom.vip=true'))[0];
    expect(
      (await ok('GET', `/v1/leads/${ofAnn.id}`)).provenance.fields['custom.vip'],
    ).toMatchObject({
      source: 'csv',
    });
  });

  it('is read by a mapping, whose mistakes are named', async () => {
    const csv = 'mail,sector,size\nann@a.com,Bakery,5';
    const done = await importFile({
      csv,
      mapping: { personEmail: 'mail', 'custom.industry': 'Sector' },
    });
    expect(done).toMatchObject({
      customColumns: { 'custom.industry': 'sector' },
      ignoredColumns: ['size'],
    });
    const upload = (mapping: object) => refused('POST', '/v1/leads/import', { csv, mapping });
    const mail = { personEmail: 'mail' };
    expect((await upload({ ...mail, 'custom.none': 'size' })).fields).toEqual([
      'mapping.custom.none',
    ]);
    expect((await upload({ ...mail, 'custom.industry': 'trade' })).fields).toEqual([
      'mapping.custom.industry',
    ]);
    expect((await upload({ ...mail, industry: 'sector' })).error).toContain(
      'unknown fields: industry',
    );
  });

  it('fills and keeps as requests do, with many rows as with few', async () => {
    await add({ ...ann, custom: { industry: 'Butcher' } });
    const many = Array.from({ length: 300 }, (_, at) => `P${at},p${at}@acme.com,Acme,Bakery,${at}`);
    const done = await importFile(
      [
        'First name,Email,Company,industry,employees',
        'Ann,ann@acme.com,Acme,Bakery,7',
        ...many,
      ].join('\n'),
    );
    expect(done).toMatchObject({ importedLeads: 300, foundLeads: 1, differingLeads: 1 });
    expect(await custom()).toMatchObject({
      Ann: { industry: 'Butcher', employees: 7 },
      P299: { industry: 'Bakery', employees: 299 },
    });
    const { body } = await call('GET', '/v1/leads?custom.employees.min=290&limit=5');
    expect(body.meta.pagination.total).toBe(10);
  });

  it('is what an export is, formulas and all', async () => {
    await define('note');
    await add({ ...ann, custom: { ...all, employees: -5, note: '=1+1, "quoted"' } });
    const exported = (await call('GET', '/v1/leads/export')).body;
    expect(parse(exported, { columns: true, bom: true })).toMatchObject([
      {
        'custom.industry': 'Bakery',
        'custom.employees': '-5',
        'custom.founded': '1987-02-03',
        'custom.vip': 'false',
        'custom.note': `'=1+1, "quoted"`,
      },
    ]);
    const before = await custom();
    const [lead] = await ok('GET', '/v1/leads');
    await ok('DELETE', `/v1/leads/${lead.id}`);
    expect(await importFile(exported)).toMatchObject({
      importedLeads: 1,
      ignoredColumns: expect.any(Array),
    });
    expect(await custom()).toEqual(before);
  });
});

describe('a field that is deleted', () => {
  it('is hidden at once, is another one when it is defined again, and loses its values', async () => {
    const { id } = await define('size', 'number');
    await define('kept');
    const { db } = database;
    const people = Array.from({ length: 2_300 }, (_, at) => ({
      firstName: `P${at}`,
      lastName: 'X',
      email: `p${at}@acme.com`,
      custom: [{ id, name: 'size', value: at }],
    }));
    const group = { company: { name: 'Acme' }, people };
    await importGroups(db, { userId, leadListId: null, source: null, groups: [group] });
    const [first] = await ok('GET', '/v1/leads?limit=1');
    await ok('PATCH', `/v1/leads/${first.id}`, { custom: { kept: 'this' } });

    await ok('DELETE', `/v1/custom-fields/${id}`);
    expect((await ok('GET', `/v1/leads/${first.id}`)).custom).toEqual({ kept: 'this' });
    expect((await refused('GET', '/v1/leads?custom.size.min=0')).fields).toEqual([
      'custom.size.min',
    ]);
    expect((await call('GET', '/v1/leads/export')).body).not.toContain('custom.size');
    const again = await define('size', 'text');
    expect(again.id).not.toBe(id);
    expect((await ok('GET', `/v1/leads/${first.id}`)).custom).toEqual({ kept: 'this' });
    expect(await ok('GET', '/v1/leads?custom.size=1')).toEqual([]);

    expect(started).toMatchObject([{ kind: 'deleteCustomField', input: { customFieldId: id } }]);
    const left = async () =>
      (
        await db
          .selectFrom('custom_values')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where('field_id', '=', id)
          .executeTakeFirstOrThrow()
      ).n;
    expect(await left()).toBe(300);
    const activities = customFieldDeletionActivities({ db }, { portion: 100, portionsAtOnce: 2 });
    expect(await activities.removeCustomValuePortions({ customFieldId: id })).toEqual({
      isDone: false,
      progress: '200 values removed',
    });
    expect(await left()).toBe(100);
    expect(await activities.removeCustomValuePortions({ customFieldId: id })).toMatchObject({
      isDone: true,
    });
    expect(await left()).toBe(0);
    // A repeat finds nothing.
    expect(await activities.removeCustomValuePortions({ customFieldId: id })).toEqual({
      isDone: true,
      progress: '0 values removed',
    });
    const rows = db.selectFrom('leads').select('custom').where('user_id', '=', userId);
    expect((await rows.where('custom', 'is not', null).execute()).length).toBe(1);
    const operations = await ok('GET', '/v1/operations?resourceType=custom_field');
    const resource = { type: 'custom_field', id };
    expect(operations).toMatchObject([{ kind: 'deleteCustomField', resource }]);
  });
});

it('values go with the lead, and with an erasure', async () => {
  await define('note');
  const { leads } = await add({ ...ann, custom: { note: 'secret' } });
  await add({ firstName: 'Bob', lastName: 'R', email: 'bob@b.com', custom: { note: 'secret' } });
  const values = () =>
    database.db.selectFrom('custom_values').select('text').where('text', '=', 'secret').execute();
  expect(await values()).toHaveLength(2);
  await ok('DELETE', `/v1/leads/${leads[0].id}`);
  expect(await values()).toHaveLength(1);
  await ok('POST', '/v1/erasures', { email: 'bob@b.com' });
  expect(await values()).toEqual([]);
});
