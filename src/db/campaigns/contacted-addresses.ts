/** To whom an account has written before, whichever of its campaigns it was. Choice 67. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Campaign } from './campaigns.ts';
import type { Dropped, DueRecipient } from '../../domain/sending/due-recipients.ts';
import { MAX_LEADS_LOOKED_AT } from './lacking-leads.ts';
import type { Database } from '../tables.ts';

/**
 * Of a row `wanted` of leads: whether the account has sent a campaign's message to the address, or is
 * sending one. The campaign's own to the very lead are none of those. Messages outlive their leads and
 * campaigns, and what was put off has reached nobody.
 */
export const isContacted = (campaignId: number, userId: string) => sql`exists (
  select from sends where sends.user_id = ${userId} and sends.email_key = wanted.email_key
    and sends.state <> 'deferred'
    and (sends.campaign_id <> ${campaignId} or sends.lead_id <> wanted.id))`;

/** A claim of another campaign has become a message by then, or been taken back. */
const AGAIN_MS = 60_000;

/**
 * Leaves out whom another campaign has written to since they were added. Claims of such campaigns take
 * turns in an account from here on, so that of two that are at it at once only one writes. Lock order:
 * after the recipients, before their messages.
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
    // What is only on its way may be taken back: then nobody has written.
    dropped.push(
      isDone
        ? { leadId, status: 'skipped', holdReason: 'contacted_before' }
        : { leadId, status: null, holdReason: null, dueAt: new Date(now.getTime() + AGAIN_MS) },
    );
    return false;
  });
}

/** Of those who wait for their first message, `MAX_LEADS_LOOKED_AT` at most. */
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
