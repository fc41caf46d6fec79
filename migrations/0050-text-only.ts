/**
 * Campaigns that send text alone, signatures of mailboxes, and what programs, not people, do with the
 * links of a message. Columns alone: no table is rewritten, and none is locked for long.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column text_only boolean not null default false`.execute(db);
  // Text, or HTML where it has tags, which is safe to send then.
  await sql`alter table mailboxes add column signature text`.execute(db);
  await sql`
    alter table sends
      add column machine_opened_at timestamptz,
      add column machine_clicked_at timestamptz`.execute(db);
  await sql`
    alter table campaign_counters
      add column machine_opened integer not null default 0,
      add column machine_clicked integer not null default 0,
      add column rejected integer not null default 0`.execute(db);
}
