/** The places of a maps run, read page by page while the search runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context as ActivityContext } from '@temporalio/activity';
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { listErasedKeys } from '../../src/db/suppressions/erased-keys.ts';
import { saveMapsItems } from '../../src/db/maps/maps-items.ts';
import {
  endMapsRun,
  getMapsRun,
  lockMapsRun,
  updateMapsRun,
  type MapsRun,
} from '../../src/db/maps/maps-runs.ts';
import { rememberPlaces } from '../../src/db/schedules/schedule-places.ts';
import type { Database } from '../../src/db/tables.ts';
import { phoneWord } from '../../src/domain/suppressions/erased-contacts.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { vendorTrouble } from '../../src/domain/vendor-trouble.ts';
import type { MapsProvider, Place, PlacePage } from '../../src/providers/maps/port.ts';
import { inOurWords, isForGood, leaveProvider, providerOf } from './providers.ts';
import { result, searchStateOf, type MapsRunInput, type SearchResult } from './run-state.ts';

type Needs = Pick<Context, 'db' | 'config' | 'maps' | 'logger'>;

/** Places per request. */
const PAGE_PLACES = 500;
/** One activity reads for this long; each one is a billed action. */
const READ_FOR_MS = 5 * 60_000;
/** How often a running search is polled. */
const POLL_EVERY_MS = 5_000;

export const mapsScrapeActivities = (context: Needs) => ({
  /**
   * Reads places as they come and saves them with the cursor and the counters in one transaction: killed
   * at any moment it repeats at most one page, and saves no place twice. Spec: Maps scraper.
   */
  async scrapePlaces({ operationId, runId }: MapsRunInput): Promise<SearchResult> {
    const { cancellationSignal: signal } = ActivityContext.current();
    const until = Date.now() + READ_FOR_MS;
    for (;;) {
      const run = await getMapsRun(context.db, runId);
      const done = searchStateOf(run, operationId);
      if (done) return done;
      if (run.cursor === null) return result('start', 'The search is to be started');
      const provider = providerOf(context, run);
      const page = await readPage(context, run, { provider, signal });
      if (!page) return result('start', 'Another provider is asked');
      const saved = await context.db
        .transaction()
        .execute((trx) => savePage(trx, { run, operationId }, page));
      if (saved.isDone || saved.state !== 'active' || Date.now() > until) return saved;
      if (page.isRunning && page.places.length < PAGE_PLACES) {
        const waitMs = POLL_EVERY_MS * context.config.RETRY_PACE;
        await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  },
});

/**
 * Reads a page. Undefined: the provider gave up before anything was found, and another one is asked. If
 * places were saved before it gave up, or were known to the schedule, they are the result: the search has ended early.
 */
async function readPage(
  context: Needs,
  run: MapsRun,
  { provider, signal }: { provider: MapsProvider; signal: AbortSignal },
): Promise<PlacePage | undefined> {
  try {
    return await provider.page(run.search, run.cursor!, PAGE_PLACES, signal);
  } catch (error) {
    if (!(error instanceof ProviderError) || !isForGood(error)) throw error;
    // The search is no longer read; if this fails, its own time-out ends it.
    await provider.end(run.cursor!).catch(() => undefined);
    if (run.saved_items + run.known_items > 0) {
      context.logger.warn({ runId: run.id, err: error }, `${provider.name} gave up a search`);
      const endedEarly = `The search ended early: ${vendorTrouble(provider.name, error)}`;
      return { places: [], cursor: null, isRunning: false, processedQueries: null, endedEarly };
    }
    if (await leaveProvider(context, run, { error, provider })) return undefined;
    context.logger.warn({ runId: run.id, err: error }, `${provider.name} gave up a search`);
    throw inOurWords(provider, error);
  }
}

async function savePage(
  trx: Transaction<Database>,
  { run, operationId }: { run: MapsRun; operationId: number },
  page: PlacePage,
): Promise<SearchResult> {
  const now = await lockMapsRun(trx, run.id);
  const done = searchStateOf(now, operationId);
  if (done) return done;
  // Another attempt was faster: the stored cursor says where to continue.
  const isStale = now.cursor !== run.cursor;
  if (isStale) return { ...result('scrape', 'Read again'), isDone: false };
  const { places, known } = await newPlaces(trx, now, page.places);
  const savedItems = now.saved_items + (await saveAllowed(trx, now, places));
  const ended = page.endedEarly === null ? [] : [page.endedEarly];
  await updateMapsRun(trx, run.id, {
    // The last cursor is kept: once `scraped_at` is set, nothing is read with it.
    cursor: page.cursor ?? now.cursor,
    total_items: now.total_items + page.places.length,
    saved_items: savedItems,
    known_items: now.known_items + known,
    processed_queries: Math.max(now.processed_queries, page.processedQueries ?? 0),
    status_message: `Searching with ${now.provider}: ${savedItems} places`,
    notes: [...now.notes, ...ended],
    ...(page.cursor === null && { scraped_at: new Date() }),
  });
  const progress = `${savedItems} places`;
  if (page.cursor !== null) return { ...result('scrape', progress), isDone: false };
  return endScraping(trx, now, savedItems);
}

/** Where a schedule ordered it: how many places earlier runs have seen, and, if so ordered, without them. */
async function newPlaces(
  trx: Transaction<Database>,
  { id: runId, schedule_id: scheduleId, only_new_places: isOnlyNew }: MapsRun,
  places: readonly Place[],
): Promise<{ places: readonly Place[]; known: number }> {
  if (scheduleId === null) return { places, known: 0 };
  const ids = places.map(({ placeId }) => placeId);
  const { known, seenBefore } = await rememberPlaces(trx, { scheduleId, runId }, ids);
  const kept = isOnlyNew ? places.filter(({ placeId }) => !seenBefore.has(placeId)) : places;
  return { places: kept, known };
}

/** The phone number of an erased person is not stored again. */
async function saveAllowed(
  trx: Transaction<Database>,
  { id, user_id }: MapsRun,
  places: readonly Place[],
): Promise<number> {
  const wordOf = ({ phone, countryCode }: Place) => phone && phoneWord(phone, countryCode);
  const words = places.flatMap((place) => wordOf(place) ?? []);
  const erased = await listErasedKeys(trx, user_id, words);
  const allowed = places.map((place) =>
    erased.has(wordOf(place) ?? '') ? { ...place, phone: null } : place,
  );
  return saveMapsItems(trx, id, allowed);
}

/** Choice 30: `enriching` where contacts are wanted, else completed. */
async function endScraping(
  trx: Transaction<Database>,
  run: MapsRun,
  savedItems: number,
): Promise<SearchResult> {
  const found = `${savedItems} places saved`;
  if (!run.enrich_wanted) {
    await endMapsRun(trx, run.id, { status: 'completed', message: found });
    return result('end', found);
  }
  await updateMapsRun(trx, run.id, {
    status: 'enriching',
    status_message: `${found}; visiting their websites`,
    round: run.round + 1,
  });
  return result('enrich', found);
}
