/** Wire shapes of leads, companies and lead lists, and the query fields that their lists share. */
import { z } from 'zod';
import type { LeadQuery, LeadRow, RowOrder } from '../../services/leads/leads.ts';
import { LEAD_FIELDS } from '../../domain/leads/lead-fields.ts';
import { LEAD_STATUSES, type FieldSource } from '../../domain/leads/leads.ts';
import { offsetOf, pageQuery, pathId, timestamp } from '../../http/schemas.ts';
import { customQuery, presentCustom, shownCustom } from './custom-field-shapes.ts';
import { presentFields, shownFields } from './lead-field-shapes.ts';

/** Choice 18: the first fields are those of the spec; the rest is additive. */
export const lead = z
  .object({
    id: z.int(),
    ...shownFields,
    status: z.enum(LEAD_STATUSES),
    leadSource: z.string().nullable(),
    validationScore: z.number().nullable(),
    emailValid: z.boolean().nullable(),
    companyId: z.int().nullable(),
    companyName: z.string().nullable(),
    leadListId: z.int().nullable(),
    custom: shownCustom,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Lead' });

export const presentLead = (row: LeadRow): z.input<typeof lead> => ({
  id: row.id,
  ...presentFields((field) => row[LEAD_FIELDS[field].column]),
  status: row.status,
  leadSource: row.source,
  validationScore: row.validation_score,
  emailValid: row.email_valid,
  companyId: row.company_id,
  companyName: row.company_name,
  leadListId: row.lead_list_id,
  custom: presentCustom(row.custom_values),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Where one field came from. */
const fieldSource = z.object({ source: z.string(), url: z.string().optional(), at: timestamp });

export const provenance = z
  .object({
    fields: z.record(z.string(), fieldSource),
    import: z
      .object({
        runId: z.int().optional(),
        processId: z.int().optional(),
        importId: z.int().optional(),
        mapsUrl: z.string().optional(),
        searchString: z.string().optional(),
        locationQuery: z.string().optional(),
        contactSource: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'Provenance' });

/** Every field that has a value, and its source; a field without a source of its own came with the row. */
export function presentProvenance(
  row: Pick<LeadRow, 'provenance' | 'source' | 'created_at'>,
  values: Record<string, unknown>,
): z.input<typeof provenance> {
  const first: FieldSource = { source: row.source ?? 'api', at: row.created_at.toISOString() };
  const known = row.provenance.fields ?? {};
  const fields = Object.entries(values)
    .filter(([, value]) => value !== null && value !== '')
    .map(([field]) => [field, known[field] ?? known['*'] ?? first] as const);
  return {
    fields: Object.fromEntries(fields),
    ...(row.provenance.import && { import: row.provenance.import }),
  };
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const score = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a whole number from 0 to 100')
  .transform(Number)
  .refine((n) => n <= 100, 'must be a whole number from 0 to 100')
  .meta({ type: 'integer', minimum: 0, maximum: 100 });

/** An empty search finds everything. */
const search = z.string().trim().max(255);

export const sortQuery = {
  search: search.optional(),
  sort: z.enum(['createdAt', 'name']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
};

/** Choice 5. */
const filters = {
  search: search.optional(),
  status: z.enum(LEAD_STATUSES).optional(),
  emailValid: flag.optional(),
  minValidationScore: score.optional(),
  hasEmail: flag.optional(),
  companyId: pathId.optional(),
  custom: customQuery,
};

export const leadFilterQuery = { ...sortQuery, ...filters };

const FILTER_NAMES = [...Object.keys(filters), 'leadListId'] as (keyof LeadQuery)[];

export const leadQuery = (
  query: z.output<z.ZodObject<typeof filters>> & { leadListId?: number | undefined },
): LeadQuery => Object.fromEntries(FILTER_NAMES.map((name) => [name, query[name]]));

/** Newest first; names from A to Z. */
export const orderOf = ({
  sort = 'createdAt',
  order = sort === 'name' ? 'asc' : 'desc',
}: {
  sort?: RowOrder['sort'] | undefined;
  order?: RowOrder['order'] | undefined;
}): RowOrder => ({ sort, order });

export const pageOf = (query: z.output<typeof pageQuery>) => ({
  limit: query.limit,
  offset: offsetOf(query),
});
