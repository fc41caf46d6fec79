/** Campaigns: rows, states and what their workflow asks of them. Choices 6-8. */
import {
  sql,
  type Insertable,
  type Kysely,
  type Selectable,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { CampaignStatus, PauseReason, SendWindow } from '../domain/campaigns.ts';
import type { JobRequest, JobState } from '../domain/jobs.ts';
import type { CampaignsTable } from './campaign-tables.ts';
import { insertEvents } from './events.ts';
import type { JobEnd, JobRows } from './job-rows.ts';
import { containing } from './lead-queries.ts';
import { recoverLetters } from './send-progress.ts';
import type { Database } from './tables.ts';

export type Campaign = Selectable<CampaignsTable>;

/** What a client chooses of the row itself. */
export type CampaignSettings = Pick<
  Updateable<CampaignsTable>,
  | 'name'
  | 'archived'
  | 'timezone'
  | 'active_days'
  | 'start_time'
  | 'end_time'
  | 'max_followups'
  | 'followup_delay_days'
  | 'track_opens'
  | 'track_clicks'
>;

export const insertCampaign = (
  trx: Transaction<Database>,
  userId: string,
  settings: Omit<Insertable<CampaignsTable>, 'user_id'>,
): Promise<Campaign> =>
  trx
    .insertInto('campaigns')
    .values({ ...settings, user_id: userId })
    .returningAll()
    .executeTakeFirstOrThrow();

const userCampaigns = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('campaigns')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);

export const findUserCampaign = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Campaign | undefined> =>
  userCampaigns(db, userId).where('id', '=', id).executeTakeFirst();

/** The user's campaign, locked until the transaction ends. */
export const lockUserCampaign = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<Campaign | undefined> =>
  userCampaigns(trx, userId).where('id', '=', id).forUpdate().executeTakeFirst();

/** The row, locked until the transaction ends. */
export const lockCampaign = (trx: Transaction<Database>, id: number): Promise<Campaign> =>
  trx
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

export interface CampaignFilter {
  status?: CampaignStatus | undefined;
  /** Part of the name. */
  search?: string | undefined;
  archived?: boolean | undefined;
}

export async function listCampaigns(
  db: Kysely<Database>,
  userId: string,
  page: {
    filter: CampaignFilter;
    order: { sort: 'createdAt' | 'name'; order: 'asc' | 'desc' };
    limit: number;
    offset: number;
  },
): Promise<{ rows: Campaign[]; total: number }> {
  const { status, search, archived = false } = page.filter;
  const { sort, order } = page.order;
  let query = userCampaigns(db, userId).where('archived', '=', archived);
  if (status !== undefined) query = query.where('status', '=', status);
  if (search) query = query.where('name', 'ilike', containing(search));
  const ordered = sort === 'name' ? query.orderBy('name', order) : query;
  const [rows, { total }] = await Promise.all([
    ordered.orderBy('id', order).limit(page.limit).offset(page.offset).execute(),
    query
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

export async function updateCampaign(
  trx: Transaction<Database>,
  id: number,
  change: CampaignSettings,
): Promise<void> {
  await trx
    .updateTable('campaigns')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/**
 * What was never sent goes without a trace. Otherwise the letters stay, out of sight: links in them
 * have to work (unsubscribing above all), and limits of mailboxes count them.
 */
export async function deleteCampaign(
  trx: Transaction<Database>,
  campaign: Campaign,
): Promise<void> {
  const { id } = campaign;
  const letter = await trx
    .selectFrom('sends')
    .select('id')
    .where('campaign_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (!letter) {
    await trx.deleteFrom('campaigns').where('id', '=', id).execute();
    return;
  }
  await trx.deleteFrom('recipients').where('campaign_id', '=', id).execute();
  await trx.deleteFrom('campaign_lists').where('campaign_id', '=', id).execute();
  await trx
    .updateTable('campaigns')
    .set({ deleted_at: new Date(), updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** Whether somebody is still to be written to. */
export const hasRecipientsDue = async (db: Kysely<Database>, id: number): Promise<boolean> =>
  (await db
    .selectFrom('recipients')
    .select('lead_id')
    .where('campaign_id', '=', id)
    .where('due_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** When its letters may go. */
export const windowOf = (campaign: Campaign): SendWindow => ({
  timezone: campaign.timezone,
  activeDays: campaign.active_days,
  startTime: campaign.start_time,
  endTime: campaign.end_time,
});

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
      ...(to === 'active' && { started_at: sql<Date>`coalesce(started_at, ${now})` }),
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
    await moveCampaign(trx, id, { ...REQUESTS[request], pauseReason, now: new Date() });
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
  // A round that was killed, and that no other followed, has left letters open.
  await recoverLetters(trx, { campaignId: id, exceptBy: null, now });
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
