/** Lead lists, companies, leads (people), suppressions and the tombstones of erased people. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_lists (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      name text not null,
      description text,
      source text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index lead_lists_user on lead_lists (user_id, id desc)`.execute(db);
  // name_key and domain_key are what companies are recognised by: src/domain/leads/lead-keys.ts.
  await sql`
    create table companies (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      lead_list_id bigint references lead_lists (id),
      name text not null,
      name_key text not null,
      domain text,
      domain_key text,
      website text,
      phone text,
      address text,
      city text,
      state text,
      country_code text,
      category text,
      rating double precision,
      reviews_count integer,
      source text,
      maps_url text,
      place_id text,
      provenance jsonb not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index companies_user on companies (user_id, id desc)`.execute(db);
  await sql`create index companies_list on companies (lead_list_id, id desc)`.execute(db);
  await sql`create index companies_name_key on companies (user_id, name_key)`.execute(db);
  await sql`create index companies_domain_key on companies (user_id, domain_key)
    where domain_key is not null`.execute(db);
  await sql`create index companies_place on companies (user_id, place_id)
    where place_id is not null`.execute(db);
  await sql`
    create table leads (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      company_id bigint references companies (id),
      first_name text not null default '',
      last_name text not null default '',
      name_key text not null,
      role text,
      email text,
      email_key text,
      phone text,
      phone_key text,
      social_profile_url text,
      profile_key text,
      status text not null default 'pending' check (status in ('pending', 'active', 'contacted',
        'replied', 'completed', 'bounced', 'unsubscribed', 'suppressed')),
      source text,
      validation_score integer,
      email_valid boolean,
      validation_status text,
      validated_at timestamptz,
      provenance jsonb not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index leads_user on leads (user_id, id desc)`.execute(db);
  await sql`create index leads_company on leads (company_id, name_key)`.execute(db);
  await sql`create unique index leads_email_key on leads (user_id, email_key)
    where email_key is not null`.execute(db);
  // Not unique: several addresses may name one page, such as that of their company.
  await sql`create index leads_profile_key on leads (user_id, profile_key)
    where profile_key is not null`.execute(db);
  await sql`create index leads_phone_key on leads (user_id, phone_key)
    where phone_key is not null`.execute(db);
  // Kept when lists, leads and campaigns go: who must not be written to.
  await sql`
    create table suppressions (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      kind text not null check (kind in ('email', 'domain')),
      value text not null,
      reason text not null check (reason in
        ('unsubscribe', 'bounce', 'complaint', 'manual', 'erasure')),
      note text,
      created_at timestamptz not null default now(),
      unique (user_id, kind, value)
    )`.execute(db);
  await sql`create index suppressions_user on suppressions (user_id, id desc)`.execute(db);
  // An erased person leaves only hashes of what would bring him back: his address, phone, profile.
  await sql`
    create table erasure_tombstones (
      user_id text not null references users (user_id),
      key_hash bytea not null,
      erased_at timestamptz not null default now(),
      primary key (user_id, key_hash)
    )`.execute(db);
}
