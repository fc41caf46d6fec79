/** How many messages are refused as spam or by a policy, and the resulting pauses. Choice 9. */
import { sql, type Kysely, type Transaction } from 'kysely';
import {
  domainsOfProvider,
  recipientProviderOf,
  type PauseScope,
} from '../../domain/sending/policy-refusals.ts';
import { sendingDaysMs, sendingMs } from '../../domain/sending/sending-time.ts';
import { insertEvents } from '../webhooks/events.ts';
import { findProviders } from './recipient-providers.ts';
import { domainOfMailbox, markMailboxes } from './sending-mailboxes.ts';
import type { Database } from '../tables.ts';

export interface RejectionSettings {
  SEND_REJECTION_PAUSE_RATE: number;
  SEND_REJECTION_PAUSE_HOURS: number;
  SEND_REJECTION_MIN_SENDS: number;
  SEND_REJECTION_MIN: number;
  SEND_HEALTH_DAYS: number;
  DAY_SECONDS: number;
}

interface Subject {
  userId: string;
  scope: PauseScope;
  /** An id, or the name of a domain or provider. */
  subject: string;
  /** Whose messages count. */
  mailboxIds: readonly number[];
}

interface Rate {
  letters: number;
  rejected: number;
  /** The words of the last refusal. */
  words: string | null;
}

/**
 * Called after rejections were recorded: pauses each subject above the threshold, once, and tells the client.
 */
export async function pauseWhatIsRejected(
  trx: Transaction<Database>,
  settings: RejectionSettings,
  { sendIds, now }: { sendIds: readonly number[]; now: Date },
): Promise<void> {
  for (const subject of await subjectsOf(trx, sendIds)) {
    // One at a time: two simultaneous rejections cause one pause.
    const key = `${subject.userId} ${subject.scope} ${subject.subject}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 6037))`.execute(trx);
    const before = await latestPause(trx, subject);
    if (before && before.until > now) continue;
    const from = now.getTime() - sendingDaysMs(settings.SEND_HEALTH_DAYS, settings.DAY_SECONDS);
    const since = new Date(Math.max(from, before?.since.getTime() ?? 0));
    const rate = await readRate(trx, subject, since);
    if (isTooHigh(rate, settings)) await pause(trx, settings, { subject, rate, now });
  }
}

const isTooHigh = ({ letters: messages, rejected }: Rate, settings: RejectionSettings): boolean =>
  messages >= settings.SEND_REJECTION_MIN_SENDS &&
  rejected >= settings.SEND_REJECTION_MIN &&
  rejected / messages >= settings.SEND_REJECTION_PAUSE_RATE;

