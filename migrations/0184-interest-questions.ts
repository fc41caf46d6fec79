/** Answers whose meaning a language model is to say, and how many calls each account has made today. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table interest_questions (
      message_id bigint primary key references messages (id) on delete cascade,
      user_id text not null references users (user_id),
      asked_at timestamptz not null default now(),
      due_at timestamptz not null default now(),
      tries integer not null default 0,
      problem text,
      left_at timestamptz
    )`.execute(db);
  // What waits: few rows, since each is asked within seconds.
  await sql`create index interest_questions_due on interest_questions (due_at)
    where left_at is null`.execute(db);
  await sql`create index interest_questions_left on interest_questions (left_at)
    where left_at is not null`.execute(db);
  // One row an account, whatever the number of days.
  await sql`
    create table interest_model_calls (
      user_id text primary key references users (user_id),
      day date not null,
      calls integer not null
    )`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
