/** Step `search_ads`: pages of ad libraries, each kept together with its cursor. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimSearch,
  countAdvertisers,
  insertAds,
  insertSources,
  listSources,
  updateSource,
  type LeadProcessSource,
} from '../../src/db/discovery/lead-process-sources.ts';
import { getLeadProcess, type LeadProcess } from '../../src/db/discovery/lead-processes.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { placesOf, planSearches, batchSize } from '../../src/domain/discovery/discovery.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import type { AdLibrary, AdPage, AdSearch } from '../../src/providers/ad-libraries/port.ts';
import { giveUpSource, isTrouble, noteTrouble } from './source-trouble.ts';
import {
  closePage,
  currentRun,
  enterStep,
  whileActive,
  type ActivityRun,
  type DiscoveryContext,
  type DiscoveryInput,
  type DiscoveryPage,
} from './process.ts';

/** Ads of one page: about 1.5 MB from the actor. */
const PAGE_ADS = 250;

/** How often a library that is still at work is asked for more; scaled by the pace. */
const POLL_MS = 3_000;

/** Ads per wanted lead, after which a search is ended: the actor is paid per ad. */
const ADS_PER_LEAD = 10;
const MIN_ADS = 500;
const MAX_ADS = 50_000;

/** Reads pages until this pass has enough advertisers, no library has more, or the time is over. */
export async function searchAds(
  context: DiscoveryContext,
  { processId, operationId }: DiscoveryInput,
): Promise<DiscoveryPage> {
  const run = { ...currentRun(context), operationId };
  const process = await enterStep(context, processId, 'search_ads');
  if (process) {
    await planSources(context, process);
    // A run that continues another one begins here, too: what was found already is handled first.
    const before = await closePage(context, processId, 'search_ads');
    if (before.next !== 'search_ads' && before.next !== 'extract_companies') return before;
    while (!run.isOver() && (await searchOnce(context, process, run)));
  }
  return closePage(context, processId, 'search_ads');
}

/** Once per process: each country goes to the first library that covers it. */
async function planSources(context: DiscoveryContext, process: LeadProcess): Promise<void> {
  await whileActive(context, process.id, async (trx) => {
    if ((await listSources(trx, process.id)).length > 0) return;
    const libraries = Object.values(context.adLibraries);
    const { searches, uncovered } = planSearches(process.countries, libraries);
    const places = placesOf(uncovered);
    if (searches.length === 0) {
      throw invalid('NO_AD_LIBRARY', `No ad library that is configured covers ${places}`);
    }
    const note = `No ad library that is configured covers ${places}: not searched`;
    const first = searches[0]!;
    if (uncovered.length > 0) first.note = [first.note, note].filter(Boolean).join('. ');
    await insertSources(trx, process.id, searches);
  });
}

type SearchRun = ActivityRun & Pick<DiscoveryInput, 'operationId'>;

/** One page of the first library that has more. False when this pass needs no more pages. */
async function searchOnce(
  context: DiscoveryContext,
  process: LeadProcess,
  run: SearchRun,
): Promise<boolean> {
  const sources = await listSources(context.db, process.id);
  const source = sources.find(({ state }) => state === 'waiting' || state === 'begun');
  if (!source || (await hasEnough(context, process))) return false;
  const library = context.adLibraries[source.vendor];
  try {
    if (!library) throw invalid('NO_AD_LIBRARY', `The ad library ${source.vendor} is switched off`);
    if (source.cursor === null)
      return await beginSearch(context, { process, source, library }, run);
    const search = searchOf(process, source);
    const page = await library.page(search, source.cursor, PAGE_ADS, run.signal);
    if (!(await keepPage(context, { process, source, search }, page))) return false;
    if (page.isRunning && page.ads.length === 0) await pause(context, POLL_MS, run.signal);
    return true;
  } catch (error) {
    if (!isTrouble(error)) throw error;
    if (!(await noteTrouble(context, source, error))) {
      return giveUpSource(context, process, { source, error });
    }
    // Begun or not: the next check waits until the vendor can show it.
    if (error instanceof ProviderError && error.kind === 'outcome_unknown') return true;
    throw error;
  }
}

/** The token by which the library recognises a search: unique, as ids repeat after a restore and elsewhere. */
const tokenOf = ({ id, process_id, run_key }: LeadProcessSource): string =>
  `discovery-${process_id}-${run_key ?? id}`;

/** Whether there are enough for the missing leads, as far as known before the companies are visited. */
async function hasEnough(context: DiscoveryContext, process: LeadProcess): Promise<boolean> {
  const { found_leads: found, lead_count: wanted } = await getLeadProcess(context.db, process.id);
  const { count } = await context.db
    .selectFrom('lead_process_companies')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('process_id', '=', process.id)
    .executeTakeFirstOrThrow();
  const stock = { ads: 0, unvisited: 0, unanswered: 0, unchecked: 0, checked: 0 };
  const view = { wanted, found, companies: Number(count), ...stock, isSearching: true };
  return (await countAdvertisers(context.db, process.id)) >= batchSize(view);
}

