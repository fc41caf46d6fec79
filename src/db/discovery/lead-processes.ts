/** Discovery processes: their rows and their counters. Spec: Lead discovery. */
import type { Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { LeadProcessStatus } from '../../domain/discovery/discovery.ts';
import type { LeadProcessesTable } from './discovery-tables.ts';
import type { Database } from '../tables.ts';

export type LeadProcess = Selectable<LeadProcessesTable>;

export const insertLeadProcess = (
  trx: Transaction<Database>,
  process: {
    userId: string;
    leadListId: number;
    searchTerm: string;
    leadCount: number;
    countries: readonly string[];
  },
): Promise<LeadProcess> =>
  trx
    .insertInto('lead_processes')
    .values({
      user_id: process.userId,
      lead_list_id: process.leadListId,
      search_term: process.searchTerm,
      lead_count: process.leadCount,
      countries: [...process.countries],
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const findUserLeadProcess = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<LeadProcess | undefined> =>
  db
    .selectFrom('lead_processes')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** The user's process, locked until the transaction ends. */
export const lockUserLeadProcess = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<LeadProcess | undefined> =>
  trx
    .selectFrom('lead_processes')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

export const getLeadProcess = (db: Kysely<Database>, id: number): Promise<LeadProcess> =>
  db.selectFrom('lead_processes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The row, locked until the transaction ends. */
export const lockLeadProcess = (trx: Transaction<Database>, id: number): Promise<LeadProcess> =>
  trx
    .selectFrom('lead_processes')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** Columns that activities update while they work. */
export async function updateLeadProcess(
  trx: Transaction<Database>,
  id: number,
  change: Pick<
    Updateable<LeadProcessesTable>,
    | 'step'
    | 'started_at'
    | 'progress_percent'
    | 'processed_leads'
    | 'found_leads'
    | 'duplicate_leads'
    | 'note'
  >,
): Promise<void> {
  await trx
    .updateTable('lead_processes')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** Newest first; without a page, all of them. */
export async function listLeadProcesses(
  db: Kysely<Database>,
  userId: string,
  page: {
    status?: LeadProcessStatus | undefined;
    limit?: number | undefined;
    offset?: number | undefined;
  },
): Promise<{ rows: LeadProcess[]; total: number }> {
  let query = db.selectFrom('lead_processes').where('user_id', '=', userId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  let rows = query.selectAll().orderBy('id', 'desc');
  if (page.limit !== undefined) rows = rows.limit(page.limit).offset(page.offset ?? 0);
  const [found, count] = await Promise.all([
    rows.execute(),
    query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: found, total: Number(count.total) };
}
