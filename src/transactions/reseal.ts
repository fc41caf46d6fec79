/** Encrypts what is at rest anew with the first key, batch by batch. */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../db/tables.ts';
import type { Cipher } from '../domain/cipher.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** Short transactions: the rows of a batch are locked meanwhile. */
const BATCH = 100;

/** One column's values under one key. */
export interface SealedCount {
  table: string;
  column: string;
  keyId: string;
  count: number;
}

/** How many values of each column are under which key. */
export async function countSealed(
  db: Kysely<Database>,
  columns: readonly SealedColumn[],
): Promise<SealedCount[]> {
  const found: SealedCount[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql<{ keyId: string; count: number }>`
      select ${keyIdOf(column)} as "keyId", count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} is not null group by 1 order by 1`.execute(db);
    found.push(...rows.map((row) => ({ table, column, ...row })));
  }
  return found;
}

/** What became of the values of a column: `unreadable` ones are under a key that is not configured, or damaged. */
export interface Resealed {
  resealed: number;
  unreadable: number;
}

/**
 * Encrypts the values of one column that are not under the key `keyId`. May be interrupted after any batch and
 * run again: each batch is one transaction, and only what is not yet done is looked at. Rows that somebody
 * else has locked are left for another call: the lock may be of a change of this very value.
 */
export async function resealColumn(
  { db, cipher, keyId }: { db: Kysely<Database>; cipher: Cipher; keyId: string },
  column: SealedColumn,
  onBatch: (done: Resealed) => void,
): Promise<Resealed> {
  const total = { resealed: 0, unreadable: 0 };
  for (let after: unknown[] | undefined; ;) {
    const batch = await db.transaction().execute(async (trx) => {
      const rows = await lockBatch(trx, { column, keyId, after });
      const done = { resealed: 0, unreadable: 0 };
      for (const row of rows) {
        const sealed = resealed(cipher, column, row);
        if (sealed === undefined) done.unreadable += 1;
        else {
          await writeValue(trx, column, row, sealed);
          done.resealed += 1;
        }
      }
      return { ...done, last: rows.length < BATCH ? undefined : rows.at(-1) };
    });
    total.resealed += batch.resealed;
    total.unreadable += batch.unreadable;
    onBatch(total);
    if (batch.last === undefined) return total;
    after = column.key.map((name) => batch.last![name]);
  }
}

type Row = Record<string, unknown>;

async function lockBatch(
  trx: Transaction<Database>,
  { column, keyId, after }: { column: SealedColumn; keyId: string; after: unknown[] | undefined },
): Promise<Row[]> {
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const read = [...column.key, ...(column.boundBy === undefined ? [] : [column.boundBy])];
  const beyond = after === undefined ? sql`` : sql`and (${key}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${sql.join(read.map((name) => sql.ref(name)))}, ${sql.ref(column.column)} as sealed
    from ${sql.table(column.table)}
    where ${sql.ref(column.column)} is not null and ${keyIdOf(column.column)} <> ${keyId} ${beyond}
    order by ${key} limit ${BATCH} for update skip locked`.execute(trx);
  return rows;
}

async function writeValue(
  trx: Transaction<Database>,
  column: SealedColumn,
  row: Row,
  sealed: Buffer,
): Promise<void> {
  const same = column.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`);
  await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
    where ${sql.join(same, sql` and `)}`.execute(trx);
}

/** Undefined where it cannot be opened: it stays as it is. */
function resealed(cipher: Cipher, column: SealedColumn, row: Row): Buffer | undefined {
  const boundTo = column.boundTo(row);
  try {
    return cipher.seal(cipher.open(row['sealed'] as Buffer, boundTo), boundTo);
  } catch {
    return undefined;
  }
}

/** The id of the key is in the header: version (1) | its length (1) | id. */
const keyIdOf = (column: string): RawBuilder<string> =>
  sql<string>`encode(substring(${sql.ref(column)} from 3 for get_byte(${sql.ref(column)}, 1)), 'escape')`;