interface Searching {
  process: LeadProcess;
  source: LeadProcessSource;
  library: AdLibrary;
}

/**
 * Begins a search at most once: the token finds one whose answer was lost, and before a second start the
 * vendor's consistency lag is waited out, in which a first one could still appear.
 */
async function beginSearch(
  context: DiscoveryContext,
  { process, source, library }: Searching,
  run: SearchRun,
): Promise<boolean> {
  const hiddenMs = msUntilShown(context, source);
  if (hiddenMs > 0) await sleep(hiddenMs, undefined, { signal: run.signal });
  const claimed = await whileActive(context, process.id, async (trx) => {
    const operation = await getOperation(trx, run.operationId);
    return claimSearch(trx, source, { at: context.clock.now(), operation });
  });
  if (claimed === undefined) return false;
  // Another attempt begins it; the next check shows what came of that.
  if (!claimed) return true;
  const cursor = await library.begin(searchOf(process, source), tokenOf(claimed), run.signal);
  // Also when the process is paused or over: a running search must be known in order to be ended.
  await updateSource(context.db, source.id, { state: 'begun', cursor, failures: 0 });
  return true;
}

/** How long the library may still hide a search that it was asked to begin. */
function msUntilShown(
  { config, clock }: DiscoveryContext,
  { asked_at }: LeadProcessSource,
): number {
  const lagSeconds = config.PROVIDER_LAG_SECONDS + config.PROVIDER_TIMEOUT_SECONDS;
  return (asked_at?.getTime() ?? -Infinity) + lagSeconds * 1_000 - clock.now().getTime();
}

/**
 * Stores ads and cursor in one transaction, so a page is stored whole or not at all. False when the
 * process is paused or over.
 */
async function keepPage(
  context: DiscoveryContext,
  {
    process,
    source,
    search,
  }: { process: LeadProcess; source: LeadProcessSource; search: AdSearch },
  page: AdPage,
): Promise<boolean> {
  const ads = source.ads + page.ads.length;
  const isCapped = page.cursor !== null && ads >= search.maxAds;
  const note = isCapped ? `stopped after ${ads} ads` : page.endedEarly;
  const kept = await whileActive(context, process.id, async (trx) => {
    await insertAds(trx, source, page.ads);
    await updateSource(trx, source.id, {
      // Null at its end: nothing runs there any more.
      cursor: page.cursor,
      ...(page.cursor === null && { asked_at: null }),
      state: page.cursor === null || isCapped ? 'ended' : 'begun',
      ads,
      failures: 0,
      ...(note !== null && {
        note: [source.note, `${source.vendor}: ${note}`].filter(Boolean).join('. '),
      }),
    });
    return true;
  });
  if (kept && isCapped) {
    await endSource(context, { ...source, cursor: page.cursor }).catch((error: unknown) =>
      // `endSearches` tries again.
      context.logger.warn({ err: error, vendor: source.vendor }, 'a search could not be ended'),
    );
  }
  return kept === true;
}

const searchOf = (process: LeadProcess, source: LeadProcessSource): AdSearch => ({
  searchTerm: process.search_term,
  countries: source.countries,
  maxAds: Math.min(MAX_ADS, Math.max(MIN_ADS, process.lead_count * ADS_PER_LEAD)),
});

const pause = ({ config }: DiscoveryContext, ms: number, signal: AbortSignal) =>
  sleep(ms * config.RETRY_PACE, undefined, { signal });

/**
 * After the last page: ends every paid search that nobody will read, whether given up or begun without
 * an answer. Throws `not_ready` while a lost start may be unseen. Safe to repeat.
 */
export async function endSearches(
  context: DiscoveryContext,
  { processId }: DiscoveryInput,
): Promise<void> {
  const failures: unknown[] = [];
  for (const source of await listSources(context.db, processId)) {
    // A library that is down must not keep the others running.
    await endSource(context, source).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function endSource(context: DiscoveryContext, source: LeadProcessSource): Promise<void> {
  if (source.cursor === null && source.asked_at === null) return;
  const library = context.adLibraries[source.vendor];
  const cursor = source.cursor ?? (library && (await findLost(context, source, library)));
  if (library && cursor) await library.end(cursor);
  const state = source.state === 'failed' ? 'failed' : 'ended';
  await updateSource(context.db, source.id, { state, cursor: null, asked_at: null });
}

/** Finds a search whose start was never answered. */
async function findLost(
  context: DiscoveryContext,
  source: LeadProcessSource,
  library: AdLibrary,
): Promise<string | null> {
  if (!library.find) return null;
  if (msUntilShown(context, source) > 0) {
    const message = 'Waiting until the library shows what was begun';
    throw new ProviderError('not_ready', message, { provider: source.vendor });
  }
  return library.find(tokenOf(source));
}
