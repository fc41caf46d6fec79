/** Searches every column of every table for a text, like somebody with a dump of the database. */
import { sql } from 'kysely';
import type { TestDatabase } from './database.ts';

/** Tables with a row that has the text in any column, in any case, also as bytes. */
export async function tablesWith(
  { db }: Pick<TestDatabase, 'db'>,
  text: string,
): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ yes: boolean }>`
      select exists (select from ${sql.table(name)} as r
        where position(lower(${text}) in lower(r::text)) > 0
          or position(${hex} in r::text) > 0) as yes`.execute(db);
    if (rows[0]!.yes) found.push(name);
  }
  return found;
}
