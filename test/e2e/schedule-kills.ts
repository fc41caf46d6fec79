/** kill -9 of the worker in the middle of the order of a scheduled run; what later runs find, and when they are. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Outreach } from '../../clients/typescript/src/index.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { eventually, newName, openAccount } from './account.ts';
import { killWorker } from './message-kills.ts';
import type { SharedWorld } from './shared-world.ts';

const PLACES = 5;
const MORE_PLACES = 2;
const LIMIT_MS = 240_000;

export function scheduleKillTests(shared: () => SharedWorld): void {
  test(
    'a run that is due, with the worker killed while it orders it: one search, and one report',
    { timeout: 2 * LIMIT_MS },
    async () => {
      const world = shared();
      const word = newName('duebakery').replaceAll('-', '');
      await fillWorld(world, word, PLACES);
      const { api } = await openAccount(world, 'schedule-kills');
      const { id } = await api.schedules.create({
        body: {
          name: 'Bakeries',
          mapsRun: { searchStringsArray: [word], locationQuery: 'Berlin' },
          times: FAR_AWAY,
        },
      });
      const before = await searches(world);
      await killWhileItOrders(world, id);
      const done = await reports(api, id, 1);
      const report = { outcome: 'started', newPlaces: PLACES, knownPlaces: 0 };
      expect(done).toMatchObject([report]);
      const { items: operations } = await api.operations.list({});
      expect(operations.map(({ kind }) => kind)).toEqual(['scrapeMaps']);
      expect(await searches(world)).toBe(before + 1);
    },
  );

  test(
    'the next run finds only the places that are new, and its report says how many were known',
    { timeout: 2 * LIMIT_MS },
    async () => {
      const world = shared();
      const word = newName('newbakery').replaceAll('-', '');
      const { api } = await openAccount(world, 'schedule-runs');
      const mapsRun = { searchStringsArray: [word], locationQuery: 'Berlin' };
      const { id } = await api.schedules.create({
        body: { name: 'Bakeries', mapsRun, times: FAR_AWAY },
      });
      await fillWorld(world, word, PLACES);
      await api.schedules.run({ id });
      await reports(api, id, 1);
      await fillWorld(world, word, PLACES + MORE_PLACES);
      await api.schedules.run({ id });
      const [second, first] = await reports(api, id, 2);
      expect(first).toMatchObject({ newPlaces: PLACES, knownPlaces: 0 });
      expect(second).toMatchObject({ newPlaces: MORE_PLACES, knownPlaces: PLACES });
      const { items } = await api.mapsRuns.listItems({ id: second!.mapsRunId! });
      const titles = items.map(({ title }) => title).toSorted();
      expect(titles).toEqual([`${word} ${PLACES}`, `${word} ${PLACES + 1}`]);
    },
  );

  test('its next runs are those of Temporal, and none while it is paused', async () => {
    const { api } = await openAccount(shared(), 'schedule-times');
    const mapsRun = { searchStringsArray: ['bakery'], locationQuery: 'Berlin' };
    const times = { time: '09:30', timeZone: 'Europe/Berlin', weekdays: ['monday' as const] };
    const { id } = await api.schedules.create({ body: { name: 'Mondays', mapsRun, times } });
    const nextRuns = async () => (await api.schedules.read({ id })).nextRuns;
    const next = await eventually('its next runs', async () => (await nextRuns()) ?? undefined);
    expect(next.length).toBeGreaterThan(1);
    for (const at of next) expect(inBerlin(at)).toMatch(/^Monday( at|,)? 09:30$/);
    const week = 7 * 24 * 3_600_000;
    expect(Date.parse(next[0]!) - Date.now()).toBeLessThan(week + 3_600_000);
    const paused = await api.schedules.update({ id, body: { paused: true } });
    expect(paused.paused).toBe(true);
    expect(await nextRuns()).toEqual([]);
    await api.schedules.update({ id, body: { paused: false } });
    const again = await eventually('its next runs', async () => {
      const runs = await nextRuns();
      return runs?.length ? runs : undefined;
    });
    expect(again[0]).toBe(next[0]);
  });
}

/** Whenever this runs. */
const FAR_AWAY = { time: '12:00', daysOfMonth: [29], weekdays: ['monday' as const] };

const inBerlin = (at: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));

/** Of so many runs, the newest first, when all are at their end. */
const reports = (api: Outreach, id: number, count: number) =>
  eventually(
    `the end of run ${count}`,
    async () => {
      const { items } = await api.schedules.listRuns({ id });
      const ended = items.filter(({ status }) => status === 'completed');
      return ended.length === count ? ended : undefined;
    },
    LIMIT_MS,
  );

async function fillWorld(world: SharedWorld, word: string, count: number): Promise<void> {
  await world.control('PUT', '/places', {
    places: Array.from({ length: count }, (_, n) => ({
      placeId: `${word}-${n}`,
      title: `${word} ${n}`,
      city: 'Berlin',
      address: `Street ${n}, Berlin`,
      countryCode: 'DE',
    })),
  });
}

/** Its Schedule in Temporal is due; the worker waits for the row that we hold, and dies there. */
async function killWhileItOrders(world: SharedWorld, id: number): Promise<void> {
  const { run_key } = await world.db
    .selectFrom('schedules')
    .select('run_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const schedule = world.temporal.schedule.getHandle(`schedule/${id}/${run_key}`);
  await eventually('its Schedule', () =>
    schedule.describe().then(
      () => true,
      () => undefined,
    ),
  );
  await world.db.transaction().execute(async (trx) => {
    await sql`select from schedules where id = ${id} for update`.execute(trx);
    await schedule.trigger();
    await untilWaiting(world.db, 1, 'select * from "schedules"');
    await killWorker(world);
  });
}

/** How many maps searches the vendor has run; nobody else in this world searches meanwhile. */
async function searches(world: SharedWorld): Promise<number> {
  type Books = { apify: { runs: { actor: string }[] } };
  const { apify } = await world.control<Books>('GET', '/books');
  return apify.runs.filter(({ actor }) => actor.includes('google-places')).length;
}
