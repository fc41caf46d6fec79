/** Orders a search of the map: its run and the intent to start it. Spec: POST /v1/maps-scraper/runs. */
import type { Transaction } from 'kysely';
import { lockUserLeadList } from '../db/leads/lead-lists.ts';
import { insertMapsRun, updateMapsRun } from '../db/maps/maps-runs.ts';
import { insertOperation, type Operation } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import { notFound } from '../domain/errors.ts';
import { scrapeMapsFlow } from '../domain/maps/flows.ts';
import type { MapsRunOrder } from '../domain/maps/maps.ts';
import type { Pace } from '../domain/operations/operations.ts';

export interface MapsRunRequest {
  userId: string;
  provider: string;
  order: MapsRunOrder;
  /** Whose places it remembers, where a schedule orders it. */
  schedule?: { id: number; onlyNewPlaces: boolean };
  pace: Pace;
  requested: { actor: string; reason: string };
  requestKey?: string | undefined;
}

/** Throws not_found for a list that is not the user's. */
export async function orderMapsRun(
  trx: Transaction<Database>,
  { userId, provider, order, schedule, pace, requested, requestKey }: MapsRunRequest,
): Promise<Operation> {
  const { search, scrapeContacts, verifyEmails, leadListId } = order;
  if (leadListId !== undefined && !(await lockUserLeadList(trx, userId, leadListId))) {
    throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
  }
  const run = await insertMapsRun(trx, {
    userId,
    provider,
    search,
    scrapeContacts,
    verifyEmails,
    leadListId: leadListId ?? null,
    totalQueries: search.searchStrings.length + search.startUrls.length + search.placeIds.length,
    schedule,
  });
  const work = { userId, summary: 'Search the map', requested, requestKey };
  const operation = await insertOperation(trx, scrapeMapsFlow, { runId: run.id, pace }, work);
  // Which operation works on it. docs/workflow-rules.md#the-row-comes-first.
  await updateMapsRun(trx, run.id, { operation_id: operation.id });
  return operation;
}
