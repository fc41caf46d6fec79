/** Deletes a list of leads, and cancels the jobs that still fill it. Choice 4. */
import { sql, type Transaction } from 'kysely';
import { cancelProcessesOfList } from '../db/discovery/lead-process-states.ts';
import { endLeadImport } from '../db/leads/lead-imports.ts';
import { findCountedLeadList } from '../db/leads/lead-lists.ts';
import { hideWithoutGaps, LIST_PORTION, removeSmallList } from '../db/leads/list-deletions.ts';
import { lockAccountLeads } from '../db/leads/lead-locks.ts';
import type { Database } from '../db/tables.ts';

/** Jobs that may still fill a list; each drops its reference before the list is deleted. */
const FILLERS = [
  'lead_imports',
  'lead_processes',
  'maps_runs',
  'maps_imports',
  'email_validation_jobs',
] as const;

/** The result of a request to delete a list. */
export interface DeletedLeadList {
  companies: number;
  leads: number;
  /** The list is hidden, and its rows are still to be removed: `removeListPortion`. */
  isRemoving?: true;
}

/**
 * Deletes the list with its companies and all their leads: a small one at once; a big one is hidden and a job
 * removes its rows. Discovery and imports of files for it are cancelled; other jobs continue without the list
 * or end, as their rows say. Undefined when the user has no such list. Choice 4.
 *
 * Locks in the order in which imports do: job, account, list, company, lead.
 */
export async function deleteLeadList(
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<DeletedLeadList | undefined> {
  const counted = await findCountedLeadList(trx, userId, id);
  if (!counted) return undefined;
  await cancelImportsOfList(trx, id);
  await cancelProcessesOfList(trx, id);
  for (const table of FILLERS) {
    await sql`update ${sql.table(table)} set lead_list_id = null where lead_list_id = ${id}`.execute(
      trx,
    );
  }
  await lockAccountLeads(trx, userId);
  const size = counted.leads_count + counted.companies_count;
  const removed = size > LIST_PORTION ? undefined : await removeSmallList(trx, userId, id);
  if (removed && removed !== 'more') return removed;
  const { companies_count: companies, leads_count: leads } = counted;
  const { numUpdatedRows } = await trx
    .updateTable('lead_lists')
    .set({ deleted_at: new Date(), deleted_leads: leads })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  await hideWithoutGaps(trx, { userId, listId: id });
  await trx.deleteFrom('campaign_lists').where('lead_list_id', '=', id).execute();
  return { companies, leads, isRemoving: true };
}

/** Choice 4: jobs that fill a deleted list end; the leads they have added are deleted with the list. */
async function cancelImportsOfList(trx: Transaction<Database>, leadListId: number): Promise<void> {
  const rows = await trx
    .selectFrom('lead_imports')
    .select('id')
    .where('lead_list_id', '=', leadListId)
    .where('status', '=', 'processing')
    .orderBy('id')
    .forUpdate()
    .execute();
  const error = { code: 'CANCELLED', message: 'Its lead list was deleted' };
  for (const { id } of rows) await endLeadImport(trx, id, { status: 'cancelled', error });
}
