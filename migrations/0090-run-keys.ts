/**
 * A random part in each operation's identity: ids are handed out again by a database that was put back, and
 * must not lead to another one's workflow or purchase. Older rows have none and keep their identities.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column run_key text check (run_key ~ '^[0-9a-f]{16}$')`.execute(
    db,
  );
  await sql`
    alter table wallet_recharges add column charge_key text check (charge_key ~ '^[0-9a-f]{16}$')`.execute(
    db,
  );
}
