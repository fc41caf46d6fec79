/**
 * Which run numbers the writes of an operation's progress: a run that was reset to an earlier point begins with lower
 * numbers, which were taken for late writes. Null in rows of before, where the number alone counts.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column progress_run text`.execute(db);
}
