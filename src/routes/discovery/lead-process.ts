/** Wire shape of a discovery process. Spec: Lead discovery process; choice 21. */
import { z } from 'zod';
import { DISCOVERY_STEPS, LEAD_PROCESS_STATUSES } from '../../domain/discovery/discovery.ts';
import { timestamp } from '../../http/schemas.ts';
import type { LeadProcessView } from '../../services/discovery/lead-processes.ts';

export const leadProcess = z
  .object({
    id: z.int(),
    userId: z.string(),
    leadListId: z.int().nullable().describe('Null once the list was deleted.'),
    leadCount: z.int(),
    processedLeads: z.int(),
    foundLeads: z.int(),
    duplicateLeads: z.int().describe('People who were leads of their company in the list before.'),
    searchTerm: z.string(),
    adReachedCountries: z.array(z.string()),
    status: z.enum(LEAD_PROCESS_STATUSES),
    progressPercent: z.int().min(0).max(100),
    step: z.enum(DISCOVERY_STEPS).nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'LeadProcess' });

export const leadProcessView = leadProcess
  .extend({
    adSources: z.array(
      z.object({
        vendor: z.string(),
        countries: z.array(z.string()),
        state: z.enum(['waiting', 'running', 'ended', 'failed']),
        ads: z.int(),
      }),
    ),
    contactSources: z.array(
      z.object({
        vendor: z.string().describe('`website` is the companies’ own sites.'),
        state: z.enum(['active', 'stopped']),
        companies: z.int().describe('Companies looked up at this source.'),
        reused: z.int().describe('Companies whose contacts had been bought before.'),
        contacts: z.int(),
        credits: z.int().describe('What the vendor charged, in its credits.'),
        uncertain: z
          .int()
          .describe('Requests without an answer, which may have been charged, too.'),
      }),
    ),
    notes: z
      .array(z.string())
      .describe('What could not be done as requested, and what was done instead.'),
  })
  .meta({ id: 'LeadProcessStatus' });

export function presentLeadProcess(row: LeadProcessView['process']): z.input<typeof leadProcess> {
  return {
    id: row.id,
    userId: row.user_id,
    leadListId: row.lead_list_id,
    leadCount: row.lead_count,
    processedLeads: row.processed_leads,
    foundLeads: row.found_leads,
    duplicateLeads: row.duplicate_leads,
    searchTerm: row.search_term,
    adReachedCountries: row.countries,
    status: row.status,
    progressPercent: row.progress_percent,
    step: row.step,
    error:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function presentLeadProcessView(view: LeadProcessView): z.input<typeof leadProcessView> {
  const { process, sources, finders } = view;
  const { duplicate_leads: duplicates } = process;
  const notes = [
    process.note,
    ...sources.map(({ note }) => note),
    ...finders.map(({ note }) => note),
    duplicates > 0 ? `${duplicates} people were leads of the list already` : null,
  ];
  return {
    ...presentLeadProcess(process),
    adSources: sources.map(({ vendor, countries, state, ads }) => ({
      vendor,
      countries,
      state: state === 'begun' ? ('running' as const) : state,
      ads,
    })),
    contactSources: finders.map(
      ({ vendor, state, asked, reused, contacts, credits, uncertain }) => ({
        vendor,
        state,
        companies: asked,
        reused,
        contacts,
        credits,
        uncertain,
      }),
    ),
    notes: notes.filter((note) => note !== null),
  };
}
