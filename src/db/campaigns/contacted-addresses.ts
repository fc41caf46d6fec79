/** Whom an account has written to before, by any of its campaigns. Choice 67. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Campaign } from './campaigns.ts';
import type { Dropped, DueRecipient } from '../../domain/sending/due-recipients.ts';
import { MAX_LEADS_LOOKED_AT } from './lacking-leads.ts';
import type { Database } from '../tables.ts';

/**
 * For a row `wanted` of leads: whether the account has sent a campaign's message to the address, or is
 * sending one. Messages of this campaign to this lead do not count. Messages outlive their leads and
 * campaigns; a deferred message has reached nobody and does not count.
 */
export const isContacted = (campaignId: number, userId: string) => sql`exists (
  select from sends where sends.user_id = ${userId} and sends.email_key = wanted.email_key
    and sends.state <> 'deferred'
    and (sends.campaign_id <> ${campaignId} or sends.lead_id <> wanted.id))`;

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
  const keys = recipients.flatMap(({ step, emailKey }) =>
    step === 0 && emailKey !== null ? [emailKey] : [],
  );
  if (!isAsked || keys.length === 0) return recipients;
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6049))`.execute(trx);
  const { rows } = await sql<{ key: string; is_done: boolean }>`
    select key, bool_or(sends.state not in ('claimed', 'sending')) as is_done
    from unnest(${keys}::text[]) as key
    join sends on sends.user_id = ${userId} and sends.email_key = key
      and sends.campaign_id <> ${id} and sends.state <> 'deferred'
    group by key`.execute(trx);
  const contacted = new Map(rows.map(({ key, is_done }) => [key, is_done]));
  return recipients.filter(({ leadId, step, emailKey }) => {
    const isDone = step > 0 ? undefined : contacted.get(emailKey ?? '');
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
