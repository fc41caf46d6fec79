/** Results of e-mail validation and jobs that make them. */
import type { Kysely } from 'kysely';

export async function up(_db: Kysely<unknown>): Promise<void> {}
