/** The states of campaigns, and what their workflow asks of them. Choice 7. */
import { sql, type Transaction } from 'kysely';
import type { CampaignStatus, PauseReason } from '../../domain/campaigns/campaigns.ts';
import type { JobRequest, JobState } from '../../domain/operations/jobs.ts';
import { hasRecipientsDue, lockCampaign } from './campaigns.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { JobEnd, JobRows } from '../operations/job-rows.ts';
import { recoverMessages } from '../sending/send-progress.ts';
import type { Database } from '../tables.ts';

/** What a status means to the workflow. */
export function jobStateOf(status: CampaignStatus): JobState {
  if (status === 'paused') return 'paused';
  return status === 'active' ? 'active' : 'over';
}

/** Choice 7: from which states a request is legal, and where it leads. */
export const REQUESTS: Record<JobRequest, { from: readonly CampaignStatus[]; to: CampaignStatus }> =
  {
    pause: { from: ['active'], to: 'paused' },
    resume: { from: ['paused'], to: 'active' },
    cancel: { from: ['draft', 'active', 'paused'], to: 'cancelled' },
  };

export interface CampaignMove {
  from: readonly CampaignStatus[];
  to: CampaignStatus;
  pauseReason?: PauseReason | null | undefined;
  /** What a person should know; null takes away what stood there. */
  warning?: string | null | undefined;
  /** The next workflow, for a start. */
  run?: number | undefined;
  now: Date;
}

/** Changes the state where it is one of `from`, and tells clients of it. False where it is not. */
export async function moveCampaign(
  trx: Transaction<Database>,
  id: number,
  move: CampaignMove,
): Promise<boolean> {
  const { to, now, warning, run } = move;
  const moved = await trx
    .updateTable('campaigns')
    .set({
      status: to,
      pause_reason: to === 'paused' ? (move.pauseReason ?? null) : null,
      paused_at: to === 'paused' ? now : null,
      completed_at: to === 'completed' ? now : null,
      // What sends is never out of sight.
      ...(to === 'active' && {
        archived: false,
        started_at: sql<Date>`coalesce(started_at, ${now})`,
      }),
      ...(warning !== undefined && { warning }),
      ...(run !== undefined && { run }),
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', 'in', [...move.from])
    .returning(['user_id', 'name', 'run'])
    .executeTakeFirst();
  if (!moved) return false;
  const type = EVENTS[to];
  // Going on after a pause is no start.
  if (type && (to !== 'active' || run !== undefined)) {
    const payload = {
      campaignId: id,
      name: moved.name,
      status: to,
      ...(to === 'paused' && { pauseReason: move.pauseReason ?? null }),
      at: now.toISOString(),
    };
    await insertEvents(trx, [{ userId: moved.user_id, type, resource: `campaign/${id}`, payload }]);
  }
  return true;
}

const EVENTS = {
  active: 'campaign.started',
  paused: 'campaign.paused',
  completed: 'campaign.completed',
  draft: undefined,
  cancelled: undefined,
} as const;

/**
 * Ends an active campaign that has nobody left to write to; false while there is somebody. Whoever
 * adds leads holds the same lock, so that none of them is left behind in a completed campaign.
 */
export async function completeCampaign(
  trx: Transaction<Database>,
  id: number,
  now: Date,
): Promise<boolean> {
  const { status } = await lockCampaign(trx, id);
  if (status !== 'active' || (await hasRecipientsDue(trx, id))) return false;
  return moveCampaign(trx, id, { from: ['active'], to: 'completed', now });
}

/** Choice 7. */
export const campaignRows: JobRows = {
  lockState: async (trx, id) => jobStateOf((await lockCampaign(trx, id)).status),
  apply: async (trx, id, request) => {
    const pauseReason = request === 'pause' ? 'user' : undefined;
    const warning = request === 'resume' ? null : undefined;
    await moveCampaign(trx, id, { ...REQUESTS[request], pauseReason, warning, now: new Date() });
  },
  settle,
};

/**
 * The end of a workflow is the end of the campaign only when nobody is left to write to. Otherwise
 * it is paused with the reason, and resuming it starts the next workflow: nobody is lost.
 */
async function settle(trx: Transaction<Database>, id: number, end: JobEnd): Promise<void> {
  const now = new Date();
  await lockCampaign(trx, id);
  // A round that was killed, and that no other followed, has left messages open.
  await recoverMessages(trx, { campaignId: id, exceptBy: null, now });
  if (end.outcome === 'succeeded' && (await completeCampaign(trx, id, now))) return;
  const words = end.error?.message ?? 'it ended before everybody was written to';
  await moveCampaign(trx, id, {
    from: ['active'],
    to: 'paused',
    pauseReason: 'insufficient_data',
    warning: `Sending stopped: ${words}. Resume goes on where it stood`,
    now,
  });
}
