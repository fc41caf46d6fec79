/** Locks of sending domains and mailboxes, with the messages that count toward their limits. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { MailboxSender } from '../mailboxes/mailboxes.ts';
import { samePlan } from '../same-plan.ts';
import type { Database } from '../tables.ts';
import { coldMessages } from './cold-messages.ts';

/**
 * Messages that each sending domain has left of `most` (0 = no limit) since `since`, warm-up included, since
 * recipients' servers see the sum. Claims of its mailboxes are serialized; a domain that is locked is waited
 * for, or absent.
 */
export async function lockDomains(
  trx: Transaction<Database>,
  domainIds: readonly number[],
  { most, since, waits }: { most: number; since: Date; waits: boolean },
): Promise<Map<number, number>> {
  if (most === 0) return new Map(domainIds.map((id) => [id, Infinity]));
  if (domainIds.length === 0) return new Map();
  const lock = trx
    .selectFrom('domains')
    .modifyFront(waits ? sql`/*lock-domains*/` : sql`/*try-domains*/`)
    .select('id')
    .where('id', '=', sql<number>`any (${samePlan([...domainIds], 'bigint[]')})`)
    .orderBy('id')
    .forNoKeyUpdate();
  const locked = (await (waits ? lock : lock.skipLocked()).execute()).map(({ id }) => id);
  const from = samePlan(since, 'timestamptz');
  const { rows } = await sql<{ domain_id: number; messages: number }>`/*count-domain-messages*/
    select clusters.domain_id, sum(cold.messages + warm.messages)::integer as messages
    from clusters join mailboxes on mailboxes.cluster_id = clusters.id
    cross join lateral (select count(*) as messages from ${coldMessages}
      where mailbox_id = mailboxes.id and claimed_at > ${from}) cold
    cross join lateral (select count(*) as messages from warmup_letters
      where from_mailbox_id = mailboxes.id and claimed_at > ${from}) warm
    where clusters.domain_id = any (${samePlan(locked, 'bigint[]')})
    group by clusters.domain_id`.execute(trx);
  const used = new Map(rows.map(({ domain_id, messages }) => [domain_id, messages]));
  return new Map(locked.map((id) => [id, most - (used.get(id) ?? 0)]));
}

/** What a mailbox has sent, warm-up included in the hour and the day, and how it signs. */
export interface LockedMailbox {
  hour: number;
  day: number;
  cold: number;
  sender: MailboxSender;
}

/**
 * Messages of the last hour and day, for those whose rows could be locked. In two statements: the second one sees what
 * was claimed until the row was locked, also by a campaign that leaves no gap and so no trace in the row.
 */
export async function lockAndCount(
  trx: Transaction<Database>,
  mailboxIds: readonly number[],
  { now, hourMs, dayMs }: { now: Date; hourMs: number; dayMs: number },
): Promise<Map<number, LockedMailbox>> {
  const { rows: locked } = await sql<MailboxSender & { id: number }>`/*lock-mailboxes*/
    select id, sender_name as name, signature from mailboxes
    where id = any (${samePlan([...mailboxIds], 'bigint[]')}) and status = 'active' and failing_reason is null
      and (next_send_at is null or next_send_at <= ${now})
    order by id for no key update skip locked`.execute(trx);
  if (locked.length === 0) return new Map();
  // Not as an array, whose length Postgres would plan for each time.
  const ids = JSON.stringify(locked.map(({ id }) => id));
  const hourAgo = new Date(now.getTime() - hourMs);
  const dayAgo = new Date(now.getTime() - dayMs);
  const counted = (messages: RawBuilder<unknown>, mailbox: string) => sql`
    select count(*) filter (where claimed_at > ${hourAgo})::integer as hour, count(*)::integer as day
    from ${messages}
    where ${sql.ref(mailbox)} = locked.id and claimed_at > ${dayAgo}`;
  const { rows } = await sql<{
    id: number;
    hour: number;
    day: number;
    cold: number;
  }>`/*count-mailbox-messages*/
    select locked.id, cold.hour + warm.hour as hour, cold.day + warm.day as day,
      cold.day as cold
    from (select value::bigint as id from jsonb_array_elements_text(${ids}::jsonb)) as locked
    cross join lateral (${counted(coldMessages, 'mailbox_id')}) cold
    cross join lateral (${counted(sql`warmup_letters`, 'from_mailbox_id')}) warm`.execute(trx);
  const senders = new Map(locked.map(({ id, ...sender }) => [id, sender]));
  return new Map(rows.map(({ id, ...use }) => [id, { ...use, sender: senders.get(id)! }]));
}
