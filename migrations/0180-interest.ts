/** What answers mean, who says so, and what clients have corrected. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Text without a check: a check would read the whole table.
  await sql`alter table messages add column interest text, add column interest_by text,
    add column interest_confidence real`.execute(db);
  await sql`create index messages_interest on messages (user_id, interest, received_at desc, id desc)
    where interest is not null`.execute(db);
  // Of the words of the message a digest alone: the same words mean the same to that account from then on.
  await sql`
    create table interest_corrections (
      message_id bigint primary key references messages (id) on delete cascade,
      user_id text not null references users (user_id),
      words_key text not null,
      judged text,
      judged_by text,
      interest text,
      corrected_at timestamptz not null
    )`.execute(db);
  await sql`create index interest_corrections_words on interest_corrections
    (user_id, words_key, corrected_at desc)`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
