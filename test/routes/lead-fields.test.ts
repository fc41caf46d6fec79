/** Each plain field of leads goes every way that leads go, from its declaration alone. */
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { LEAD_FIELDS, PLAIN_FIELDS } from '../../src/domain/leads/lead-fields.ts';
import { runLeadImport } from '../support/leads/lead-imports.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  context: { startOperation: async () => true } as unknown as Partial<Context>,
}));
let token: string;
let users = 0;

beforeEach(async () => {
  token = await api.jwt(`user-${(users += 1)}`);
});

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token, ...(body && { body }) });

async function ok(method: string, path: string, body?: object) {
  const answer = await call(method, path, body);
  if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.com' };
const underCompany = (person: object) => ({ company_name: 'Acme', people: [person] });

async function imported(lines: string[]) {
  const headers = { 'content-type': 'text/csv' };
  const answer = await api.call('POST', '/v1/leads/import', {
    token,
    headers,
    body: lines.join('\n'),
  });
  expect(answer.status).toBe(201);
  await runLeadImport(database, answer.body.data.id);
  return ok('GET', `/v1/leads/import/${answer.body.data.id}`);
}

async function exported(): Promise<Record<string, string>[]> {
  const { body } = await call('GET', '/v1/leads/export');
  return parse(body, { columns: true, bom: true });
}

/** Fields of which requests give only what they accept have other words than any text. */
const ZONES = {
  one: 'Europe/Berlin',
  two: 'Asia/Tokyo',
  mine: 'Africa/Lagos',
  first: 'America/Denver',
  second: 'Asia/Seoul',
};

describe.each(PLAIN_FIELDS)('%s', (field) => {
  const { wire, max } = LEAD_FIELDS[field];
  const isAnyText = !('accepts' in LEAD_FIELDS[field]);
  const text = (word: keyof typeof ZONES) => (isAnyText ? word : ZONES[word]);

  it('is taken under a company and of a single person, shown, listed and exported', async () => {
    const { leads } = await ok(
      'POST',
      '/v1/leads',
      underCompany({ ...ann, [field]: ` ${text('one')} ` }),
    );
    expect(leads).toMatchObject([{ [wire]: text('one') }]);
    const single = {
      personFirstName: 'Bob',
      personLastName: 'Ray',
      personEmail: 'bob@other.com',
      [wire]: text('two'),
    };
    const added = await ok('POST', '/v1/leads', single);
    expect(await ok('GET', `/v1/leads/${leads[0].id}`)).toMatchObject({
      [wire]: text('one'),
      provenance: { fields: { [wire]: { source: 'api' } } },
    });
    expect(await ok('GET', `/v1/leads/${added.leads[0].id}`)).toMatchObject({
      [wire]: text('two'),
    });
    const listed: Record<string, unknown>[] = await ok('GET', '/v1/leads');
    expect(listed.map((lead) => lead[wire])).toEqual([text('two'), text('one')]);
    expect((await exported()).map((row) => row[wire]).toSorted()).toEqual(
      [text('one'), text('two')].toSorted(),
    );
  });

  it('is set and cleared by a change, which notes its source', async () => {
    const { leads } = await ok('POST', '/v1/leads', underCompany(ann));
    const path = `/v1/leads/${leads[0].id}`;
    expect(await ok('PATCH', path, { [wire]: text('mine') })).toMatchObject({
      [wire]: text('mine'),
      provenance: { fields: { [wire]: { source: 'user' } } },
    });
    expect(await ok('PATCH', path, { personFirstName: 'Anna' })).toMatchObject({
      [wire]: text('mine'),
    });
    expect(await ok('PATCH', path, { [wire]: null })).toMatchObject({ [wire]: null });
  });

  it('is filled in where it is empty, and otherwise kept and told', async () => {
    await ok('POST', '/v1/leads', underCompany(ann));
    const fill = async (word: 'first' | 'second') =>
      (await ok('POST', '/v1/leads', underCompany({ ...ann, [field]: text(word) }))).leads[0];
    expect(await fill('first')).toMatchObject({ [wire]: text('first') });
    expect(await fill('second')).toMatchObject({ [wire]: text('first'), kept: [wire] });
  });

  it('is read from files by any of its headers, and exported as it is read', async () => {
    const { headers } = LEAD_FIELDS[field];
    const found = await imported([`email,${headers.at(-1)}`, 'ann@acme.com,of a file']);
    expect(found).toMatchObject({ importedLeads: 1, failedRows: 0 });
    expect(await exported()).toMatchObject([{ [wire]: 'of a file' }]);
    await imported([`email,${wire}`, 'bob@acme.com,by its name']);
    expect((await exported()).map((row) => row[wire]).toSorted()).toEqual([
      'by its name',
      'of a file',
    ]);
  });

  it.runIf(isAnyText)('holds what it may hold, and no letter more', async () => {
    const [most, more] = ['x'.repeat(max), 'x'.repeat(max + 1)];
    const { leads } = await ok('POST', '/v1/leads', underCompany({ ...ann, [field]: most }));
    expect(leads).toMatchObject([{ [wire]: most }]);
    const path = `/v1/leads/${leads[0].id}`;
    expect((await call('PATCH', path, { [wire]: more })).status).toBe(400);
    const refused = await call('POST', '/v1/leads', underCompany({ ...ann, [field]: more }));
    expect(refused.status).toBe(400);
    const rows = [`email,${wire}`, `bob@acme.com,${most}`, `eve@acme.com,${more}`];
    expect(await imported(rows)).toMatchObject({ importedLeads: 1, failedRows: 1 });
  });
});

describe('the time zone of a lead', () => {
  it('is one that exists in requests, and anything in files', async () => {
    const { status, body } = await call(
      'POST',
      '/v1/leads',
      underCompany({ ...ann, timezone: 'EST5' }),
    );
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { details: [{ message: expect.stringContaining('IANA time zone') }] },
    });
    const words = 'Eastern Time (US & Canada)';
    expect(await imported(['email,Time zone', `ann@acme.com,${words}`])).toMatchObject({
      importedLeads: 1,
    });
    expect(await exported()).toMatchObject([{ personTimezone: words }]);
    const long = 'x'.repeat(65);
    const found = await imported(['email,Time zone', `eve@acme.com,${long}`]);
    expect(found).toMatchObject({ importedLeads: 1, failedRows: 0 });
    expect((await exported()).map((row) => row['personTimezone'])).toContain('');
  });
});
