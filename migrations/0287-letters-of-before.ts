/** The letters of what was there before 0286, in a transaction of its own, which locks nothing. */
import type { Kysely } from 'kysely';
import { keepLettersOf } from './0286-kept-letters.ts';

export const up = (db: Kysely<unknown>): Promise<void> => keepLettersOf(db);

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
