/** Who is to enter a campaign by which answer, and who has entered it so or is not to any more. Choice 130. */
import { sql, type Kysely } from 'kysely';
import type { StartStatus } from '../../domain/campaigns/subsequences.ts';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { MAX_COUNTED } from '../pages.ts';
import type { Database } from '../tables.ts';
import { isUnderReview } from './subsequence-starts.ts';

export interface LeadStart {
  lead_id: number;
  first_name: string;
  last_name: string;
  email: string | null;
  interest: Interest;
  status: StartStatus;
  reason: string | null;
  due_at: Date | null;
  updated_at: Date;
  /** It is pending, and an answer of the lead needs review. */
  is_under_review: boolean;
  /** The answer; null: it was deleted. */
  message_id: number | null;
  thread_id: number | null;
  answered_campaign_id: number | null;
  received_at: Date | null;
  /** `due_at` in microseconds, as it is stored; 0 without one. */
  due_micros: number;
}

/** A place in the order of the list. */
export interface StartPlace {
  dueMicros: number;
  leadId: number;
}

export interface StartsOf {
  userId: string;
  campaignId: number;
  status: StartStatus;
}

/** Those that are due first; where nothing is due any more, in the order of the leads. Uses an index. */
export async function listStarts(
  db: Kysely<Database>,
  of: StartsOf,
  page: { limit: number; after?: StartPlace | undefined; offset?: number | undefined },
): Promise<LeadStart[]> {
  let chosen = startsOf(db, of).selectAll().orderBy('due_at').orderBy('lead_id').limit(page.limit);
  if (page.after) chosen = chosen.where(isBehind(of.status, page.after));
  if (page.offset) chosen = chosen.offset(page.offset);
  return db
    .selectFrom(chosen.as('subsequence_starts'))
    .innerJoin('leads', 'leads.id', 'subsequence_starts.lead_id')
    .leftJoin('messages as answer', 'answer.id', 'subsequence_starts.message_id')
    .select([
      'subsequence_starts.lead_id',
      'leads.first_name',
      'leads.last_name',
      'leads.email',
      'subsequence_starts.interest',
      'subsequence_starts.status',
      'subsequence_starts.reason',
      'subsequence_starts.due_at',
      'subsequence_starts.updated_at',
      sql<boolean>`subsequence_starts.due_at is not null and ${isUnderReview}`.as(
        'is_under_review',
      ),
      'subsequence_starts.message_id',
      'answer.thread_id',
      'answer.campaign_id as answered_campaign_id',
      'answer.received_at',
      sql<number>`coalesce(extract(epoch from subsequence_starts.due_at) * 1000000, 0)::bigint`.as(
        'due_micros',
      ),
    ])
    .orderBy('subsequence_starts.due_at')
    .orderBy('subsequence_starts.lead_id')
    .execute();
}

/** Up to `MAX_COUNTED`, which then means that many or more. */
export async function countStarts(db: Kysely<Database>, of: StartsOf): Promise<number> {
  const { total } = await db
    .selectFrom(startsOf(db, of).select('lead_id').limit(MAX_COUNTED).as('bounded'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

const startsOf = (db: Kysely<Database>, { userId, campaignId, status }: StartsOf) =>
  db
    .selectFrom('subsequence_starts')
    .where('campaign_id', '=', campaignId)
    .where('status', '=', status)
    .where(isOfKeptLead(userId));

/** Where the account is deleting no list, the leads need not be joined. */
const isOfKeptLead = (userId: string) => sql<boolean>`(not exists (select from lead_lists
    where lead_lists.user_id = ${userId} and deleted_at is not null)
  or exists (select from leads where leads.id = subsequence_starts.lead_id and ${isKeptLead()}))`;

/** Only a pending one is due. */
const isBehind = (status: StartStatus, { dueMicros, leadId }: StartPlace) =>
  status === 'pending'
    ? sql<boolean>`(due_at, lead_id) > (timestamptz 'epoch' + ${dueMicros}::float8 * interval '1 microsecond',
        ${leadId}::bigint)`
    : sql<boolean>`due_at is null and lead_id > ${leadId}`;
