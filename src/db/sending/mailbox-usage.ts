/** What mailboxes have sent recently, to compute when their limits allow the next message. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { coldMessages } from './cold-messages.ts';

export interface MailboxUsage {
  /** Claim times, newest first. */
  cold: Date[];
  warmup: Date[];
}

/** By mailbox; at most `most` messages of each kind, for limits never count more. */
export async function readMailboxUsage(
  db: Kysely<Database>,
  mailboxIds: readonly number[],
  { since, most }: { since: Date; most: number },
): Promise<Map<number, MailboxUsage>> {
  const uses = new Map(
    mailboxIds.map((id): [number, MailboxUsage] => [id, { cold: [], warmup: [] }]),
  );
  const { rows } = await sql<{ id: number; kind: 'cold' | 'warmup'; claimed_at: Date }>`
    select asked.id, messages.kind, messages.claimed_at
    from unnest(${[...mailboxIds]}::bigint[]) as asked (id), lateral (
      (select 'cold' as kind, claimed_at from ${coldMessages}
        where mailbox_id = asked.id and claimed_at > ${since}
        order by claimed_at desc limit ${most})
      union all
      (select 'warmup', claimed_at from warmup_letters
        where from_mailbox_id = asked.id and claimed_at > ${since}
        order by claimed_at desc limit ${most})) as messages
    order by messages.claimed_at desc`.execute(db);
  for (const { id, kind, claimed_at } of rows) uses.get(id)![kind].push(claimed_at);
  return uses;
}

/** By mailbox: the message of its sending domain that uses up the domain's day; none = messages are left. */
export async function readDomainBlocks(
  db: Kysely<Database>,
  mailboxIds: readonly number[],
  { since, limit }: { since: Date; limit: number },
): Promise<Map<number, Date>> {
  if (limit === 0) return new Map();
  const { rows } = await sql<{ id: number; blocking: Date | null }>`
    with own as (
      select mailboxes.id, clusters.domain_id from mailboxes
      join clusters on clusters.id = mailboxes.cluster_id
      where mailboxes.id = any (${[...mailboxIds]}::bigint[])
    ), blocks as (
      select domain_id, (
        select messages.claimed_at from clusters
        join mailboxes on mailboxes.cluster_id = clusters.id
        cross join lateral (
          select claimed_at from ${coldMessages} where mailbox_id = mailboxes.id and claimed_at > ${since}
          union all
          select claimed_at from warmup_letters
          where from_mailbox_id = mailboxes.id and claimed_at > ${since}) as messages
        where clusters.domain_id = domains.domain_id
        order by messages.claimed_at desc offset ${limit - 1} limit 1) as blocking
      from (select distinct domain_id from own) as domains
    )
    select own.id, blocking from own join blocks using (domain_id)`.execute(db);
  return new Map(rows.flatMap(({ id, blocking }) => (blocking === null ? [] : [[id, blocking]])));
}
