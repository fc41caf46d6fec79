/** Leads as a file. */
import type { Context } from '../context.ts';
import { exportedLeads, type ExportedLead } from '../db/lead-export.ts';
import type { LeadFilter } from '../db/lead-queries.ts';
import { assertUserLeadList } from './lead-lists.ts';

export type { ExportedLead } from '../db/lead-export.ts';

/** 404 for a list that the user does not have. */
export async function exportLeads(
  context: Pick<Context, 'db'>,
  userId: string,
  filter: LeadFilter,
): Promise<AsyncGenerator<ExportedLead[]>> {
  const { leadListId } = filter;
  if (leadListId !== undefined) await assertUserLeadList(context, userId, leadListId);
  return exportedLeads(context.db, userId, filter);
}
