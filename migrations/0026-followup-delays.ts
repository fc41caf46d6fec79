/** A follow-up without a delay of its own goes by its campaign's, whatever that becomes. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaign_steps alter column delay_days drop not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
