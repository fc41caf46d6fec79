/** Who is to enter a campaign by which answer. Choice 130. */
import type { Context } from '../../context.ts';
import {
  countStarts,
  listStarts,
  type LeadStart,
  type StartPlace,
} from '../../db/campaigns/pending-starts.ts';
import type { StartStatus } from '../../domain/campaigns/subsequences.ts';
import { getUserCampaign } from './campaigns.ts';

export type { LeadStart, StartPlace } from '../../db/campaigns/pending-starts.ts';

export interface StartPage {
  status: StartStatus;
  limit: number;
  /** Start after this place; no total is counted. */
  after?: StartPlace | undefined;
  offset?: number | undefined;
}

/** Reads one row more than the page to know whether another page follows; `total` only without `after`. */
export async function listPendingStarts(
  context: Pick<Context, 'db'>,
  { userId, id }: { userId: string; id: number },
  page: StartPage,
): Promise<{ rows: LeadStart[]; hasNext: boolean; total: number | undefined }> {
  await getUserCampaign(context, userId, id);
  const of = { userId, campaignId: id, status: page.status };
  const [found, total] = await Promise.all([
    listStarts(context.db, of, { ...page, limit: page.limit + 1 }),
    page.after === undefined ? countStarts(context.db, of) : undefined,
  ]);
  return { rows: found.slice(0, page.limit), hasNext: found.length > page.limit, total };
}
