/** Maps runs and imports on the wire. Spec: Maps scraper run. */
import { z } from 'zod';
import { MAPS_RUN_STATUSES, SKIP_REASONS } from '../domain/maps.ts';
import { reply } from '../http/envelope.ts';
import { timestamp } from '../http/schemas.ts';
import type { importMapsRun } from '../services/maps-imports.ts';
import type { getUserMapsRun } from '../services/maps-runs.ts';

/** Counters are exact at every moment: they change with what they count. */
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
    importedLeads: z
      .int()
      .describe('Leads that the places led to: new ones, and those that were there before.'),
    leadsElsewhere: z
      .int()
      .describe('Of `importedLeads`: their companies are in other lists already and stay there.'),
    importedCompanies: z.int(),
    skippedItems: z.int(),
    importId: z.int(),
    status: z.enum(['running', 'completed']),
    skippedReasons: z.array(z.object({ reason: z.string(), message: z.string(), items: z.int() })),
  })
  .meta({ id: 'MapsImport' });

export function presentImport({
  row,
  leadListId,
  leadsElsewhere,
}: Awaited<ReturnType<typeof importMapsRun>>) {
  const status = row.status === 'completed' ? ('completed' as const) : ('running' as const);
  const counts = `${row.imported_leads} leads of ${row.imported_companies} companies imported`;
  const elsewhere =
    leadsElsewhere > 0
      ? `; ${leadsElsewhere} of them belong to companies that are in other lists already and stay there`
      : '';
  const message =
    status === 'completed'
      ? `${counts}, ${row.skipped_items} items skipped${elsewhere}`
      : `${counts} so far${elsewhere}; the import goes on`;
  const data = {
    runId: row.run_id,
    leadListId,
    importedLeads: row.imported_leads,
    leadsElsewhere,
    importedCompanies: row.imported_companies,
    skippedItems: row.skipped_items,
    importId: row.id,
    status,
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
