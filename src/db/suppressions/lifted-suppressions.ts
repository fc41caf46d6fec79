/** Suppressions that were lifted, with who did it. Read and searched as suppressions are. Choices 17, 155. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { LiftedSuppressionsTable } from '../leads/lead-tables.ts';
import type { Total } from '../search-pages.ts';
import type { Database } from '../tables.ts';
import {
  countSuppressions,
  findSuppressionIds,
  isFitting,
  type SuppressionFilter,
} from './suppression-pages.ts';

export type LiftedSuppression = Selectable<LiftedSuppressionsTable>;

interface Wanted {
  filter: SuppressionFilter;
  limit: number;
  offset: number;
}

/** A page, newest first, with how many there are: kept by triggers, and of a search up to the limit of searches. */
export async function listLiftedSuppressions(
  db: Kysely<Database>,
  userId: string,
  wanted: Wanted,
): Promise<Total & { rows: LiftedSuppression[]; hasNext: boolean }> {
  const { filter, limit } = wanted;
  const more = { ...wanted, limit: limit + 1 };
  if (filter.search) {
    const { ids, ...total } = await findSuppressionIds(db, userId, more, 'lifted_suppressions');
    const rows = await withIds(db, ids.slice(0, limit));
    return { rows, hasNext: ids.length > limit, ...total };
  }
  const [rows, total] = await Promise.all([
    newest(db, userId, more),
    countSuppressions(db, userId, filter, 'lifted_suppression_counters'),
  ]);
  return { rows: rows.slice(0, limit), hasNext: rows.length > limit, ...total };
}

const newest = (
  db: Kysely<Database>,
  userId: string,
  { filter, limit, offset }: Wanted,
): Promise<LiftedSuppression[]> =>
  db
    .selectFrom('lifted_suppressions')
    .where(isFitting(userId, filter))
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
