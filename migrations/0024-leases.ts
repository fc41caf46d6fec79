/** Who is at work on a thing that takes seconds, by the thing's name: requests and workflows take turns. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table leases (
      name text primary key,
      owner uuid not null,
      expires_at timestamptz not null
    )`.execute(db);
  // Whoever still has a turn of the old kind is refused its next change, and tries again.
  await sql`drop table dns_leases`.execute(db);
}
