/** Why a message of a person failed, as a code: whether that counts against what is promised. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outgoing_letters add column failure_code text`.execute(db);
}
