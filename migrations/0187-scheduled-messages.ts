/** Messages that people write now and that are sent later. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outgoing_letters
    add column send_at timestamptz,
    add column cancel_on_reply boolean not null default false,
    drop constraint outgoing_letters_state_check`.execute(db);
  await sql`alter table outgoing_letters add constraint outgoing_letters_state_check check (state in
    ('scheduled', 'queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'))`.execute(db);
  await sql`alter table outgoing_letters add constraint outgoing_letters_scheduled
    check (state <> 'scheduled' or send_at is not null)`.execute(db);
  // Few of many: those that wait.
  await sql`create index outgoing_letters_waiting on outgoing_letters (user_id, message_id)
    where state = 'scheduled'`.execute(db);
}
