/**
 * A scheduled run whose worker dies: at each call while it orders what is due, and at each call of the search that it
 * has ordered. It is ordered once, asked of the vendor once, and reported once, with exact counts. Choice 94.
 */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapsActivities } from '../../activities/maps/index.ts';
import { recoveryActivities } from '../../activities/operations/recovery.ts';
import { scheduleActivities } from '../../activities/schedules/schedules.ts';
import type { Context } from '../../src/context.ts';
import type { MapsRun } from '../../src/db/maps/maps-runs.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { Schedule } from '../../src/db/schedules/schedules.ts';
import type { ScheduledJob } from '../../src/domain/schedules/schedules.ts';
import { createSchedule, listRunsOfSchedule } from '../../src/services/schedules/schedules.ts';
import { startOperation } from '../../src/temporal/start-operation.ts';
import { dieAt, type MortalProcess } from '../support/database/mortal-process.ts';
import { fakeMaps, openMapsWorld, places, type MapsWorld } from '../support/leads/maps-world.ts';
import { addSender, scheduleOrder } from '../support/leads/schedule-orders.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { startTemporal } from '../support/workflows/temporal.ts';

/** Behind the reconciler's grace, and behind the lag of a vendor. */
const LATER_MS = 120_000;

let temporal: TestWorkflowEnvironment;
let world: MapsWorld;
beforeAll(async () => {
  [temporal, world] = await Promise.all([startTemporal(), openMapsWorld()]);
  world.maps = { apify: fakeMaps('apify', []) };
});
afterAll(async () => {
  await world?.close();
  await temporal?.teardown();
});

/** The context of a process, which may die before and after it starts a workflow. */
function contextOf({ db, passes }: MortalProcess): Context {
  const { client } = temporal;
  const starting = {
    db,
    temporal: client,
    logger: pino({ level: 'silent' }),
    config: { SHARDED_SESSIONS: true, ACCOUNT_RUNNING_JOBS: 1_000 },
  };
  return {
    ...world,
    db,
    temporal: client,
    config: { ...world.config, ACCOUNT_RUNNING_JOBS: 1_000 },
    clock: { now: () => new Date(Date.now() + LATER_MS) },
    adLibraries: { meta: {} },
    keepSchedule: async () => 'kept',
    async startOperation(operation: Operation) {
      passes('before a start');
      const isStarted = await startOperation(starting, operation);
      passes('after a start');
      return isStarted;
    },
  } as unknown as Context;
}
const living = (): Context => contextOf({ db: world.db, passes: () => undefined });

/** In place of all before: an account has a hundred at most. */
async function begin(job?: ScheduledJob): Promise<Schedule> {
  await world.db.updateTable('schedules').set({ deleted_at: new Date() }).execute();
  return createSchedule(living(), 'user-1', scheduleOrder(job && { job }));
}

/** As a worker does it for the run of a Schedule in Temporal. */
const due = (context: Context, { id, run_key: runKey }: Schedule, workflowId: string) =>
  new MockActivityEnvironment({ workflowExecution: { workflowId, runId: 'r' } }).run(() =>
    scheduleActivities(context).beginScheduledRun({ scheduleId: id, runKey }),
  ) as Promise<{ outcome: string }>;

const reportsOf = async ({ id }: Schedule) =>
  (await listRunsOfSchedule(living(), 'user-1', id, { limit: 10, offset: 0 })).rows;

const MADE = ['maps_runs', 'lead_processes', 'placement_tests'] as const;

/** How many rows of each kind there are: of one run that was ordered, one more each, or none yet. */
async function books() {
  const count = async (table: (typeof MADE)[number] | 'operations' | 'schedule_runs' | 'holds') => {
    const counted = world.db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n'));
    return Number((await counted.executeTakeFirstOrThrow()).n);
  };
  const audited = await world.db
    .selectFrom('audit_log')
    .select('id')
    .where('action', '=', 'schedules.run')
    .execute();
  const made = await Promise.all(MADE.map((table) => count(table)));
  return {
    runs: await count('schedule_runs'),
    orders: made.reduce((sum, n) => sum + n, 0),
    operations: await count('operations'),
    entries: audited.length,
    holds: await count('holds'),
  };
}
type Books = Awaited<ReturnType<typeof books>>;
const since = async (before: Books) => {
  const now = Object.entries(await books());
  return Object.fromEntries(now.map(([name, n]) => [name, n - before[name as keyof Books]]));
};
/** An order of a search or a test holds no money: what it costs is the installation's. */
const NOTHING = { runs: 0, orders: 0, operations: 0, entries: 0, holds: 0 };
const ONE = { runs: 1, orders: 1, operations: 1, entries: 1, holds: 0 };

/** The workflow of what a run has ordered. */
async function workflowOf(resourceType: string, resourceId: number) {
  const operation = await world.db
    .selectFrom('operations')
    .select(['started_at', 'workflow_id', 'run_key', 'kind'])
    .where('resource_type', '=', resourceType)
    .where('resource_id', '=', resourceId)
    .executeTakeFirstOrThrow();
  return { isStarted: operation.started_at !== null, kind: operation.kind };
}

