/** Users, their API keys, and what the application's role may do in this schema. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Roles belong to the server, not to the database: two migrations may make this one at once.
  await sql`
    do $$ begin
      create role outreach_app nologin;
    exception when duplicate_object or unique_violation then null;
    end $$`.execute(db);
  await sql`grant usage on schema public to outreach_app`.execute(db);
  await sql`
    alter default privileges in schema public
    grant select, insert, update, delete on tables to outreach_app`.execute(db);
  await sql`
    alter default privileges in schema public
    grant usage, select on sequences to outreach_app`.execute(db);

  await sql`
    create table users (
      user_id text primary key,
      email text not null,
      name text,
      sender_name text,
      postal_address text,
      timezone text not null default 'America/New_York',
      created_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table api_keys (
      id text primary key,
      user_id text not null references users,
      name text not null,
      ip_whitelist text[] not null default '{}',
      scopes text[] not null default '{}',
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index api_keys_user_id on api_keys (user_id, created_at)`.execute(db);

  // A key has one secret without expiry and, while a rotation is in grace, older ones with it.
  await sql`
    create table api_key_secrets (
      hash bytea primary key check (octet_length(hash) = 32),
      key_id text not null references api_keys on delete cascade,
      prefix text not null,
      last4 text not null,
      expires_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create unique index api_key_secrets_current on api_key_secrets (key_id)
    where expires_at is null`.execute(db);
  await sql`create index api_key_secrets_key_id on api_key_secrets (key_id)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
