/** Maps runs: search, enrichment, cancel, deletion. Spec: Maps scraper; choices 30-32, 54. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { cancelMapsImportsOfRun } from '../../db/maps/maps-imports.ts';
import { deleteMapsItems, listMapsItems } from '../../db/maps/maps-items.ts';
import {
  endMapsRun,
  findUserMapsRun,
  getMapsRun,
  listMapsRuns,
  lockUserMapsRun,
  updateMapsRun,
  type MapsRun,
} from '../../db/maps/maps-runs.ts';
import { getOperation, insertOperation } from '../../db/operations/operations.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound, upstreamUnavailable } from '../../domain/errors.ts';
import { enrichWebsitesFlow } from '../../domain/maps/flows.ts';
import {
  isFinal,
  type MapsItemStatus,
  type MapsRunStatus,
  type MapsRunOrder,
} from '../../domain/maps/maps.ts';
import { orderMapsRun } from '../../transactions/order-maps-run.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'maps' | 'startOperation'>;

/**
 * Spec: POST /v1/maps-scraper/runs. A request with the `requestKey` of an earlier one is answered with
 * that one's run: nothing is searched, and paid for, twice.
 */
export async function createMapsRun(
  context: Needs,
  userId: string,
  order: MapsRunOrder,
  requestKey?: string,
): Promise<MapsRun> {
  const operation = await orderOnce(context, { userId, requestKey }, async (trx) => {
    const [provider] = Object.keys(context.maps);
    if (provider === undefined) throw upstreamUnavailable('No map search is configured');
    const begun = await orderMapsRun(trx, {
      ...workOf(userId),
      provider,
      order,
      pace: paceOf(context),
      requestKey,
    });
    const { search, leadListId, scrapeContacts, verifyEmails } = order;
    const { maxPlacesPerSearch, countryCode } = search;
    const facts = { maxPlacesPerSearch, countryCode, leadListId, scrapeContacts, verifyEmails };
    noteChange({ resourceId: begun.resource_id, after: { ...facts, leftOut: ['search'] } });
    return begun;
  });
  return getMapsRun(context.db, operation.resource_id);
}

export async function getUserMapsRun(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<MapsRun> {
  const run = await findUserMapsRun(context.db, userId, id);
  if (!run) throw notFound('maps run');
  return run;
}

export const listUserMapsRuns = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: {
    status?: MapsRunStatus | undefined;
    leadListId?: number | undefined;
    limit: number;
    offset: number;
  },
) => listMapsRuns(context.db, userId, page);

export async function listRunItems(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
  page: {
    status?: MapsItemStatus | undefined;
    importStatus?: 'imported' | 'skipped' | undefined;
    limit: number;
    offset: number;
  },
) {
  const run = await getUserMapsRun(context, userId, id);
  return { run, ...(await listMapsItems(context.db, run.id, page)) };
}

/**
 * Spec: POST /v1/maps-scraper/runs/:id/enrich. Choice 54. A run that is still being searched keeps its
 * state and is enriched afterwards; `force` during an enrichment makes it visit places with results,
 * too.
 */
export async function enrichMapsRun(
  context: Needs,
  userId: string,
  id: number,
  force: boolean,
): Promise<MapsRun> {
  const { run, operation } = await commitOnce(context.db, async (trx) => {
    const found = await lockUserMapsRun(trx, userId, id);
    if (!found) throw notFound('maps run');
    if (found.status === 'failed' || found.status === 'cancelled') {
      throw invalid('INVALID_STATE', `A run that is ${found.status} cannot be enriched`);
    }
    if (!isFinal(found.status)) {
      const enrich_force = found.enrich_force || (force && found.status === 'enriching');
      return { run: await updateMapsRun(trx, id, { enrich_wanted: true, enrich_force }) };
    }
    noteChange({ before: { status: found.status }, after: { status: 'enriching' } });
    const enriching = await updateMapsRun(trx, id, {
      status: 'enriching',
      status_message: 'Waiting to visit websites',
      round: found.round + 1,
      enrich_wanted: true,
      enrich_force: force,
      completed_at: null,
    });
    const { round } = enriching;
    const work = { ...workOf(userId), round, summary: `Visit the websites of run ${id}` };
    const begun = await insertOperation(trx, enrichWebsitesFlow, inputOf(context, enriching), work);
    await updateMapsRun(trx, id, { operation_id: begun.id });
    return { run: await getMapsRun(trx, id), operation: begun };
  });
  if (operation) await context.startOperation(operation);
  return run;
}

/** Choice 31: saved places stay. Cancelling a cancelled run is a no-op. */
export async function cancelMapsRun(context: Needs, userId: string, id: number): Promise<MapsRun> {
  return commitOnce(context.db, async (trx) => {
    const run = await lockUserMapsRun(trx, userId, id);
    if (!run) throw notFound('maps run');
    if (run.status === 'cancelled') return run;
    if (isFinal(run.status)) {
      throw invalid('INVALID_STATE', `A run that is ${run.status} cannot be cancelled`);
    }
    noteChange({ before: { status: run.status }, after: { status: 'cancelled' } });
    return stop(context, trx, run);
  });
}

/** Cancels what is running; places and what was found about them are deleted, leads stay. */
export async function deleteMapsRun(
  context: Needs,
  userId: string,
  id: number,
): Promise<{ id: number; deletedItems: number }> {
  return commitOnce(context.db, async (trx) => {
    const run = await lockUserMapsRun(trx, userId, id);
    if (!run) throw notFound('maps run');
    if (!isFinal(run.status)) await stop(context, trx, run);
    await cancelMapsImportsOfRun(trx, id);
    const deletedItems = await deleteMapsItems(trx, id);
    noteChange({ before: { status: run.status }, after: { deletedItems } });
    // The row is kept, hidden: it is needed to end what still runs at the vendor.
    await updateMapsRun(trx, id, { deleted_at: new Date() });
    return { id, deletedItems };
  });
}

async function stop(context: Needs, trx: Transaction<Database>, run: MapsRun): Promise<MapsRun> {
  const ended = await endMapsRun(trx, run.id, { status: 'cancelled', message: 'Cancelled' });
  await tellJob(context, trx, await getOperation(trx, run.operation_id!), 'cancel');
  return ended;
}

const inputOf = (context: Pick<Context, 'config'>, { id }: MapsRun) => ({
  runId: id,
  pace: paceOf(context),
});

const workOf = (userId: string) => ({
  userId,
  requested: { actor: ACTOR.user(userId), reason: 'requested through the API' },
});
