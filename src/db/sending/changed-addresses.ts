/** What campaigns do with a lead whose address has changed. Choices 53, 143, 151. */
import { sql, type Transaction } from 'kysely';
import { ADDRESS_SKIPS } from '../../domain/campaigns/address-risk.ts';
import type { HoldReason } from '../../domain/campaigns/campaigns.ts';
import { endDuplicates, isTwin } from '../campaigns/recipient-drops.ts';
import { returning } from '../campaigns/returning-recipients.ts';
import { hasThread, isLeftOut, leaveThreads } from '../campaigns/stopped-recipients.ts';
import { personOf } from '../campaigns/subsequence-starts.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { lockRecipientsOfLeads } from '../leads/lead-locks.ts';
import type { Database } from '../tables.ts';
import { restartAtNewAddress } from './corrected-addresses.ts';

/** Of the lead, and of all that have its address, who may take its place. Before the leads are locked. */
export const lockRecipientsOfPerson = (trx: Transaction<Database>, leadId: number) =>
  lockRecipientsOfLeads(
    trx,
    sql`select unnest(person.ids) from (${personOf(sql`${leadId}::bigint`)}) as person`,
  );

/**
 * Whoever was left out for the old address, or got nothing there, is looked at again, and so is who was left out because
 * this lead had theirs. Needs `lockRecipientsOfPerson`. Returns the active campaigns that go on.
 */
export async function followAddress(
  trx: Transaction<Database>,
  { userId, leadId, now }: { userId: string; leadId: number; now: Date },
  { before, after }: Record<'before' | 'after', string | null>,
): Promise<number[]> {
  const again = await lookAgain(trx, { leadId, emailKey: after, now });
  for (const twin of await listTwins(trx, userId, { leadId, before })) {
    const theirs = { leadId: twin, emailKey: before, now };
    again.push(...(await lookAgain(trx, theirs, ['duplicate_address'])));
  }
  return [...new Set(again)];
}

/** Other leads with the address, that it keeps out of a campaign no more. */
async function listTwins(
  trx: Transaction<Database>,
  userId: string,
  { leadId, before }: { leadId: number; before: string | null },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from leads where user_id = ${userId} and email_key = ${before} and id <> ${leadId}
      and ${isKeptLead('leads', userId)}
      and exists (select from recipients where recipients.lead_id = leads.id
        and ${isTwin()})
    order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Who was left out for one of these reasons; without them, also who was given up. Returns the active campaigns that go on. */
export async function lookAgain(
  trx: Transaction<Database>,
  { leadId, emailKey, now }: { leadId: number; emailKey: string | null; now: Date },
  reasons?: readonly HoldReason[],
): Promise<number[]> {
  const isMeant = reasons && isLeftOut(reasons);
  const again = [];
  if (emailKey !== null) {
    again.push(...(await goOnInThreads(trx, { leadId, now }, reasons)));
    again.push(...(await restartAtNewAddress(trx, { leadId, emailKey, now }, isMeant)));
    await leaveThreads(trx, [leadId], reasons);
  }
  await nameReasons(trx, leadId, reasons);
  await endDuplicates(trx, [leadId]);
  return again.filter(({ isActive }) => isActive).map(({ id }) => id);
}

/** The lead has the address again that it was written to at: it goes on where it stood. */
async function goOnInThreads(
  trx: Transaction<Database>,
  { leadId, now }: { leadId: number; now: Date },
  reasons: readonly HoldReason[] = ADDRESS_SKIPS,
): Promise<{ id: number; isActive: boolean }[]> {
  const dueAt = sql`coalesce(recipients.paused_due_at, ${now}::timestamptz)`;
  const { rows } = await sql<{ id: number; isActive: boolean }>`
    update recipients set ${returning({ dueAt, at: sql`${now}::timestamptz` })}
    from campaigns, leads
    where recipients.lead_id = ${leadId} and ${isLeftOut(reasons)} and leads.id = ${leadId}
      and leads.status not in ('suppressed', 'bounced', 'unsubscribed')
      and campaigns.id = recipients.campaign_id
      and campaigns.status <> 'cancelled' and campaigns.deleted_at is null
      and ${hasThread}
    returning campaigns.id, campaigns.status = 'active' as "isActive"`.execute(trx);
  return rows;
}

/** Who is still left out is so for the address that they have: what lifts that brings them back. */
const nameReasons = (
  trx: Transaction<Database>,
  leadId: number,
  reasons: readonly HoldReason[] = ADDRESS_SKIPS,
) =>
  sql`
    update recipients set hold_reason = case
      when leads.email_key is null then 'no_email'
      when leads.status in ('suppressed', 'bounced', 'unsubscribed') then 'suppressed'
      when leads.validation_status = 'invalid' then 'invalid_email'
      when exists (select from sends where sends.campaign_id = recipients.campaign_id
        and sends.email_key = leads.email_key and sends.lead_id <> leads.id
        and sends.state <> 'deferred') then 'already_contacted'
      else recipients.hold_reason end
    from leads
    where recipients.lead_id = ${leadId} and leads.id = ${leadId} and ${isLeftOut(reasons)}`.execute(
    trx,
  );
