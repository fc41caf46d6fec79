/** How far the runs of a housekeeping Schedule have come since one last saw all that is due: beyond it, one is alive. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table housekeeping_runs add column furthest bigint not null default 0`.execute(
    db,
  );
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
