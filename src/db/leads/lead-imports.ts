/** Imports of lead files: their progress, the unread parts of the file, and the rows that failed. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { CustomFileColumn } from '../../domain/leads/lead-file-custom.ts';
import type { LeadFileMapping } from '../../domain/leads/lead-file-columns.ts';
import type { LeadImportCounts } from '../../domain/leads/lead-imports.ts';
import { jobTable } from '../job-tables.ts';
import type { LeadImportErrorsTable, LeadImportsTable } from './lead-import-tables.ts';
import type { Database } from '../tables.ts';

export type LeadImport = Selectable<LeadImportsTable>;
export type LeadImportError = Selectable<LeadImportErrorsTable>;

/** A piece of the file that begins and ends with a whole row. */
export interface FilePart {
  firstRow: number;
  content: string;
}

export interface NewLeadImport {
  userId: string;
  leadListId: number | null;
  fileName: string | null;
  source: string | null;
  delimiter: LeadImport['delimiter'];
  headers: readonly string[];
  mapping: LeadFileMapping;
  custom?: readonly CustomFileColumn[] | undefined;
  totalRows: number;
  parts: readonly FilePart[];
}

/** Stores the file and inserts the row of its import. */
export async function insertLeadImport(
  trx: Transaction<Database>,
  { parts, ...file }: NewLeadImport,
): Promise<LeadImport> {
  const row = await trx
    .insertInto('lead_imports')
    .values({
      user_id: file.userId,
      lead_list_id: file.leadListId,
      file_name: file.fileName,
      source: file.source,
      delimiter: file.delimiter,
      headers: [...file.headers],
      mapping: JSON.stringify(file.mapping),
      custom_columns: file.custom?.length ? JSON.stringify(file.custom) : null,
      total_rows: file.totalRows,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const { firstRow, content } of parts) {
    await trx
      .insertInto('lead_import_parts')
      .values({ import_id: row.id, first_row: firstRow, content })
      .execute();
  }
  return row;
}

/** An import cannot be paused: it takes a minute, not a week. */
const table = jobTable('lead_imports', {
  open: 'processing',
  endedAt: 'finished_at',
  whenCancelled: (error) => ({ status: 'failed', error }),
  // What was not read of its file.
  async whenEnded(trx, id) {
    for (const part of ['lead_import_parts', 'lead_import_companies'] as const) {
      await trx.deleteFrom(part).where('import_id', '=', id).execute();
    }
  },
});

export const leadImportRows = table.rows;
export const findLeadImport = table.find;
export const lockLeadImport = table.lockOwn;
export const listLeadImports = table.list;
/** Ends an import that is not over; what was not read of its file is deleted. */
export const endLeadImport = table.end;

/**
 * Locks the import and returns it with its next part and the one after that; undefined part: all was read.
 * Must precede any lock on the account's leads: see `lockAccountLeads`.
 */
export async function lockNextParts(
  trx: Transaction<Database>,
  id: number,
): Promise<{ row: LeadImport; part: FilePart | undefined; following: FilePart | undefined }> {
  const row = await table.lock(trx, id);
  const [part, following] = await trx
    .selectFrom('lead_import_parts')
    .select(['first_row as firstRow', 'content'])
    .where('import_id', '=', id)
    .orderBy('first_row')
    .limit(2)
    .execute();
  return { row, part, following };
}

/** Counts a part as read, deletes it and stores its errors. */
export async function finishPart(
  trx: Transaction<Database>,
  { id, firstRow }: { id: number; firstRow: number },
  counts: LeadImportCounts,
  errors: readonly Omit<LeadImportError, 'import_id'>[],
): Promise<LeadImport> {
  await trx
    .deleteFrom('lead_import_parts')
    .where('import_id', '=', id)
    .where('first_row', '=', firstRow)
    .execute();
  // As one JSON document: a statement takes at most 65,535 parameters.
  await sql`insert into lead_import_errors (import_id, row_number, column_name, problem, cells)
    select ${id}, row_number, column_name, problem,
      array(select jsonb_array_elements_text(cells))
    from jsonb_to_recordset(${JSON.stringify(errors)}::jsonb)
      as error (row_number int, column_name text, problem text, cells jsonb)`.execute(trx);
  const { importedLeads, foundLeads, skippedRows, failedRows } = counts;
  const processed = importedLeads + foundLeads + skippedRows + failedRows;
  return trx
    .updateTable('lead_imports')
    .set((eb) => ({
      processed_rows: eb('processed_rows', '+', processed),
      created_leads: eb('created_leads', '+', importedLeads),
      found_leads: eb('found_leads', '+', foundLeads),
      skipped_rows: eb('skipped_rows', '+', skippedRows),
      failed_rows: eb('failed_rows', '+', failedRows),
      imported_companies: eb('imported_companies', '+', counts.importedCompanies),
      found_companies: eb('found_companies', '+', counts.foundCompanies),
      differing_leads: eb('differing_leads', '+', counts.differingLeads),
      updated_at: new Date(),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Records companies that existed before the import; returns how many it had not counted yet. */
export async function noteFoundCompanies(
  trx: Transaction<Database>,
  importId: number,
  companyIds: readonly number[],
): Promise<number> {
  if (companyIds.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into lead_import_companies (import_id, company_id)
    select ${importId}, id from unnest(${[...companyIds]}::bigint[]) as id
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Rows that failed, in the order of the file, from the one after `after`. */
export const readImportErrors = (
  db: Kysely<Database>,
  importId: number,
  after: number | undefined,
  limit: number,
): Promise<LeadImportError[]> =>
  db
    .selectFrom('lead_import_errors')
    .selectAll()
    .where('import_id', '=', importId)
    .where('row_number', '>', after ?? 0)
    .orderBy('row_number')
    .limit(limit)
    .execute();