/** Where the messages were sent from and to; each subject once, in a fixed order. */
async function subjectsOf(
  trx: Transaction<Database>,
  sendIds: readonly number[],
): Promise<Subject[]> {
  const { rows } = await sql<{
    user_id: string;
    scope: PauseScope;
    subject: string;
    mailbox_ids: number[];
  }>`
    with rejected as (
      select distinct sends.user_id, sends.mailbox_id, sends.recipient_domain, host.server_id,
        ${domainOfMailbox} as domain
      from sends join mailboxes on mailboxes.id = sends.mailbox_id
      join mailbox_hosts as host on host.mailbox_id = sends.mailbox_id
      where sends.id = any (${[...sendIds]}::bigint[])
    )
    select user_id, 'mailbox' as scope, mailbox_id::text as subject,
      array[mailbox_id::float8] as mailbox_ids from rejected
    union
    select user_id, 'domain', domain, array(select mailboxes.id::float8 from mailboxes
      where mailboxes.user_id = rejected.user_id and ${domainOfMailbox} = rejected.domain
      order by 1) from rejected
    union
    select user_id, 'server', server_id::text, array(select mailboxes.id::float8 from mailboxes
      join clusters on clusters.id = mailboxes.cluster_id
      where clusters.server_id = rejected.server_id order by 1)
      from rejected where server_id is not null
    union
    select user_id, 'provider', recipient_domain, array(select mailboxes.id::float8 from mailboxes
      where mailboxes.user_id = rejected.user_id order by 1) from rejected`.execute(trx);
  const named = rows.filter(({ scope }) => scope === 'provider').map(({ subject }) => subject);
  const providers = await findProviders(trx, named);
  const subjects = rows.map((row) => ({
    userId: row.user_id,
    scope: row.scope,
    subject:
      row.scope === 'provider'
        ? recipientProviderOf(row.subject, providers.get(row.subject))
        : row.subject,
    mailboxIds: row.mailbox_ids,
  }));
  const byKey = new Map(subjects.map((one) => [`${one.scope} ${one.subject}`, one]));
  return [...byKey.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const latestPause = (db: Kysely<Database>, { userId, scope, subject }: Subject) =>
  db
    .selectFrom('sending_pauses')
    .select(['since', 'until'])
    .where('user_id', '=', userId)
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Of messages that were sent since then, by the index of mailboxes. */
async function readRate(
  trx: Transaction<Database>,
  { scope, subject, mailboxIds }: Subject,
  since: Date,
): Promise<Rate> {
  const isThere =
    scope === 'provider'
      ? sql`and (recipient_domain ~ ${domainsOfProvider(subject)} or exists (
          select from recipient_providers as known
          where known.domain = recipient_domain and known.provider = ${subject}))`
      : sql``;
  const { rows } = await sql<Rate>`
    select count(*)::int as letters, count(rejected_at)::int as rejected,
      (array_agg(rejection order by rejected_at desc nulls last))[1] as words
    from sends
    where mailbox_id = any (${[...mailboxIds]}::bigint[]) and claimed_at > ${since}
      and state in ('sent', 'refused', 'uncertain') ${isThere}`.execute(trx);
  return rows[0]!;
}

async function pause(
  trx: Transaction<Database>,
  settings: RejectionSettings,
  { subject: of, rate, now }: { subject: Subject; rate: Rate; now: Date },
): Promise<void> {
  const { userId: user_id, scope, subject, mailboxIds } = of;
  const seconds = settings.SEND_REJECTION_PAUSE_HOURS * 3_600;
  const until = new Date(now.getTime() + sendingMs(seconds, settings.DAY_SECONDS));
  const { letters: messages, rejected } = rate;
  const words = rate.words ?? '';
  await trx
    .insertInto('sending_pauses')
    .values({ user_id, scope, subject, letters: messages, rejected, words, since: now, until })
    .execute();
  if (scope !== 'provider') await markMailboxes(trx, mailboxIds, 'policy_rejections', now);
  await insertEvents(trx, [
    {
      userId: user_id,
      type: 'sending.paused',
      resource: `${scope}/${subject}`,
      payload: { scope, subject, letters: messages, rejected, words, until: until.toISOString() },
    },
  ]);
}

/** Whether a pause is of the mailbox, its domain or its server, in a query over `mailboxes` and its `host`. */
export const coversMailbox = (pause: string) => sql<boolean>`(
  ${sql.ref(`${pause}.scope`)}, ${sql.ref(`${pause}.subject`)}) in (
  ('mailbox', mailboxes.id::text), ('domain', ${domainOfMailbox}), ('server', host.server_id::text))`;

/** Those of the mailboxes that are paused: pauses may overlap. */
export async function listPausedMailboxes(
  db: Kysely<Database>,
  mailboxIds: readonly number[],
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select mailboxes.id from mailboxes
    join mailbox_hosts as host on host.mailbox_id = mailboxes.id
    where mailboxes.id = any (${[...mailboxIds]}::bigint[]) and exists (
      select from sending_pauses as pause where pause.user_id = mailboxes.user_id
        and pause.until > ${now} and ${coversMailbox('pause')})`.execute(db);
  return rows.map(({ id }) => id);
}
