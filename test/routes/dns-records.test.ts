/** DNS records over HTTP, with a registrar that is slow, down or says no. Choice 24. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { createSignal } from '../support/tools/signal.ts';

const { api, database } = describeApi(() => {
  const logger = {
    error: (line: unknown) => logged.push(line),
    warn: (line: unknown) => logged.push(line),
  };
  const context = { registrars: { namecom: registrar }, logger };
  return { context: context as unknown as Partial<Context> };
});
let token: string;
let path: string;
let records: object[];
/** What the registrar does before it answers. */
let answering: () => Promise<unknown>;
let failure: ProviderError | undefined;
const logged: unknown[] = [];

const registrar = {
  name: 'namecom',
  recordTypes: ['A', 'TXT', 'MX'],
  async listRecords() {
    await answering();
    if (failure) throw failure;
    return [...records];
  },
  async createRecord(_domain: string, input: object) {
    await answering();
    const record = { id: `${records.length}`, ttl: 300, ...input };
    records.push(record);
    return record;
  },
};

beforeAll(async () => {
  token = await api.jwt('ann');
  await api.call('GET', '/v1/account', { token });
});
let domains = 0;
beforeEach(async () => {
  [records, answering, failure] = [[], async () => undefined, undefined];
  const { id } = await database.db
    .insertInto('domains')
    .values({
      user_id: 'ann',
      name: `dns-${(domains += 1)}.com`,
      provider: 'namecom',
      status: 'active',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  path = `/v1/domains/${id}/dns`;
});

const spf = { type: 'TXT', name: '@', value: 'v=spf1 mx -all' };
const add = (body: object) => api.call('POST', path, { token, body });

describe('POST /v1/domains/:id/dns', () => {
  it('makes one SPF record of two at once', async () => {
    answering = () => sleep(400);
    const answers = await Promise.all([add(spf), add({ ...spf, value: 'v=spf1 a -all' })]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 400)!.body.code).toBe('DUPLICATE_SPF');
    expect(records).toHaveLength(1);
  });

  it.each([
    ['DUPLICATE_SPF', spf, '"v=spf1" " mx ~all"'],
    ['DUPLICATE_SPF', spf, '"v=sp" "f1 a -all"'],
    [
      'DUPLICATE_DMARC',
      { ...spf, name: '_dmarc', value: 'v=DMARC1; p=none' },
      '"v=DMARC1;p=reject"',
    ],
  ])('400 %s for a second one in quotes', async (code, first, value) => {
    expect((await add(first)).status).toBe(201);
    const { status, body } = await add({ ...first, value });
    expect([status, body.code]).toEqual([400, code]);
    expect(records).toHaveLength(1);
  });

  it('makes one text of quoted pieces', async () => {
    await add({ ...spf, value: '"v=spf1" " mx ~all"' });
    expect(records).toMatchObject([{ value: 'v=spf1 mx ~all' }]);
  });

  it('holds no connection while the registrar takes its time', async () => {
    const [asked, answers] = [createSignal(), createSignal()];
    answering = async () => {
      asked.open();
      await answers.opened;
    };
    const slow = Array.from({ length: 10 }, (_, n) => add({ ...spf, value: `text ${n}` }));
    await asked.opened;
    // Those who want the next turn look for it in short transactions.
    const held = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(database.db);
      return rows;
    };
    await expect.poll(held).toEqual([]);
    expect((await api.call('GET', '/v1/account', { token })).status).toBe(200);
    answers.open();
    // Turns may end before the last one's patience does: none is an error of ours.
    for (const { status } of await Promise.all(slow)) expect([201, 502]).toContain(status);
  });

  it('502 with a reason while a workflow has the turn for long', async () => {
    await sql`insert into leases (name, owner, expires_at)
      values (${`domain ${path.split('/')[3]}`}, gen_random_uuid(), now() + interval '1 minute')`.execute(
      database.db,
    );
    const { status, body } = await add(spf);
    expect([status, body.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
    expect(body.error).toMatch(/being changed/);
    expect(records).toEqual([]);
  });

  it.each(['CAA', 'caa', 'TLSA', 'NS'])('400 RECORD_TYPE_NOT_SUPPORTED for %s', async (type) => {
    const { status, body } = await add({ type, name: '@', value: '0 issue "ca.test"' });
    expect([status, body.code]).toEqual([400, 'RECORD_TYPE_NOT_SUPPORTED']);
  });

  it.each(['', 'A B', 'TYPE-257', 'X'.repeat(11), 7])(
    '400 VALIDATION_ERROR for %j',
    async (type) => {
      const { status, body } = await add({ type, name: '@', value: 'x' });
      expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('tells a 502 in words of ours, and the vendor’s words to the log alone', async () => {
    failure = new ProviderError('unavailable', 'GET 10.1.2.3/core/v1: bad gateway', {
      provider: 'namecom',
    });
    const { status, body } = await add(spf);
    expect([status, body.error]).toEqual([
      502,
      'The registrar is not available; try again shortly',
    ]);
    const { err } = logged.at(-1) as { err: Error };
    expect((err.cause as Error).message).toContain('bad gateway');
  });

  it('400 with the registrar’s reason for what it refuses', async () => {
    failure = new ProviderError('rejected', 'Invalid host', { provider: 'namecom' });
    const { status, body } = await add(spf);
    expect([status, body.code, body.error]).toEqual([400, 'PROVIDER_REJECTED', 'Invalid host']);
  });
});
