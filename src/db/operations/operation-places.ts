/**
 * Places of an account's jobs: so many run at once, the others are rows alone until one is free. So nobody waits for
 * somebody else's ten thousand jobs, whatever the server of Temporal knows of fairness. Choice 125.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { JobRequest } from '../../domain/operations/jobs.ts';
import type { Database } from '../tables.ts';
import { endOperation } from './operation-progress.ts';
import type { Operation } from './operations.ts';

/** What a client reads meanwhile. */
const WAITS = 'Waits until fewer jobs of this account run.';

/**
 * Gives a free place of an account to the oldest of its jobs that wait, one caller at a time. Undefined where none
 * waits, or `limit` of them run; blocked and paused ones do not count.
 */
export const takeNextPlace = (
  db: Kysely<Database>,
  userId: string,
  limit: number,
): Promise<Operation | undefined> =>
  db.transaction().execute(async (trx) => {
    const key = `places of ${userId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
    return (
      trx
        .updateTable('operations')
        .set({ place: 'taken', message: '' })
        .where('id', '=', (eb) =>
          eb
            .selectFrom('operations')
            .select('id')
            .where('user_id', '=', userId)
            .where('place', '=', 'waiting')
            .where('started_at', 'is', null)
            .where('finished_at', 'is', null)
            .orderBy('id')
            .limit(1),
        )
        // Told something meanwhile: see `tellWaiting`.
        .where('place', '=', 'waiting')
        .where('finished_at', 'is', null)
        .where(
          sql<boolean>`(select count(*) from (
          select from operations where user_id = ${userId} and place = 'taken'
            and finished_at is null and blocked_at is null limit ${limit}) as running) < ${limit}`,
        )
        .returningAll()
        .executeTakeFirst()
    );
  });

/** Says in the row of a job why it has not begun. */
export async function noteWaiting(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({ message: WAITS })
    .where('id', '=', id)
    .where('place', '=', 'waiting')
    .where('message', '!=', WAITS)
    .execute();
}

/** A job that is paused leaves its place to another; one that goes on has it again, whoever runs meanwhile. */
export async function notePlace(
  trx: Transaction<Database>,
  id: number,
  isPaused: boolean,
): Promise<void> {
  const place = isPaused ? 'released' : 'taken';
  await trx
    .updateTable('operations')
    .set({ place })
    .where('id', '=', id)
    .where('place', 'is not', null)
    .where('place', '!=', place)
    .execute();
}

/**
 * A request to a job without a workflow, which has no one else to hear it: paused it leaves the queue, resumed it is
 * back in it, cancelled it is over. False where it has a place by now; its workflow is to be told.
 */
export async function tellWaiting(
  trx: Transaction<Database>,
  { id, place, started_at }: Operation,
  request: JobRequest,
): Promise<boolean> {
  if (place === null || started_at !== null) return false;
  const { numUpdatedRows } = await trx
    .updateTable('operations')
    .set({ place: request === 'resume' ? 'waiting' : 'released', message: '' })
    .where('id', '=', id)
    .where('place', 'in', ['waiting', 'released'])
    .where('started_at', 'is', null)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  if (request !== 'cancel') return true;
  return endOperation(trx, { operationId: id, outcome: 'failed', steps: [], error: CANCELLED });
}

const CANCELLED = { code: 'CANCELLED', message: 'Cancelled' };

/** Accounts with jobs that wait for a place, and places for them. */
export async function listWaitingAccounts(
  db: Kysely<Database>,
  { places, limit }: { places: number; limit: number },
): Promise<string[]> {
  // From account to account by the index, however many jobs one of them has.
  const { rows } = await sql<{ user_id: string }>`
    with recursive waiting as (
      (select user_id from operations where place = 'waiting' and started_at is null
        and finished_at is null order by user_id limit 1)
      union all
      select (select next.user_id from operations as next
        where next.place = 'waiting' and next.started_at is null and next.finished_at is null
          and next.user_id > waiting.user_id
        order by next.user_id limit 1)
      from waiting where waiting.user_id is not null
    )
    select user_id from waiting where user_id is not null and ${places} > (select count(*) from operations as o
      where o.user_id = waiting.user_id and o.place = 'taken' and o.finished_at is null and o.blocked_at is null)
    limit ${limit}`.execute(db);
  return rows.map(({ user_id }) => user_id);
}
