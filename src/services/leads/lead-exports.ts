/** Leads as a file. */
import type { Context } from '../../context.ts';
import { exportedLeads, type ExportedLead } from '../../db/leads/lead-export.ts';
import type { LeadFilter } from '../../db/leads/lead-queries.ts';
import { assertLeadFilter } from './leads.ts';

export type { ExportedLead } from '../../db/leads/lead-export.ts';

/** 404 for a list that the user does not have. */
export async function exportLeads(
  context: Pick<Context, 'db'>,
  userId: string,
  filter: LeadFilter,
): Promise<AsyncGenerator<ExportedLead[]>> {
  await assertLeadFilter(context, userId, filter);
  return exportedLeads(context.db, userId, filter);
}
