/** Which jobs a worker has a session for: what is due beside these waits for a worker. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table shard_workers add column at_work bigint[] not null default '{}'`.execute(
    db,
  );
}
