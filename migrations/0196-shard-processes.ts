/** Which process holds a lease, as Temporal names it: operators look for a process, not for a lease's key. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table shard_workers add column process text`.execute(db);
  await sql`alter table standing_leases add column process text`.execute(db);
}
