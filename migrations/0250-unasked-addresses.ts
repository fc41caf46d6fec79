/** How often nobody could be asked about an address of a validation job, apart from the tries that told something. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email_validation_items
    add column unasked integer not null default 0`.execute(db);
}
