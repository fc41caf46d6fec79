/** The Schedules of clients in a real Temporal: they follow their rows, whatever was lost on the way. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepSchedules } from '../activities/schedules/schedules.ts';
import type { Context } from '../src/context.ts';
import {
  changeSchedule,
  findSchedule,
  insertSchedule,
  type Schedule,
} from '../src/db/schedules/schedules.ts';
import { newRunKey } from '../src/db/operations/operations.ts';
import type { ScheduleTimes } from '../src/domain/schedules/schedules.ts';
import { keepSchedule, nextRunsOf } from '../src/temporal/client-schedules.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { startTemporal } from './support/workflows/temporal.ts';

const pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 };
const times: ScheduleTimes = {
  timeZone: 'Europe/Berlin',
  time: '09:30',
  weekdays: ['monday', 'friday'],
  daysOfMonth: [],
};

let temporal: TestWorkflowEnvironment;
let database: TestDatabase;
let row: Schedule;
beforeAll(async () => {
  [temporal, database] = await Promise.all([startTemporal(), createTestDatabase()]);
  const user = { user_id: 'ann', email: 'ann@example.test' };
  await database.db
    .insertInto('users')
    .values(user as never)
    .execute();
});
afterAll(async () => {
  await database?.close();
  await temporal?.teardown();
});
beforeEach(async () => {
  row = await inserted();
});

const inserted = () =>
  database.db.transaction().execute((trx) =>
    insertSchedule(trx, {
      userId: 'ann',
      runKey: newRunKey(),
      name: 'Weekly',
      job: {
        kind: 'lead_process',
        order: { searchTerm: 'x', leadCount: 1, adReachedCountries: ['US'] },
      },
      onlyNewPlaces: true,
      times,
      paused: false,
      requestKey: undefined,
    }),
  );

const needs = (client = temporal.client) => ({
  temporal: client,
  db: database.db,
  logger: pino({ level: 'silent' }),
  pace,
});
const keep = (client?: typeof temporal.client) => keepSchedule(needs(client), row.id);
const handle = () => temporal.client.schedule.getHandle(`schedule/${row.id}/${row.run_key}`);
const change = (given: Parameters<typeof changeSchedule>[2]) =>
  database.db.transaction().execute((trx) => changeSchedule(trx, row.id, given));
/** It is the first of the next batch. */
const lookedAtLongAgo = () =>
  database.db
    .updateTable('schedules')
    .set({ seen_at: new Date(0) })
    .where('id', '=', row.id)
    .execute();
const current = async () => (await findSchedule(database.db, row.id))!;
const nextRuns = async () => nextRunsOf(needs(), await current());

/** What reconciles, an hour later. */
const reconcile = (aheadMs = 2 * 3_600_000) =>
  keepSchedules({
    db: database.db,
    clock: { now: () => new Date(Date.now() + aheadMs) },
    keepSchedule: (id: number) => keepSchedule(needs(), id),
  } as Context);

/** In Berlin: weekday and time. */
const local = (at: Date) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);