const discovery = { searchTerm: 'yoga mats', leadCount: 7, adReachedCountries: ['US'] };
const JOBS: [string, string, () => Promise<ScheduledJob | undefined>][] = [
  ['a maps run', 'maps_run', async () => undefined],
  ['a discovery', 'lead_process', async () => ({ kind: 'lead_process', order: discovery })],
  [
    'a placement test',
    'placement_test',
    async () => {
      const { campaignId } = await addSender(world);
      const order = { campaignId, step: 0, minInboxPercent: 70, holdOnBadPlacement: false };
      return { kind: 'placement_test', order };
    },
  ],
];

describe('a worker that dies', { timeout: 180_000 }, () => {
  it.each(JOBS)('while it orders %s: it is ordered once', async (_job, resource, jobOf) => {
    const job = await jobOf();
    const moments: string[] = [];
    for (let at = 0; ; at += 1) {
      const schedule = await begin(job);
      const before = await books();
      const workflowId = `due/${schedule.id}`;
      const moment = await dieAt(world.db, at, (process) =>
        due(contextOf(process), schedule, workflowId),
      );
      const done = await since(before);
      // All of it, or nothing.
      expect([moment, done]).toEqual([moment, done.runs === 1 ? ONE : NOTHING]);
      expect((await due(living(), schedule, workflowId)).outcome).toBe('started');
      // What was committed and not started is the reconciler's.
      await recoveryActivities(living()).startMissingWorkflows();
      expect([moment, await since(before)]).toEqual([moment, ONE]);
      const reports = await reportsOf(schedule);
      expect([moment, reports.length, reports[0]?.outcome]).toEqual([moment, 1, 'started']);
      const { maps_run_id, lead_process_id, placement_test_id } = reports[0]!;
      const [made, ...others] = [maps_run_id, lead_process_id, placement_test_id].filter(Boolean);
      expect(others).toEqual([]);
      expect(await workflowOf(resource, made!)).toMatchObject({ isStarted: true });
      // An account has a few tests at once, and some an hour.
      await world.db.updateTable('placement_tests').set({ status: 'completed' }).execute();
      await sql`delete from rate_counters`.execute(world.db);
      if (moment === undefined) break;
      moments.push(moment);
    }
    expect(moments).toEqual(
      expect.arrayContaining([
        'before InsertQueryNode',
        'before a commit',
        'after a commit',
        'before a start',
        'after a start',
        'before anybody is told',
      ]),
    );
    expect(moments.length).toBeGreaterThan(12);
  });

  it('in the search that is ordered: one search at the vendor, each place told once', async () => {
    const schedule = await begin();
    await world.runAll((await searchOf(schedule, 'first', [places(1, 2)])).run);
    const moments: string[] = [];
    for (let at = 0, seen = 2; ; at += 1, seen += 2) {
      // Two that the run before has seen, one of them on both pages, and two new ones.
      const pages = [places(seen - 1, seen + 1), places(seen + 1, seen + 2)];
      const { run, apify } = await searchOf(schedule, `${at}`, pages);
      const moment = await dieAt(world.db, at, ({ db }) => search(run, db));
      world.aheadMs += LATER_MS;
      const { run_key } = await world.runAll(run);
      expect([moment, apify.started]).toEqual([moment, [`maps-run/${run.id}/apify/${run_key}`]]);
      const saved = (await world.items(run.id)).map(({ place_id }) => place_id);
      expect([moment, saved]).toEqual([moment, [`place-${seen + 1}`, `place-${seen + 2}`]]);
      const reports = (await reportsOf(schedule)).filter((one) => one.maps_run_id === run.id);
      const told = { maps_status: 'completed', saved_items: 2, known_items: 2 };
      expect([moment, reports]).toMatchObject([moment, [told]]);
      if (moment === undefined) break;
      moments.push(moment);
    }
    // The start, and a transaction for each of the two pages.
    expect(moments.filter((one) => one === 'after a commit').length).toBeGreaterThanOrEqual(3);
    expect(moments.length).toBeGreaterThan(15);
  });
});

/** What a run of the schedule has ordered, at a vendor that finds these pages. */
async function searchOf(schedule: Schedule, key: string, pages: Parameters<typeof fakeMaps>[1]) {
  await due(living(), schedule, `due/${schedule.id}/${key}`);
  const apify = fakeMaps('apify', pages);
  world.maps = { apify };
  const [last] = await reportsOf(schedule);
  return { run: await world.row(last!.maps_run_id!), apify };
}

/** Start and pages, as the workflow asks for them. */
async function search(run: MapsRun, db: Context['db']): Promise<void> {
  const activities = mapsActivities({ ...world, db } as unknown as Context);
  const input = { operationId: run.operation_id!, runId: run.id };
  let next = 'start';
  while (next === 'start' || next === 'scrape') {
    const name = next === 'start' ? 'startMapsSearch' : 'scrapePlaces';
    const answer = activityEnvironment().run(() => activities[name](input));
    ({ next } = (await answer) as { next: string });
  }
}
