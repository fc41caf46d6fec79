/** The leads that suppressions stop, and what lifting one brings back. Choices 17, 142. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { LeadStatus } from '../../domain/leads/leads.ts';
import type {
  NewSuppression,
  SuppressionKind,
  SuppressionReason,
} from '../../domain/suppressions/suppressions.ts';
import { lockStoppedRecipients, takeUpStopped } from '../campaigns/stopped-recipients.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { recheckLeads, suppressionsKnown } from '../leads/lead-locks.ts';
import type { Database } from '../tables.ts';

type Entry = Pick<NewSuppression, 'kind' | 'value'>;

/**
 * Sets the affected leads to `suppressed`. Leads that have bounced or unsubscribed keep that status: it says
 * more, and would be lost when the entry is removed.
 */
export async function suppressLeads(
  trx: Transaction<Database>,
  userId: string,
  entries: readonly Entry[],
): Promise<number> {
  const change = sql`status = 'suppressed'
    where leads.status not in ('suppressed', 'bounced', 'unsubscribed')`;
  return (await changeStatus(trx, concernedBy(userId, entries), { userId, change })).length;
}

/**
 * The lead statuses that an entry's reason causes, besides `suppressed`. A weightier reason has taken the place
 * of a bounce.
 */
const STOPPED: Record<SuppressionReason, readonly LeadStatus[]> = {
  bounce: ['bounced'],
  unsubscribe: ['unsubscribed', 'bounced'],
  complaint: ['unsubscribed', 'bounced'],
  manual: [],
  erasure: [],
};

export interface Lifted {
  leads: number;
  /** Active campaigns that have messages for them again. */
  campaignIds: number[];
}

/**
 * Restores affected leads to their earlier status, where nothing else suppresses them, including those that
 * the entry's reason has stopped, and takes them up where their campaigns have left them out. One that another
 * entry keeps becomes `suppressed`, so that lifting that one brings it back. Call it once the entry is deleted.
 * Lock order: recipients before leads, as where delivery results are written.
 */
export async function liftLeads(
  trx: Transaction<Database>,
  userId: string,
  entry: Pick<NewSuppression, 'kind' | 'value' | 'reason'>,
): Promise<Lifted> {
  const concerned = concernedBy(userId, [entry]);
  const since = await suppressionsKnown(trx);
  await lockStoppedRecipients(trx, concerned);
  const stopped = STOPPED[entry.reason];
  const restore = sql`status = coalesce(status_before, 'pending')
    where leads.status = any (${['suppressed', ...stopped]}::text[])
      and not is_suppressed(leads.user_id, leads.email_key)`;
  const leadIds = await changeStatus(trx, concerned, { userId, change: restore });
  if (stopped.length > 0) {
    const keep = sql`status = 'suppressed'
      where leads.status = any (${[...stopped]}::text[]) and not ${isStoppedByAnother}`;
    await changeStatus(trx, concerned, { userId, change: keep });
  }
  if (leadIds.length === 0) return { leads: 0, campaignIds: [] };
  await recheckLeads(trx, { userId, leadIds, since });
  return { leads: leadIds.length, campaignIds: await takeUpStopped(trx, leadIds) };
}

/** Whether an entry that is left has caused the lead's status. */
const isStoppedByAnother = sql`exists (
  select from suppressions as other
  where other.user_id = leads.user_id
    and ((other.kind = 'email' and other.value = leads.email_key)
      or (other.kind = 'domain' and other.value in (
        select array_to_string(labels[first:], '.')
        from (select string_to_array(split_part(leads.email_key, '@', 2), '.')) as domain (labels),
          generate_series(1, cardinality(labels)) as first)))
    and other.reason in (select cause.reason
      from jsonb_to_recordset(${JSON.stringify(
        Object.entries(STOPPED).map(([reason, statuses]) => ({ reason, statuses })),
      )}::jsonb) as cause (reason text, statuses jsonb)
      where jsonb_exists(cause.statuses, leads.status)))`;

/** The ids of leads that these entries speak of. */
function concernedBy(userId: string, entries: readonly Entry[]): RawBuilder<unknown> {
  const valuesOf = (kind: SuppressionKind) =>
    entries.filter((entry) => entry.kind === kind).map(({ value }) => value);
  return sql`
    select id from leads
    where user_id = ${userId} and email_key = any (${valuesOf('email')}::text[])
    union
    select leads_of_domain(${userId}, domain)
    from unnest(${valuesOf('domain')}::text[]) as domain`;
}

/** Answers the leads that were changed. */
async function changeStatus(
  trx: Transaction<Database>,
  concerned: RawBuilder<unknown>,
  { userId, change }: { userId: string; change: RawBuilder<unknown> },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with concerned as (${concerned}),
    locked as (
      select id from leads where id in (select id from concerned) and ${isKeptLead('leads', userId)}
      order by id for no key update)
    update leads set updated_at = now(), ${change}
      and leads.id in (select id from locked)
    returning leads.id`.execute(trx);
  return rows.map(({ id }) => id);
}
