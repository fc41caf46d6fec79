/** The outcomes of a mailbox's warm-up messages: the record for its health score, and statistics. */
import { sql, type Kysely } from 'kysely';
import type { WarmupRecord } from '../../domain/warmup/warmup-health.ts';
import type { Database } from '../tables.ts';

/**
 * Messages claimed since then, by outcome. Our own hosts have no spam filter, so a partner's inbox proves
 * nothing: `inbox` counts messages that seeds found in their inbox.
 */
export async function readRecord(
  db: Kysely<Database>,
  mailboxId: number,
  since: Date,
): Promise<WarmupRecord> {
  const { rows } = await sql<WarmupRecord>`
    select
      count(*) filter (where state in ('sent', 'uncertain'))::int as sent,
      count(*) filter (where seen_in = 'inbox' and to_mailbox_id is null)::int as inbox,
      count(*) filter (where seen_in = 'spam')::int as spam,
      count(*) filter (where bounced_at is not null)::int as bounced,
      count(*) filter (where state = 'refused')::int as refused
    from warmup_letters
    where from_mailbox_id = ${mailboxId} and claimed_at > ${since}`.execute(db);
  return rows[0]!;
}

/** A day (UTC) of a mailbox's warm-up. */
export interface WarmupDayRow extends WarmupRecord {
  /** `YYYY-MM-DD`. */
  date: string;
  received: number;
  saved: number;
}

/**
 * Days on which something happened, oldest first. Messages count on the day they were claimed:
 * `inbox` and `spam` tell where the mailbox's own messages were found, as `readRecord` does, `saved`
 * which of them partners took out of spam, `received` what partners' messages arrived.
 */
export async function readWarmupDays(
  db: Kysely<Database>,
  mailboxId: number,
  span: { from: Date; until: Date },
): Promise<WarmupDayRow[]> {
  const { rows } = await sql<WarmupDayRow>`
    select to_char(day, 'YYYY-MM-DD') as date,
      sum(sent)::int as sent, sum(inbox)::int as inbox, sum(spam)::int as spam,
      sum(bounced)::int as bounced, sum(refused)::int as refused,
      sum(saved)::int as saved, sum(received)::int as received
    from (
      select (claimed_at at time zone 'UTC')::date as day,
        (state in ('sent', 'uncertain'))::int as sent,
        coalesce(seen_in = 'inbox' and to_mailbox_id is null, false)::int as inbox,
        coalesce(seen_in = 'spam', false)::int as spam,
        (bounced_at is not null)::int as bounced,
        (state = 'refused')::int as refused,
        (saved_at is not null)::int as saved,
        0 as received
      from warmup_letters
      where from_mailbox_id = ${mailboxId}
        and claimed_at >= ${span.from} and claimed_at < ${span.until}
      union all
      select (claimed_at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 0, 1
      from warmup_letters
      where to_mailbox_id = ${mailboxId} and seen_at is not null
        and claimed_at >= ${span.from} and claimed_at < ${span.until}
    ) as messages
    group by day order by day`.execute(db);
  return rows;
}
