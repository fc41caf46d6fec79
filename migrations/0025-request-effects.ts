/** What a request with an `Idempotency-Key` has committed, kept until its answer is. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column sealed_effect bytea`.execute(db);
}
