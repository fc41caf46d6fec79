/**
 * Starts a maps run's search, at most once, and ends it when it is given up.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import { Context as ActivityContext } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import {
  getMapsRun,
  lockMapsRun,
  updateMapsRun,
  type MapsRun,
} from '../../src/db/maps/maps-runs.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { isFinal } from '../../src/domain/maps/maps.ts';
import type { MapsProvider } from '../../src/providers/maps/port.ts';
import { latestEnd } from '../engine/consistency-lag.ts';
import { inOurWords, leaveProvider, providerOf, tokenOf } from './providers.ts';
import { over, result, searchStateOf, type MapsRunInput, type SearchResult } from './run-state.ts';

type Needs = Pick<Context, 'db' | 'config' | 'clock' | 'maps' | 'logger'>;

export const mapsStartActivities = (context: Needs) => ({
  /**
   * Starts the search, at most once. Safe to repeat, also after a crash: while an earlier attempt's
   * start may still be under way or unseen it waits, then it checks and adopts that search. A provider
   * that refuses for good is replaced by the next one.
   * docs/workflow-rules.md#intent-before-purchase; choice 63.
   */
  async startMapsSearch({ operationId, runId }: MapsRunInput): Promise<SearchResult> {
    const run = await getMapsRun(context.db, runId);
    const done = searchStateOf(run, operationId);
    if (done) return done;
    if (run.cursor !== null) return result('scrape', 'The search runs');
    const provider = providerOf(context, run);
    assertStartIsSeen(context, run);
    const asked = await recordIntent(context, run, provider);
    if (!asked) return over('The run is over');
    try {
      const { cancellationSignal } = ActivityContext.current();
      const cursor = await provider.begin(run.search, tokenOf(asked, provider), cancellationSignal);
      return await keepCursor(context, run, { cursor, provider });
    } catch (error) {
      return startFailed(context, run, { error, provider });
    }
  },

  /** Ends what still runs at the provider. Safe to repeat; a run without a search has nothing to end. */
  async endMapsSearch({ runId }: MapsRunInput): Promise<void> {
    const run = await getMapsRun(context.db, runId);
    const provider = context.maps[run.provider];
    if (!provider || run.scraped_at !== null) return;
    let { cursor } = run;
    if (cursor === null) {
      if (run.asked_until === null) return;
      assertStartIsSeen(context, run);
      cursor = await provider.find(tokenOf(run, provider));
    }
    if (cursor !== null) await provider.end(cursor);
    await updateMapsRun(context.db, runId, { asked_until: null });
  },
});

/** Throws `not_ready` while a start of an earlier attempt may be unseen. */
function assertStartIsSeen({ config, clock }: Needs, run: MapsRun): void {
  if (run.asked_until === null) return;
  const seenAt = run.asked_until.getTime() + config.PROVIDER_LAG_SECONDS * 1_000;
  if (clock.now().getTime() >= seenAt) return;
  throw new ProviderError('not_ready', 'Waiting until the provider shows what it started', {
    provider: run.provider,
  });
}

/**
 * Writes the intent before any request, and by which key where nobody can have asked yet; undefined = the run is over by
 * now. Throws `not_ready` where another attempt has written it since `run` was read: a worker that has lost Temporal
 * works on while the next attempt begins.
 */
async function recordIntent(
  context: Needs,
  run: MapsRun,
  provider: MapsProvider,
): Promise<MapsRun | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const { status, started_at, asked_until, cursor, ...row } = await lockMapsRun(trx, run.id);
    if (isFinal(status)) return undefined;
    if (cursor !== null || asked_until?.getTime() !== run.asked_until?.getTime()) {
      throw new ProviderError('not_ready', 'Another attempt is starting it', {
        provider: provider.name,
      });
    }
    // The order's: it is there again where a fail-over loses this note.
    const orderKey = async () => (await getOperation(trx, run.operation_id!)).run_key;
    return updateMapsRun(trx, run.id, {
      status: 'running',
      status_message: `Searching with ${provider.name}`,
      provider: provider.name,
      run_key: row.run_key ?? (asked_until === null ? await orderKey() : null),
      asked_until: latestEnd(context),
      started_at: started_at ?? new Date(),
    });
  });
}

async function keepCursor(
  context: Needs,
  run: MapsRun,
  { cursor, provider }: { cursor: string; provider: MapsProvider },
): Promise<SearchResult> {
  return context.db.transaction().execute(async (trx) => {
    const { status, notes } = await lockMapsRun(trx, run.id);
    const added = provider.shortcomings(run.search).filter((one) => !notes.includes(one));
    // Also for a run that was cancelled meanwhile: the cursor is needed to end its search.
    await updateMapsRun(trx, run.id, { cursor, asked_until: null, notes: [...notes, ...added] });
    const progress = `The search was started with ${provider.name}`;
    return isFinal(status) ? over(progress) : result('scrape', progress);
  });
}

async function startFailed(
  context: Needs,
  run: MapsRun,
  { error, provider }: { error: unknown; provider: MapsProvider },
): Promise<SearchResult> {
  if (!(error instanceof ProviderError)) throw error;
  if (error.kind === 'outcome_unknown') {
    // From now on no request is under way; the lag has to pass before the search is looked up.
    await updateMapsRun(context.db, run.id, { asked_until: context.clock.now() });
    throw new ProviderError('not_ready', error.message, error.facts);
  }
  await updateMapsRun(context.db, run.id, { asked_until: null });
  if (await leaveProvider(context, run, { error, provider })) {
    return result('start', `${provider.name} refused: another provider is asked`);
  }
  context.logger.warn({ runId: run.id, err: error }, `${provider.name} did not begin a search`);
  throw inOurWords(provider, error);
}
