/** kill -9 of the worker while a maps run starts, reads, visits, and while its places are imported. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getMapsRun, type MapsRun } from '../../src/db/maps/maps-runs.ts';
import { eventually, openAccount, type Account } from './account.ts';
import type { SharedWorld } from './shared-world.ts';

/** Where kills fall between the moments below: printed, and given by SEED to repeat it. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 100_000);
const PLACES = 120;
/** Random kills beside those at the moments. */
const RANDOM_KILLS = 1;
/** How long after the worker is back it is killed again, at most. */
const MOST_MS_OF_LIFE = 6_000;
/** A worker is back after some seconds; on busy cores after twenty. */
const LIMIT_MS = 300_000;

export function mapsKillTests(shared: () => SharedWorld): void {
  test(
    `a maps run finds, visits and imports each place once (SEED=${SEED})`,
    {
      timeout: 2 * LIMIT_MS,
    },
    async () => {
      const world = shared();
      await fillWorld(world);
      const account = await openAccount(world, 'maps');
      const before = await searchesInBooks(world);
      const { leadLists, mapsRuns } = account.api;
      const list = await leadLists.create({ body: { name: 'Maps' } });
      const search = {
        searchStringsArray: ['killbakery'],
        locationQuery: 'Berlin',
        maxCrawledPlacesPerSearch: 500,
        scrapeContacts: true,
        verifyEmails: true,
        leadListId: list.id,
      };
      const { id } = await mapsRuns.create({ body: search });
      // The start is under way; its answer comes late.
      await killWhen(world, id, (run) => run.asked_until !== null);
      await killWhen(world, id, (run) => run.saved_items > 0 && run.scraped_at === null);
      await killWhen(world, id, (run) => run.status === 'enriching' && run.enriched_items > 0);
      const random = randomKills(world);
      const done = await eventually('the end of the run', () => ended(world, id), LIMIT_MS);
      random.stop();
      await random.stopped;
      expect(done).toMatchObject({ status: 'completed', saved_items: PLACES, failed_items: 0 });
      await expectExact(world, id);
      expect(await searchesInBooks(world)).toHaveLength(before.length + 1);
      await importAll(world, account, id);
    },
  );
}

/** A bakery of its own host each, with an address that the verifier calls safe. */
async function fillWorld(world: SharedWorld): Promise<void> {
  const numbers = Array.from({ length: PLACES }, (_, n) => n);
  const host = (n: number) => `killbakery-${n}.test`;
  await world.control('PUT', '/places', {
    places: numbers.map((n) => ({
      placeId: `kill-${n}`,
      title: `Killbakery ${n}`,
      city: 'Berlin',
      address: `Street ${n}, Berlin`,
      countryCode: 'DE',
      website: `https://${host(n)}/`,
    })),
  });
  await Promise.all(
    numbers.map((n) =>
      world.control('PUT', `/sites/${host(n)}`, {
        pages: {
          '/': {
            body: `<html><body><p>Write to <a href="mailto:ann.lee@${host(n)}">Ann Lee</a></p></body></html>`,
            contentType: 'text/html',
            delayMs: 300,
          },
        },
      }),
    ),
  );
  // Long enough to be killed in the middle.
  const slow = { vendor: 'apify', operation: 'POST /v2/actors/{actor}/runs', kind: 'slow' };
  await world.control('POST', '/faults', { ...slow, delayMs: 1_500, times: 1 });
}

async function killWhen(
  world: SharedWorld,
  id: number,
  isMoment: (run: MapsRun) => boolean,
): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const run = await getMapsRun(world.db, id);
    if (isMoment(run)) return killWorker(world);
    // A moment that has gone by is no failure of the product.
    if (run.completed_at !== null || Date.now() > deadline) return;
    await sleep(20);
  }
}

/** Until the worker of now says that it is ready. */
const workerIsBack = (world: SharedWorld) =>
  eventually(
    'the worker',
    async () => {
      const url = new URL('/ready', world.file.metrics.worker);
      const { ok } = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      return ok || undefined;
    },
    LIMIT_MS,
  );

async function killWorker(world: SharedWorld): Promise<void> {
  const { pids } = await world.running.read();
  try {
    process.kill(pids['worker']!, 'SIGKILL');
  } catch {
    // It was dead already, and is just being started.
  }
}

/** Kills at times that the seed decides, until it is stopped. */
function randomKills(world: SharedWorld): { stop: () => void; stopped: Promise<void> } {
  const random = generator(SEED);
  const ending = new AbortController();
  const work = async () => {
    for (let n = 0; n < RANDOM_KILLS && !ending.signal.aborted; n += 1) {
      await workerIsBack(world);
      await sleep(random() * MOST_MS_OF_LIFE);
      if (!ending.signal.aborted) await killWorker(world);
    }
  };
  return { stop: () => ending.abort(), stopped: work() };
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function ended(world: SharedWorld, id: number): Promise<MapsRun | undefined> {
  await expectExact(world, id);
  const run = await getMapsRun(world.db, id);
  return run.completed_at === null ? undefined : run;
}

/** The counters are what is stored, read in one moment. */
async function expectExact({ db }: SharedWorld, id: number): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const run = await getMapsRun(trx, id);
      const items = await trx
        .selectFrom('maps_items')
        .select(['status', 'place_id'])
        .where('run_id', '=', id)
        .execute();
      const count = (status: string) => items.filter((item) => item.status === status).length;
      expect([run.saved_items, run.enriched_items, run.failed_items]).toEqual([
        items.length,
        count('enriched'),
        count('failed'),
      ]);
    });
}

/** Nobody else in this world searches the map meanwhile. */
async function searchesInBooks(world: SharedWorld): Promise<{ id: string }[]> {
  type Books = { apify: { runs: { id: string; actor: string }[] } };
  const { apify } = await world.control<Books>('GET', '/books');
  return apify.runs.filter(({ actor }) => actor.includes('google-places'));
}

/** Imported while the worker is killed; asked again, it finds what is there. */
async function importAll(world: SharedWorld, account: Account, id: number): Promise<void> {
  const importPlaces = () => account.api.mapsRuns.importToLeadList({ id, body: {} });
  const first = importPlaces();
  await sleep(150);
  await killWorker(world);
  await first;
  const again = await eventually(
    'the whole import',
    async () => {
      const now = await importPlaces();
      return now.status === 'completed' ? now : undefined;
    },
    LIMIT_MS,
  );
  expect(again.skippedItems).toBe(0);
  expect(again.importedLeads + again.foundLeads).toBe(PLACES);
  expect(again.importedCompanies + again.foundCompanies).toBe(PLACES);
  const leads = await world.db
    .selectFrom('leads')
    .select('email')
    .where('user_id', '=', account.userId)
    .execute();
  expect(leads).toHaveLength(PLACES);
  expect(new Set(leads.map(({ email }) => email)).size).toBe(PLACES);
  await eventually('the counter of the run', async () =>
    (await getMapsRun(world.db, id)).imported_leads === PLACES ? true : undefined,
  );
}
