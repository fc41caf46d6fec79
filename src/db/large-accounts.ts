/**
 * Accounts that have much of a table: what all accounts have is not much more than what they have, so that an index over all
 * of them is right for theirs. Choice 211.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database } from './tables.ts';

/** An eighth of all rows that there have been. */
const LARGE_PART = 8;
/** An account grows slowly, and only the time of a search depends on it. */
const KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

/** Rows of the account, as triggers count them. */
const COUNTED = {
  leads: sql`sum(leads) from lead_counters where lead_list_id is null and`,
  suppressions: sql`sum(entries) from suppression_counters where`,
  lifted_suppressions: sql`sum(entries) from lifted_suppression_counters where`,
  messages: sql`sum(messages) from inbox_counts where`,
} satisfies Record<string, RawBuilder<unknown>>;

export type CountedTable = keyof typeof COUNTED;

/** As it is now. */
export const isMuchOf = (table: CountedTable, userId: string): RawBuilder<boolean> => sql<boolean>`
  (coalesce((select ${COUNTED[table]} user_id = ${userId}), 0) * ${sql.lit(LARGE_PART)}
    >= coalesce((select max(id) from ${sql.table(table)}), 0))`;

interface Kept {
  isLarge: boolean;
  until: number;
}

const kept = new WeakMap<Kysely<Database>, Map<string, Kept>>();

/** As it was within the last minute. */
export async function hasMuchOf(
  db: Kysely<Database>,
  table: CountedTable,
  userId: string,
): Promise<boolean> {
  const known = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, known);
  const key = `${table} ${userId}`;
  const now = performance.now();
  const before = known.get(key);
  if (before && before.until > now) return before.isLarge;
  const { rows } = await sql<{ isLarge: boolean }>`
    select ${isMuchOf(table, userId)} as "isLarge"`.execute(db);
  const { isLarge } = rows[0]!;
  if (known.size >= MOST_KEPT) known.clear();
  known.set(key, { isLarge, until: now + KEPT_MS });
  return isLarge;
}
