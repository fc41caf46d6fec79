/** Campaigns: their rows and queries. Choices 6, 8. */
import {
  sql,
  type Insertable,
  type Kysely,
  type Selectable,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { AddressPolicy } from '../../domain/campaigns/address-risk.ts';
import type { CampaignStatus, SendWindow } from '../../domain/campaigns/campaigns.ts';
import type { CampaignsTable } from './campaign-tables.ts';
import { windowFor, type CampaignWindow } from '../../domain/sending/recipient-window.ts';
import { whereabouts } from './whereabouts.ts';
import type { Database } from '../tables.ts';
import { containing } from '../text-search.ts';

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
  | 'tracking_domain_id'
  | 'text_only'
  | 'min_validation_score'
  | 'held_addresses'
  | 'max_new_leads_per_day'
  | 'new_lead_share'
  | 'use_recipient_timezone'
  | 'times_changed_at'
  | 'only_never_contacted'
  | 'stop_company_on_reply'
  | 'starts_on_interests'
  | 'starts_on_campaign_id'
  | 'starts_after_days'
  | 'starts_since'
  | 'auto_winner'
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

/**
 * `changes`: against other changes and claims. Rows that refer to the campaign can still be written, so that an
 * unsubscription or a bounce waits for no request. `outcomes`: against these, too.
 */
export type CampaignLock = 'changes' | 'outcomes';

/** The user's campaign, locked until the transaction ends. */
export function lockUserCampaign(
  trx: Transaction<Database>,
  userId: string,
  id: number,
  against: CampaignLock = 'changes',
): Promise<Campaign | undefined> {
  const query = userCampaigns(trx, userId).where('id', '=', id);
  const locked = against === 'outcomes' ? query.forUpdate() : query.forNoKeyUpdate();
  return locked.executeTakeFirst();
}

/** Marks the campaign as changed: a waiting session polls this. */
export const touchCampaign = (trx: Transaction<Database>, id: number) =>
  trx.updateTable('campaigns').set({ updated_at: new Date() }).where('id', '=', id).execute();

/** The row, locked against changes and claims until the transaction ends. */
export const lockCampaign = (trx: Transaction<Database>, id: number): Promise<Campaign> =>
  trx
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

/** As `lockCampaign`; undefined where it is gone. */
export const lockRemaining = (
  trx: Transaction<Database>,
  id: number,
): Promise<Campaign | undefined> =>
  trx.selectFrom('campaigns').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Asked, it locks the row against changes until the transaction ends; the lock is shared. */
export const holdCampaign = (trx: Transaction<Database>, id: number) =>
  trx
    .selectFrom('campaigns')
    .modifyFront(sql`/*hold-campaign*/`)
    .select('updated_at')
    .where('id', '=', id)
    .forShare();

/** Whether messages of the user's campaigns are going out. */
export const hasActiveCampaign = async (db: Kysely<Database>, userId: string): Promise<boolean> =>
  (await userCampaigns(db, userId)
    .clearSelect()
    .select('id')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()) !== undefined;

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

/** Whether any recipient still has messages to come, or may have when all portions are done. */
export const hasRecipientsDue = async (db: Kysely<Database>, id: number): Promise<boolean> => {
  const due = db.selectFrom('recipients').select('lead_id').where('due_at', 'is not', null);
  const row = await db
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('lists_enrolled_to', 'is not', null),
        eb('holds_taken_up_to', 'is not', null),
        eb.exists(due.where('campaign_id', '=', id)),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
};

/** When its messages may be sent. */
export const windowOf = (
  campaign: Pick<Campaign, 'timezone' | 'active_days' | 'start_time' | 'end_time'>,
): SendWindow => ({
  timezone: campaign.timezone,
  activeDays: campaign.active_days,
  startTime: campaign.start_time,
  endTime: campaign.end_time,
});

/** The same, with whose clock it is read by. */
export const campaignWindowOf = (
  campaign: Parameters<typeof windowOf>[0] & Pick<Campaign, 'use_recipient_timezone'>,
): CampaignWindow => ({
  window: windowOf(campaign),
  isOfRecipient: campaign.use_recipient_timezone,
});

export const addressPolicyOf = (
  campaign: Pick<Campaign, 'min_validation_score' | 'held_addresses'>,
): AddressPolicy => ({
  minValidationScore: campaign.min_validation_score,
  held: campaign.held_addresses,
});

/** As a recipient reads it; undefined when the campaign is gone. */
export async function findSendWindow(
  db: Kysely<Database>,
  { campaignId, leadId, at }: { campaignId: number; leadId: number | null; at: Date },
): Promise<SendWindow | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .leftJoin('leads', (join) => join.on('leads.id', '=', leadId))
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .select(['campaigns.timezone', 'active_days', 'start_time', 'end_time'])
    .select('use_recipient_timezone')
    .select(whereabouts.as('whereabouts'))
    .where('campaigns.id', '=', campaignId)
    .executeTakeFirst();
  return row && windowFor(campaignWindowOf(row), row.whereabouts, at);
}
