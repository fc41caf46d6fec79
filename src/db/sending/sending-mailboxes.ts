/** Mailboxes as campaigns use them: whether they can send. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { tellMailboxHealth } from '../mailboxes/mailbox-health.ts';
import type { Database } from '../tables.ts';

/** Why a mailbox cannot be used, as clients see it. */
export type FailingReason =
  'login_refused' | 'sender_refused' | 'policy_rejections' | 'dns_failing';

/** The domain that a mailbox sends for, in a query over `mailboxes`: a connected one is in no cluster. */
export const domainOfMailbox = sql<string>`split_part(mailboxes.email, '@', 2)`;

/** Those of the mailboxes that fail, for the `reason` where one is given, in order of their ids, locked. */
export async function lockFailing(
  trx: Transaction<Database>,
  ids: readonly number[],
  reason?: FailingReason,
): Promise<number[]> {
  let query = trx
    .selectFrom('mailboxes')
    .select('id')
    .where('id', 'in', [...ids])
    .where('failing_reason', 'is not', null);
  if (reason !== undefined) query = query.where('failing_reason', '=', reason);
  const rows = await query.orderBy('id').forNoKeyUpdate().execute();
  return rows.map(({ id }) => id);
}

/**
 * Excludes mailboxes from sending, or re-admits them with null, and tells clients; unchanged ones are
 * skipped, and so are those that are gone.
 */
export async function markMailboxes(
  trx: Transaction<Database>,
  ids: readonly number[],
  reason: FailingReason | null,
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  let change = trx
    .updateTable('mailboxes')
    .set({ failing_reason: reason, failing_since: reason === null ? null : now, updated_at: now })
    .where('id', 'in', [...ids])
    .where('failing_reason', reason === null ? 'is not' : 'is', null);
  // Their messages count for domain and server, but nothing is sent from them any more.
  if (reason !== null) change = change.where('status', 'not in', ['deleting', 'deleted']);
  const changed = await change.returning('id').execute();
  const health = reason === null ? 'healthy' : 'failing';
  const changes = changed.map(({ id: mailboxId }) => ({
    mailboxId,
    aspect: 'sending' as const,
    health: health as 'healthy' | 'failing',
    reason,
  }));
  await tellMailboxHealth(trx, changes, now);
}

/**
 * Excludes the mailbox whose message was refused for its sender; where a blocklist has its host or domain
 * (`isListed`), all mailboxes of the domain: each further attempt would lose a recipient.
 */
export async function markSenderRefused(
  trx: Transaction<Database>,
  mailboxId: number,
  { isListed, now }: { isListed: boolean; now: Date },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with refused as (
      select user_id, ${domainOfMailbox} as domain from mailboxes where id = ${mailboxId}
    )
    select mailboxes.id from mailboxes join refused on refused.user_id = mailboxes.user_id
    where mailboxes.id = ${mailboxId} or (${isListed} and mailboxes.status = 'active'
      and ${domainOfMailbox} = refused.domain)
    order by mailboxes.id for no key update of mailboxes`.execute(trx);
  const ids = rows.map(({ id }) => id);
  await markMailboxes(trx, ids, 'sender_refused', now);
}

/** No claim is older than this when its message is sent; the index is by the claims' times. */
const OLDEST_CLAIM_MS = 3_600_000;

/** Whether the mailbox's host has taken a message of a campaign since then. */
export async function hasSentSince(
  db: Kysely<Database>,
  mailboxId: number,
  since: Date,
): Promise<boolean> {
  const found = await db
    .selectFrom('sends')
    .select('id')
    .where('mailbox_id', '=', mailboxId)
    .where('claimed_at', '>', new Date(since.getTime() - OLDEST_CLAIM_MS))
    .where('sent_at', '>', since)
    .where('state', '=', 'sent')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** For an unreachable host: nothing is sent from the mailbox before `until`. */
export async function restMailbox(db: Kysely<Database>, id: number, until: Date): Promise<void> {
  await db
    .updateTable('mailboxes')
    .set({ next_send_at: sql`greatest(next_send_at, ${until})` })
    .where('id', '=', id)
    .execute();
}

export interface CampaignMailbox {
  id: number;
  email: string;
  status: string;
  /** Null for a connected mailbox, whose records are not ours. */
  domain: string | null;
  dkim_selector: string | null;
  failing_reason: string | null;
  failing_since: Date | null;
  /** Its server may not send for now. */
  is_held: boolean;
  out_reason: string | null;
}

export const listCampaignMailboxes = (
  db: Kysely<Database>,
  campaignId: number,
): Promise<CampaignMailbox[]> =>
  db
    .selectFrom('campaign_mailboxes')
    .modifyFront(sql`/*list-campaign-mailboxes*/`)
    .innerJoin('mailboxes', 'mailboxes.id', 'campaign_mailboxes.mailbox_id')
    .innerJoin('mailbox_hosts as host', 'host.mailbox_id', 'mailboxes.id')
    .select([
      'mailboxes.id',
      'mailboxes.email',
      'mailboxes.status',
      'host.domain',
      'host.dkim_selector',
      'mailboxes.failing_reason',
      'mailboxes.failing_since',
      sql<boolean>`host.sending_hold is not null`.as('is_held'),
      'campaign_mailboxes.out_reason',
    ])
    .where('campaign_mailboxes.campaign_id', '=', campaignId)
    .execute();
