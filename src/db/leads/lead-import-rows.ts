/** Stored companies and leads, as the import's statement returns them, for the plan. */
import type { Selectable } from 'kysely';
import type { Known } from '../../domain/leads/lead-plan.ts';
import type { PlannedCompany, PlannedLead } from '../../domain/leads/lead-rows.ts';
import { WRITTEN_COLUMNS, type LEAD_COLUMNS, type WrittenKey } from './lead-columns.ts';
import type { CompaniesTable, LeadsTable } from './lead-tables.ts';

/** Rows as JSON: times are ISO 8601 texts. */
type Json<Table> = {
  [Column in keyof Selectable<Table>]: Selectable<Table>[Column] extends Date
    ? string
    : Selectable<Table>[Column] extends Date | null
      ? string | null
      : Selectable<Table>[Column];
};

/** What the plan of an import looks at of a company; times are dear to read. */
export const COMPANY_COLUMNS = [
  'id',
  'lead_list_id',
  'name',
  'name_key',
  'domain',
  'domain_key',
  'website',
  'phone',
  'address',
  'city',
  'state',
  'country_code',
  'category',
  'rating',
  'reviews_count',
  'maps_url',
  'place_id',
  'provenance',
  'source',
] as const satisfies (keyof CompaniesTable)[];

export type StoredCompany = Pick<Json<CompaniesTable>, (typeof COMPANY_COLUMNS)[number]>;
export type StoredLead = Pick<Json<LeadsTable>, (typeof LEAD_COLUMNS)[number]>;

export interface StoredRows {
  companies: StoredCompany[] | null;
  leads: StoredLead[] | null;
  erased: string[];
}

export function knownOf(stored: StoredRows | null): Known {
  const companies = (stored?.companies ?? []).map(toCompany);
  const leads = toLeads(stored?.leads ?? [], companies);
  return { companies, leads, erased: new Set(stored?.erased) };
}

/** With their companies, as far as those are among `companies`. */
export function toLeads(
  rows: readonly StoredLead[],
  companies: readonly PlannedCompany[],
): PlannedLead[] {
  const byId = new Map(companies.map((company) => [company.id, company]));
  return rows.map((row) => toLead(row, byId.get(row.company_id) ?? null));
}

export const toCompany = (row: StoredCompany): PlannedCompany => ({
  id: row.id,
  index: -1,
  fills: null,
  leadListId: row.lead_list_id,
  name: row.name,
  nameKey: row.name_key,
  domain: row.domain,
  domainKey: row.domain_key,
  website: row.website,
  phone: row.phone,
  address: row.address,
  city: row.city,
  state: row.state,
  countryCode: row.country_code,
  category: row.category,
  rating: row.rating,
  reviewsCount: row.reviews_count,
  mapsUrl: row.maps_url,
  placeId: row.place_id,
  source: row.source,
  provenance: row.provenance,
});

function toLead(row: StoredLead, company: PlannedCompany | null): PlannedLead {
  const written: Record<string, unknown> = {};
  for (const [key, column] of WRITTEN_COLUMNS) written[key] = row[column];
  return {
    id: row.id,
    index: -1,
    fills: null,
    company,
    companyId: row.company_id,
    ...(written as Pick<PlannedLead, WrittenKey>),
    validatedAt: row.validated_at && new Date(row.validated_at).toISOString(),
    custom: row.custom,
    status: row.status,
    createdAt: new Date(row.created_at).toISOString(),
    provenance: row.provenance,
  };
}
