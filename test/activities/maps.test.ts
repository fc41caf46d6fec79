/** The steps of a maps run on a real database: what is stored, repeated, taken over, left alone. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import {
  fakeMaps,
  openMapsWorld,
  place,
  places,
  trouble,
  type MapsWorld,
} from '../support/leads/maps-world.ts';
import { tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import { lockMapsRun, type MapsRun } from '../../src/db/maps/maps-runs.ts';
import { enrichMapsRun } from '../../src/services/maps/maps-runs.ts';
import { mapsEnrichActivities } from '../../activities/maps/enrich.ts';
import type { Context } from '../../src/context.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';

let world: MapsWorld;
beforeEach(async () => {
  world = await openMapsWorld();
});
afterEach(() => world.close());

/** Counters equal what is stored, at any moment. */
async function expectExact(id: number): Promise<MapsRun> {
  const [run, items] = [await world.row(id), await world.items(id)];
  const count = (status: string) => items.filter((item) => item.status === status).length;
  expect({
    saved: run.saved_items,
    enriched: run.enriched_items,
    failed: run.failed_items,
  }).toEqual({ saved: items.length, enriched: count('enriched'), failed: count('failed') });
  const imported = new Set(items.flatMap(({ lead_ids }) => lead_ids));
  expect(run.imported_leads).toBeGreaterThanOrEqual(imported.size);
  expect(run.total_items).toBeGreaterThanOrEqual(run.saved_items);
  return run;
}

/** What the world's provider takes for its calls and to show what it did, and a little more. */
const LAG_OVER_MS = 61_000;

const tokenOf = async ({ id }: MapsRun) => `maps-run/${id}/apify/${(await world.row(id)).run_key}`;
const setRun = (id: number, change: object) =>
  world.db
    .updateTable('maps_runs')
    .set(change as never)
    .where('id', '=', id)
    .execute();
const setStatus = (id: number, status: 'cancelled' | 'failed') =>
  world.db.updateTable('maps_runs').set({ status }).where('id', '=', id).execute();
const enrichAgain = (run: MapsRun, force: boolean) =>
  enrichMapsRun(world as unknown as Context, 'user-1', run.id, force);
const sites = (from: number, to: number) => {
  for (let n = from; n <= to; n += 1) world.sites[`bakery-${n}.test`] = [`ada@bakery-${n}.test`];
};

