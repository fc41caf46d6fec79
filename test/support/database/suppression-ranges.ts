/** What standing work writes about the texts of suppressions, at once. */
import type { Kysely } from 'kysely';
import {
  lastCompleteId,
  RANGE_SOURCES,
  writeRanges,
} from '../../../src/db/suppressions/written-ranges.ts';
import type { Database } from '../../../src/db/tables.ts';

export async function writeAllRanges(db: Kysely<Database>, sources = RANGE_SOURCES): Promise<void> {
  for (const source of sources) {
    const upTo = await lastCompleteId(db, source);
    while (await writeRanges(db, source, upTo));
  }
}
