/** Servers change the key that we log in with: the next one, and the one that is still to be taken off the host. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table servers
      add next_client_private_key bytea,
      add next_client_public_key text,
      add old_client_public_key text,
      add constraint servers_next_client_key
        check ((next_client_private_key is null) = (next_client_public_key is null))`.execute(db);
}
