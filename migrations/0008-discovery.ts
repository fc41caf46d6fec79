/** Discovery processes: where they search, whom they found, and which contacts were bought. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await processes(db);
  await found(db);
  await purchases(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}

async function processes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lead_processes (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      lead_list_id bigint references lead_lists (id) on delete set null,
      search_term text not null,
      lead_count integer not null,
      countries text[] not null,
      status text not null default 'processing'
        check (status in ('processing', 'paused', 'completed', 'failed', 'cancelled')),
      step text,
      processed_leads integer not null default 0,
      found_leads integer not null default 0,
      duplicate_leads integer not null default 0,
      progress_percent integer not null default 0,
      note text,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      completed_at timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index lead_processes_user on lead_processes (user_id, id desc)`.execute(db);
  await sql`create index lead_processes_list on lead_processes (lead_list_id)`.execute(db);
  // One search in one ad library; the cursor is where its next page begins.
  await sql`
    create table lead_process_sources (
      id bigint generated always as identity primary key,
      process_id bigint not null references lead_processes (id),
      vendor text not null,
      countries text[] not null,
      state text not null default 'waiting'
        check (state in ('waiting', 'begun', 'ended', 'failed')),
      asked_at timestamptz,
      cursor text,
      ads integer not null default 0,
      failures integer not null default 0,
      note text,
      error_code text,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index lead_process_sources_process
    on lead_process_sources (process_id, id)`.execute(db);
  // What each kind of contact source (the company's own website, a finder) gave to a process.
  await sql`
    create table lead_process_finders (
      process_id bigint not null references lead_processes (id),
      vendor text not null,
      place integer not null default 0,
      state text not null default 'active' check (state in ('active', 'stopped')),
      asked integer not null default 0,
      contacts integer not null default 0,
      reused integer not null default 0,
      credits integer not null default 0,
      note text,
      primary key (process_id, vendor)
    )`.execute(db);
}

async function found(db: Kysely<unknown>): Promise<void> {
  // Ads wait here only until their advertisers are known.
  await sql`
    create table lead_process_ads (
      process_id bigint not null references lead_processes (id),
      ad_id text not null,
      vendor text not null,
      page_id text not null,
      page_name text not null,
      landing text,
      ad_url text,
      primary key (process_id, ad_id)
    )`.execute(db);
  await sql`
    create table lead_process_companies (
      id bigint generated always as identity primary key,
      process_id bigint not null references lead_processes (id),
      key text not null,
      name text not null,
      domain text,
      website text,
      country_code text,
      ad_id text not null,
      ad_url text,
      vendor text not null,
      state text not null default 'found' check (state in ('found', 'visited', 'unusable')),
      reason text,
      phone text,
      asked text[] not null default '{}',
      unique (process_id, key)
    )`.execute(db);
  await sql`create index lead_process_companies_open
    on lead_process_companies (process_id, state, id)`.execute(db);
  await sql`
    create table lead_process_contacts (
      id bigint generated always as identity primary key,
      process_id bigint not null references lead_processes (id),
      company_id bigint not null references lead_process_companies (id),
      email text not null,
      first_name text not null,
      last_name text not null,
      position text,
      phone text,
      profile_url text,
      source text not null,
      page text,
      found_at timestamptz not null default now(),
      state text not null default 'new'
        check (state in ('new', 'checked', 'rejected', 'attached')),
      outcome text,
      score integer,
      status text,
      checked_at timestamptz,
      unique (process_id, email)
    )`.execute(db);
  await sql`create index lead_process_contacts_company
    on lead_process_contacts (company_id)`.execute(db);
  await sql`create index lead_process_contacts_open
    on lead_process_contacts (process_id, state, id)`.execute(db);
}

/** An intent is written before a finder is asked, and its answer with it: nothing is bought twice. */
async function purchases(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_purchases (
      user_id text not null references users (user_id),
      vendor text not null,
      domain text not null,
      state text not null default 'asked' check (state in ('asked', 'answered', 'uncertain')),
      process_id bigint references lead_processes (id),
      attempt text not null,
      people jsonb not null default '[]',
      credits integer not null default 0,
      asked_at timestamptz not null default now(),
      answered_at timestamptz,
      primary key (user_id, vendor, domain)
    )`.execute(db);
  await sql`create index contact_purchases_process on contact_purchases (process_id)
    where state = 'asked'`.execute(db);
  await sql`create index contact_purchases_age on contact_purchases (asked_at)`.execute(db);
}
