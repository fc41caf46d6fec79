/** A card that its payer had forgotten: the row stays, so that a late event does not bring it back. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_methods add column forgotten_at timestamptz`.execute(db);
}
