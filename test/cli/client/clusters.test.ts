/** Clusters and the wallet by the command line of a client: quotes, a yes, one order, following it. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { credit } from '../../../src/db/wallet/ledger.ts';
import { describeApi } from '../../support/api/describe-api.ts';
import { outreachWith, piping, typing, type Ended } from '../../support/cli/client.ts';
import { startJsonServer } from '../../support/tools/json-server.ts';
import { movement } from '../../support/wallet/wallet.ts';

const quote = async () => ({ available: true, premium: false, priceCents: 1_200, termYears: 1 });
const registrar = {
  name: 'namecom',
  recordTypes: ['TXT'],
  quote,
  quoteAll: (domains: string[]) =>
    Promise.all(
      domains.map(async (domain) => ({
        domain,
        ...(await quote()),
        available: !domain.startsWith('taken'),
      })),
    ),
  find: async () => null,
};

// Nothing runs behind the API: rows are written, and workflows would be started later.
const { api, database } = describeApi(() => {
  const context = { startOperation: async () => false, registrars: { namecom: registrar } };
  return { context: context as unknown as Partial<Context> };
});

let token: string;

beforeAll(async () => {
  token = await api.jwt('clusters');
  await api.call('GET', '/v1/account', { token });
  await database.db.transaction().execute((trx) => credit(trx, movement('clusters', 10_000)));
});

const login = () => ({ OUTREACH_URL: api.url, OUTREACH_API_KEY: token });
const outreach = (argv: string[], input?: Parameters<typeof outreachWith>[2]): Promise<Ended> =>
  outreachWith(login(), argv, input);
const call = async (path: string) => (await api.call('GET', path, { token })).body.data;
const order = (domain: string, ...options: string[]) =>
  outreach(['clusters', 'create', domain, ...options]);
const domains = async () =>
  (await call('/v1/clusters')).map((one: { domain: string }) => one.domain);

describe('outreach clusters create', () => {
  it('says what it costs and does nothing without a yes', async () => {
    const no = await outreach(['clusters', 'create', 'no.com'], typing('n'));
    expect(no).toMatchObject({ code: 1, out: '' });
    expect(no.err).toMatch(/buy no\.com +\$16\.00/);
    expect(no.err).toMatch(/rent a server +\$25\.00/);
    expect(no.err).toContain('It costs $41.00 of the $100.00 in the wallet.');
    expect(no.err).toContain(api.url);
    const nobody = await outreach(['clusters', 'create', 'no.com'], piping('y'));
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining('it wants --yes') });
    expect(await domains()).toEqual([]);
  });

  it('orders once, however often it is sent with one key, and gives what the API gives', async () => {
    const first = await outreach(
      ['clusters', 'create', 'once.com', '--idempotency-key', 'one', '--json'],
      typing('yes'),
    );
    expect(first.code).toBe(0);
    const again = await order('once.com', '--idempotency-key', 'one', '--json', '--yes');
    const made = JSON.parse(first.out);
    expect(JSON.parse(again.out)).toEqual(made);
    expect(await domains()).toEqual(['once.com']);
    expect(await call(`/v1/clusters/${made.id}`)).toMatchObject({ jobId: made.jobId });
  });

  it('refuses by itself what cannot be bought or paid', async () => {
    expect(await order('taken.com', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^DOMAIN_UNAVAILABLE: taken\.com cannot be bought/),
    });
    await order('second.com', '--yes');
    const poor = await order('third.com', '--yes');
    expect(poor.err).toMatch(/^INSUFFICIENT_BALANCE: it costs \$41\.00, the wallet has \$18\.00/);
    expect((await order('a.com', '--server', '3')).code).toBe(2);
  });

  it('names the field that the API refuses, and the request', async () => {
    const { code, out, err } = await order('no_name', '--owned', '--use-existing-server', '--yes');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^VALIDATION_ERROR: /m);
    expect(err).toMatch(/^ {2}domain: /m);
    expect(err).toMatch(/^Request: [\w-]+$/m);
  });

  it('says how to repeat it where no answer comes, and shows no key', async () => {
    const server = await startJsonServer();
    server.answer = (request) =>
      request.startsWith('POST /v1/clusters')
        ? { status: 500, body: { error: 'broken', code: 'INTERNAL', requestId: 'r1' } }
        : { status: 200, body: { data: { availableCents: 9_000 } } };
    const key = `svc_${'c'.repeat(64)}`;
    const { code, err } = await outreachWith({ OUTREACH_URL: server.url, OUTREACH_API_KEY: key }, [
      'clusters',
      'create',
      'x.com',
      '--owned',
      '--yes',
      '--idempotency-key',
      'k1',
    ]);
    server.close();
    expect(code).toBe(1);
    expect(err).toContain('INTERNAL: broken');
    expect(err).toContain('repeat it with --idempotency-key k1');
    expect(err).not.toContain(key);
  });
});

describe('outreach clusters', () => {
  it('lists and shows them as a table, and as the API gives them', async () => {
    const { out, code } = await outreach(['clusters', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^ID +DOMAIN +STATUS +ADDRESS +MAILBOXES +SENDING +MADE$/);
    expect(out).toMatch(/^\d+ +once\.com +provisioning /m);
    const listed = await outreach(['clusters', 'list', '--json']);
    expect(JSON.parse(listed.out)).toEqual(await call('/v1/clusters'));
    const [{ id }] = JSON.parse(listed.out);
    const shown = await outreach(['clusters', 'show', String(id), '--json']);
    expect(JSON.parse(shown.out)).toEqual(await call(`/v1/clusters/${id}`));
    expect(await outreach(['clusters', 'show', '999999'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^CLUSTER_NOT_FOUND: /),
    });
  });

  it('reads as many rows as are asked for, and says that there are more', async () => {
    const one = await outreach(['clusters', 'list', '--limit', '1', '--json']);
    expect(JSON.parse(one.out)).toHaveLength(1);
    expect(one.err).toBe('There are more: --limit 2, or --all.');
    const all = await outreach(['clusters', 'list', '--all', '--json']);
    expect([JSON.parse(all.out).length, all.err]).toEqual([2, '']);
    expect((await outreach(['clusters', 'list', '--limit', '2'])).err).toBe('');
  });

  it('watches one until it is active, or has failed', async () => {
    const [{ id }] = await call('/v1/clusters?limit=1');
    const watched = outreach(['clusters', 'watch', String(id), '--json']);
    await sql`update clusters set status = 'active' where id = ${id}`.execute(database.db);
    const active = await watched;
    expect([active.code, JSON.parse(active.out).status]).toEqual([0, 'active']);
    await sql`update clusters set status = 'failed' where id = ${id}`.execute(database.db);
    const failed = await outreach(['clusters', 'watch', String(id)]);
    expect(failed).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Cluster ${id} is failed`),
    });
    await sql`update clusters set status = 'provisioning' where id = ${id}`.execute(database.db);
    const late = await outreach(['clusters', 'watch', String(id), '--timeout', '1']);
    expect(late.code).toBe(1);
    expect(late.err).toContain(`It goes on: outreach clusters watch ${id}`);
  });

  it('deletes one after a yes', async () => {
    const [{ id }] = await call('/v1/clusters?limit=1');
    await sql`update clusters set status = 'active' where id = ${id}`.execute(database.db);
    const argv = ['clusters', 'delete', String(id)];
    expect((await outreach(argv, typing('no'))).err).toContain('0 mailboxes, with their mail');
    const { code, out } = await outreach([...argv, '--yes', '--json']);
    expect([code, JSON.parse(out).status]).toEqual([0, 'deleting']);
  });
});

describe('outreach clusters watch. Choice 104', () => {
  const watch = (environment: Record<string, string>, ...options: string[]) =>
    outreachWith(environment, ['clusters', 'watch', '999999', ...options]);

  it('is the operator’s where DATABASE_URL is set, whoever is logged in', async () => {
    const both = { ...login(), DATABASE_URL: database.url };
    expect(await watch(both)).toMatchObject({ code: 3, err: 'Cluster not found' });
  });

  it('is the client’s else, and says how to log in', async () => {
    expect(await watch(login())).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^CLUSTER_NOT_FOUND: /),
    });
    const named = await watch({ DATABASE_URL: database.url }, '--profile', 'acme');
    expect(named).toMatchObject({ code: 1, err: expect.stringContaining('no profile acme') });
    expect(await watch({}, '--world', '/nowhere/world.json')).toMatchObject({
      code: 1,
      err: expect.stringContaining('DATABASE_URL is not set'),
    });
    expect(await watch({})).toMatchObject({
      code: 1,
      err: expect.stringContaining('You are not logged in'),
    });
  });
});

describe('outreach wallet', () => {
  it('shows the balance and what went in and out', async () => {
    expect((await outreach(['wallet', 'show'])).out).toMatch(/^Available: +\$\d+\.\d\d$/m);
    const json = JSON.parse((await outreach(['wallet', 'show', '--json'])).out);
    expect(json).toEqual(await call('/wallet'));
    const listed = await outreach(['wallet', 'transactions', '--all', '--json']);
    expect(JSON.parse(listed.out)).toEqual(await call('/wallet/transactions?limit=100'));
    expect((await outreach(['wallet', 'fund', 'much'])).code).toBe(2);
  });

  it('keeps what operators have of it', async () => {
    const audit = await outreachWith({ DATABASE_URL: database.url }, ['wallet', 'audit']);
    expect(audit).toMatchObject({ code: 0, out: 'Everything agrees with the ledger.' });
  });
});
