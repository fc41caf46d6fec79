/** Imports of lead files, in batches of rows. */
import { DOMAINS } from 'free-email-domains-list';
import type { Transaction } from 'kysely';
import type { Context } from '../src/context.ts';
import { importGroupRows, type ImportedGroup } from '../src/db/lead-groups.ts';
import {
  finishPart,
  lockNextPart,
  type FilePart,
  type LeadImport,
} from '../src/db/lead-imports.ts';
import type { Database } from '../src/db/tables.ts';
import { invalid } from '../src/domain/errors.ts';
import type { PageResult } from '../src/domain/jobs.ts';
import { readLeadRows, type FileRows } from '../src/domain/lead-file-groups.ts';

const freeMailDomains: ReadonlySet<string> = new Set(DOMAINS);

interface PartInput {
  importId: number;
  operationId: number;
}

export const leadImportActivities = (context: Pick<Context, 'db'>) => ({
  /**
   * Imports the next part of the file: its leads, the counters and the deletion of the part are one
   * transaction, so a repeat goes on with the part after it. Spec: Leads, rules 1 to 3.
   */
  async importLeadPart({ importId }: PartInput): Promise<PageResult> {
    const after = await context.db.transaction().execute(async (trx) => {
      const { row, part } = await lockNextPart(trx, importId);
      return row.status === 'processing' && part ? storePart(trx, row, part) : row;
    });
    return pageOf(after);
  },
});

const rowsOf = (row: LeadImport, part: FilePart): FileRows =>
  readLeadRows(part, {
    importId: row.id,
    fileName: row.file_name,
    at: row.created_at.toISOString(),
    delimiter: row.delimiter,
    headers: row.headers,
    mapping: row.mapping,
    needsCompany: row.lead_list_id !== null,
    isFreeMail: (domain) => freeMailDomains.has(domain),
  });

async function storePart(
  trx: Transaction<Database>,
  row: LeadImport,
  part: FilePart,
): Promise<LeadImport> {
  const { groups, problems } = rowsOf(row, part);
  const { id, user_id: userId, lead_list_id: leadListId, source } = row;
  const stored =
    groups.length === 0
      ? []
      : await importGroupRows(trx, { userId, leadListId, source: source ?? 'csv', groups });
  const counts = { ...countsOf(stored, leadListId), failedRows: problems.length };
  const errors = problems.map(({ number, column, problem, cells }) => ({
    row_number: number,
    column_name: column,
    problem,
    cells,
  }));
  return finishPart(trx, { id, firstRow: part.firstRow }, counts, errors);
}

function countsOf(stored: readonly ImportedGroup[], leadListId: number | null) {
  const counts = { createdLeads: 0, foundLeads: 0, skippedRows: 0, leadsElsewhere: 0 };
  for (const { people, leads } of stored) {
    people.forEach(({ outcome }, at) => {
      if (outcome === 'created') counts.createdLeads += 1;
      else if (outcome === 'found') counts.foundLeads += 1;
      else counts.skippedRows += 1;
      const lead = leads[at];
      // Choice 53: a company that has a list stays in it.
      if (lead && leadListId !== null && lead.company?.leadListId !== leadListId) {
        counts.leadsElsewhere += 1;
      }
    });
  }
  return counts;
}

/** Spec: Leads, rule 3. An import of which nobody became a lead has failed. */
function pageOf(row: LeadImport): PageResult {
  const isDone = row.processed_rows >= row.total_rows;
  const isOver = row.status !== 'processing';
  if (isDone && !isOver && row.created_leads + row.found_leads === 0) {
    throw invalid('NO_LEADS_IMPORTED', 'No row of the file could be imported as a lead');
  }
  return {
    state: isOver ? 'over' : 'active',
    isDone: isDone && !isOver,
    progress: `${row.processed_rows} of ${row.total_rows} rows`,
  };
}