describe('the search', () => {
  it('saves the pages of one search, and each place once', async () => {
    const apify = fakeMaps('apify', [places(1, 3), places(2, 5), []]);
    world.maps = { apify };
    const run = await world.runAll(await world.order());
    expect(run).toMatchObject({
      status: 'completed',
      provider: 'apify',
      status_message: '5 places saved',
      total_items: 7,
      saved_items: 5,
      processed_queries: 1,
    });
    expect(run.started_at).not.toBeNull();
    expect(run.completed_at).not.toBeNull();
    await expectExact(run.id);
    expect(apify.started).toHaveLength(1);
    expect(apify.ended).toEqual([]);
  });

  it('may be started and read twice: one search at the vendor, no place twice', async () => {
    const apify = fakeMaps('apify', [places(1, 2), places(3, 4)]);
    world.maps = { apify };
    const run = await world.order();
    await world.start(run);
    expect(await world.start(run)).toMatchObject({ next: 'scrape' });
    await world.scrape(run);
    expect(await world.scrape(run)).toMatchObject({ state: 'active', isDone: true, next: 'end' });
    expect(apify.started).toHaveLength(1);
    expect((await expectExact(run.id)).saved_items).toBe(4);
  });

  it('whose start was killed after its effect is waited for, and adopted', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    world.maps = { apify };
    const run = await world.order();
    // Killed: the search runs, and nothing after the intent was written.
    const { begin } = apify;
    apify.begin = async (search, token) => {
      await begin(search, token);
      throw new Error('killed');
    };
    await expect(world.start(run)).rejects.toThrow('killed');
    apify.begin = begin;
    await expect(world.start(run)).rejects.toMatchObject({ kind: 'not_ready' });
    expect((await world.row(run.id)).asked_until).not.toBeNull();
    world.aheadMs = LAG_OVER_MS;
    expect(await world.start(run)).toMatchObject({ next: 'scrape' });
    expect(apify.started).toHaveLength(1);
    expect((await world.row(run.id)).asked_until).toBeNull();
  });

  it('whose answer was lost is looked for after the lag, and adopted: one search', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    apify.lostAnswers = 1;
    world.maps = { apify };
    const run = await world.order();
    await expect(world.start(run)).rejects.toMatchObject({ kind: 'not_ready' });
    await expect(world.start(run)).rejects.toMatchObject({ kind: 'not_ready' });
    world.aheadMs = LAG_OVER_MS;
    await world.start(run);
    expect(apify.started).toEqual([await tokenOf(run)]);
  });

  it('adopts no search of another installation, or of a row that a restore has lost, with the same id', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    const other = await openMapsWorld();
    world.maps = { apify };
    other.maps = { apify };
    const [run, theirs] = [await world.order(), await other.order()];
    expect(theirs.id).toBe(run.id);
    await other.start(theirs);
    await world.start(run);
    await other.close();
    expect(apify.started).toHaveLength(2);
    expect(apify.started[1]).toMatch(new RegExp(`^maps-run/${run.id}/apify/[0-9a-f]{16}$`));
  });

  it('that a process of before has asked for, and noted without a random part, is found by its old token', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    world.maps = { apify };
    const [run, cancelled] = [await world.order(), await world.order()];
    for (const { id } of [run, cancelled]) {
      await setRun(id, { status: 'running', asked_until: new Date(Date.now() - LAG_OVER_MS) });
      apify.started.push(`maps-run/${id}/apify`);
    }
    await world.start(run);
    await setStatus(cancelled.id, 'cancelled');
    await world.end(cancelled);
    expect(apify.started).toHaveLength(2);
    expect(apify.ended).toEqual([`maps-run/${cancelled.id}/apify#0`]);
  });

  it('is found by its token where a fail-over has lost what its row said of the start', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    world.maps = { apify };
    const run = await world.order();
    await world.start(run);
    await setRun(run.id, { status: run.status, run_key: null, asked_until: null, cursor: null });
    await world.start(run);
    expect(apify.started).toHaveLength(1);
  });

  it.each(['auth', 'quota', 'rejected'] as const)(
    'refused for good (%s) goes to the alternate, and says so',
    async (kind) => {
      const apify = fakeMaps('apify', []);
      apify.failures = [trouble(kind, 'apify')];
      const google = fakeMaps('places', [places(1, 2)]);
      google.said = ['Google Places cannot search by placeIds'];
      world.maps = { apify, places: google };
      const run = await world.runAll(await world.order());
      expect(run).toMatchObject({ provider: 'places', status: 'completed', saved_items: 2 });
      expect(run.notes).toEqual([
        expect.stringMatching(/^apify [a-z ]+; places was used instead$/),
        'Google Places cannot search by placeIds',
      ]);
    },
  );

  it("refused by all is the last one's failure", async () => {
    const [apify, google] = [fakeMaps('apify', []), fakeMaps('places', [])];
    apify.failures = [trouble('auth', 'apify')];
    google.failures = [trouble('quota', 'places')];
    world.maps = { apify, places: google };
    const run = await world.order();
    expect(await world.start(run)).toMatchObject({ next: 'start' });
    await expect(world.start(run)).rejects.toMatchObject({ kind: 'quota' });
  });

  it('by ids alone names what the primary said: an alternate that cannot is not tried', async () => {
    const [apify, google] = [fakeMaps('apify', []), fakeMaps('places', [places(1, 1)])];
    apify.failures = [trouble('auth', 'apify')];
    google.canSearch = ({ searchStrings }) => searchStrings.length > 0;
    google.said = ['Google Places cannot search by placeIds'];
    world.maps = { apify, places: google };
    const run = await world.order({}, { searchStrings: [], placeIds: ['ChIJ1'] });
    await expect(world.start(run)).rejects.toMatchObject({
      kind: 'auth',
      message: 'The map search failed: apify does not accept our credentials',
    });
    expect(google.started).toEqual([]);
    expect((await world.row(run.id)).notes).toEqual([]);
    world.maps = { places: google };
    const other = await world.order({}, { searchStrings: [], placeIds: ['ChIJ1'] });
    await expect(world.start(other)).rejects.toMatchObject({
      kind: 'rejected',
      message: 'Google Places cannot search by placeIds',
    });
  });

  it('takes the alternate when the primary is off', async () => {
    world.maps = { places: fakeMaps('places', [places(1, 1)]) };
    const run = await world.runAll(await world.order());
    expect(run).toMatchObject({ provider: 'places', saved_items: 1 });
  });

  it('that a vendor gives up before the first place is begun at the next', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    apify.failures = [undefined, trouble('rejected', 'apify')];
    world.maps = { apify, places: fakeMaps('places', [places(7, 8)]) };
    const run = await world.runAll(await world.order());
    expect(run).toMatchObject({ provider: 'places', saved_items: 2, status: 'completed' });
    expect(apify.ended).toHaveLength(1);
  });

  it('that a vendor gives up later keeps what was saved and says that it ended early', async () => {
    const apify = fakeMaps('apify', [places(1, 3), places(4, 6)]);
    apify.failures = [undefined, undefined, trouble('quota', 'apify')];
    world.maps = { apify };
    sites(1, 3);
    const run = await world.runAll(await world.order({ scrapeContacts: true }));
    expect(run).toMatchObject({ status: 'completed', saved_items: 3, enriched_items: 3 });
    expect(run.notes.join()).toBe('The search ended early: apify has no credits left');
    expect(apify.ended).toHaveLength(1);
  });

  it('that timed out at the vendor with places is completed, with a message', async () => {
    const apify = fakeMaps('apify', [places(1, 2)]);
    apify.endedEarly = 'The search ended early: it took too long';
    world.maps = { apify };
    const run = await world.runAll(await world.order());
    expect(run.status).toBe('completed');
    expect(run.notes.join()).toContain('it took too long');
  });

  it('is given up when a vendor is down for long, not before', async () => {
    const apify = fakeMaps('apify', [places(1, 1)]);
    world.maps = { apify, places: fakeMaps('places', [places(1, 1)]) };
    const run = await world.order();
    const input = { operationId: run.operation_id!, runId: run.id };
    apify.failures = [trouble('unavailable'), trouble('unavailable')];
    const start = (attempt: number) =>
      world.inActivity('startMapsSearch', input, activityEnvironment(0, attempt));
    await expect(start(3)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await start(15)).toMatchObject({ next: 'start' });
    expect((await world.row(run.id)).provider).toBe('places');
  });

  it('is started once by attempts that are at work at once', async () => {
    const apify = fakeMaps('apify', [places(1, 2)]);
    const { begin } = apify;
    let begun = 0;
    // The vendor's look-up by token and its start are two calls: nothing but us keeps attempts apart.
    apify.begin = (search, token) => {
      begun += 1;
      return begin(search, token);
    };
    world.maps = { apify };
    const run = await world.order();
    // All have read the run before the first one writes.
    const attempts = await world.db.transaction().execute(async (trx) => {
      await lockMapsRun(trx, run.id);
      const starts = [1, 2, 3].map(() => world.start(run));
      await untilWaiting(world.db, 3);
      return starts;
    });
    const ends = await Promise.allSettled(attempts);
    const refused = ends
      .filter((end) => end.status === 'rejected')
      .map(({ reason }) => reason.kind);
    expect(refused.filter((kind) => kind !== 'not_ready')).toEqual([]);
    expect(begun).toBe(1);
    expect((await world.runAll(run)).status).toBe('completed');
    expect(begun).toBe(1);
  });

  it('saves nothing after a cancel, and ends what runs at the vendor', async () => {
    const apify = fakeMaps('apify', [places(1, 2), places(3, 4)]);
    world.maps = { apify };
    const run = await world.order();
    await world.start(run);
    const { page } = apify;
    apify.page = async (search, cursor) => {
      const found = await page(search, cursor);
      await setStatus(run.id, 'cancelled');
      return found;
    };
    expect(await world.scrape(run)).toMatchObject({ state: 'over', isDone: false });
    expect(await world.items(run.id)).toEqual([]);
    await world.end(run);
    await world.end(run);
    expect(apify.ended[0]).toContain(await tokenOf(run));
  });

  it('cancelled before its answer came is found by its token, and ended', async () => {
    const apify = fakeMaps('apify', [places(1, 2)]);
    apify.lostAnswers = 1;
    world.maps = { apify };
    const run = await world.order();
    await expect(world.start(run)).rejects.toMatchObject({ kind: 'not_ready' });
    await setStatus(run.id, 'cancelled');
    expect(await world.start(run)).toMatchObject({ state: 'over' });
    await expect(world.end(run)).rejects.toMatchObject({ kind: 'not_ready' });
    world.aheadMs = LAG_OVER_MS;
    await world.end(run);
    expect(apify.ended).toHaveLength(1);
  });

  it('keeps texts that Postgres could not hold', async () => {
    const bad = place(1, { title: 'Caf\u0000é \uD800!', address: '\u0000' });
    world.maps = { apify: fakeMaps('apify', [[bad]]) };
    const run = await world.runAll(await world.order());
    expect((await world.items(run.id))[0]!.title).toBe('Café \uFFFD!');
  });
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('enrichment', () => {
  const scraped = async (count: number, change = {}) => {
    world.maps = { apify: fakeMaps('apify', [places(1, count)]) };
    return world.order({ scrapeContacts: true, ...change });
  };

  it('visits each website once and keeps contacts, or the reason', async () => {
    sites(1, 2);
    world.sites['bakery-3.test'] = { state: 'refused', reason: 'robots.txt forbids it' };
    const run = await world.runAll(await scraped(4));
    expect(run).toMatchObject({ status: 'completed', enriched_items: 2, failed_items: 1 });
    expect(run.status_message).toBe('4 places saved, 2 websites read, 1 could not be read');
    const items = await world.items(run.id);
    expect(items.map(({ status, reason }) => [status, reason])).toEqual([
      ['enriched', null],
      ['enriched', null],
      ['skipped', 'robots.txt forbids it'],
      ['failed', 'No answer'],
    ]);
    expect(items[0]!.contacts).toMatchObject({
      emails: [{ email: 'ada@bakery-1.test', page: 'https://bakery-1.test/contact' }],
      checks: {},
    });
    expect(world.visited).toHaveLength(4);
    await expectExact(run.id);
  });

  it('leaves places without a website out', async () => {
    world.maps = { apify: fakeMaps('apify', [[place(1, { website: null })]]) };
    const run = await world.runAll(await world.order({ scrapeContacts: true }));
    expect((await world.items(run.id))[0]).toMatchObject({
      status: 'skipped',
      reason: 'The place has no website',
    });
    expect(run).toMatchObject({ status: 'completed', enriched_items: 0, failed_items: 0 });
  });

  it('verifies addresses only when the run asks for it', async () => {
    sites(1, 2);
    world.verdicts['ada@bakery-2.test'] = 'invalid';
    const plain = await world.runAll(await scraped(2));
    expect(world.checkedEmails).toEqual([]);
    expect((await world.items(plain.id))[0]!.contacts!.checks).toEqual({});
    const run = await world.runAll(await scraped(2, { verifyEmails: true }));
    const [, second] = await world.items(run.id);
    expect(second!.contacts!.checks['ada@bakery-2.test']).toMatchObject({
      status: 'invalid',
      score: 0,
    });
  });

  it('again takes what has no results; with force all, and counts exactly meanwhile', async () => {
    sites(1, 2);
    const run = await world.runAll(await scraped(3));
    world.visited.length = 0;
    sites(3, 3);
    const again = await enrichAgain(run, false);
    expect(again).toMatchObject({ status: 'enriching', enriched_items: 2, completed_at: null });
    expect(await world.runAll(again)).toMatchObject({ enriched_items: 3, failed_items: 0 });
    expect(world.visited).toEqual(['bakery-3.test']);
    const forced = await enrichAgain(run, true);
    world.onVisit = async () => void (await expectExact(run.id));
    expect(await world.runAll(forced)).toMatchObject({ status: 'completed', enriched_items: 3 });
    expect(world.visited).toHaveLength(4);
  });

  it('that finds a site closed keeps the contacts of the visit before', async () => {
    sites(1, 1);
    const run = await world.runAll(await scraped(1));
    delete world.sites['bakery-1.test'];
    const done = await world.runAll(await enrichAgain(run, true));
    expect(done).toMatchObject({ enriched_items: 0, failed_items: 1 });
    const [item] = await world.items(run.id);
    expect(item).toMatchObject({ status: 'failed', reason: 'No answer' });
    expect(item!.contacts!.emails).toHaveLength(1);
  });

  it('killed in the middle is taken over; a late result is not counted twice', async () => {
    sites(1, 30);
    const run = await scraped(30);
    await world.start(run);
    await world.scrape(run);
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    world.onVisit = (host) => (host === 'bakery-30.test' ? held : Promise.resolve());
    const killed = world.enrich(run).catch(() => undefined);
    await until(async () => (await world.row(run.id)).enriched_items >= 25);
    await expectExact(run.id);
    // Another worker takes over what is left while the first one still hangs.
    world.onVisit = async () => undefined;
    await world.enrich(run);
    const over = await world.row(run.id);
    expect(over.enriched_items).toBe(30);
    release();
    await killed;
    expect((await expectExact(run.id)).enriched_items).toBe(30);
    const again = world.visited.filter((host) => host === 'bakery-1.test');
    expect(again).toHaveLength(1);
  });

  it('visits places of one site one after the other, those of one address once', async () => {
    const website = (n: number) => `https://www.chain.test/branch-${n % 10}${n % 2 ? '' : '/'}#top`;
    const branches = places(1, 110).map((one, n) => ({ ...one, website: website(n) }));
    world.maps = { apify: fakeMaps('apify', [branches]) };
    world.sites['www.chain.test'] = ['info@chain.test'];
    let atOnce = 0;
    let most = 0;
    world.onVisit = async () => {
      most = Math.max(most, (atOnce += 1));
      await sleep(5);
      atOnce -= 1;
    };
    const run = await world.runAll(await world.order({ scrapeContacts: true }));
    expect(run).toMatchObject({ status: 'completed', enriched_items: 110 });
    expect(world.visited).toHaveLength(10);
    expect(most).toBe(1);
    await expectExact(run.id);
  });

  it('ends its page in time: what is done is stored, the rest is for the next page', async () => {
    const branches = places(1, 20).map((one, n) => ({ ...one, website: `https://slow.test/${n}` }));
    world.maps = { apify: fakeMaps('apify', [[...branches, place(21)]]) };
    world.sites['slow.test'] = ['info@slow.test'];
    world.sites['bakery-21.test'] = 'hangs';
    const bounds = { beginForMs: 1_000, visitMs: 3_000, batchMs: 1_000 };
    // One of them lasts until nothing is begun any more.
    let visits = 0;
    world.onVisit = async () => {
      if ((visits += 1) === 5) await sleep(bounds.beginForMs + 100);
    };
    const run = await world.order({ scrapeContacts: true });
    await world.start(run);
    await world.scrape(run);
    const activities = mapsEnrichActivities(world as unknown as Context, bounds);
    const input = { operationId: run.operation_id!, runId: run.id };
    const page = () =>
      activityEnvironment().run(() => activities.enrichPlaces(input)) as Promise<PageResult>;
    expect(await page()).toMatchObject({ state: 'active', isDone: false });
    const { enriched_items: done, failed_items } = await expectExact(run.id);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(20);
    expect(failed_items).toBe(1);
    const items = await world.items(run.id);
    expect(items.filter(({ status }) => status === 'pending')).toHaveLength(20 - done);
    expect(items.at(-1)).toMatchObject({ status: 'failed', reason: expect.stringMatching('slow') });
    world.onVisit = async () => undefined;
    delete world.sites['bakery-21.test'];
    while (!(await page()).isDone);
    expect(await expectExact(run.id)).toMatchObject({ status: 'completed', enriched_items: 20 });
  });

  it('stores what was found before addresses are verified, which has a bound', async () => {
    sites(1, 2);
    const run = await scraped(2, { verifyEmails: true });
    await world.start(run);
    await world.scrape(run);
    let enrichedAtCheck = 0;
    world.emailChecker.check = async (_emails, options) => {
      enrichedAtCheck = (await expectExact(run.id)).enriched_items;
      const { signal } = options!;
      return new Promise((_resolve, reject) => {
        const end = () => reject(new Error('aborted'));
        if (signal!.aborted) end();
        else signal!.addEventListener('abort', end);
      });
    };
    const bounds = { beginForMs: 10_000, visitMs: 10_000, batchMs: 50 };
    const activities = mapsEnrichActivities(world as unknown as Context, bounds);
    const input = { operationId: run.operation_id!, runId: run.id };
    const page = () =>
      activityEnvironment().run(() => activities.enrichPlaces(input)) as Promise<PageResult>;
    while (!(await page()).isDone);
    expect(enrichedAtCheck).toBe(2);
    expect(await world.row(run.id)).toMatchObject({ status: 'completed', enriched_items: 2 });
    const [item] = await world.items(run.id);
    expect(item!.contacts!.checks['ada@bakery-1.test']).toMatchObject({
      status: 'unknown',
      reason: 'timeout',
    });
  });

  it('stops at a cancel: sites under way are given up and their items are pending again', async () => {
    sites(1, 2);
    world.sites['bakery-3.test'] = 'hangs';
    const run = await scraped(3);
    await world.start(run);
    await world.scrape(run);
    const environment = activityEnvironment();
    const input = { operationId: run.operation_id!, runId: run.id };
    const work = world.inActivity('enrichPlaces', input, environment);
    await until(async () => world.visited.length === 3);
    environment.cancel();
    await expect(work).rejects.toMatchObject({ name: 'CancelledFailure' });
    const items = await world.items(run.id);
    expect(items.map(({ status }) => status)).toEqual(['enriched', 'enriched', 'pending']);
    await expectExact(run.id);
  });

  it('writes nothing to a run that was cancelled meanwhile', async () => {
    sites(1, 3);
    const run = await scraped(3);
    await world.start(run);
    await world.scrape(run);
    world.onVisit = async () => void (await setStatus(run.id, 'cancelled'));
    expect(await world.enrich(run)).toMatchObject({ state: 'over', isDone: false });
    expect((await expectExact(run.id)).enriched_items).toBe(0);
  });

  it('does not store again whom a tombstone forbids, nor does the search', async () => {
    sites(1, 1);
    const hashes = ['email:ada@bakery-1.test', `phone:${place(1).phone!.slice(1)}`];
    await world.db
      .insertInto('erasure_tombstones')
      .values(hashes.map((key) => ({ user_id: 'user-1', key_hash: tombstoneHash('user-1', key) })))
      .execute();
    const run = await world.runAll(await scraped(1, { verifyEmails: true }));
    const [item] = await world.items(run.id);
    expect(item).toMatchObject({ status: 'enriched', phone: null });
    expect(item!.contacts).toMatchObject({ emails: [], checks: {} });
  });

  it('of an operation that was followed by another does nothing', async () => {
    sites(1, 1);
    const run = await world.runAll(await scraped(1));
    await enrichAgain(run, true);
    expect(await world.enrich(run)).toMatchObject({ state: 'active', isDone: true });
    expect((await world.row(run.id)).status).toBe('enriching');
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it never was so');
    await sleep(10);
  }
}
