/** Enrichment: the websites of a run's places, visited in parallel, each result kept as it comes. */
import { randomUUID } from 'node:crypto';
import { Context as ActivityContext } from '@temporalio/activity';
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { listErasedKeys } from '../../src/db/suppressions/erased-keys.ts';
import {
  claimMapsItems,
  recordVisits,
  releaseItems,
  type ClaimedItem,
  type VisitResult,
} from '../../src/db/maps/maps-items.ts';
import {
  countMapsItems,
  endMapsRun,
  lockMapsRun,
  updateMapsRun,
  type MapsRun,
} from '../../src/db/maps/maps-runs.ts';
import type { Database } from '../../src/db/tables.ts';
import { contactKeys, withoutErased } from '../../src/domain/suppressions/erased-contacts.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import { VISIT_LIMIT_MS } from '../discovery/site-visits.ts';
import type { MapsRunInput } from './run-state.ts';
import { verifyItems } from './verify.ts';
import { visitAll } from './visit-sites.ts';

type Needs = Pick<Context, 'db' | 'websites' | 'emailChecker'>;

/** Items per activity. */
const BATCH_ITEMS = 500;
/** Results are written together when this many are held, or after this time. */
const FLUSH_ITEMS = 25;
const FLUSH_MS = 1_000;
/**
 * Nothing is begun after `beginForMs`, no visit lasts longer than `visitMs` and no batch of addresses
 * longer than `batchMs`: together well below the 15 minutes that a page may take.
 */
const BOUNDS = { beginForMs: 5 * 60_000, visitMs: VISIT_LIMIT_MS, batchMs: 4 * 60_000 };

export const mapsEnrichActivities = (context: Needs, bounds = BOUNDS) => ({
  /**
   * Visits the next sites; when none is left, verifies addresses if the run has `verifyEmails`, in pages
   * of their own: what was found is stored by then. Items are claimed first: a late result of an attempt
   * that was given up is dropped, so that each item is counted once. If killed, it repeats at most one
   * batch. Spec: POST /v1/maps-scraper/runs/:id/enrich.
   */
  async enrichPlaces({ operationId, runId }: MapsRunInput): Promise<PageResult> {
    const { cancellationSignal: signal } = ActivityContext.current();
    const batch = { runId, operationId, claim: randomUUID() };
    const claimed = await context.db.transaction().execute((trx) => claim(trx, batch));
    if ('isDone' in claimed) return claimed;
    const { run, items } = claimed;
    if (items.length === 0) {
      const isVerified = await verifyItems(context, run, { signal, ...bounds });
      return context.db
        .transaction()
        .execute((trx) => (isVerified ? finish(trx, batch) : stateAfter(trx, batch)));
    }
    const writer = createResultWriter(context, batch);
    try {
      const { keep, isOver } = writer;
      await visitAll(context, { items, signal, run, keep, isOver, bounds });
      await writer.close();
    } catch (error) {
      await writer.close().catch(() => undefined);
      throw error;
    } finally {
      await context.db.transaction().execute((trx) => release(trx, batch));
    }
    return context.db.transaction().execute((trx) => stateAfter(trx, batch));
  },
});

interface Batch {
  runId: number;
  operationId: number;
  claim: string;
}

/** The next items, or the state of the run if it stops; none when all were visited. */
async function claim(
  trx: Transaction<Database>,
  { runId, operationId, claim: token }: Batch,
): Promise<{ run: MapsRun; items: ClaimedItem[] } | PageResult> {
  const run = await lockMapsRun(trx, runId);
  const over = overOf(run, operationId);
  if (over) return over;
  const { items, enriched, failed } = await claimMapsItems(trx, {
    runId,
    number: run.round,
    force: run.enrich_force,
    claim: token,
    limit: BATCH_ITEMS,
  });
  await countMapsItems(trx, runId, { enriched, failed });
  return { run, items };
}

