/** How each mail host is, what is wrong with it, and which program it has. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table servers
      add host_signs jsonb,
      add troubles jsonb not null default '[]',
      add troubled_since timestamptz,
      add health_checked_at timestamptz,
      add program text`.execute(db);
}
