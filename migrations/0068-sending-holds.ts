/** What keeps a server from sending: a closed port 25, or an address on a blocklist. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table servers
      add column uses_smarthost boolean not null default false,
      add column port25_checked_at timestamptz,
      add column listings jsonb not null default '[]',
      add column listings_checked_at timestamptz,
      add column sending_held_since timestamptz`.execute(db);
  // Behind a smarthost neither the host's port nor its address matters to the recipients.
  await sql`
    alter table servers add column sending_hold text generated always as (
      case when uses_smarthost then null
        when outbound25 = 'blocked' then 'port_25_closed'
        when listings <> '[]'::jsonb then 'blocklisted' end) stored`.execute(db);
}
