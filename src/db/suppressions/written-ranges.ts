/**
 * Writes for each 200 entries of an account which parts of texts they have: see `findInRanges`. Only of entries between
 * which none can come any more, and anew where one of them is gone. Choice 210.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import type { SuppressionRangesTable } from './range-tables.ts';

export type RangeSource = SuppressionRangesTable['source'];

export const RANGE_SOURCES: readonly RangeSource[] = ['suppressions', 'lifted_suppressions'];

const RANGE = 200;
/** Entries of all accounts that one transaction looks at: 5 ranges, where all are of one account. */
const ENTRIES_AT_ONCE = 1_000;
/** Entries that are gone, whose ranges one transaction writes anew. */
const GAPS_AT_ONCE = 16;
/** Who writes entries now has ended by then; otherwise the next look finds more. */
const WRITERS_MS = 2_000;
const POLL_MS = 50;
const PORTION_MS = 10_000;

/**
 * The newest entry, once nobody writes any more who has begun before it was read: each smaller id is committed, or never
 * will be. Undefined where there is none since the last look, or somebody goes on writing.
 *
 * Who inserts holds a lock on the table from before they take an id to the end of their transaction, so that how long
 * it lasts does not matter. `create index concurrently` waits for writers by the same.
 */
export async function lastCompleteId(
  db: Kysely<Database>,
  source: RangeSource,
  waitMs: number = WRITERS_MS,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`
    select case when newest.id > coalesce((
        select seen_id from suppression_range_marks where source = ${source}), 0) then newest.id end as id
    from (select max(id) as id from ${sql.table(source)}) as newest`.execute(db);
  const id = rows[0]!.id ?? undefined;
  if (id === undefined) return undefined;
  const until = performance.now() + waitMs;
  const before = new Set(await writersOf(db, source));
  let left = [...before];
  while (left.length > 0 && performance.now() < until) {
    await sleep(POLL_MS);
    left = (await writersOf(db, source)).filter((writer) => before.has(writer));
  }
  return left.length === 0 ? id : undefined;
}

async function writersOf(db: Kysely<Database>, source: RangeSource): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = ${source}::regclass and granted
      and database = (select oid from pg_database where datname = current_database())
      and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  `.execute(db);
  return rows.map(({ writer }) => writer);
}

/** A portion up to that entry; answers whether there may be more. Safe to run twice at once. */
export const writeRanges = (
  db: Kysely<Database>,
  source: RangeSource,
  upTo: number | undefined,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // One after the other: who notes that an entry is gone is read when the ranges with it are committed.
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${source}, 6307)) as "isFree"`.execute(trx);
    if (!rows[0]!.isFree) return false;
    // The reconciler waits for a portion; one that takes longer is begun anew by its next look.
    await sql`set local statement_timeout = ${sql.lit(PORTION_MS)}`.execute(trx);
    const areMoreGone = await writeAnew(trx, source);
    return (upTo !== undefined && (await writeNext(trx, source, upTo))) || areMoreGone;
  });

/** Those of the next entries of all accounts, with the ones that did not fill a range before. */
async function writeNext(
  trx: Transaction<Database>,
  source: RangeSource,
  upTo: number,
): Promise<boolean> {
  const entries = sql.table(source);
  const { rows } = await sql<{ isMore: boolean }>`
    with mark as materialized (
      select coalesce(max(seen_id), 0) as seen from suppression_range_marks where source = ${source}
    ), next as materialized (
      select id, user_id from mark cross join lateral (
        select id, user_id from ${entries} where id > mark.seen and id <= ${upTo}
        order by id limit ${ENTRIES_AT_ONCE}) as next
    ), fresh as materialized (
      select owner.user_id, entry.id, entry.value,
        (row_number() over (partition by owner.user_id order by entry.id) - 1) / ${RANGE}::integer as at
      from (select distinct user_id from next) as owner
      cross join lateral (
        select coalesce(max(to_id), 0) as id from suppression_ranges
        where source = ${source} and user_id = owner.user_id) as last
      cross join lateral (
        select id, value from ${entries}
        where user_id = owner.user_id and id > last.id and id <= (select max(id) from next)
        order by id offset 0) as entry
    ), filled as (
      select user_id, at, min(id) as from_id, max(id) as to_id from fresh
      group by user_id, at having count(*) = ${RANGE}::integer
    ), written as (
      insert into suppression_ranges (source, user_id, from_id, to_id, parts)
      select ${source}, user_id, from_id, to_id, array_to_tsvector(array(
          select found.part from fresh as entry cross join lateral text_parts(entry.value) as found
          where entry.user_id = filled.user_id and entry.at = filled.at)
        || (${source} || ':' || user_id)::text)
      from filled
    ), marked as (
      insert into suppression_range_marks (source, seen_id)
      select ${source}, max(id) from next having max(id) is not null
      on conflict (source) do update set seen_id = excluded.seen_id
    )
    select count(*) = ${ENTRIES_AT_ONCE}::integer as "isMore" from next`.execute(trx);
  return rows[0]!.isMore;
}

/** Of what is gone nothing is left, and a range without entries goes. */
async function writeAnew(trx: Transaction<Database>, source: RangeSource): Promise<boolean> {
  const entries = sql.table(source);
  const { rows } = await sql<{ gone: number }>`
    with gone as materialized (
      select user_id, id from suppression_range_gaps where source = ${source}
      order by user_id, id limit ${GAPS_AT_ONCE}
    ), touched as materialized (
      select distinct range.user_id, range.from_id, range.to_id from gone cross join lateral (
        select * from suppression_ranges as range
        where source = ${source} and user_id = gone.user_id and to_id >= gone.id
        order by to_id limit 1) as range
      where range.from_id <= gone.id
    ), forgotten as (
      delete from suppression_range_gaps as gap where source = ${source} and (
        exists (select from gone where gone.user_id = gap.user_id and gone.id = gap.id)
        or exists (select from touched where touched.user_id = gap.user_id
          and gap.id between touched.from_id and touched.to_id))
    ), left_over as materialized (
      select touched.user_id, touched.to_id, array(
        select found.part from (select value from ${entries} as entry
            where entry.user_id = touched.user_id and entry.id between touched.from_id and touched.to_id
            offset 0) as entry
        cross join lateral text_parts(entry.value) as found) as parts
      from touched
    ), emptied as (
      delete from suppression_ranges as range using left_over
      where range.source = ${source} and range.user_id = left_over.user_id
        and range.to_id = left_over.to_id and cardinality(left_over.parts) = 0
    ), renewed as (
      update suppression_ranges as range set parts =
        array_to_tsvector(left_over.parts || (${source} || ':' || range.user_id)::text)
      from left_over where range.source = ${source} and range.user_id = left_over.user_id
        and range.to_id = left_over.to_id and cardinality(left_over.parts) > 0
    )
    select count(*)::integer as gone from gone`.execute(trx);
  return rows[0]!.gone === GAPS_AT_ONCE;
}
