/** Erases a person from imports of lead files: failed rows, and parts that were not read yet. */
import { sql, type Transaction } from 'kysely';
import { isBlank, readRecord } from '../../domain/csv.ts';
import {
  isRowOf,
  mentionsName,
  type ErasedPerson,
} from '../../domain/suppressions/erased-person.ts';
import { speaksOf } from './erasure-search.ts';
import type { Database } from '../../db/tables.ts';

/** A failed row is deleted even when only the name matches: the broken cell may be the person's address. */
export async function eraseImportErrors(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const rows = await trx
    .selectFrom('lead_import_errors as error')
    .innerJoin('lead_imports as file', 'file.id', 'error.import_id')
    .select(['error.import_id', 'error.row_number', 'error.cells'])
    .where('file.user_id', '=', userId)
    .where(speaksOf(sql`array_to_string(error.cells, ' ')`, person))
    .execute();
  const theirs = rows.filter(
    ({ cells }) => isRowOf(cells, person) || mentionsName(cells.join(' '), person),
  );
  for (const { import_id, row_number } of theirs) {
    await trx
      .deleteFrom('lead_import_errors')
      .where('import_id', '=', import_id)
      .where('row_number', '=', row_number)
      .execute();
  }
  return theirs.length;
}

/** The person's rows in files that are still being read are removed, and count as skipped. */
export async function eraseImportParts(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const parts = await trx
    .selectFrom('lead_import_parts as part')
    .innerJoin('lead_imports as file', 'file.id', 'part.import_id')
    .select(['part.import_id', 'part.first_row', 'part.content', 'file.delimiter'])
    .where('file.user_id', '=', userId)
    .where(speaksOf(sql`part.content`, person))
    .execute();
  let erased = 0;
  for (const { import_id, first_row, content, delimiter } of parts) {
    let left = '';
    let rows = 0;
    for (let at = 0; at < content.length;) {
      const { cells, end } = readRecord(content, at, delimiter);
      const isOwnRow = !isBlank(cells) && isRowOf(cells, person);
      // A blank line in its place: the rows below keep their numbers.
      left += isOwnRow ? '\n' : content.slice(at, end);
      if (isOwnRow) rows += 1;
      at = end;
    }
    if (rows === 0) continue;
    erased += rows;
    await trx
      .updateTable('lead_import_parts')
      .set({ content: left })
      .where('import_id', '=', import_id)
      .where('first_row', '=', first_row)
      .execute();
    await trx
      .updateTable('lead_imports')
      .set((eb) => ({
        processed_rows: eb('processed_rows', '+', rows),
        skipped_rows: eb('skipped_rows', '+', rows),
        updated_at: new Date(),
      }))
      .where('id', '=', import_id)
      .execute();
  }
  return erased;
}
