/** Maps runs, the places they saved, and their imports into lead lists. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runs(db);
  await items(db);
  await imports(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}

async function runs(db: Kysely<unknown>): Promise<void> {
  // `cursor` is where the vendor's next page begins; `asked_until` is set while a start may be
  // under way whose answer nobody has. `round` counts the enrichments.
  await sql`
    create table maps_runs (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      operation_id bigint references operations (id),
      lead_list_id bigint references lead_lists (id) on delete set null,
      provider text not null,
      status text not null default 'queued' check (status in
        ('queued', 'running', 'enriching', 'completed', 'failed', 'cancelled')),
      status_message text not null,
      search jsonb not null,
      scrape_contacts boolean not null,
      verify_emails boolean not null,
      total_queries integer not null,
      processed_queries integer not null default 0,
      total_items integer not null default 0,
      saved_items integer not null default 0,
      enriched_items integer not null default 0,
      failed_items integer not null default 0,
      imported_leads integer not null default 0,
      refused text[] not null default '{}',
      notes text[] not null default '{}',
      cursor text,
      asked_until timestamptz,
      scraped_at timestamptz,
      enrich_wanted boolean not null,
      enrich_force boolean not null default false,
      round integer not null default 0,
      error_code text,
      started_at timestamptz,
      completed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db);
  await sql`create index maps_runs_user on maps_runs (user_id, id desc)
    where deleted_at is null`.execute(db);
  await sql`create index maps_runs_list on maps_runs (lead_list_id)
    where lead_list_id is not null`.execute(db);
}

async function items(db: Kysely<unknown>): Promise<void> {
  // `round` is the enrichment that visited the site last, `claim` the attempt that does now.
  await sql`
    create table maps_items (
      id bigint generated always as identity primary key,
      run_id bigint not null references maps_runs (id),
      place_id text not null,
      title text not null,
      category text,
      address text,
      city text,
      state text,
      postal_code text,
      country_code text,
      website text,
      phone text,
      rating double precision,
      reviews_count integer,
      is_closed boolean not null,
      maps_url text,
      search_string text,
      latitude double precision,
      longitude double precision,
      status text not null default 'pending' check (status in
        ('pending', 'enriching', 'enriched', 'failed', 'skipped')),
      reason text,
      round integer not null default 0,
      claim text,
      contacts jsonb,
      enriched_at timestamptz,
      import_status text check (import_status in ('imported', 'skipped')),
      import_reason text,
      import_id bigint,
      imported_at timestamptz,
      lead_ids jsonb not null default '[]',
      created_at timestamptz not null default now(),
      unique (run_id, place_id)
    )`.execute(db);
  await sql`create index maps_items_run on maps_items (run_id, id)`.execute(db);
  await sql`create index maps_items_waiting on maps_items (run_id, round, id)
    where website is not null`.execute(db);
}

async function imports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table maps_imports (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      run_id bigint not null references maps_runs (id),
      lead_list_id bigint references lead_lists (id) on delete set null,
      options jsonb not null,
      status text not null default 'running' check (status in
        ('running', 'completed', 'failed', 'cancelled')),
      last_item_id bigint not null default 0,
      processed_items integer not null default 0,
      imported_leads integer not null default 0,
      imported_companies integer not null default 0,
      skipped_items integer not null default 0,
      skipped jsonb not null default '{}',
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      completed_at timestamptz
    )`.execute(db);
  await sql`create index maps_imports_run on maps_imports (run_id, id desc)`.execute(db);
  await sql`create index maps_imports_list on maps_imports (lead_list_id)
    where status = 'running'`.execute(db);
  // What an import brought, each lead and company once however many places led to it.
  await sql`
    create table maps_imported (
      import_id bigint not null references maps_imports (id),
      kind text not null check (kind in ('lead', 'company')),
      ref_id bigint not null,
      run_id bigint not null,
      company_key text,
      primary key (import_id, kind, ref_id)
    )`.execute(db);
  await sql`create index maps_imported_run on maps_imported (run_id, kind, ref_id)`.execute(db);
  await sql`create index maps_imported_company on maps_imported (import_id, company_key)
    where company_key is not null`.execute(db);
}
