/** Names of clients for the links in their messages, with their certificates, and the account at the authority. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tracking_domains (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      name text not null,
      dns_token text not null unique,
      status text not null default 'pending' check (status in ('pending', 'active', 'failing')),
      run integer not null default 1,
      error_code text,
      error_message text,
      checked_at timestamptz,
      proven_at timestamptz,
      certificate_pem text,
      certificate_key bytea,
      certificate_expires_at timestamptz,
      order_url text,
      order_key bytea,
      challenge_token text,
      challenge_answer text,
      refusals integer not null default 0,
      refused_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db);
  await sql`create unique index tracking_domains_name on tracking_domains (user_id, name)
    where deleted_at is null`.execute(db);
  // Whose certificate a connection gets, and whose challenge is asked for.
  await sql`create index tracking_domains_served on tracking_domains (name, proven_at desc)`.execute(
    db,
  );
  await sql`
    create table acme_accounts (
      directory_url text primary key,
      private_key bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`alter table campaigns
    add tracking_domain_id bigint references tracking_domains (id)`.execute(db);
  await sql`create index campaigns_tracking_domain on campaigns (tracking_domain_id)
    where tracking_domain_id is not null`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
