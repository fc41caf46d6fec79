/** Limits of actions per user and hour, in addition to the limits of all requests. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Counts one of `limit` in the hour that begins with the first; undefined when it was granted, else the whole
 * seconds until the next hour. The counts may be lost when Postgres crashes.
 */
export async function takeHourly(
  db: Kysely<Database>,
  subject: string,
  limit: number,
): Promise<number | undefined> {
  const isOver = sql`known.hour_started_at <= now() - interval '1 hour'`;
  const { rows } = await sql<{ granted: number; seconds: number }>`
    insert into rate_counters as known
      (subject, minute_started_at, minute_used, hour_started_at, hour_used, granted)
    values (${subject}, now(), 0, now(), 1, 1)
    on conflict (subject) do update set
      hour_started_at = case when ${isOver} then now() else known.hour_started_at end,
      hour_used = case when ${isOver} then 1 else least(known.hour_used + 1, ${limit}) end,
      granted = case when ${isOver} or known.hour_used < ${limit} then 1 else 0 end
    returning granted,
      ceil(extract(epoch from hour_started_at + interval '1 hour' - now()))::integer as seconds`.execute(
    db,
  );
  const { granted, seconds } = rows[0]!;
  return granted === 1 ? undefined : seconds;
}
