/** kill -9 of the worker in the middle of the order of a scheduled run. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { eventually, newName, openAccount } from './account.ts';
import { killWorker } from './message-kills.ts';
import type { SharedWorld } from './shared-world.ts';

const PLACES = 5;
const LIMIT_MS = 120_000;

export function scheduleKillTests(shared: () => SharedWorld): void {
  test(
    'a run that is due, with the worker killed while it orders it: one search, and one report',
    { timeout: 2 * LIMIT_MS },
    async () => {
      const world = shared();
      const word = newName('duebakery').replaceAll('-', '');
      await fillWorld(world, word);
      const { api } = await openAccount(world, 'schedule-kills');
      const { id } = await api.schedules.create({
        body: {
          name: 'Bakeries',
          mapsRun: { searchStringsArray: [word], locationQuery: 'Berlin' },
          // Far away, whenever this runs.
          times: { time: '12:00', daysOfMonth: [29], weekdays: ['monday'] },
        },
      });
      const before = await searches(world);
      await killWhileItOrders(world, id);
      const done = await eventually(
        'the end of the run',
        async () => {
          const { items } = await api.schedules.listRuns({ id });
          return items.some(({ status }) => status === 'completed') ? items : undefined;
        },
        LIMIT_MS,
      );
      const report = { outcome: 'started', newPlaces: PLACES, knownPlaces: 0 };
      expect(done).toMatchObject([report]);
      const { items: operations } = await api.operations.list({});
      expect(operations.map(({ kind }) => kind)).toEqual(['scrapeMaps']);
      expect(await searches(world)).toBe(before + 1);
    },
  );
}

async function fillWorld(world: SharedWorld, word: string): Promise<void> {
  await world.control('PUT', '/places', {
    places: Array.from({ length: PLACES }, (_, n) => ({
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
