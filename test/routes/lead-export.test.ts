/** Leads as CSV files: whole, safe to open, and the same set when they are imported again. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import type { LeadGroup } from '../../src/domain/leads/leads.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  context: { startOperation: async () => true } as unknown as Partial<Context>,
}));
let token: string;
let userId: string;
let users = 0;

beforeEach(() => newUser());

async function newUser(): Promise<void> {
  userId = `user-${(users += 1)}`;
  token = await api.jwt(userId);
  await api.call('GET', '/v1/account', { token });
}

const get = (path: string) => api.call('GET', path, { token });

const rowsOf = (body: string): Record<string, string>[] => parse(body, { columns: true });

const store = (groups: LeadGroup[], leadListId: number | null = null) =>
  importGroups(database.db, { userId, leadListId, source: 'test', groups });

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@acme.com',
  phone: '+49 30 123456',
  role: '=cmd',
};
const acme = {
  name: '@Acme, "Inc"',
  website: 'https://acme.com',
  city: 'Berlin',
  countryCode: 'DE',
};

async function aList(): Promise<number> {
  const { body } = await api.call('POST', '/v1/lead-lists', { token, body: { name: 'A list' } });
  return body.data.id;
}

describe('GET /v1/leads/export', () => {
  it('has every lead with its company, named as on the wire', async () => {
    await store([
      { company: acme, people: [ada] },
      { company: null, people: [{ firstName: 'Bob', lastName: '', phone: '+4930999999' }] },
    ]);
    const { status, headers, body } = await get('/v1/leads/export?format=csv');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="leads.csv"');
    const [first, second] = rowsOf(body);
    expect(first).toMatchObject({
      personFirstName: 'Ada',
      personEmail: 'ada@acme.com',
      personPhone: '+49 30 123456',
      personRole: "'=cmd",
      status: 'pending',
      leadSource: 'test',
      companyName: '\'@Acme, "Inc"',
      companyWebsite: 'https://acme.com',
      companyCountryCode: 'DE',
      emailValid: '',
    });
    expect(second).toMatchObject({ personFirstName: 'Bob', companyName: '', companyId: '' });
  });

  it('begins with a byte order mark, for Excel', async () => {
    const response = await fetch(`${api.url}/v1/leads/export`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from('\uFEFF'));
    expect(bytes.toString()).toMatch(/^\uFEFFid,personFirstName,.*\r\n$/);
  });

  it('takes the filters of GET /v1/leads', async () => {
    const list = await aList();
    await store([{ company: acme, people: [ada] }], list);
    await store([
      { company: null, people: [{ firstName: 'Bob', lastName: '', phone: '030 99999' }] },
    ]);
    const names = async (query: string) =>
      rowsOf((await get(`/v1/leads/export${query}`)).body).map((row) => row.personFirstName);
    expect(await names(`?leadListId=${list}`)).toEqual(['Ada']);
    expect(await names('?hasEmail=false')).toEqual(['Bob']);
    expect(await names('?search=acme')).toEqual(['Ada']);
    expect(await names('')).toEqual(['Ada', 'Bob']);
  });

  it('refuses other formats', async () => {
    expect(await get('/v1/leads/export?format=xlsx')).toMatchObject({ status: 400 });
  });
});

describe('GET /v1/lead-lists/:id/export', () => {
  it('has the leads of the list', async () => {
    const list = await aList();
    await store([{ company: acme, people: [ada] }], list);
    await store([{ company: { name: 'Other' }, people: [{ ...ada, email: 'b@other.de' }] }]);
    const { headers, body } = await get(`/v1/lead-lists/${list}/export`);
    expect(headers.get('content-disposition')).toContain(`lead-list-${list}.csv`);
    expect(rowsOf(body)).toHaveLength(1);
  });

  it('answers 404 for a list that is missing or somebody else’s', async () => {
    const list = await aList();
    await newUser();
    for (const path of [
      `/v1/lead-lists/${list}/export`,
      `/v1/leads/export?leadListId=${list}`,
      '/v1/lead-lists/999999/export',
    ]) {
      expect(await get(path)).toMatchObject({ status: 404, body: { code: 'LEAD_LIST_NOT_FOUND' } });
    }
  });
});

const text = fc
  .string({
    unit: fc.constantFrom('a', 'Ö', 'ß', '"', ',', ';', '=', '-', '+', "'", '\n', ' ', '7'),
  })
  .map((each) => each.trim());
const person = fc.record({
  firstName: text,
  lastName: text,
  role: text,
  email: fc.nat(99).map((n) => `p${n}@example.com`),
  phone: fc.constantFrom('', '+49 30 1234567', '030/1234567-8', '(030) 12 34 56'),
});
const group = fc.record({
  company: fc.record({ name: text.map((name) => `C${name}`), city: text, category: text }),
  people: fc.array(person, { minLength: 1, maxLength: 4 }),
});

describe('what was exported', () => {
  it('gives the same set when it is imported into another account', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 5 }), async (groups) => {
        await newUser();
        await store(groups);
        const exported = (await get('/v1/leads/export')).body;
        const before = await contentOf();
        await newUser();
        const headers = { 'content-type': 'text/csv' };
        const file = { token, headers, body: exported };
        const { body } = await api.call('POST', '/v1/leads/import', file);
        await runLeadImport(database, body.data.id);
        expect(await contentOf()).toEqual(before);
      }),
      { numRuns: 30 },
    );
  });
});

/** People and their companies without ids and times. */
async function contentOf(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select jsonb_build_array(first_name, last_name, role, email, l.phone, c.name,
      nullif(c.city, ''), nullif(c.category, ''))::text as line
    from leads l left join companies c on c.id = l.company_id
    where l.user_id = ${userId} order by line`.execute(database.db);
  return rows.map(({ line }) => line);
}
