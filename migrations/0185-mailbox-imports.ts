/** Files of mailboxes that are connected in bulk: what became of each row. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mailbox_imports (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      status text not null default 'processing' check (status in
        ('processing', 'completed', 'failed', 'cancelled')),
      file_name text,
      total_rows integer not null,
      error_code text,
      error_message text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db);
  await sql`create index mailbox_imports_user on mailbox_imports (user_id, id desc)`.execute(db);
  // A password is here only until the row's turn, when its mailbox has it: both are sealed, each bound to its row.
  await sql`
    create table mailbox_import_rows (
      import_id bigint not null references mailbox_imports (id) on delete cascade,
      row_number integer not null,
      state text not null check (state in ('waiting', 'connecting', 'connected', 'failed',
        'already_connected', 'duplicate', 'invalid', 'cancelled')),
      email text,
      password bytea,
      preset text,
      servers jsonb,
      sender_name text,
      daily_limit integer,
      mailbox_id bigint references mailboxes (id),
      sent_at timestamptz,
      field text,
      error_code text,
      error_message text,
      begun_at timestamptz,
      ended_at timestamptz,
      primary key (import_id, row_number),
      check ((password is not null) = (state = 'waiting'))
    )`.execute(db);
  // What is left to be done: few rows of few imports.
  await sql`
    create index mailbox_import_rows_open on mailbox_import_rows (import_id, row_number)
      where state in ('waiting', 'connecting')`.execute(db);
}
