/** Which plan of records a domain was given last: those that became part of it later come with the next one. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column record_plan text`.execute(db);
}
