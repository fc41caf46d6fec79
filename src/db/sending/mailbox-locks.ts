/** Locks of sending domains and mailboxes, with the messages that count toward their limits. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { MailboxSender } from '../mailboxes/mailboxes.ts';
import { together } from '../round-trips.ts';
import { samePlan } from '../same-plan.ts';
import type { Database } from '../tables.ts';
import { coldMessages } from './cold-messages.ts';

interface Terms {
  /** Messages a day of a domain; 0: no limit, and none is locked. */
  domainLimit: number;
  /** A domain that is locked is waited for, or absent. */
  waits: boolean;
  now: Date;
  dayMs: number;
}

/** What a mailbox has sent, warm-up included in the hour and the day, and how it signs. */
export interface LockedMailbox {
  hour: number;
  day: number;
  cold: number;
  sender: MailboxSender;
}

export interface Locked {
  /** Messages that each domain has left of its day, warm-up included, since recipients' servers see the sum. */
  domains: Map<number, number>;
  /** Messages of the last hour and day. Those whose rows could not be locked are absent. */
  mailboxes: Map<number, LockedMailbox>;
}

/**
 * Claims of the mailboxes of a domain are serialized. Locks and counts are statements of their own: the counts see what was
 * claimed until the rows were locked, also by a campaign that leaves no gap and so no trace in the row.
 */
export async function lockAndCount(
  trx: Transaction<Database>,
  { domainIds, mailboxIds }: { domainIds: readonly number[]; mailboxIds: readonly number[] },
  terms: Terms & { hourMs: number },
): Promise<Locked> {
  const lock = lockMailboxes(mailboxIds, terms);
  const count = countOfMailboxes(mailboxIds, terms);
  if (!isLimited(domainIds, terms)) {
    const [rows, counts] = await together(trx, [lock, count]);
    return { domains: withoutLimit(domainIds), mailboxes: withCounts(rows, counts) };
  }
  const [first, second] = ofDomains(domainIds, terms);
  const [locked, counted, rows, counts] = await together(trx, [first, second, lock, count]);
  return { domains: leftOf(locked, counted, terms), mailboxes: withCounts(rows, counts) };
}

/** The same of domains alone. */
export async function lockDomains(
  trx: Transaction<Database>,
  ids: readonly number[],
  terms: Terms,
): Promise<Locked['domains']> {
  if (!isLimited(ids, terms)) return withoutLimit(ids);
  const [locked, counted] = await together(trx, ofDomains(ids, terms));
  return leftOf(locked, counted, terms);
}

const isLimited = (ids: readonly number[], { domainLimit }: Terms) =>
  domainLimit > 0 && ids.length > 0;

const withoutLimit = (ids: readonly number[]) => new Map(ids.map((id) => [id, Infinity]));

function leftOf(
  locked: readonly DomainRow[],
  counted: readonly DomainCount[],
  { domainLimit }: Terms,
): Map<number, number> {
  const used = new Map(counted.map(({ domain_id, messages }) => [domain_id, messages]));
  return new Map(locked.map(({ id }) => [id, domainLimit - (used.get(id) ?? 0)]));
}

interface DomainRow {
  id: number;
}

interface DomainCount {
  domain_id: number;
  messages: number;
}

const ofDomains = (
  ids: readonly number[],
  terms: Terms,
): [RawBuilder<DomainRow>, RawBuilder<DomainCount>] => [
  lockOfDomains(ids, terms),
  countOfDomains(ids, terms),
];

const lockOfDomains = (ids: readonly number[], { waits }: Terms): RawBuilder<DomainRow> => sql`${
  waits ? sql`/*lock-domains*/` : sql`/*try-domains*/`
}
    select id from domains where id = any (${samePlan([...ids], 'bigint[]')})
    order by id for no key update ${waits ? sql`` : sql`skip locked`}`;

/** By the index of each table, read once for all mailboxes of a domain: looked up one by one, a hundred take as long as all else of a claim. */
function countOfDomains(ids: readonly number[], { now, dayMs }: Terms): RawBuilder<DomainCount> {
  const from = samePlan(new Date(now.getTime() - dayMs), 'timestamptz');
  return sql`/*count-domain-messages*/
    select domain.id as domain_id, (
        (select count(*) from sends where mailbox_id = any (mine.ids) and claimed_at > ${from})
        + (select count(*) from placement_messages
          where mailbox_id = any (mine.ids) and claimed_at > ${from})
        + (select count(*) from warmup_letters
          where from_mailbox_id = any (mine.ids) and claimed_at > ${from})
      )::integer as messages
    from unnest(${samePlan([...ids], 'bigint[]')}) as domain (id)
    cross join lateral (select array(select mailboxes.id from clusters
      join mailboxes on mailboxes.cluster_id = clusters.id
      where clusters.domain_id = domain.id) as ids) as mine`;
}

type MailboxRow = MailboxSender & { id: number };

const lockMailboxes = (
  ids: readonly number[],
  { now }: Terms,
): RawBuilder<MailboxRow> => sql`/*lock-mailboxes*/
    select id, sender_name as name, signature from mailboxes
    where id = any (${samePlan([...ids], 'bigint[]')}) and status = 'active' and failing_reason is null
      and (next_send_at is null or next_send_at <= ${now})
    order by id for no key update skip locked`;

type CountRow = Omit<LockedMailbox, 'sender'> & { id: number };

function countOfMailboxes(
  ids: readonly number[],
  { now, hourMs, dayMs }: Terms & { hourMs: number },
): RawBuilder<CountRow> {
  const hourAgo = samePlan(new Date(now.getTime() - hourMs), 'timestamptz');
  const dayAgo = samePlan(new Date(now.getTime() - dayMs), 'timestamptz');
  const counted = (messages: RawBuilder<unknown>, mailbox: string) => sql`
    select count(*) filter (where claimed_at > ${hourAgo})::integer as hour, count(*)::integer as day
    from ${messages}
    where ${sql.ref(mailbox)} = asked.id and claimed_at > ${dayAgo}`;
  return sql`/*count-mailbox-messages*/
    select asked.id, cold.hour + warm.hour as hour, cold.day + warm.day as day,
      cold.day as cold
    from unnest(${samePlan([...ids], 'bigint[]')}) as asked (id)
    cross join lateral (${counted(coldMessages, 'mailbox_id')}) cold
    cross join lateral (${counted(sql`warmup_letters`, 'from_mailbox_id')}) warm`;
}

function withCounts(
  locked: readonly MailboxRow[],
  counts: readonly CountRow[],
): Map<number, LockedMailbox> {
  const uses = new Map(counts.map(({ id, ...use }) => [id, use]));
  return new Map(locked.map(({ id, ...sender }) => [id, { ...uses.get(id)!, sender }]));
}
