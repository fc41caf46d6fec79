/** Imports of lead files, in batches of rows. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { DOMAINS } from 'free-email-domains-list';
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { listCustomFields } from '../../src/db/leads/custom-fields.ts';
import { listErasedKeys } from '../../src/db/suppressions/erased-keys.ts';
import {
  importKeyedGroups,
  type BulkOptions,
  type ImportedGroup,
} from '../../src/db/leads/lead-groups.ts';
import { newImportMemory } from '../../src/db/leads/lead-import-memory.ts';
import {
  finishPart,
  lockNextParts,
  noteFoundCompanies,
  type FilePart,
  type LeadImport,
} from '../../src/db/leads/lead-imports.ts';
import type { Database } from '../../src/db/tables.ts';
import { invalid } from '../../src/domain/errors.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import type { CustomColumn } from '../../src/domain/leads/custom-cells.ts';
import { readLeadRows, type RefusedRow } from '../../src/domain/leads/lead-file-groups.ts';
import { keyGroups, type KeyedGroup } from '../../src/domain/leads/lead-groups.ts';
import type { LeadImportCounts } from '../../src/domain/leads/lead-imports.ts';
import type { PersonOutcome } from '../../src/domain/leads/leads.ts';
import { refusedRowWords } from '../../src/domain/suppressions/refused-rows.ts';

const freeMailDomains: ReadonlySet<string> = new Set(DOMAINS);

interface PartInput {
  importId: number;
  operationId: number;
}

/** Parts per activity: fewer Temporal actions, and the next part is read while one is stored. */
const PARTS_AT_ONCE = 4;

export const leadImportActivities = (
  context: Pick<Context, 'db'>,
  { partsAtOnce = PARTS_AT_ONCE } = {},
) => ({
  /**
   * Imports the next parts of the file. A part's leads, its counters and the deletion of the part are
   * one transaction, so a repeat continues with the next part. Spec: Leads, rules 1 to 3.
   */
  async importLeadParts({ importId }: PartInput): Promise<PageResult> {
    let page: PageResult | undefined;
    let ahead: Promise<ReadPart | undefined> | undefined;
    const memory = newImportMemory();
    for (let parts = 0; parts < partsAtOnce; parts += 1) {
      const after = await context.db.transaction().execute(async (trx) => {
        const { row, part, following } = await lockNextParts(trx, importId);
        if (row.status !== 'processing' || !part) return row;
        const read = await ahead;
        const custom = await customColumnsOf(trx, row);
        const rows = isOf(read, row, part) ? read : readPart(row, part, custom);
        const whileWriting = () => {
          ahead = following && readAhead(row, following, custom);
        };
        return storePart(trx, row, rows, { whileWriting, memory });
      });
      page = pageOf(after);
      if (page.isDone || page.state === 'over') break;
    }
    return page!;
  },
});

/** A part as companies and people with their keys. */
interface ReadPart {
  part: FilePart;
  leadListId: number | null;
  groups: KeyedGroup[];
  problems: RefusedRow[];
}

/** A field that was deleted meanwhile is not read any more. */
async function customColumnsOf(
  trx: Transaction<Database>,
  { user_id: userId, custom_columns: columns }: LeadImport,
): Promise<CustomColumn[] | undefined> {
  if (columns === null) return undefined;
  const fields = await listCustomFields(trx, userId);
  return columns.flatMap(({ id, column }) => {
    const field = fields.find((each) => each.id === id);
    return field ? [{ field, column }] : [];
  });
}

function readPart(row: LeadImport, part: FilePart, custom: CustomColumn[] | undefined): ReadPart {
  const { lead_list_id: leadListId, source } = row;
  const { groups, problems } = readLeadRows(part, {
    importId: row.id,
    fileName: row.file_name,
    at: row.created_at.toISOString(),
    delimiter: row.delimiter,
    headers: row.headers,
    mapping: row.mapping,
    custom,
    needsCompany: leadListId !== null,
    isFreeMail: (domain) => freeMailDomains.has(domain),
  });
  return {
    part,
    leadListId,
    groups: keyGroups(groups, { leadListId, source: source ?? 'csv' }),
    problems,
  };
}

/**
 * Runs once the statement for the part before was sent; a failure here occurs again when the part is
 * read.
 */
const readAhead = (
  row: LeadImport,
  part: FilePart,
  custom: CustomColumn[] | undefined,
): Promise<ReadPart | undefined> =>
  yieldToEvents()
    .then(() => readPart(row, part, custom))
    .catch(() => undefined);

/** An erasure may have removed rows from the part meanwhile, or the list may be gone. */
const isOf = (
  ahead: ReadPart | undefined,
  { lead_list_id }: LeadImport,
  { firstRow, content }: FilePart,
): ahead is ReadPart =>
  ahead?.leadListId === lead_list_id &&
  ahead.part.firstRow === firstRow &&
  ahead.part.content === content;

async function storePart(
  trx: Transaction<Database>,
  { id, user_id: userId, mapping }: LeadImport,
  { part, groups, problems }: ReadPart,
  options: BulkOptions,
): Promise<LeadImport> {
  const stored = groups.length === 0 ? [] : await importKeyedGroups(trx, userId, groups, options);
  const kept = await withoutErased(trx, userId, { problems, mapping });
  const counts = { ...countsOf(stored), failedRows: kept.length };
  counts.foundCompanies = await noteFoundCompanies(trx, id, foundCompanies(stored));
  counts.skippedRows += problems.length - kept.length;
  const errors = kept.map(({ number, column, problem, cells }) => ({
    row_number: number,
    column_name: column,
    problem,
    cells,
  }));
  return finishPart(trx, { id, firstRow: part.firstRow }, counts, errors);
}

/** The refused rows that may be kept: those that name no erased person. GDPR, article 17. */
async function withoutErased(
  trx: Transaction<Database>,
  userId: string,
  { problems, mapping }: { problems: readonly RefusedRow[]; mapping: LeadImport['mapping'] },
): Promise<RefusedRow[]> {
  const rows = problems.map((row) => ({ row, words: refusedRowWords(row.cells, mapping) }));
  const erased = await listErasedKeys(
    trx,
    userId,
    rows.flatMap(({ words }) => words),
  );
  return rows.filter(({ words }) => !words.some((word) => erased.has(word))).map(({ row }) => row);
}

function countsOf(stored: readonly ImportedGroup[]): LeadImportCounts {
  const people = stored.flatMap((group) => group.people);
  const count = (wanted: PersonOutcome['outcome']) =>
    people.filter(({ outcome }) => outcome === wanted).length;
  return {
    importedLeads: count('created'),
    foundLeads: count('found'),
    skippedRows: count('erased'),
    failedRows: 0,
    importedCompanies: stored.filter(({ companyCreated }) => companyCreated).length,
    foundCompanies: 0,
    differingLeads: people.filter(({ kept }) => kept !== undefined).length,
  };
}

const foundCompanies = (stored: readonly ImportedGroup[]): number[] =>
  stored.flatMap(({ companyId, companyFound }) => (companyFound ? (companyId ?? []) : []));

/** Spec: Leads, rule 3. An import that added no lead has failed. */
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
