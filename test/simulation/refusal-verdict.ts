/** Invariants of refusals in the database: about the address, as spam, and on the route. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import type { Book } from './book.ts';

/** Why a recipient waits for a verdict or a choice. */
export const ADDRESS_HOLDS: string[] = [
  'catch_all_address',
  'unknown_address',
  'role_address',
  'score_too_low',
];

/**
 * docs/sending-rules.md#when-sending-pauses; choice 9. Days, messages, refusals and share at which
 * sending is paused.
 */
const RATE = { days: 7, messages: 20, refused: 3, share: 0.05 };
const PAUSE_HOURS = 24;

const idsOf = (book: Book) => book.campaigns.map(({ id }) => id);

/**
 * Only an address that does not exist is suppressed as such: not after spam refusals or route failures.
 */
export async function checkSuppressedAddresses(
  db: Kysely<Database>,
  book: Book,
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from suppressions where reason = 'bounce' and user_id in (
      select user_id from campaigns where id = any (${idsOf(book)}::bigint[]))`.execute(db);
  return rows
    .filter(({ value }) => !book.bouncedAddresses.has(value))
    .map(({ value }) => `${value} is suppressed as bounced, and has not`);
}

/**
 * For each mailbox, for all together, since they share one domain and one server, and for each provider of
 * recipients: where the last refusal as spam exceeded the rate, a pause began; and nothing was claimed within it.
 * Messages of that very minute may have been counted or not, and so may those of which an erasure took the domain.
 */
export async function checkRejections(db: Kysely<Database>, book: Book): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    with own as (
      select sends.id, sends.user_id, claimed_at, rejected_at, state, of.scope, of.subject,
        case when of.scope = 'provider' then (select count(*) from sends as erased
          where erased.user_id = sends.user_id and erased.recipient_domain is null) else 0 end as erased
      from sends
      join mailboxes on mailboxes.id = sends.mailbox_id
      join clusters on clusters.id = mailboxes.cluster_id
      join domains on domains.id = clusters.domain_id
      cross join lateral (values ('mailbox', mailboxes.id::text), ('domain', domains.name),
        ('server', clusters.server_id::text), ('provider', coalesce(
          ${JSON.stringify(Object.fromEntries(book.providers))}::jsonb ->> recipient_domain,
          recipient_domain))) as of (scope, subject)
      where sends.campaign_id = any (${idsOf(book)}::bigint[])
    ), last as (
      select scope, subject, user_id, max(rejected_at) as at from own
      where rejected_at is not null group by scope, subject, user_id
    ), counted as (
      select last.*, count(*) filter (where claimed_at < at - interval '1 minute') as surely,
        count(*) as messages, max(erased) as erased, count(*) filter (where rejected_at <= at) as refused
      from last join own using (scope, subject, user_id)
      left join lateral (select max(since) as since from sending_pauses as pause
        where pause.user_id = last.user_id and pause.scope = last.scope
          and pause.subject = last.subject and pause.since < last.at) as before on true
      where claimed_at <= at and state in ('sent', 'refused', 'uncertain')
        and claimed_at > greatest(at - make_interval(days => ${RATE.days}), before.since)
      group by last.scope, last.subject, last.user_id, last.at
    )
    select 'was not paused after ' || refused || ' of ' || messages || ' messages were spam: '
      || scope || ' ' || subject as what
    from counted
    where surely >= ${RATE.messages} and refused >= ${RATE.refused}
      and refused >= ${RATE.share}::numeric * (messages + erased)
      and not exists (select from sending_pauses as pause where pause.user_id = counted.user_id
        and pause.scope = counted.scope and pause.subject = counted.subject
        and counted.at between pause.since and pause.until)
    union all
    select 'sent message ' || own.id || ' within the pause of ' || own.scope || ' ' || own.subject
    from own join sending_pauses as pause using (scope, subject, user_id)
    where own.claimed_at > pause.since
      and own.claimed_at < pause.since + make_interval(hours => ${PAUSE_HOURS})`.execute(db);
  return rows.map(({ what }) => what);
}
