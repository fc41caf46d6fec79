/** What every discovery activity shares: a check of the locked row, and the next step. */
import { activityInfo, Context as ActivityContext } from '@temporalio/activity';
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { listFinders } from '../../src/db/discovery/lead-process-finders.ts';
import { countStock } from '../../src/db/discovery/lead-process-companies.ts';
import { listSources } from '../../src/db/discovery/lead-process-sources.ts';
import { jobStateOf } from '../../src/db/discovery/lead-process-states.ts';
import {
  lockLeadProcess,
  updateLeadProcess,
  type LeadProcess,
} from '../../src/db/discovery/lead-processes.ts';
import type { Database } from '../../src/db/tables.ts';
import {
  nextStep,
  percentOf,
  type DiscoveryPage,
  type DiscoveryStep,
} from '../../src/domain/discovery/discovery.ts';
import { invalid } from '../../src/domain/errors.ts';

export type { DiscoveryPage };

export type DiscoveryContext = Pick<
  Context,
  | 'db'
  | 'config'
  | 'clock'
  | 'logger'
  | 'adLibraries'
  | 'contactFinders'
  | 'websites'
  | 'emailChecker'
>;

export interface DiscoveryInput {
  processId: number;
  operationId: number;
}

/** One activity works this long at most, then the workflow decides what is next. */
export const ACTIVITY_LIMIT_MS = 4 * 60_000;

/** One run of an activity: when it stops by itself, and the name that marks its intents. */
export interface ActivityRun {
  signal: AbortSignal;
  attempt: string;
  isOver(): boolean;
}

/** How many contacts may still be found before there are enough to validate. */
export interface Need {
  missing: number;
}

export function currentRun({ clock }: Pick<Context, 'clock'>): ActivityRun {
  const { workflowExecution, activityId, attempt } = activityInfo();
  const until = clock.now().getTime() + ACTIVITY_LIMIT_MS;
  return {
    signal: ActivityContext.current().cancellationSignal,
    attempt: `${workflowExecution?.runId ?? ''}/${activityId}/${attempt}`,
    isOver: () => clock.now().getTime() >= until,
  };
}

/**
 * Runs `work` in a transaction that locks the row. If the process is paused or over it returns undefined
 * and stores nothing, so a pause or a cancel takes effect as soon as it is committed.
 */
export function whileActive<T>(
  context: Pick<Context, 'db'>,
  processId: number,
  work: (trx: Transaction<Database>, process: LeadProcess) => Promise<T>,
): Promise<T | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const process = await lockLeadProcess(trx, processId);
    if (jobStateOf(process.status) !== 'active') return undefined;
    return work(trx, process);
  });
}

/** Writes into the row which step runs. Undefined when the process is paused or over. */
export const enterStep = (
  context: Pick<Context, 'db'>,
  processId: number,
  step: DiscoveryStep,
): Promise<LeadProcess | undefined> =>
  whileActive(context, processId, async (trx, process) => {
    const started_at = process.started_at ?? new Date();
    if (process.step !== step) await updateLeadProcess(trx, processId, { step, started_at });
    return process;
  });

/** The names of the finders that this process may still ask, in order. */
export async function activeFinders(
  context: Pick<Context, 'db' | 'contactFinders'>,
  processId: number,
): Promise<string[]> {
  const rows = await listFinders(context.db, processId);
  const stopped = new Set(rows.filter(({ state }) => state === 'stopped').map((row) => row.vendor));
  return Object.keys(context.contactFinders).filter((name) => !stopped.has(name));
}

/** Reads what is left to do and records the progress: the result of every activity. */
export function closePage(
  context: DiscoveryContext,
  processId: number,
  step: DiscoveryStep,
): Promise<DiscoveryPage> {
  return context.db.transaction().execute(async (trx) => {
    const process = await lockLeadProcess(trx, processId);
    const state = jobStateOf(process.status);
    const vendors = await activeFinders({ ...context, db: trx }, processId);
    const stock = await countStock(trx, processId, vendors);
    const sources = await listSources(trx, processId);
    const isSearching =
      sources.length === 0 ||
      sources.some((one) => one.state === 'waiting' || one.state === 'begun');
    const view = { wanted: process.lead_count, found: process.found_leads, ...stock, isSearching };
    const next = state === 'active' ? nextStep(view) : step;
    if (state === 'active') {
      const progress_percent = Math.max(process.progress_percent, percentOf(view));
      await updateLeadProcess(trx, processId, { progress_percent });
      if (next === null) assertSomethingWorked(sources, process);
    }
    const progress = `${process.found_leads} of ${process.lead_count} leads, ${stock.companies} companies`;
    return { state, isDone: next !== step, progress, next };
  });
}

/** When every library failed and nothing was found, the process has failed. Choice 63. */
function assertSomethingWorked(
  sources: Awaited<ReturnType<typeof listSources>>,
  process: LeadProcess,
): void {
  if (process.found_leads > 0 || sources.some(({ state }) => state !== 'failed')) return;
  const last = sources.findLast(({ error_code }) => error_code !== null);
  throw invalid(
    last?.error_code ?? 'NO_AD_LIBRARY',
    last?.note ?? 'No ad library could be searched',
  );
}
