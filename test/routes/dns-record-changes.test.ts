/** Changing and deleting DNS records over HTTP. Choice 24. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { DnsRecord, DnsRecordInput } from '../../src/providers/registrars/port.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  context: { registrars: { namecom: registrar } } as unknown as Partial<Context>,
}));
let token: string;
let domainId: number;
let name: string;
let records: DnsRecord[];
let writes: string[];

const registrar = {
  name: 'namecom',
  recordTypes: ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'NS'],
  listRecords: async () => [...records],
  async createRecord(_domain: string, input: DnsRecordInput) {
    const record = { id: `${100 + records.length}`, ttl: 300, ...input };
    records.push(record);
    return record;
  },
  async updateRecord(_domain: string, id: string, input: DnsRecordInput) {
    writes.push(`update ${id}`);
    const record = { ttl: 300, ...input, id };
    records = records.map((each) => (each.id === id ? record : each));
    return record;
  },
  async deleteRecord(_domain: string, id: string) {
    writes.push(`delete ${id}`);
    records = records.filter((each) => each.id !== id);
  },
};

beforeAll(async () => {
  token = await api.jwt('ann');
  await api.call('GET', '/v1/account', { token });
});
let domains = 0;
beforeEach(async () => {
  name = `changes-${(domains += 1)}.com`;
  const { id } = await database.db
    .insertInto('domains')
    .values({ user_id: 'ann', name, provider: 'namecom', status: 'active' })
    .returning('id')
    .executeTakeFirstOrThrow();
  domainId = id;
  writes = [];
  records = [
    { id: '1', type: 'A', name: 'mail', value: '198.18.0.1', ttl: 300 },
    { id: '2', type: 'TXT', name: '@', value: 'v=spf1 mx -all', ttl: 300 },
    { id: '3', type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none', ttl: 300 },
    { id: '4', type: 'TXT', name: 's1._domainkey', value: 'v=DKIM1; k=rsa; p=key', ttl: 300 },
    { id: '5', type: 'MX', name: '@', value: `mail.${name}`, priority: 10, ttl: 300 },
    { id: '6', type: 'TXT', name: '@', value: 'site-proof=1', ttl: 300 },
    { id: 'abc-7', type: 'CNAME', name: 'www', value: 'elsewhere.test', ttl: 300 },
  ];
});

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/v1/domains/${domainId}/dns/${path}`, { token, ...(body && { body }) });
const change = (id: string, body: object) => call('PATCH', id, body);

/** A live cluster whose plan the records above fulfil. */
async function giveCluster() {
  const key = Buffer.from('sealed');
  const host = { host_name: `mail.${name}`, ipv4: '198.18.0.1' };
  const serverId = await addServer(database.db, { user_id: 'ann', ...host });
  await database.db
    .updateTable('domains')
    .set({ dkim_selector: 's1', dkim_public_key: 'key', dkim_private_key: key })
    .where('id', '=', domainId)
    .execute();
  await database.db
    .insertInto('clusters')
    .values({
      user_id: 'ann',
      domain_id: domainId,
      server_id: serverId,
      name,
      status: 'active',
      use_existing_vps: false,
      operation_id: null,
    })
    .execute();
}

