/**
 * A POST that is `repeatable`: its repeat, after the process died and the kept answer with it, is answered as the
 * first one was and makes nothing a second time. Choice 51. Every other POST is in lost-answers.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { noteChanges, startAuditedWorld, type AuditedWorld } from '../support/api/audited-world.ts';
import { WRITING_REQUESTS } from '../support/api/writing-requests.ts';

/** The repeat finds what the first one made, or the state that it led to, and changes no row. */
const FINDS = [
  'clusters.create',
  'clusters.createWithExistingDomain',
  'clusters.retry',
  'domains.buy',
  'domains.import',
  'domains.renew',
  'domains.verify',
  'emailValidations.cancel',
  'emailValidations.create',
  'emailValidations.createOfLeadList',
  'inbox.forward',
  'inbox.reply',
  'leadImports.cancel',
  'leadImports.create',
  'leadProcesses.create',
  'mailboxImports.cancel',
  'mailboxImports.create',
  'mailboxes.connect',
  'mailboxes.rotatePassword',
  'mapsRuns.cancel',
  'mapsRuns.create',
  'mapsRuns.importToLeadList',
  'operations.retry',
  'operations.retryMany',
  'placementTests.cancel',
  'placementTests.create',
  'schedules.create',
  'schedules.run',
  'warmup.actOnMany',
];

/** It does its work again, which is harmless: the tables that it writes, and why. */
const WRITES: Readonly<Record<string, readonly [tables: string[], why: string]>> = {
  'campaigns.sendTestEmail': [[], 'a test message goes to its own user again, and counts nowhere'],
  'clusters.cancel': [['operation_events'], 'the workflow is told again, and stops once'],
  'operations.cancel': [['operation_events'], 'the workflow is told again, and stops once'],
  'operations.cancelMany': [['operation_events'], 'each workflow is told again, and stops once'],
  'dnsRecords.create': [['leases'], 'the records of a domain are changed by one at a time'],
  'inbox.sync': [['mailbox_syncs'], 'the same mailbox is read, once more at most'],
  'mailboxes.create': [['operations'], 'the same job is asked whether it has ended'],
  'mailboxes.createMany': [['operations'], 'the same jobs are asked whether they have ended'],
  'wallet.verify': [['checkouts'], 'the processor says it again, and a session is credited once'],
};

/** Repeats wait for the job that the first one began: it has ended by then. */
const AWAITED = ['domains.buy', 'domains.renew'];

/** Not by what is stored: why a repeat is harmless, and the test that shows it. */
const ELSEWHERE: Readonly<Record<string, { why: string; file: string; title: string }>> = {
  'wallet.fund': {
    why: 'the processor is given the key, and opens one session for it',
    file: 'test/routes/wallet.test.ts',
    title: 'opens one session where the answer to the first request was lost',
  },
  'webhooks.test': {
    why: 'the endpoint is asked now: a test event has an id of its own and is kept nowhere',
    file: 'test/routes/webhooks.test.ts',
    title: 'is tested at once: it says what the endpoint answered',
  },
};

/** It changes nothing the first time, either. */
const LOOKS_UP = [
  'campaigns.preview',
  'domains.check',
  'domains.suggest',
  'emailValidations.check',
  'suppressions.check',
];

let world: AuditedWorld;
let owner: pg.Client;
let routes: Route[];
beforeAll(async () => {
  world = await startAuditedWorld();
  owner = new pg.Client({ connectionString: world.users.database.ownerUrl });
  await owner.connect();
  await noteChanges(owner);
  routes = createRoutes(world.users.api.context).filter(
    ({ method, repeatable }) => method === 'post' && repeatable,
  );
});
afterAll(async () => {
  await owner?.end();
  await world?.close();
});

/** The process died before it kept its answer. What is noted from now on is of the repeat. */
async function forget(key: string): Promise<void> {
  await sql`delete from idempotency_keys where key = ${key}`.execute(world.db);
  await owner.query('truncate noted_changes');
}

const endAll = () => world.db.updateTable('operations').set({ state: 'succeeded' }).execute();

async function changed(): Promise<string[]> {
  const { rows } = await owner.query('select distinct name from noted_changes order by name');
  return rows.map(({ name }: { name: string }) => name);
}

it('every POST that is repeatable by itself is placed here, once', () => {
  const placed = [...FINDS, ...Object.keys(WRITES), ...Object.keys(ELSEWHERE), ...LOOKS_UP];
  expect(placed.toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted());
  const lookUps = routes.filter(({ changesNothing }) => changesNothing);
  expect(lookUps.map(({ operationId }) => operationId).toSorted()).toEqual(LOOKS_UP);
});

describe.each([...FINDS, ...Object.keys(WRITES)])('%s, repeated', (operationId) => {
  it('is answered as the first one was', { timeout: 120_000 }, async () => {
    const [path, body] = await WRITING_REQUESTS[operationId]!(world);
    const key = `once-${operationId}`;
    const ask = () => world.call('POST', path, body ?? {}, { 'idempotency-key': key });
    const first = await ask();
    expect(first).toMatchObject({ body: { success: true } });
    if (AWAITED.includes(operationId)) await endAll();
    await forget(key);
    const again = await ask();
    expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(await changed()).toEqual(WRITES[operationId]?.[0] ?? []);
  });
});

describe('a repeat after the vendors were taken out of the settings', () => {
  const times = { time: '09:00' };
  const leadProcess = { searchTerm: 'repeated shoes' };
  const mapsRun = { searchStringsArray: ['repeated bakery'] };

  it.each([
    ['/v1/leads/process', leadProcess],
    ['/v1/maps-scraper/runs', mapsRun],
    ['/v1/schedules', { name: 'shoes', times, leadProcess }],
    ['/v1/schedules', { name: 'bakeries', times, mapsRun }],
  ])('of POST %s %j is answered as the first one was', async (path, body) => {
    const { context } = world.users.api;
    const { adLibraries, maps } = context;
    const key = `without-vendors-${randomUUID()}`;
    const ask = (headers: Record<string, string>) => world.call('POST', path, body, headers);
    const first = await ask({ 'idempotency-key': key });
    expect(first).toMatchObject({ body: { success: true } });
    await forget(key);
    Object.assign(context, { adLibraries: {}, maps: {} });
    try {
      const again = await ask({ 'idempotency-key': key });
      expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
      expect(await changed()).toEqual([]);
      expect((await ask({})).body.code).toBe('UPSTREAM_UNAVAILABLE');
    } finally {
      Object.assign(context, { adLibraries, maps });
    }
  });
});

it.each(Object.values(ELSEWHERE))('another test shows that $why', async ({ file, title }) => {
  expect(await readFile(file, 'utf8')).toContain(`'${title}'`);
});
