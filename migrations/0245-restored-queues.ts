/** Of a rebuild: the backup whose queue no system has delivered since it was saved. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table server_rebuilds add column queue_backup text`.execute(db);
  // Rebuilds that are under way have made their file themselves where they were to save the host first.
  await sql`
    update server_rebuilds as r set queue_backup = r.backup from operations as o
    where o.id = r.operation_id and o.input ->> 'backup' = 'fresh'
      and (o.finished_at is null or r.wiped_at is not null or r.claim is not null)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
