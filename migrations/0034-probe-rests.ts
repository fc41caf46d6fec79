/** Mail providers that said our address is listed: how often, and until when no probe asks them. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table probe_rests (
      provider text primary key,
      rests integer not null,
      rests_until timestamptz not null
    )`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
