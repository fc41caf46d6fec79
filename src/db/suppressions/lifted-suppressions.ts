/** Suppressions that were lifted, with who did it. Read and searched as suppressions are. Choices 17, 155. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { LiftedSuppressionsTable } from '../leads/lead-tables.ts';
import { MAX_COUNTED } from '../pages.ts';
import type { Found, Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import { containing } from '../text-search.ts';
import { countSuppressions, type SuppressionFilter } from './suppression-pages.ts';

export type LiftedSuppression = Selectable<LiftedSuppressionsTable>;

interface Wanted {
  filter: SuppressionFilter;
  limit: number;
  offset: number;
}

/** A page, newest first, with how many there are: kept by triggers, and of a search counted up to the limit. */
export async function listLiftedSuppressions(
  db: Kysely<Database>,
  userId: string,
  wanted: Wanted,
): Promise<Total & { rows: LiftedSuppression[] }> {
  if (wanted.filter.search) return search(db, userId, wanted);
  const [rows, total] = await Promise.all([
    newest(db, userId, wanted),
    countSuppressions(db, userId, wanted.filter, 'lifted_suppression_counters'),
  ]);
  return { rows, ...total };
}

/** By the index of values; so many that they are capped are found in order. */
async function search(
  db: Kysely<Database>,
  userId: string,
  wanted: Wanted,
): Promise<Total & { rows: LiftedSuppression[] }> {
  const { filter, limit, offset } = wanted;
  // Selected before they are sorted: otherwise the planner would read all in order.
  const { rows: answers } = await sql<Found>`
    with found as materialized (
      ${filtered(db, userId, filter).select('id').limit(MAX_COUNTED)})
    select (select count(*)::integer from found) as found, to_json(array(
      select id from found order by id desc limit ${limit} offset ${offset})) as ids`.execute(db);
  const { found, ids } = answers[0]!;
  const rows = found < MAX_COUNTED ? withIds(db, ids) : newest(db, userId, wanted);
  return { rows: await rows, ...totalOf(found) };
}

const newest = (
  db: Kysely<Database>,
  userId: string,
  { filter, limit, offset }: Wanted,
): Promise<LiftedSuppression[]> =>
  filtered(db, userId, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

const withIds = (db: Kysely<Database>, ids: readonly number[]): Promise<LiftedSuppression[]> =>
  db
    .selectFrom('lifted_suppressions')
    .selectAll()
    .where('id', '=', sql<number>`any (${ids}::bigint[])`)
    .orderBy('id', 'desc')
    .execute();

const totalOf = (found: number): Total =>
  found < MAX_COUNTED ? { total: found } : { total: MAX_COUNTED, isCapped: true };

function filtered(
  db: Kysely<Database>,
  userId: string,
  { kind, reason, search: text }: SuppressionFilter,
) {
  let query = db.selectFrom('lifted_suppressions').where('user_id', '=', userId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (reason !== undefined) query = query.where('reason', '=', reason);
  if (text) query = query.where('value', 'ilike', containing(text));
  return query;
}
