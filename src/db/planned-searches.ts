/**
 * Parts of searches that are planned once (`planned-once.ts`), of accounts that have much of the table (`large-accounts.ts`):
 * what they read is read by the one index that is right for them. Choice 211.
 */
import { sql, type RawBuilder } from 'kysely';

type Sql = RawBuilder<unknown>;

/** What a search selects of a table: `text` by the index of texts, of which `others` fit. */
export interface TextSearch {
  table: string;
  /** Its name in the conditions. Default: the same. */
  as?: string;
  columns: Sql;
  text: Sql;
  /** In these blocks; in all where there are none. */
  blocks?: Sql;
  others: Sql;
  /** The index of texts over all accounts is read, whatever `others` are. */
  isUsual: boolean;
}

/** As the parts of a search select. */
export function foundByText({
  table,
  as = table,
  columns,
  text,
  blocks,
  others,
  isUsual,
}: TextSearch): Sql {
  const name = sql.table(as);
  const from = sql`${sql.table(table)} as ${name}`;
  const found = blocks ? sql`${blocks} and ${text}` : text;
  return isUsual
    ? sql`select ${columns} from (select * from ${from}
        where ${found} ${blocks ? sql`` : sql`and ${fewFit(as)}`} offset 0) as ${name} where ${others}`
    : sql`select ${columns} from ${from} where ${others} and ${found}`;
}

/**
 * True. The planner takes it for a condition that one row in two hundred fits; otherwise it expects a text that it does not know in so
 * many rows that it would look for the first of them without an index.
 */
const fewFit = (table: string): Sql => {
  const id = sql.ref(`${table}.id`);
  return sql`${id} + 0 = ${id} - 0`;
};

/** Of the user; with `inOrderOfUser` read by no other index than that of both. */
export const ofUser = (column: Sql, userId: string): Sql =>
  sql`${column} = any (array[${userId}::text])`;

/** By id within the user, of which there is one. */
export const inOrderOfUser = (user: Sql, id: Sql, way: 'asc' | 'desc'): Sql =>
  // The index has newer ids first.
  way === 'desc' ? sql`${user}, ${id} desc` : sql`${user} desc, ${id}`;
