/** Files of leads that are imported: what is still to be read, how far it is, what was refused. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A list may be deleted while it is filled: the rest of the file is then imported without it.
  await sql`
    create table lead_imports (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      lead_list_id bigint references lead_lists (id) on delete set null,
      status text not null default 'processing' check (status in
        ('processing', 'completed', 'failed', 'cancelled')),
      file_name text,
      source text,
      delimiter text not null,
      headers text[] not null,
      mapping jsonb not null,
      total_rows integer not null,
      processed_rows integer not null default 0,
      created_leads integer not null default 0,
      found_leads integer not null default 0,
      skipped_rows integer not null default 0,
      failed_rows integer not null default 0,
      leads_elsewhere integer not null default 0,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      finished_at timestamptz,
      check (processed_rows = created_leads + found_leads + skipped_rows + failed_rows)
    )`.execute(db);
  await sql`create index lead_imports_user on lead_imports (user_id, id desc)`.execute(db);
  await sql`create index lead_imports_list on lead_imports (lead_list_id)`.execute(db);
  // What is left of the file: a part is deleted in the transaction that imports it.
  await sql`
    create table lead_import_parts (
      import_id bigint not null references lead_imports (id) on delete cascade,
      first_row integer not null,
      content text not null,
      primary key (import_id, first_row)
    )`.execute(db);
  // Read once and deleted soon: compressing it would cost more than it saves.
  await sql`alter table lead_import_parts alter column content set storage external`.execute(db);
  await sql`
    create table lead_import_errors (
      import_id bigint not null references lead_imports (id) on delete cascade,
      row_number integer not null,
      column_name text not null,
      problem text not null,
      cells text[] not null,
      primary key (import_id, row_number)
    )`.execute(db);
}
