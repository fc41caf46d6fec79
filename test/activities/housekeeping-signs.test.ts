/** The signs of life of housekeeping Schedules: when they last looked, and whether they advanced anything. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withSigns } from '../../activities/engine/housekeeping-signs.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const later = (schedule: string) =>
  sql`update housekeeping_runs set began_at = began_at - interval '1 hour',
    looked_at = looked_at - interval '1 hour' where schedule = ${schedule}`.execute(database.db);

const signOf = async (schedule: string) => {
  const { scheduleAges, fruitlessRuns } = await readOperatorNumbers(database.db);
  return { isFresh: scheduleAges[schedule]! < 60, fruitless: fruitlessRuns[schedule] };
};

/** As the activities of a run: two domains in two pages, of which the second does what it is told. */
function activitiesOf(advance: () => Promise<object>) {
  const none = () => Promise.resolve({ nextId: null, due: [], stage: 'idle', found: 0 });
  const names = [
    'listDueDomains',
    'renewDueDomain',
    'listIncompleteDomains',
    'completeDomainRecords',
  ];
  const others = ['listMtaSts', 'advanceMtaSts', 'checkMailHosts', 'readMailReports'];
  const all = Object.fromEntries([...names, ...others].map((name) => [name, none]));
  const logger = pino({ level: 'silent' });
  return withSigns(
    { db: database.db, logger },
    {
      ...all,
      listDkimRotations: ({ afterId }: { afterId: number }) =>
        Promise.resolve({ due: [{ domainId: afterId + 1 }], nextId: afterId === 0 ? 1 : null }),
      advanceDkimRotation: advance,
      checkMailHosts: ({ afterId }: { afterId: number }) =>
        Promise.resolve({ found: 0, nextId: afterId === 0 ? 1 : null }),
    },
  );
}

async function run(advance: () => Promise<object>): Promise<void> {
  const activities = activitiesOf(advance);
  for (const afterId of [0, 1]) {
    await activities.listDkimRotations({ afterId });
    await activities.advanceDkimRotation().catch(() => undefined);
  }
}

it('tell of a run that had work and advanced nothing, until one advances something', async () => {
  const schedule = 'rotate-dkim-keys';
  const fail = () => Promise.reject(new Error('the registrar refuses us'));
  expect(await signOf(schedule)).toEqual({ isFresh: true, fruitless: 0 });
  for (const fruitless of [0, 1, 2]) {
    await later(schedule);
    await run(fail);
    expect(await signOf(schedule)).toEqual({ isFresh: true, fruitless });
  }
  await later(schedule);
  await run(() => Promise.resolve({ stage: 'published' }));
  expect(await signOf(schedule)).toEqual({ isFresh: true, fruitless: 0 });
});

it('count what was noted as a failure as no advance', async () => {
  const schedule = 'renew-domains';
  const activities = withSigns(
    { db: database.db, logger: pino({ level: 'silent' }) },
    {
      ...activitiesOf(() => Promise.resolve({})),
      listDueDomains: (_page: { afterId: number }) =>
        Promise.resolve({ due: [{ domainId: 1 }], nextId: null }),
      renewDueDomain: () => Promise.resolve({ begun: false, isNoted: true }),
    },
  );
  for (const fruitless of [0, 1]) {
    await later(schedule);
    await activities.listDueDomains({ afterId: 0 });
    await activities.renewDueDomain();
    expect(await signOf(schedule)).toEqual({ isFresh: true, fruitless });
  }
});

it('grow old where a run does not come to its last page', async () => {
  const schedule = 'check-mail-hosts';
  await later(schedule);
  const activities = activitiesOf(() => Promise.resolve({}));
  await activities.checkMailHosts({ afterId: 0 });
  expect(await signOf(schedule)).toMatchObject({ isFresh: false });
  await activities.checkMailHosts({ afterId: 1 });
  expect(await signOf(schedule)).toMatchObject({ isFresh: true, fruitless: 0 });
});
