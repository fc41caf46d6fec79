/** Wire shapes of lead file imports. */
import { z } from 'zod';
import { problemOf } from '../../domain/client-words.ts';
import { customNameOf, customVariable } from '../../domain/leads/custom-fields.ts';
import { LEAD_FILE_FIELDS, type LeadFileField } from '../../domain/leads/lead-file-fields.ts';
import { LEAD_IMPORT_STATUSES } from '../../domain/leads/lead-imports.ts';
import { bodyId, pathId, shortText, timestamp } from '../../http/schemas.ts';
import { delimiter } from '../files.ts';
import type { getLeadImport } from '../../services/leads/lead-imports.ts';

const header = z.string().min(1).max(1_000);

/** Maps fields to column headers: `{personEmail: 'E-mail address', 'custom.industry': 'Sector'}`. */
const mapping = z
  .object(
    Object.fromEntries(LEAD_FILE_FIELDS.map((field) => [field, header.optional()])) as Record<
      LeadFileField,
      z.ZodOptional<typeof header>
    >,
  )
  .catchall(header)
  .superRefine((named, ctx) => {
    const isKnown = (field: string) =>
      LEAD_FILE_FIELDS.some((known) => known === field) || customNameOf(field) !== undefined;
    const keys = Object.keys(named).filter((field) => !isKnown(field));
    if (keys.length > 0) ctx.addIssue({ code: 'unrecognized_keys', keys, input: named });
  })
  .meta({
    id: 'LeadFileMapping',
    description: 'Headers by field; custom fields as `custom.name`.',
  });

/** JSON text, since everything in a query is text. */
const mappingText = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(mapping)
  .meta({ type: 'string', description: 'JSON: `{"personEmail": "E-mail address", ...}`' });

const common = {
  fileName: shortText.optional(),
  source: shortText.optional(),
  delimiter: delimiter.optional(),
};

export const fileQuery = z.object({
  ...common,
  leadListId: pathId.optional(),
  mapping: mappingText.optional(),
});

export const jsonFile = z.object({
  ...common,
  csv: z.string(),
  leadListId: bodyId.optional(),
  mapping: mapping.optional(),
});

export const leadImport = z
  .object({
    id: z.int(),
    status: z.enum(LEAD_IMPORT_STATUSES),
    fileName: z.string().nullable(),
    source: z.string().nullable(),
    leadListId: z.int().nullable(),
    columns: z.partialRecord(z.enum(LEAD_FILE_FIELDS), z.string()).meta({
      description: 'Which column is read as which field',
    }),
    customColumns: z
      .record(z.string(), z.string())
      .describe('Which column is read as which custom field, by `custom.name`.'),
    ignoredColumns: z.array(z.string()),
    totalRows: z.int(),
    processedRows: z.int(),
    importedLeads: z.int().describe('New leads.'),
    foundLeads: z.int().describe('Rows whose person was a lead of the company already.'),
    differingLeads: z
      .int()
      .describe('Of `foundLeads`: something that was stored differs from the row, and stays.'),
    importedCompanies: z.int().describe('New companies.'),
    foundCompanies: z.int().describe('Companies that the list, or the account, had before.'),
    skippedItems: z
      .int()
      .describe('Rows that added no lead. With `importedLeads` and `foundLeads`: `processedRows`.'),
    failedRows: z
      .int()
      .describe('Of `skippedItems`: see `/errors`. The others are people who were erased.'),
    progressPercent: z.int(),
    message: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'LeadImport' });

type LeadImportRow = Awaited<ReturnType<typeof getLeadImport>>;

export function presentLeadImport(row: LeadImportRow): z.input<typeof leadImport> {
  const { headers, mapping: fields, custom_columns } = row;
  const custom = custom_columns ?? [];
  const read = new Set([...Object.values(fields), ...custom.map(({ column }) => column)]);
  return {
    id: row.id,
    status: row.status,
    fileName: row.file_name,
    source: row.source,
    leadListId: row.lead_list_id,
    columns: Object.fromEntries(
      Object.entries(fields).map(([field, column]) => [field, headers[column]!]),
    ),
    customColumns: Object.fromEntries(
      custom.map(({ name, column }) => [customVariable(name), headers[column]!]),
    ),
    ignoredColumns: headers.filter((name, column) => name !== '' && !read.has(column)),
    totalRows: row.total_rows,
    processedRows: row.processed_rows,
    importedLeads: row.created_leads,
    foundLeads: row.found_leads,
    differingLeads: row.differing_leads,
    importedCompanies: row.imported_companies,
    foundCompanies: row.found_companies,
    skippedItems: row.skipped_rows + row.failed_rows,
    failedRows: row.failed_rows,
    progressPercent: Math.floor((100 * row.processed_rows) / row.total_rows),
    message: messageOf(row),
    error: problemOf(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** A summary for people, without zero counts. */
function messageOf(row: LeadImportRow): string {
  const parts = [
    [row.created_leads, 'new'],
    [row.found_leads, 'known already'],
    [row.skipped_rows, 'skipped because the person was erased'],
    [row.failed_rows, 'failed, see /errors'],
  ] as const;
  const phrases = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const rows = `${row.processed_rows} of ${row.total_rows} rows imported`;
  const kept =
    row.differing_leads > 0
      ? ` ${row.differing_leads} of those known keep something else than their row says.`
      : '';
  return `${rows}${phrases.length > 0 ? `: ${phrases.join(', ')}` : ''}.${kept}`;
}
