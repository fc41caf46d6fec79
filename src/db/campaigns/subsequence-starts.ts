/** Leads that enter a campaign by what their answer means: planned with the answer, begun when due. Choice 116. */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

interface Answer {
  id: number;
  user_id: string;
  lead_id: number;
  /** All leads with the address: they are one person. Choice 53. */
  person: number[];
  campaign_id: number;
  interest: Interest | null;
  received_at: Date;
}

/**
 * Brings what is planned for the writers of these answers to what their last answers mean now: plans, moves, cancels.
 * Called in the transaction that stores, decides or judges an answer, under `lockInbox`. A repeat changes nothing.
 */
export async function planStarts(
  trx: Transaction<Database>,
  messageIds: readonly number[],
  { now, daySeconds }: { now: Date; daySeconds: number },
): Promise<void> {
  if (messageIds.length === 0) return;
  const { rows: answers } = await sql<Answer>`
    select id, user_id, lead_id, person.ids as person, campaign_id, interest, received_at
    from messages as answer cross join lateral (${personOf(sql.ref('answer.lead_id'))}) as person
    where id = any (${[...messageIds]}::bigint[]) and direction = 'inbound' and kind = 'reply'
      and lead_id is not null and campaign_id is not null
      and exists (select from leads where leads.id = answer.lead_id)
      and not exists (select from messages as later
        where later.lead_id = any (person.ids) and later.direction = 'inbound' and later.kind = 'reply'
          and (later.received_at, later.id) > (answer.received_at, answer.id))
    order by lead_id`.execute(trx);
  for (const answer of answers) {
    await planWanted(trx, answer, { now, daySeconds });
    await cancelOthers(trx, answer, now);
    await lockBegun(trx, answer);
    await endBegun(trx, answer, now);
  }
}

/** The lead, and all kept leads of its account with its address. Choice 53. */
export const personOf = (leadId: RawBuilder<unknown>) => sql`
  select array(select ${leadId} union select twin.id from leads as own join leads as twin
    on twin.user_id = own.user_id and twin.email_key = own.email_key and ${isKeptLead('twin')}
    where own.id = ${leadId} order by 1) as ids`;

/** One that was cancelled is planned again; one that has begun stays so: a person enters once, as whichever lead. */
const planWanted = (
  trx: Transaction<Database>,
  { id, user_id: userId, lead_id: leadId, person, campaign_id: campaignId, ...answer }: Answer,
  { now, daySeconds }: { now: Date; daySeconds: number },
) => {
  const { interest, received_at } = answer;
  const hasEntered = sql`exists (select from subsequence_starts as other
    where other.campaign_id = campaigns.id and other.lead_id = any (${person}::bigint[])
      and other.lead_id <> ${leadId} and other.status = 'started')`;
  return sql`
    insert into subsequence_starts (campaign_id, lead_id, message_id, interest, status, reason, due_at, updated_at)
    select id, ${leadId}, ${id}, ${interest},
      case when has_entered then 'cancelled' else 'pending' end,
      case when has_entered then 'duplicate_address' end,
      case when not has_entered then ${received_at}::timestamptz
        + make_interval(secs => starts_after_days * ${daySeconds}::float8) end, ${now}
    from campaigns cross join lateral (select ${hasEntered} as has_entered) as twin
    where user_id = ${userId} and starts_on_interests is not null
      and starts_on_interests @> array[${interest}::text]
      and (starts_on_campaign_id is null or starts_on_campaign_id = ${campaignId})
      and starts_since <= ${received_at}
      and id <> ${campaignId} and status <> 'cancelled' and deleted_at is null
    order by id
    on conflict (campaign_id, lead_id) do update
      set message_id = excluded.message_id, interest = excluded.interest, status = excluded.status,
        reason = excluded.reason, due_at = excluded.due_at, updated_at = excluded.updated_at
      where subsequence_starts.status <> 'started'
        and (subsequence_starts.message_id, subsequence_starts.interest, subsequence_starts.reason,
          subsequence_starts.due_at)
          is distinct from (excluded.message_id, excluded.interest, excluded.reason, excluded.due_at)`.execute(
    trx,
  );
};

const cancelOthers = (trx: Transaction<Database>, { id, person, interest }: Answer, now: Date) =>
  sql`
    update subsequence_starts set status = 'cancelled', due_at = null, updated_at = ${now},
      reason = case when message_id = ${id} then 'interest_changed' else 'answered_again' end
    where lead_id = any (${person}::bigint[]) and status = 'pending'
      and (message_id, interest) is distinct from (${id}::bigint, ${interest}::text)`.execute(trx);

/** Also those that are left out: who lets them go on at this moment waits, and then sees the answer. */
const lockBegun = (trx: Transaction<Database>, { person }: Answer) =>
  sql`
    select from recipients where (campaign_id, lead_id) in (
      select campaign_id, lead_id from subsequence_starts
      where lead_id = any (${person}::bigint[]) and status = 'started')
    order by campaign_id, lead_id for no key update`.execute(trx);

/**
 * Whoever answers to anything in the thread has answered: what began by an earlier answer ends. Where that one was
 * deleted, only an answer of after the start is another one.
 */
const endBegun = (trx: Transaction<Database>, { id, person, received_at }: Answer, now: Date) =>
  sql`
    update recipients set status = 'replied', due_at = null, paused_due_at = null, hold_reason = null,
      updated_at = ${now}
    from subsequence_starts as start
    where start.lead_id = any (${person}::bigint[]) and start.status = 'started'
      and (start.message_id <> ${id} or (start.message_id is null and start.updated_at < ${received_at}))
      and recipients.campaign_id = start.campaign_id and recipients.lead_id = start.lead_id
      and recipients.status in ('queued', 'in_progress', 'paused')`.execute(trx);

