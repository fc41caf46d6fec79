/** Leads as a file. */
import type { Context } from '../../context.ts';
import { exportedLeads, type ExportedLead } from '../../db/leads/lead-export.ts';
import { listCustomFields } from '../../db/leads/custom-fields.ts';
import { readLeadFilter, type LeadQuery } from './leads.ts';

export type { ExportedLead } from '../../db/leads/lead-export.ts';

/** With the names of the custom fields. 404 for a list that the user does not have. */
export async function exportLeads(
  context: Pick<Context, 'db'>,
  userId: string,
  query: LeadQuery,
): Promise<{ pages: AsyncGenerator<ExportedLead[]>; customNames: string[] }> {
  const filter = await readLeadFilter(context, userId, query);
  const fields = await listCustomFields(context.db, userId);
  const customNames = fields.map(({ name }) => name);
  return { pages: exportedLeads(context.db, userId, filter), customNames };
}
