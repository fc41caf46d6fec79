/** Wire shapes of maps runs and imports. Spec: Maps scraper run. */
import { z } from 'zod';
import { MAPS_RUN_STATUSES, SKIP_REASONS } from '../../domain/maps/maps.ts';
import { reply } from '../../http/envelope.ts';
import { timestamp } from '../../http/schemas.ts';
import type { importMapsRun } from '../../services/maps/maps-imports.ts';
import type { getUserMapsRun } from '../../services/maps/maps-runs.ts';

/** Counters are always exact: they change in the transaction that changes what they count. */
export const mapsRun = z
  .object({
    id: z.int(),
    leadListId: z.int().nullable(),
    provider: z.string(),
    status: z.enum(MAPS_RUN_STATUSES),
    statusMessage: z.string(),
    searchStrings: z.array(z.string()),
    startUrls: z.array(z.string()),
    placeIds: z.array(z.string()),
    locationQuery: z.string(),
    countryCode: z.string(),
    language: z.string(),
    maxCrawledPlacesPerSearch: z.int(),
    website: z.string(),
    placeMinimumStars: z.number().nullable(),
    categoryFilterWords: z.array(z.string()),
    skipClosedPlaces: z.boolean(),
    scrapeContacts: z.boolean(),
    verifyEmails: z.boolean(),
    totalQueries: z.int(),
    processedQueries: z.int(),
    totalItems: z.int(),
    savedItems: z.int(),
    enrichedItems: z.int(),
    failedItems: z.int(),
    importedLeads: z.int(),
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'MapsRun' });

type RunRow = Awaited<ReturnType<typeof getUserMapsRun>>;

export function presentRun(row: RunRow): z.input<typeof mapsRun> {
  const { search } = row;
  return {
    id: row.id,
    leadListId: row.lead_list_id,
    provider: row.provider,
    status: row.status,
    statusMessage: [row.status_message, ...row.notes].join('. '),
    searchStrings: search.searchStrings,
    startUrls: search.startUrls,
    placeIds: search.placeIds,
    locationQuery: search.locationQuery,
    countryCode: search.countryCode,
    language: search.language,
    maxCrawledPlacesPerSearch: search.maxPlacesPerSearch,
    website: search.website,
    placeMinimumStars: search.minimumStars,
    categoryFilterWords: search.categoryFilterWords,
    skipClosedPlaces: search.skipClosedPlaces,
    scrapeContacts: row.scrape_contacts,
    verifyEmails: row.verify_emails,
    totalQueries: row.total_queries,
    processedQueries: row.processed_queries,
    totalItems: row.total_items,
    savedItems: row.saved_items,
    enrichedItems: row.enriched_items,
    failedItems: row.failed_items,
    importedLeads: row.imported_leads,
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export const importAnswer = z
  .object({
    runId: z.int(),
    leadListId: z.int(),
    importedLeads: z.int().describe('New leads.'),
    importedCompanies: z.int().describe('New companies.'),
    foundLeads: z.int().describe('Contacts that were leads of their company in the list already.'),
    differingLeads: z
      .int()
      .describe('Of `foundLeads`: something that was stored differs from the place, and stays.'),
    foundCompanies: z.int().describe('Companies that the list already had.'),
    skippedItems: z.int().describe('Places that added no lead; `skippedReasons` says why.'),
    importId: z.int(),
    status: z.enum(['running', 'completed']),
    remainingItems: z
      .int()
      .nullable()
      .describe('Places of the run that a repeat goes on with; null while the import goes on.'),
    skippedReasons: z.array(z.object({ reason: z.string(), message: z.string(), items: z.int() })),
  })
  .meta({ id: 'MapsImport' });

export function presentImport({
  row,
  leadListId,
  remainingItems,
}: Awaited<ReturnType<typeof importMapsRun>>) {
  const status = row.status === 'completed' ? ('completed' as const) : ('running' as const);
  const found =
    row.found_leads > 0
      ? `, ${row.found_leads} leads and ${row.found_companies} companies found`
      : '';
  const counts =
    `${row.imported_leads} leads and ${row.imported_companies} companies imported${found}, ` +
    `${row.skipped_items} items skipped`;
  const message = status === 'completed' ? counts : `${counts} so far; the import goes on`;
  const data = {
    runId: row.run_id,
    leadListId,
    importedLeads: row.imported_leads,
    importedCompanies: row.imported_companies,
    foundLeads: row.found_leads,
    differingLeads: row.differing_leads,
    foundCompanies: row.found_companies,
    skippedItems: row.skipped_items,
    importId: row.id,
    status,
    remainingItems,
    skippedReasons: Object.entries(row.skipped).map(([reason, skippedItems]) => ({
      reason,
      message: skipMessage(reason),
      items: skippedItems,
    })),
  };
  return reply(data, { message });
}

export const skipMessage = (reason: string): string =>
  (SKIP_REASONS as Record<string, string>)[reason] ?? reason;