/** Whether the rule of the campaign is for the answer of `start`. */
const isWanted = sql<boolean>`coalesce(campaigns.starts_on_interests @> array[start.interest]
  and (campaigns.starts_on_campaign_id is null or start.message_id is null
    or exists (select from messages as answer where answer.id = start.message_id
      and answer.campaign_id = campaigns.starts_on_campaign_id)), false)`;

/** The rule of a campaign has changed: what it does not want any more is cancelled, the rest stays as planned. */
export async function cancelUnwanted(
  trx: Transaction<Database>,
  campaignId: number,
  now: Date,
): Promise<void> {
  await sql`
    update subsequence_starts as start set status = 'cancelled', due_at = null, reason = 'rule_changed',
      updated_at = ${now}
    from campaigns
    where start.campaign_id = ${campaignId} and start.status = 'pending' and campaigns.id = ${campaignId}
      and not ${isWanted}`.execute(trx);
}

export interface DueStart {
  campaignId: number;
  leadId: number;
}

/**
 * The campaigns of doubtful answers, to whatever lead with the address: a person says first whether they are answers.
 * They are known by the address that was written to, too: that lead may be deleted, or have another one by now.
 */
export const doubtfulAnswers = (leadId: RawBuilder<unknown>) => sql`
  select messages.campaign_id from (${personOf(leadId)}) as person
    join messages on messages.lead_id = any (person.ids) and messages.kind = 'needs_review'
  union all
  select messages.campaign_id from leads as own
    join sends on sends.user_id = own.user_id and sends.email_key = own.email_key
    join messages on messages.send_id = sends.id and messages.kind = 'needs_review'
    where own.id = ${leadId}`;

export const isUnderReview = sql<boolean>`exists (${doubtfulAnswers(sql.ref('subsequence_starts.lead_id'))})`;

/** Those that are due longest. */
export const listDueStarts = (
  db: Kysely<Database>,
  { now, limit, resting }: { now: Date; limit: number; resting: readonly number[] },
): Promise<DueStart[]> =>
  db
    .selectFrom('subsequence_starts')
    .select(['campaign_id as campaignId', 'lead_id as leadId'])
    .where('due_at', '<=', now)
    .where(sql<boolean>`campaign_id <> all (${[...resting]}::bigint[])`)
    .where((eb) => eb.not(isUnderReview))
    .orderBy('due_at')
    .orderBy('campaign_id')
    .orderBy('lead_id')
    .limit(limit)
    .execute();

/** Whether it is still due, locked. */
export const lockDueStart = async (
  trx: Transaction<Database>,
  { campaignId, leadId }: DueStart,
  now: Date,
): Promise<boolean> =>
  (await trx
    .selectFrom('subsequence_starts')
    .select('status')
    .where('campaign_id', '=', campaignId)
    .where('lead_id', '=', leadId)
    .where('due_at', '<=', now)
    .where((eb) => eb.not(isUnderReview))
    .forUpdate()
    .executeTakeFirst()) !== undefined;

/** Whether its campaign still has a rule for it: an answer may have been stored while the rule changed. */
export async function isStartWanted(
  trx: Transaction<Database>,
  { campaignId, leadId }: DueStart,
): Promise<boolean> {
  const { rows } = await sql`
    select from subsequence_starts as start join campaigns on campaigns.id = start.campaign_id
    where start.campaign_id = ${campaignId} and start.lead_id = ${leadId} and ${isWanted}`.execute(
    trx,
  );
  return rows.length > 0;
}

export const settleStart = (
  trx: Transaction<Database>,
  { campaignId, leadId }: DueStart,
  end: { status: 'started' | 'cancelled'; reason: string | null; now: Date },
) =>
  trx
    .updateTable('subsequence_starts')
    .set({ status: end.status, reason: end.reason, due_at: null, updated_at: end.now })
    .where('campaign_id', '=', campaignId)
    .where('lead_id', '=', leadId)
    .execute();

/**
 * The mailbox that has the answer, where the campaign begins threads by it: of a recipient before the first message.
 * Null for all others.
 */
export const mailboxOfAnswer = sql`(select answer.mailbox_id from subsequence_starts as start
  join messages as answer on answer.id = start.message_id
  join campaign_mailboxes as own on own.campaign_id = start.campaign_id
    and own.mailbox_id = answer.mailbox_id and own.out_reason is null
  where start.campaign_id = recipients.campaign_id and start.lead_id = recipients.lead_id
    and start.status = 'started')`;

/** The new recipient writes from the mailbox that has the answer, and so in its thread. */
export const bindToAnswer = ({ campaignId, leadId }: DueStart, trx: Transaction<Database>) =>
  sql`
    update recipients set mailbox_id = ${mailboxOfAnswer}
    where campaign_id = ${campaignId} and lead_id = ${leadId} and step = 0`.execute(trx);

/**
 * The answer by which a recipient has entered: its mailbox, and the messages up to it, oldest first. Whether they are
 * continued is known when a mailbox is chosen.
 */
export const answeredThread = sql`(select json_build_object('mailboxId', answer.mailbox_id, 'messages', (
    select json_agg(json_build_object('subject', answer.subject, 'messageId', before.id) order by before.n)
    from unnest(answer.reference_ids || answer.message_id) with ordinality as before (id, n)))
  from subsequence_starts as start join messages as answer on answer.id = start.message_id
  where start.campaign_id = recipients.campaign_id and start.lead_id = recipients.lead_id
    and start.status = 'started')`;

/** By campaign: how many are to enter it. */
export const pendingStarts = sql`(select count(*)::integer from subsequence_starts
  where subsequence_starts.campaign_id = asked.id and subsequence_starts.status = 'pending')`;
