/**
 * When the processor was asked to charge: until its answer can be seen, a recharge that is not wanted any more is not
 * over. Null where nobody knows: in rows of before, and where the note was lost.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table wallet_recharges add column asked_at timestamptz`.execute(db);
}
