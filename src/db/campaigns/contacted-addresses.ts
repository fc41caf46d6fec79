/** Whom an account has written to before, by any of its campaigns, at whatever address. Choice 67. */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Campaign } from './campaigns.ts';
import type { Dropped, DueRecipient } from '../../domain/sending/due-recipients.ts';
import { MAX_LEADS_LOOKED_AT } from './lacking-leads.ts';
import type { Database } from '../tables.ts';

/**
 * Messages to the address, and to the lead at whatever address. They outlive their leads and campaigns; a deferred one
 * has reached nobody and does not count. Each by its index: as an `exists` alone the planner might read all messages.
 */
const messagesTo = (
  userId: string,
  { email, lead }: Record<'email' | 'lead', RawBuilder<unknown>>,
) => sql`(
  select campaign_id, lead_id, state from sends where user_id = ${userId} and email_key = ${email}
  union all
  select campaign_id, lead_id, state from sends where lead_id = ${lead}
  union all
  select campaign_id, ${lead}, state from sends where former_lead_id = ${lead}
  offset 0)`;

/**
 * For a row `wanted` of leads: whether the account has sent a campaign's message to the lead or its address, or is
 * sending one. Messages of this campaign to this lead do not count.
 */
export const isContacted = (campaignId: number, userId: string) => sql`exists (
  select from ${messagesTo(userId, { email: sql.ref('wanted.email_key'), lead: sql.ref('wanted.id') })}
    as message (campaign_id, lead_id, state)
  where message.state <> 'deferred'
    and (message.campaign_id <> ${campaignId} or message.lead_id <> wanted.id))`;

/** By then a claim of another campaign has become a message or has been released. */
const AGAIN_MS = 60_000;

/**
 * Drops leads whom another campaign has written to since they were added. From here on claims of such
 * campaigns are serialized per account, so that of two concurrent claims only one writes. Lock order: after
 * the recipients, before their messages.
 */
export async function withoutContacted(
  trx: Transaction<Database>,
  {
    campaign: { id, user_id: userId, only_never_contacted: isAsked },
    recipients,
    dropped,
    now,
  }: { campaign: Campaign; recipients: readonly DueRecipient[]; dropped: Dropped[]; now: Date },
): Promise<readonly DueRecipient[]> {
  const first = recipients.filter(({ step }) => step === 0);
  if (!isAsked || first.length === 0) return recipients;
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6049))`.execute(trx);
  const { rows } = await sql<{ lead: number; is_done: boolean }>`
    select wanted.lead, bool_or(message.state not in ('claimed', 'sending')) as is_done
    from unnest(${first.map(({ leadId }) => leadId)}::bigint[],
      ${first.map(({ emailKey }) => emailKey)}::text[]) as wanted (lead, key)
    cross join lateral ${messagesTo(userId, { email: sql.ref('wanted.key'), lead: sql.ref('wanted.lead') })}
      as message (campaign_id, lead_id, state)
    where message.campaign_id <> ${id} and message.state <> 'deferred'
    group by wanted.lead`.execute(trx);
  const contacted = new Map(rows.map(({ lead, is_done }) => [lead, is_done]));
  return recipients.filter(({ leadId }) => {
    const isDone = contacted.get(leadId);
    if (isDone === undefined) return true;
    // A message in delivery may be taken back: then nobody has written.
    dropped.push(
      isDone
        ? { leadId, status: 'skipped', holdReason: 'contacted_before' }
        : { leadId, status: null, holdReason: null, dueAt: new Date(now.getTime() + AGAIN_MS) },
    );
    return false;
  });
}

/** Of recipients waiting for their first message; `MAX_LEADS_LOOKED_AT` at most. */
export async function countContacted(
  db: Kysely<Database>,
  { id, user_id: userId }: Campaign,
): Promise<number> {
  const { rows } = await sql<{ leads: number }>`
    select count(*)::integer as leads
    from (select lead_id from recipients
      where campaign_id = ${id} and step = 0 and due_at is not null
      order by lead_id limit ${MAX_LEADS_LOOKED_AT}) as first
    join leads as wanted on wanted.id = first.lead_id
    where ${isContacted(id, userId)}`.execute(db);
  return rows[0]!.leads;
}
