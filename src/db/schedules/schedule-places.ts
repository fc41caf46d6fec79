/** The places that the runs of a schedule have seen: which of them are new. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Remembers the places of a page. `known` counts those that earlier runs have seen, once a run; `seenBefore`
 * names all of them, also where this run was told of them before.
 */
export async function rememberPlaces(
  trx: Transaction<Database>,
  { scheduleId, runId }: { scheduleId: number; runId: number },
  placeIds: readonly string[],
): Promise<{ known: number; seenBefore: ReadonlySet<string> }> {
  if (placeIds.length === 0) return { known: 0, seenBefore: new Set() };
  const ids = [...new Set(placeIds)].toSorted();
  const { rows: told } = await sql<{ first_run_id: number }>`
    insert into schedule_places as seen (schedule_id, place_id, first_run_id, last_run_id)
    select ${scheduleId}, place_id, ${runId}, ${runId} from unnest(${ids}::text[]) as place_id
    on conflict (schedule_id, place_id) do update set last_run_id = excluded.last_run_id
      where seen.last_run_id <> excluded.last_run_id
    returning first_run_id`.execute(trx);
  const rows = await trx
    .selectFrom('schedule_places')
    .select('place_id')
    .where('schedule_id', '=', scheduleId)
    .where('place_id', 'in', ids)
    .where('first_run_id', '<>', runId)
    .execute();
  return {
    known: told.filter(({ first_run_id }) => first_run_id !== runId).length,
    seenBefore: new Set(rows.map(({ place_id }) => place_id)),
  };
}

/**
 * Of a schedule that is deleted, unless a run of it is at work, which still has to tell known places from new ones: the
 * end of that run forgets them. Either waits for the other, so that one of them does.
 */
export async function forgetPlaces(trx: Transaction<Database>, scheduleId: number): Promise<void> {
  // Locked whatever it says: a condition that the row does not meet yet would wait for nobody who is changing it.
  const { rows } = await sql<{ deleted_at: Date | null }>`select deleted_at from schedules
    where id = ${scheduleId} for share`.execute(trx);
  if (!rows[0]?.deleted_at) return;
  await sql`delete from schedule_places where schedule_id = ${scheduleId} and not exists (
    select from schedule_runs as run join maps_runs on maps_runs.id = run.maps_run_id
    where run.schedule_id = ${scheduleId} and maps_runs.completed_at is null)`.execute(trx);
}
