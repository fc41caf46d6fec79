/** Events of a type are read in order, and so are the failed deliveries of an endpoint. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Nobody writes events while these are built. They may be there already: docs/deployment.md says how to build them
  // beforehand while writes go on. The order of the tables is that of who writes both.
  await sql`create index if not exists events_type on events (user_id, type, txid, id)`.execute(db);
  await sql`create index if not exists webhook_deliveries_failed on webhook_deliveries
    (webhook_id, id desc) where state = 'failed'`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
