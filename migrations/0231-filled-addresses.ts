/**
 * Leads of campaigns that had no address and have got one, from an import or anybody else. Who was left out for that is
 * looked at again portion by portion: a statement that writes many leads locks none of their recipients.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // A lead may be there twice: who writes one waits for nobody.
  await sql`
    create table filled_addresses (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      lead_id bigint not null
    )`.execute(db);
  await sql`create index filled_addresses_of_account on filled_addresses (user_id, id)`.execute(db);
  await sql.raw(noteFilledAddress).execute(db);
  await sql`
    create trigger leads_filled after update of email_key on leads for each row
    when (old.email_key is null and new.email_key is not null)
    execute function note_filled_address()`.execute(db);
}

/** Also who is due: a claim may be about to leave them out. */
const noteFilledAddress = `
create function note_filled_address() returns trigger language plpgsql as $$
begin
  insert into filled_addresses (user_id, lead_id)
  select new.user_id, new.id where exists (
    select from recipients where lead_id = new.id
      and (due_at is not null or (status = 'skipped' and hold_reason = 'no_email')));
  return null;
end
$$`;
