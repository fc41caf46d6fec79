/** Passwords of an account that mail hosts of others have refused: how many today, and how many in a row. Choice 157. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** Days are those of UTC. */
const TODAY = sql`(now() at time zone 'utc')::date`;

export async function noteRefusedLogin(db: Kysely<Database>, userId: string): Promise<void> {
  await sql`
    insert into refused_logins as known (user_id, day, refused) values (${userId}, ${TODAY}, 1)
    on conflict (user_id) do update set day = ${TODAY},
      refused = case when known.day = ${TODAY} then known.refused + 1 else 1 end`.execute(db);
}

export async function countRefusedToday(db: Kysely<Database>, userId: string): Promise<number> {
  const { rows } = await sql<{ refused: number }>`
    select refused from refused_logins where user_id = ${userId} and day = ${TODAY}`.execute(db);
  return rows[0]?.refused ?? 0;
}

/** Until the next day of UTC, at least 1. */
export async function secondsLeftToday(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from ${TODAY} + 1 - now() at time zone 'utc'))::int as seconds`.execute(
    db,
  );
  return rows[0]!.seconds;
}

/** By host: how many rows of the import it has refused since it last took the login of one. */
export async function countRefusedInARow(
  db: Kysely<Database>,
  importId: number,
  refusals: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ host: string; refused: number }>`
    with tried as (
      select servers, sent_at is null as is_refused, coalesce(sent_at, ended_at) as at
      from mailbox_import_rows
      where import_id = ${importId}
        and (sent_at is not null or error_code = any(${[...refusals]}::text[]))
    ), at_host as (
      select host, is_refused, at, max(at) filter (where not is_refused) over (partition by host) as taken_at
      from tried, lateral (
        select servers -> 'smtp' ->> 'host' as host union select servers -> 'imap' ->> 'host'
      ) as hosts
    )
    select host, count(*)::int as refused from at_host
    where is_refused and (taken_at is null or at > taken_at) group by host`.execute(db);
  return new Map(rows.map(({ host, refused }) => [host, refused]));
}
