/** Enrichment: the websites of a run's places, many at the same time, each result kept as it comes. */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Context as ActivityContext } from '@temporalio/activity';
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { listErasedKeys } from '../../src/db/erased-keys.ts';
import {
  claimMapsItems,
  recordVisits,
  releaseItems,
  type ClaimedItem,
  type VisitResult,
} from '../../src/db/maps-items.ts';
import {
  countMapsItems,
  endMapsRun,
  lockMapsRun,
  updateMapsRun,
  type MapsRun,
} from '../../src/db/maps-runs.ts';
import type { Database } from '../../src/db/tables.ts';
import type { EmailCheck } from '../../src/domain/email-check.ts';
import { contactKeys, withoutErased } from '../../src/domain/erased-contacts.ts';
import type { PageResult } from '../../src/domain/jobs.ts';
import type { ContactCheck, PlaceContacts } from '../../src/domain/maps.ts';
import type { SiteAnswer } from '../../src/providers/websites/port.ts';
import type { MapsRunInput } from './run-state.ts';

type Needs = Pick<Context, 'db' | 'websites' | 'emailChecker'>;

/** Items of one activity, and how many of their sites are visited at the same time. */
const BATCH_ITEMS = 500;
const SITES_IN_FLIGHT = 100;
/** Results are written together when so many are there, or after so long. */
const FLUSH_ITEMS = 25;
const FLUSH_MS = 1_000;
/** No new site is begun after so long: the activity has to end in time. */
const BEGIN_FOR_MS = 8 * 60_000;

export const mapsEnrichActivities = (context: Needs) => ({
  /**
   * Visits the next sites of this round. Items are claimed first: a late result of an attempt that
   * was given up is not taken, so that each item is counted once. Killed, it repeats one batch at
   * most. Spec: POST enrich.
   */
  async enrichPlaces({ operationId, runId }: MapsRunInput): Promise<PageResult> {
    const { cancellationSignal: signal } = ActivityContext.current();
    // Every site that is visited listens to it.
    setMaxListeners(0, signal);
    const round = { runId, operationId, claim: randomUUID() };
    const claimed = await context.db.transaction().execute((trx) => claim(trx, round));
    if ('isDone' in claimed) return claimed;
    const { run, items } = claimed;
    const desk = openDesk(context, { ...round, run, signal });
    try {
      await visitAll(context, { items, signal, run, keep: desk.keep, isOver: desk.isOver });
      await desk.close();
    } catch (error) {
      await desk.close().catch(() => undefined);
      throw error;
    } finally {
      await context.db.transaction().execute((trx) => release(trx, round));
    }
    return context.db.transaction().execute((trx) => stateAfter(trx, round));
  },
});

interface Round {
  runId: number;
  operationId: number;
  claim: string;
}

/** The next items, or what the run wants instead. The last batch ends the run. Choice 30. */
async function claim(
  trx: Transaction<Database>,
  { runId, operationId, claim: token }: Round,
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
  if (items.length === 0) return finish(trx, run);
  await countMapsItems(trx, runId, { enriched, failed });
  return { run, items };
}

async function finish(trx: Transaction<Database>, run: MapsRun): Promise<PageResult> {
  const ended = await endMapsRun(trx, run.id, { status: 'completed', message: summary(run) });
  return { state: 'active', isDone: true, progress: ended.status_message };
}

const summary = ({ saved_items, enriched_items, failed_items }: MapsRun): string =>
  `${saved_items} places saved, ${enriched_items} websites read` +
  (failed_items > 0 ? `, ${failed_items} could not be read` : '');

/** Where this round is not to go on: done by somebody else before, or the run is over. */
function overOf(run: MapsRun, operationId: number): PageResult | undefined {
  const progress = summary(run);
  const isStopped = run.status === 'cancelled' || run.status === 'failed';
  // Not done: the workflow stops before its next page.
  if (isStopped || run.deleted_at !== null) return { state: 'over', isDone: false, progress };
  const isOurs = run.operation_id === operationId && run.status === 'enriching';
  return isOurs ? undefined : { state: 'active', isDone: true, progress };
}

async function stateAfter(trx: Transaction<Database>, round: Round): Promise<PageResult> {
  const run = await lockMapsRun(trx, round.runId);
  const over = overOf(run, round.operationId);
  return over ?? { state: 'active', isDone: false, progress: summary(run) };
}

/** Items that were not visited go back; the next batch takes them. */
async function release(trx: Transaction<Database>, { runId, claim: token }: Round): Promise<void> {
  await lockMapsRun(trx, runId);
  await countMapsItems(trx, runId, await releaseItems(trx, runId, token));
}

interface Visiting {
  items: readonly ClaimedItem[];
  run: MapsRun;
  signal: AbortSignal;
  keep: (result: VisitResult) => Promise<void>;
  isOver: () => boolean;
}

async function visitAll(context: Needs, visiting: Visiting): Promise<void> {
  const { items, run, signal, keep, isOver } = visiting;
  const until = Date.now() + BEGIN_FOR_MS;
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) {
      if (isOver() || Date.now() > until) return;
      const countryCode = item.countryCode ?? run.search.countryCode.toUpperCase();
      const answer = await context.websites.visit({ website: item.website, countryCode }, signal);
      await keep(resultOf(item.id, answer));
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: SITES_IN_FLIGHT }, lane));
  const failed = lanes.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

function resultOf(id: number, { state, reason, contacts, pages }: SiteAnswer): VisitResult {
  if (state !== 'found') {
    const status = state === 'refused' ? 'skipped' : 'failed';
    return { id, status, reason: reason ?? 'The website could not be read', contacts: null };
  }
  const found: PlaceContacts = { ...contacts, pages, checks: {} };
  return { id, status: 'enriched', reason: null, contacts: found };
}

/** Collects results and writes them together, verified where the run wants that. */
function openDesk(context: Needs, round: Round & { run: MapsRun; signal: AbortSignal }) {
  let waiting: VisitResult[] = [];
  let over = false;
  let lastFlush = Date.now();
  let writing = Promise.resolve();
  const write = async (results: VisitResult[]) => {
    const judged = await judge(context, round, results);
    over ||= !(await context.db.transaction().execute((trx) => record(trx, round, judged)));
  };
  const flush = () => {
    const results = waiting;
    waiting = [];
    lastFlush = Date.now();
    // One after the other; the lanes go on meanwhile, and hear of a failure at their next result.
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

/** Verdicts on the addresses, when the run was created with verifyEmails. */
async function judge(
  context: Needs,
  { run, signal }: { run: MapsRun; signal: AbortSignal },
  results: readonly VisitResult[],
): Promise<VisitResult[]> {
  const emails = results.flatMap(
    ({ contacts }) => contacts?.emails.map(({ email }) => email) ?? [],
  );
  const checks =
    run.verify_emails && emails.length > 0
      ? await context.emailChecker.check([...new Set(emails)], { signal })
      : new Map<string, EmailCheck>();
  return results.map((result) => {
    if (!result.contacts) return result;
    const found = result.contacts.emails.flatMap(({ email }) => {
      const check = checks.get(email);
      return check ? [[email, keptCheck(check)] as const] : [];
    });
    return { ...result, contacts: { ...result.contacts, checks: Object.fromEntries(found) } };
  });
}

export const keptCheck = ({ status, score, reason, checkedAt }: EmailCheck): ContactCheck => ({
  status,
  score,
  reason,
  checkedAt,
});

/** False when the run is over: then nothing was written. */
async function record(
  trx: Transaction<Database>,
  { runId, operationId, claim: token }: Round,
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

/** Nobody who was erased is stored again. */
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
