/** How long a job stood still because its client wanted it: by the log of its operation, which no dead process loses. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** Seconds of all pauses by the client between two times; one that an operator asked for is no wish of the client. */
export async function sumPauses(
  db: Kysely<Database>,
  { operationId, since, until }: { operationId: number; since: Date; until: Date },
): Promise<number> {
  // A request that changes nothing has no line, so whatever follows a pause ends it.
  const { rows } = await sql<{ seconds: number }>`
    with requests as (
      select kind, actor, greatest(at, ${since}::timestamptz) as at,
        least(coalesce(lead(at) over (order by id), ${until}), ${until}::timestamptz) as next
      from operation_events
      where operation_id = ${operationId} and kind in ('pause_requested', 'resume_requested')
    )
    select coalesce(sum(greatest(0, extract(epoch from next - at))), 0)::double precision as seconds
    from requests where kind = 'pause_requested' and actor like 'user:%'`.execute(db);
  return rows[0]!.seconds;
}
