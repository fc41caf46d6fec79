/** Conditions of statements that are planned once for campaigns of any size. */
import { sql, type RawBuilder } from 'kysely';

/**
 * `column` is one of the few in a column of `rows`, a part of the same statement: looked up one by one. As a join alone, the plan for
 * any campaign reads all rows of this one, which is little in an average campaign, and all of a large one.
 */
export const amongRows = (column: string, rows: string, of: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any (array(select ${sql.ref(of)} from ${sql.table(rows)}))`;
