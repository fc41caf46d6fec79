/** Mailboxes that are used by OAuth: consents that are being asked for, and the tokens of those that were given. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By the digest of `state`. The secret is wiped as it comes back; the row stays a while, to say that it was used.
  await sql`
    create table oauth_consents (
      digest text primary key,
      user_id text not null references users (user_id),
      provider text not null,
      secret bytea,
      wanted jsonb not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index oauth_consents_expired on oauth_consents (expires_at)`.execute(db);
  await sql`create index oauth_consents_user on oauth_consents (user_id)`.execute(db);
  // While `refreshing_until` lies ahead, somebody is getting an access token. The servers of a connected mailbox name
  // its grant; one that is being proven has another one beside it.
  await sql`
    create table oauth_grants (
      id uuid primary key,
      mailbox_id bigint not null references mailboxes (id),
      provider text not null,
      refresh_token bytea not null,
      access_token bytea,
      usable_until timestamptz,
      refreshing_until timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index oauth_grants_mailbox on oauth_grants (mailbox_id)`.execute(db);
}
