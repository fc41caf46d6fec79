/** Suppressions that a client has removed, with who asked for it. Choice 17. */
import type { Kysely, Selectable } from 'kysely';
import { containing } from '../text-search.ts';
import type { LiftedSuppressionsTable } from '../leads/lead-tables.ts';
import type { SuppressionFilter } from './suppression-pages.ts';
import type { Database } from '../tables.ts';

export type LiftedSuppression = Selectable<LiftedSuppressionsTable>;

/** A page, newest first, with how many there are. */
export async function listLiftedSuppressions(
  db: Kysely<Database>,
  userId: string,
  { filter, limit, offset }: { filter: SuppressionFilter; limit: number; offset: number },
): Promise<{ rows: LiftedSuppression[]; total: number }> {
  const { kind, reason, search } = filter;
  let query = db.selectFrom('lifted_suppressions').where('user_id', '=', userId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (reason !== undefined) query = query.where('reason', '=', reason);
  if (search) query = query.where('value', 'ilike', containing(search));
  const [rows, { total }] = await Promise.all([
    query.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(total) };
}
