/**
 * Orders a discovery: process, new list (where none is named) and the intent to start the workflow.
 * Spec: POST /v1/leads/process.
 */
import type { Transaction } from 'kysely';
import { insertLeadProcess } from '../db/discovery/lead-processes.ts';
import { insertLeadList, lockUserLeadList } from '../db/leads/lead-lists.ts';
import { insertOperation, type Operation } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import type { DiscoveryOrder } from '../domain/discovery/discovery.ts';
import { discoverLeadsFlow } from '../domain/discovery/flows.ts';
import { notFound } from '../domain/errors.ts';
import type { Pace } from '../domain/operations/operations.ts';

export interface LeadProcessRequest {
  userId: string;
  order: DiscoveryOrder;
  pace: Pace;
  requested: { actor: string; reason: string };
  requestKey?: string | undefined;
}

/** Throws not_found for a list that is not the user's. */
export async function orderLeadProcess(
  trx: Transaction<Database>,
  { userId, order, pace, requested, requestKey }: LeadProcessRequest,
): Promise<Operation> {
  const { searchTerm, leadCount, adReachedCountries: countries } = order;
  const leadListId = await listFor(trx, userId, order);
  const process = { userId, leadListId, searchTerm, leadCount, countries };
  const { id } = await insertLeadProcess(trx, process);
  return insertOperation(
    trx,
    discoverLeadsFlow,
    { processId: id, pace },
    { userId, summary: `Discover ${leadCount} leads`, requested, requestKey },
  );
}

/** A new list is created when none is named. A foreign list is 404 like a missing one. */
async function listFor(
  trx: Transaction<Database>,
  userId: string,
  { leadListId, searchTerm, adReachedCountries }: DiscoveryOrder,
): Promise<number> {
  if (leadListId !== undefined) {
    if (!(await lockUserLeadList(trx, userId, leadListId))) {
      throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
    }
    return leadListId;
  }
  return makeDiscoveryList(trx, userId, { searchTerm, adReachedCountries });
}

/** The id of a new list that is named like the search. */
export async function makeDiscoveryList(
  trx: Transaction<Database>,
  userId: string,
  { searchTerm, adReachedCountries }: Pick<DiscoveryOrder, 'searchTerm' | 'adReachedCountries'>,
): Promise<number> {
  const description = `Advertisers found for "${searchTerm}" (${adReachedCountries.join(', ')})`;
  const source = 'discovery';
  return (await insertLeadList(trx, { userId, name: searchTerm, description, source })).id;
}
