/** The leads that suppressions stop, and what lifting one brings back. Choices 17, 142, 144. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { LeadStatus } from '../../domain/leads/leads.ts';
import {
  domainsAbove,
  type NewSuppression,
  type SuppressionKind,
  type SuppressionReason,
} from '../../domain/suppressions/suppressions.ts';
import { lockWithCampaigns, takeUpStopped } from '../campaigns/stopped-recipients.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { recheckLeads, suppressionsKnown } from '../leads/lead-locks.ts';
import type { Database } from '../tables.ts';
import { findSuppressionsOf } from './suppressions.ts';

type Entry = Pick<NewSuppression, 'kind' | 'value'>;

const isFree = sql`leads.status not in ('suppressed', 'bounced', 'unsubscribed')`;
const suppressed = sql`'suppressed'`;

/**
 * Sets the affected leads to `suppressed`. Leads that have bounced or unsubscribed keep that status: it says
 * more, and would be lost when the entry is removed.
 */
export async function suppressLeads(
  trx: Transaction<Database>,
  userId: string,
  entries: readonly Entry[],
): Promise<number> {
  const concerned = concernedBy(userId, entries);
  return (await changeStatus(trx, concerned, { userId, status: suppressed, where: isFree })).length;
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
  await lockWithCampaigns(trx, concerned);
  const isListed = sql`is_suppressed(leads.user_id, leads.email_key)`;
  const leadIds = await restore(trx, concerned, { userId, reasons: [entry.reason], isListed });
  if (leadIds.length === 0) return { leads: 0, campaignIds: [] };
  await recheckLeads(trx, { userId, leadIds, since });
  return { leads: leadIds.length, campaignIds: await takeUpStopped(trx, leadIds) };
}

/** Answers the leads that are back; of these reasons' states, what another entry keeps is `suppressed`. */
async function restore(
  trx: Transaction<Database>,
  concerned: RawBuilder<unknown>,
  { userId, reasons, before, isListed }: Lifting,
): Promise<number[]> {
  const stopped = [...new Set(reasons.flatMap((reason) => STOPPED[reason]))];
  // Not who has unsubscribed since, elsewhere, and has got an address of the domain.
  const isMeant = before
    ? sql`(leads.status = 'suppressed' or leads.updated_at <= ${before})`
    : sql`true`;
  const leadIds = await changeStatus(trx, concerned, {
    userId,
    status: sql`coalesce(status_before, 'pending')`,
    where: sql`leads.status = any (${['suppressed', ...stopped]}::text[]) and ${isMeant}
      and not ${isListed}`,
  });
  if (stopped.length > 0) {
    const where = sql`leads.status = any (${stopped}::text[]) and ${isMeant} and not ${isStoppedByAnother}`;
    await changeStatus(trx, concerned, { userId, status: suppressed, where });
  }
  return leadIds;
}

interface Lifting {
  userId: string;
  /** Of entries that were lifted. */
  reasons: readonly SuppressionReason[];
  /** When they were, where that was in another transaction. */
  before?: Date | null;
  /** Whether the list has one of `leads`. */
  isListed: RawBuilder<unknown>;
}

/**
 * Gives leads of a domain the status that the list says by now, whatever was suppressed or lifted in between:
 * both as above, for each of them. Who is free is taken up, also where a claim has left them out before their
 * status said so.
 */
export async function settleLeads(
  trx: Transaction<Database>,
  leadIds: readonly number[],
  lifted: Omit<Lifting, 'isListed'>,
): Promise<Lifted> {
  const { userId } = lifted;
  const given = sql`select unnest(${[...leadIds]}::bigint[])`;
  await lockWithCampaigns(trx, given);
  // First all locks: the next statements see what those have written who held them.
  const { rows } = await sql<{ id: number; email_key: string }>`
    select id, email_key from leads
    where id = any (array(${given})) and email_key is not null and ${isKeptLead('leads', userId)}
    order by id for no key update`.execute(trx);
  const concerned = sql`select unnest(${rows.map(({ id }) => id)}::bigint[])`;
  const since = await suppressionsKnown(trx);
  const isListed = sql`(leads.id = any (${await listListed(trx, userId, rows)}::bigint[]))`;
  const where = sql`${isFree} and ${isListed}`;
  await changeStatus(trx, concerned, { userId, status: suppressed, where });
  const back = await restore(trx, concerned, { ...lifted, isListed });
  const { rows: free } = await sql<{ id: number }>`
    select id from leads where id = any (array(${concerned})) and not ${isListed} and ${isFree}`.execute(
    trx,
  );
  const freeIds = free.map(({ id }) => id);
  if (freeIds.length === 0) return { leads: back.length, campaignIds: [] };
  await recheckLeads(trx, { userId, leadIds: freeIds, since });
  return { leads: back.length, campaignIds: await takeUpStopped(trx, freeIds) };
}

/** Which of the leads `is_suppressed` would find, in one look for all. */
async function listListed(
  trx: Transaction<Database>,
  userId: string,
  leads: readonly { id: number; email_key: string }[],
): Promise<number[]> {
  const named = leads.map(({ id, email_key: key }) => ({ id, key, domains: domainsAbove(key) }));
  const values = new Set(named.flatMap(({ key, domains }) => [key, ...domains]));
  const entries = await findSuppressionsOf(trx, userId, [...values]);
  const listed = new Set(entries.map(({ kind, value }) => `${kind} ${value}`));
  return named
    .filter(
      ({ key, domains }) =>
        listed.has(`email ${key}`) || domains.some((domain) => listed.has(`domain ${domain}`)),
    )
    .map(({ id }) => id);
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

interface Change {
  userId: string;
  status: RawBuilder<unknown>;
  /** Of `leads`. */
  where: RawBuilder<unknown>;
}

/**
 * Answers the leads that were changed. They are judged as they are once they are locked, and no others: by an index
 * of statuses all suppressed leads of the account might be judged.
 */
async function changeStatus(
  trx: Transaction<Database>,
  concerned: RawBuilder<unknown>,
  { userId, status, where }: Change,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with concerned (id) as (${concerned}),
    locked as (
      select id, user_id, email_key, status, updated_at from leads
      where id = any (array(select id from concerned)) and ${isKeptLead('leads', userId)}
      order by id for no key update),
    judged as materialized (select id from locked as leads where ${where})
    update leads set updated_at = now(), status = ${status}
    where id = any (array(select id from judged))
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}
