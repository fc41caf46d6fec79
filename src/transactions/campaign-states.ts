/** The states of campaigns, and how their workflow uses them. Choice 7. */
import { sql, type Transaction } from 'kysely';
import type { CampaignStatus, PauseReason } from '../domain/campaigns/campaigns.ts';
import type { JobRequest, JobState } from '../domain/operations/jobs.ts';
import { hasRecipientsDue, lockCampaign } from '../db/campaigns/campaigns.ts';
import { insertEvents } from '../db/webhooks/events.ts';
import type { JobEnd, JobRows } from '../db/job-rows.ts';
import { findLatestOperation } from '../db/operations/operations.ts';
import { recoverMessages } from '../db/sending/send-progress.ts';
import type { Database } from '../db/tables.ts';
import type { CampaignFacts } from '../domain/webhooks/event-payloads.ts';

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
  /** A warning for the user; null removes the current one. */
  warning?: string | null | undefined;
  /** The next workflow, for a start. */
  run?: number | undefined;
  now: Date;
}

/** Changes the state where it is one of `from`, and writes the event. False where it is not. */
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
      // A campaign that sends is never hidden.
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
  const event = eventOf(move, { campaignId: id, name: moved.name, at: now.toISOString() });
  if (event) {
    await insertEvents(trx, [{ userId: moved.user_id, resource: `campaign/${id}`, ...event }]);
  }
  return true;
}

function eventOf({ to, run, pauseReason = null }: CampaignMove, facts: CampaignFacts) {
  switch (to) {
    case 'active':
      // Resuming after a pause is no start.
      return run === undefined
        ? undefined
        : ({ type: 'campaign.started', payload: { ...facts, status: to } } as const);
    case 'paused':
      return { type: 'campaign.paused', payload: { ...facts, status: to, pauseReason } } as const;
    case 'completed':
      return { type: 'campaign.completed', payload: { ...facts, status: to } } as const;
    default:
      return undefined;
  }
}

/**
 * Completes an active campaign without remaining recipients; false while there are any, and where leads enter by
 * their answers. Adding leads takes
 * the same lock, so that no lead is added to a campaign that has just completed.
 */
export async function completeCampaign(
  trx: Transaction<Database>,
  id: number,
  now: Date,
): Promise<boolean> {
  const { status, starts_on_interests: startsOn } = await lockCampaign(trx, id);
  if (status !== 'active' || startsOn !== null) return false;
  if (await hasRecipientsDue(trx, id)) return false;
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
 * The end of a workflow ends the campaign only when no recipients remain. Otherwise it is paused with the
 * reason, and resuming it starts the next workflow: no recipient is lost.
 */
async function settle(trx: Transaction<Database>, id: number, end: JobEnd): Promise<void> {
  const now = new Date();
  await lockCampaign(trx, id);
  // Started once more meanwhile: the campaign and its messages are the next run's.
  const latest = await findLatestOperation(trx, 'campaign', id);
  if (end.operationId !== undefined && latest && latest.id !== end.operationId) return;
  // A killed session without a successor has left messages open.
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