describe('the Schedule of a row', () => {
  it('is due on its days at its local time', async () => {
    expect(await nextRuns()).toBeNull();
    expect(await keep()).toBe('kept');
    const runs = (await nextRuns())!;
    expect(runs.length).toBeGreaterThanOrEqual(5);
    for (const at of runs) expect(local(at)).toMatch(/^(Monday|Friday)( at|,)? 09:30$/);
  });

  it('is due once on the day on which clocks go back', async () => {
    const at = (time: string) => new Date(`2027-11-0${time}Z`);
    const nextActionTimes = ['6T05:30:00', '7T05:30:00', '7T06:30:00', '8T06:30:00'].map(at);
    const client = {
      withDeadline: (_until: number, work: () => unknown) => work(),
      schedule: { getHandle: () => ({ describe: async () => ({ info: { nextActionTimes } }) }) },
    } as unknown as typeof temporal.client;
    const newYork = { ...times, timeZone: 'America/New_York', time: '01:30', weekdays: [] };
    const kept = { ...row, times: newYork, kept_version: row.version };
    const [first, second, , last] = nextActionTimes;
    expect(await nextRunsOf(needs(client), kept)).toEqual([first, second, last]);
  });

  it('starts a run that says for whom, with ids alone', async () => {
    await keep();
    await handle().trigger();
    const begun = async () => (await handle().describe()).info.recentActions[0];
    await expect.poll(begun).toBeDefined();
    const { action } = (await begun())!;
    expect(action.workflow.workflowId).toMatch(
      new RegExp(`^schedule-run/${row.id}/${row.run_key}-`),
    );
    const run = temporal.client.workflow.getHandle(action.workflow.workflowId);
    expect((await run.describe()).searchAttributes).toMatchObject({
      TenantId: ['ann'],
      ResourceId: [`schedule/${row.id}`],
    });
    const { events } = await run.fetchHistory();
    const [input] = events![0]!.workflowExecutionStartedEventAttributes!.input!.payloads!;
    expect(JSON.parse(Buffer.from(input!.data!).toString())).toEqual({
      scheduleId: row.id,
      runKey: row.run_key,
      pace,
    });
  });

  it('follows a pause, another time and the deletion', async () => {
    await keep();
    await change({ paused: true });
    await keep();
    expect((await handle().describe()).state.paused).toBe(true);
    expect(await nextRuns()).toEqual([]);
    await change({ paused: false, times: { ...times, weekdays: [], time: '23:05' } });
    await keep();
    expect((await nextRuns())!.map(local)).toContainEqual(expect.stringMatching(/23:05$/));
    await change({ deletedAt: new Date() });
    await keep();
    await expect(handle().describe()).rejects.toThrow(/not found/i);
    expect(await keep()).toBe('kept');
  });

  it('is made later where Temporal was down', async () => {
    const down = {
      withDeadline: () => Promise.reject(Object.assign(new Error('down'), { code: 14 })),
    } as unknown as typeof temporal.client;
    await lookedAtLongAgo();
    expect(await keep(down)).toBe('away');
    expect((await current()).seen_at.getTime()).toBeGreaterThan(0);
    expect(await nextRuns()).toBeNull();
    // Who keeps a row at its first moment may be at it still.
    await reconcile(-60_000);
    expect(await nextRuns()).toBeNull();
    await reconcile(10_000);
    expect(await nextRuns()).not.toBeNull();
  });

  it('is made again where a Temporal that was put back has lost it', async () => {
    await keep();
    await handle().delete();
    await reconcile(10_000);
    await expect(handle().describe()).rejects.toThrow(/not found/i);
    await reconcile();
    expect(await nextRuns()).not.toBeNull();
  });

  it('holds up no other where Temporal refuses it, and goes behind them', async () => {
    const refused = { ...times, timeZone: 'SystemV/AST4' };
    await change({ times: refused });
    expect(await keep()).toBe('refused');
    await lookedAtLongAgo();
    const { id } = await inserted();
    await reconcile(10_000);
    const other = (await findSchedule(database.db, id))!;
    expect(await nextRunsOf(needs(), other)).not.toBeNull();
    const after = await current();
    expect(after.kept_version).toBeLessThan(after.version);
    expect(after.seen_at.getTime()).toBeGreaterThanOrEqual(other.created_at.getTime());
    await change({ times });
    await reconcile(10_000);
    expect(await nextRuns()).not.toBeNull();
  });

  it('has the last change, whatever comes late', async () => {
    await keep();
    await change({ times: { ...times, time: '10:00' } });
    await change({ times: { ...times, time: '11:00' } });
    await Promise.all([keep(), keep(), keep()]);
    expect(local((await nextRuns())![0]!)).toMatch(/11:00$/);
    expect(await current()).toMatchObject({ version: 3, kept_version: 3 });
  });
});
