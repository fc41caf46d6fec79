/** GET /v1/domains/:id/deliverability, and the check of it in the domain's health. Choice 76. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { insertMailReport, type ReportRow } from '../../src/db/mail-reports/mail-reports.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { addServer } from '../support/provisioning/servers.ts';

const OWN = '198.51.100.7';
const DAY_MS = 86_400_000;

const nothing = async () => [];
const { api, database } = describeApi(() => ({
  context: {
    dns: {
      resolveA: nothing,
      resolveMx: nothing,
      resolveNs: nothing,
      resolveTxt: nothing,
      resolveCaa: nothing,
    },
  } as unknown as Partial<Context>,
}));
let ann: string;
let bob: string;
let domainId: number;

beforeAll(async () => {
  [ann, bob] = [await api.jwt('ann'), await api.jwt('bob')];
  for (const token of [ann, bob]) await api.call('GET', '/v1/account', { token });
  const { db } = database;
  const made = await db
    .insertInto('domains')
    .values({
      user_id: 'ann',
      name: 'acme.com',
      provider: 'namecom',
      status: 'active',
      dkim_selector: 's1',
      dkim_public_key: 'key',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  domainId = made.id;
  const host = { user_id: 'ann', host_name: 'mail.acme.com', ipv4: OWN };
  const serverId = await addServer(db, { ...host, status: 'active' });
  await db
    .insertInto('clusters')
    .values({
      user_id: 'ann',
      name: 'acme',
      status: 'active',
      domain_id: domainId,
      server_id: serverId,
      use_existing_vps: false,
    })
    .execute();
  const line = (source: string, result: 'pass' | 'fail', messages: number): ReportRow => ({
    source,
    result,
    disposition: 'none',
    dkim: result,
    spf: result,
    auth_results: `spf=${result} acme.com`,
    messages,
  });
  await report('one.example', 1, [line(OWN, 'pass', 10), line('203.0.113.9', 'fail', 4)]);
  await report('two.example', 1, [line(OWN, 'pass', 5)]);
  await report('two.example', 3, [line(OWN, 'fail', 2)]);
  await report('two.example', 40, [line(OWN, 'pass', 99)]);
});

const report = (organization: string, daysAgo: number, rows: ReportRow[]) => {
  const beginsAt = new Date(Date.now() - daysAgo * DAY_MS);
  return database.db.transaction().execute((trx) =>
    insertMailReport(trx, {
      userId: 'ann',
      domainId,
      kind: 'dmarc',
      organization,
      reportId: `r${daysAgo}`,
      beginsAt,
      endsAt: beginsAt,
      receivedAt: new Date(),
      rows,
    }),
  );
};
const ask = (query = '', token = ann) =>
  api.call('GET', `/v1/domains/${domainId}/deliverability${query}`, { token });

describe('GET /v1/domains/:id/deliverability', () => {
  it('sums by day, source and result, newest first, with the judgement of our own server', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.data.lines).toMatchObject([
      {
        source: OWN,
        isOwnServer: true,
        result: 'pass',
        messages: 15,
        reporters: ['one.example', 'two.example'],
      },
      { source: '203.0.113.9', isOwnServer: false, result: 'fail', disposition: 'none' },
      { source: OWN, result: 'fail', messages: 2, authResults: 'spf=fail acme.com' },
    ]);
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    expect(body.data.lines[0].day).toBe(yesterday);
    expect(body.data.alignment).toEqual({
      state: 'warning',
      failingSince: null,
      sources: [OWN],
      messages: 17,
      failed: 2,
      reporters: 1,
    });
    expect(body.meta.pagination).toMatchObject({ page: 1, total: 3, hasNext: false });
  });

  it('pages, takes a time, and the other kind', async () => {
    const second = await ask('?limit=2&page=2');
    expect(second.body.data.lines).toHaveLength(1);
    expect(second.body.meta.pagination).toMatchObject({ page: 2, total: 3, totalPages: 2 });
    const behind = await ask('?limit=2&page=9');
    expect(behind.body.data.lines).toEqual([]);
    expect(behind.body.meta.pagination).toMatchObject({ total: 3 });
    expect((await ask('?days=60')).body.meta.pagination).toMatchObject({ total: 4 });
    expect((await ask('?kind=tls')).body.data.lines).toEqual([]);
    expect((await ask('?kind=spam')).status).toBe(400);
  });

  it('404 for another user’s domain', async () => {
    expect((await ask('', bob)).status).toBe(404);
  });
});

describe('GET /v1/domains/:id/health', () => {
  it('says what others report of the domain’s server', async () => {
    const { body } = await api.call('GET', `/v1/domains/${domainId}/health`, { token: ann });
    expect(body.data.checks.find(({ name }: { name: string }) => name === 'alignment')).toEqual({
      name: 'alignment',
      state: 'warning',
      message:
        'Of 17 messages of its server in the reports of the last 7 days 2 fail DMARC (reporters that say so: 1).',
    });
  });
});