describe('PATCH /v1/domains/:id/dns/:recordId', () => {
  it('changes what is given and leaves the rest, and all other records', async () => {
    const others = records.filter(({ id }) => id !== '5');
    const { status, body } = await change('5', { value: 'mx.other.test', priority: 20 });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: 5,
      type: 'MX',
      name: '@',
      value: 'mx.other.test',
      priority: 20,
      ttl: 300,
    });
    expect(records.filter(({ id }) => id !== '5')).toEqual(others);
  });

  it.each([
    ['DUPLICATE_SPF', '6', { value: 'v=spf1 a -all' }],
    ['DUPLICATE_DMARC', '6', { name: '_dmarc', value: 'v=DMARC1; p=reject' }],
    ['DUPLICATE_SPF', '6', { value: '"v=spf1" " a -all"' }],
    ['DUPLICATE_DMARC', '6', { name: '_dmarc', value: '"v=DMARC1; " "p=reject"' }],
    ['DUPLICATE_RECORD', '6', { name: 's1._domainkey', value: '"v=DKIM1; k=rsa; " "p=key"' }],
    ['VALIDATION_ERROR', '6', { value: '""' }],
    ['DUPLICATE_RECORD', '6', { name: 's1._domainkey', value: 'v=DKIM1; k=rsa; p=key' }],
    ['VALIDATION_ERROR', '1', { value: 'not an address' }],
    ['VALIDATION_ERROR', '1', { type: 'AAAA' }],
    ['VALIDATION_ERROR', '5', { priority: 70_000 }],
  ])('400 %s and nothing changed', async (code, id, body) => {
    const answer = await change(id, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(writes).toEqual([]);
  });

  it('widens the one SPF record, which is not its own rival', async () => {
    const { status } = await change('2', { value: 'v=spf1 mx include:other.test -all' });
    expect([status, writes]).toEqual([200, ['update 2']]);
  });

  it('asks the registrar for nothing where nothing changes', async () => {
    const { status } = await change('2', { value: 'v=spf1 mx -all', ttl: 300 });
    expect([status, writes]).toEqual([200, []]);
  });

  it('404 RECORD_NOT_FOUND, 404 for the domain of somebody else, 400 for no id', async () => {
    const missing = await change('99', { value: 'x' });
    const bob = { token: await api.jwt('bob'), body: { value: 'x' } };
    const foreign = await api.call('PATCH', `/v1/domains/${domainId}/dns/1`, bob);
    const odd = await change('a%20b', { value: 'x' });
    expect([missing.body.code, foreign.body.code]).toEqual([
      'RECORD_NOT_FOUND',
      'DOMAIN_NOT_FOUND',
    ]);
    expect([missing.status, foreign.status, odd.status]).toEqual([404, 404, 400]);
  });
});

describe('DELETE /v1/domains/:id/dns/:recordId', () => {
  it('takes one record, by an id that is no number, too', async () => {
    const { status, body } = await call('DELETE', 'abc-7');
    expect([status, body.data, writes]).toEqual([200, { id: 'abc-7' }, ['delete abc-7']]);
    expect((await call('DELETE', 'abc-7')).body.code).toBe('RECORD_NOT_FOUND');
  });
});

describe('records that a live cluster needs', () => {
  beforeEach(giveCluster);

  it.each(['1', '2', '3', '4', '5'])('record %s is not taken away unasked', async (id) => {
    const { status, body } = await call('DELETE', id);
    expect([status, body.code, writes]).toEqual([400, 'RECORD_IN_USE', []]);
    expect(body.error).toMatch(/^Cluster \d+ needs .*force=true/);
  });

  it('is not changed into something else, but its priority may', async () => {
    const refused = await change('5', { value: 'mx.other.test' });
    const changed = await change('5', { priority: 20 });
    expect([refused.body.code, changed.status, writes]).toEqual([
      'RECORD_IN_USE',
      200,
      ['update 5'],
    ]);
  });

  it('with force it is done, and the message says what the cluster lacks', async () => {
    const { status, body } = await call('DELETE', '5?force=true');
    expect([status, writes]).toEqual([200, ['delete 5']]);
    expect(body.message).toContain(`needs MX ${name}`);
  });

  it('what the cluster does not need goes without a word', async () => {
    const { status, body } = await call('DELETE', '6');
    expect([status, body.message]).toEqual([200, undefined]);
  });

  it('the policies may be widened', async () => {
    const { status } = await change('3', { value: 'v=DMARC1; p=quarantine' });
    expect(status).toBe(200);
  });
});

describe('POST /v1/domains/:id/dns', () => {
  it.each([
    [{ type: 'SRV', name: '_x._tcp', value: '1 443 a.test' }, { priority: 0 }],
    [{ type: 'SRV', name: '_x._tcp', value: '1 443 a.test', priority: 5 }, { priority: 5 }],
    [
      { type: 'MX', name: '', value: 'a.test' },
      { name: '@', priority: 10 },
    ],
    [
      { type: 'ns', name: 'sub', value: 'ns.test' },
      { type: 'NS', name: 'sub' },
    ],
    [{ type: 'AAAA', name: 'a', value: '2001:db8::1', priority: 3 }, { priority: undefined }],
    [{ type: 'CNAME', name: 'b', value: 'c.test', ttl: 600 }, { ttl: 600 }],
  ])('takes %j', async (body, shown) => {
    const answer = await api.call('POST', `/v1/domains/${domainId}/dns`, { token, body });
    expect(answer.status).toBe(201);
    expect({ ...answer.body.data, priority: answer.body.data.priority }).toMatchObject(shown);
  });

  it.each(['70000 443 a.test', '1 70000 a.test', '1 443', '1 443 a_b!'])(
    'refuses the SRV %s',
    async (value) => {
      const body = { type: 'SRV', name: '_x._tcp', value };
      const answer = await api.call('POST', `/v1/domains/${domainId}/dns`, { token, body });
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});
