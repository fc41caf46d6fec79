/** Rotation of DKIM keys: the one to come, and the one whose record is still published. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains
      add column dkim_since timestamptz,
      add column next_dkim_selector text,
      add column next_dkim_private_key bytea,
      add column next_dkim_public_key text,
      add column next_dkim_seen_at timestamptz,
      add column old_dkim_selector text,
      add column old_dkim_until timestamptz,
      add constraint next_dkim_is_whole check ((next_dkim_selector is null) = (next_dkim_private_key is null)
        and (next_dkim_selector is null) = (next_dkim_public_key is null)),
      add constraint old_dkim_is_whole check ((old_dkim_selector is null) = (old_dkim_until is null))`.execute(
    db,
  );
  await sql`update domains set dkim_since = created_at where dkim_selector is not null`.execute(db);
}