/** Choice 30. Not when `force` was requested meanwhile: then there is more to visit. */
async function finish(trx: Transaction<Database>, batch: Batch): Promise<PageResult> {
  const run = await lockMapsRun(trx, batch.runId);
  const over = overOf(run, batch.operationId);
  if (over) return over;
  const left = await claimMapsItems(trx, {
    runId: run.id,
    number: run.round,
    force: run.enrich_force,
    claim: batch.claim,
    limit: 1,
  });
  if (left.items.length > 0) {
    await countMapsItems(trx, run.id, left);
    await countMapsItems(trx, run.id, await releaseItems(trx, run.id, batch.claim));
    return { state: 'active', isDone: false, progress: summary(run) };
  }
  const ended = await endMapsRun(trx, run.id, { status: 'completed', message: summary(run) });
  return { state: 'active', isDone: true, progress: ended.status_message };
}

const summary = ({ saved_items, enriched_items, failed_items }: MapsRun): string =>
  `${saved_items} places saved, ${enriched_items} websites read` +
  (failed_items > 0 ? `, ${failed_items} could not be read` : '');

/** Where this enrichment must not continue: another attempt finished it, or the run is over. */
function overOf(run: MapsRun, operationId: number): PageResult | undefined {
  const progress = summary(run);
  const isStopped = run.status === 'cancelled' || run.status === 'failed';
  // `isDone` is false: the workflow stops before its next page.
  if (isStopped || run.deleted_at !== null) return { state: 'over', isDone: false, progress };
  const isOurs = run.operation_id === operationId && run.status === 'enriching';
  return isOurs ? undefined : { state: 'active', isDone: true, progress };
}

async function stateAfter(trx: Transaction<Database>, batch: Batch): Promise<PageResult> {
  const run = await lockMapsRun(trx, batch.runId);
  const over = overOf(run, batch.operationId);
  return over ?? { state: 'active', isDone: false, progress: summary(run) };
}

/** Releases claimed items that were not visited; the next batch takes them. */
async function release(trx: Transaction<Database>, { runId, claim: token }: Batch): Promise<void> {
  await lockMapsRun(trx, runId);
  await countMapsItems(trx, runId, await releaseItems(trx, runId, token));
}

/** Collects results and writes them together. */
function createResultWriter(context: Needs, batch: Batch) {
  let waiting: VisitResult[] = [];
  let over = false;
  let lastFlush = Date.now();
  let writing = Promise.resolve();
  const write = async (results: VisitResult[]) => {
    over ||= !(await context.db.transaction().execute((trx) => record(trx, batch, results)));
  };
  const flush = () => {
    const results = waiting;
    waiting = [];
    lastFlush = Date.now();
    // Writes are serialised; visits go on meanwhile, and get a write failure with their next result.
    writing = writing.then(() => (results.length > 0 ? write(results) : undefined));
    writing.catch(() => undefined);
    return writing;
  };
  return {
    isOver: () => over,
    keep: async (result: VisitResult) => {
      waiting.push(result);
      if (waiting.length >= FLUSH_ITEMS || Date.now() - lastFlush > FLUSH_MS) await flush();
    },
    close: flush,
  };
}

/** False when the run is over: then nothing was written. */
async function record(
  trx: Transaction<Database>,
  { runId, operationId, claim: token }: Batch,
  results: readonly VisitResult[],
): Promise<boolean> {
  const run = await lockMapsRun(trx, runId);
  if (overOf(run, operationId)) return false;
  const allowed = await withoutErasedPeople(trx, run, results);
  const change = await recordVisits(trx, { number: run.round, claim: token }, allowed);
  await countMapsItems(trx, runId, change);
  const enriched = run.enriched_items + change.enriched;
  await updateMapsRun(trx, runId, { status_message: `Visiting websites: ${enriched} read` });
  return true;
}

/** Leaves out people who were erased. */
async function withoutErasedPeople(
  trx: Transaction<Database>,
  { user_id, search }: MapsRun,
  results: readonly VisitResult[],
): Promise<VisitResult[]> {
  const country = search.countryCode.toUpperCase();
  const keys = results.flatMap(({ contacts }) => (contacts ? contactKeys(contacts, country) : []));
  const erased = await listErasedKeys(trx, user_id, keys);
  if (erased.size === 0) return [...results];
  return results.map((result) => ({
    ...result,
    contacts: result.contacts && withoutErased(result.contacts, country, erased),
  }));
}
