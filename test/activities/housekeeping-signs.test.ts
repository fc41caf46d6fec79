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
  // The age begins with the migration: this database is a copy of one that was migrated when the tests began.
  await sql`update housekeeping_runs set began_at = now(), looked_at = now()`.execute(database.db);
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
  await run(() => Promise.resolve({ stage: 'switched' }));
  expect(await signOf(schedule)).toEqual({ isFresh: true, fruitless: 0 });
});

/** Runs that each find so many due, of which step after step answers as told; how many were fruitless at the end. */
async function fruitlessAfter(
  [look, step]: readonly [string, string],
  { schedule, due, answers }: { schedule: string; due: object; answers: readonly object[] },
): Promise<number | undefined> {
  await sql`update housekeeping_runs set due = 0, advanced = 0, fruitless = 0
    where schedule = ${schedule}`.execute(database.db);
  const given = [...answers];
  const activities: Record<string, (page: { afterId: number }) => Promise<unknown>> = withSigns(
    { db: database.db, logger: pino({ level: 'silent' }) },
    {
      ...activitiesOf(() => Promise.resolve({})),
      [look]: () => Promise.resolve({ due: [], nextId: null, ...due }),
      [step]: () => Promise.resolve(given.shift()),
    },
  );
  for (let runs = 0; runs < 2; runs += 1) {
    await later(schedule);
    given.splice(0, given.length, ...answers);
    await activities[look]!({ afterId: 0 });
    for (const _ of answers) await activities[step]!({ afterId: 0 });
  }
  await later(schedule);
  await activities[look]!({ afterId: 0 });
  return (await signOf(schedule)).fruitless;
}

const renewals = ['listDueDomains', 'renewDueDomain'] as const;
const rotations = ['listDkimRotations', 'advanceDkimRotation'] as const;
const policies = ['listMtaSts', 'advanceMtaSts'] as const;
const plans = ['listIncompleteDomains', 'completeDomainRecords'] as const;
const noted = { begun: false, isNoted: true };

it.each([
  ['renew-domains', renewals, [noted, noted], 2],
  // Told, not to be renewed, or renewed already: nothing was to be done.
  ['renew-domains', renewals, [noted, noted, { begun: false }], 2],
  ['renew-domains', renewals, [{ begun: false }, { begun: false }], 0],
  ['renew-domains', renewals, [noted, noted, { begun: true }], 0],
  // One alone, whatever is wrong with it, is no failure of the run.
  ['renew-domains', renewals, [noted], 0],
  ['renew-domains', renewals, [noted, { begun: false }], 0],
  ['rotate-dkim-keys', rotations, [{ stage: 'published' }, { stage: 'idle' }], 2],
  ['rotate-dkim-keys', rotations, [{ stage: 'published', isNew: true }, { stage: 'idle' }], 0],
  ['rotate-dkim-keys', rotations, [{ stage: 'seen' }, { stage: 'published' }], 0],
  ['rotate-dkim-keys', rotations, [{ stage: 'switched' }, { stage: 'published' }], 0],
  ['rotate-dkim-keys', rotations, [{ stage: 'withdrawn' }, { stage: 'published' }], 0],
  ['publish-mta-sts', policies, [{ stage: 'old_host' }, { stage: 'published' }], 2],
  ['publish-mta-sts', policies, [{ stage: 'announced' }, { stage: 'old_host' }], 0],
  // What their owners keep us from is nothing to be done.
  ['publish-mta-sts', policies, [{ stage: 'foreign' }, { stage: 'forbidden' }], 0],
  ['publish-mta-sts', policies, [{ stage: 'foreign' }, { stage: 'old_host' }], 0],
  ['complete-records', plans, [{ stage: 'idle' }, { stage: 'idle' }], 2],
  ['complete-records', plans, [{ stage: 'complete' }, { stage: 'idle' }], 0],
] as const)('of %s count what its steps answer', async (schedule, names, answers, fruitless) => {
  const due = answers.map((_, n) => ({ domainId: n + 1 }));
  expect(await fruitlessAfter(names, { schedule, due: { due }, answers })).toBe(fruitless);
});

it('count domains whose registrar is not configured as due', async () => {
  const given = { schedule: 'renew-domains', due: { unconfigured: 2 }, answers: [] };
  expect(await fruitlessAfter(renewals, given)).toBe(2);
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

it('stay young while a run goes on, and grow old where each run ends at the same page', async () => {
  const schedule = 'read-mail-reports';
  const activities = withSigns(
    { db: database.db, logger: pino({ level: 'silent' }) },
    {
      ...activitiesOf(() => Promise.resolve({})),
      readMailReports: ({ afterId }: { afterId: number }) =>
        Promise.resolve({ nextId: afterId === 30 ? null : afterId + 10 }),
    },
  );
  const looksAt = async (afterId: number) => {
    await later(schedule);
    await activities.readMailReports({ afterId });
    return (await signOf(schedule)).isFresh;
  };
  expect([await looksAt(0), await looksAt(10), await looksAt(20)]).toEqual([false, true, true]);
  // It died there: the next run is further only beyond it.
  expect([await looksAt(0), await looksAt(10), await looksAt(20)]).toEqual([false, false, false]);
  expect(await looksAt(30)).toBe(true);
  expect([await looksAt(0), await looksAt(10)]).toEqual([false, true]);
});
