/** Our own letters in the threads of their answers, and letters found by domain and recipient. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a campaign has written, for the thread of an answer. Templates, leads and the account's name
  // change later, so it is not rendered again. Written once and beside `sends`, whose rows change often.
  await sql`
    create table send_texts (
      send_id bigint primary key references sends (id) on delete cascade,
      from_name text not null,
      to_address text not null,
      subject text not null,
      body_text text not null,
      reference_ids text[] not null,
      written_at timestamptz not null
    )`.execute(db);
  // Why the mailbox cannot be read, in the words of an event, and whether clients were told.
  await sql`
    alter table mailbox_syncs
      add column reason text,
      add column is_told boolean not null default false`.execute(db);
  await sql`create index messages_from_domain on messages
    (user_id, split_part(lower(from_address), '@', -1), sent_at desc, id desc)`.execute(db);
  await findRecipients(db);
  await countPlaces(db);
}

/** To and Cc in lower case, each with its domain as `@acme.com`. */
async function findRecipients(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function letter_recipients(p_to text[], p_cc text[]) returns text[]
    language sql immutable parallel safe
    return array(
      select lower(address) from unnest(p_to || p_cc) as address
      union
      select '@' || split_part(lower(address), '@', -1) from unnest(p_to || p_cc) as address
      where address like '%@%'
    )`.execute(db);
  await sql`create index messages_recipients on messages
    using gin (letter_recipients(to_addresses, cc_addresses))`.execute(db);
}

/** How many letters of a folder are known: asked at each change, so not counted anew. */
async function countPlaces(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailbox_folders add column places integer not null default 0`.execute(db);
  await sql`
    update mailbox_folders as folder set places = (select count(*) from message_places as place
      where place.mailbox_id = folder.mailbox_id and place.path = folder.path)`.execute(db);
  await sql`
    create function count_places() returns trigger language plpgsql as $$
    declare v_sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      update mailbox_folders as folder set places = folder.places + v_sign * counted.places
      from (select mailbox_id, path, count(*) as places from changed group by 1, 2) as counted
      where folder.mailbox_id = counted.mailbox_id and folder.path = counted.path;
      return null;
    end $$`.execute(db);
  await sql`create trigger places_added after insert on message_places
    referencing new table as changed
    for each statement execute function count_places()`.execute(db);
  await sql`create trigger places_gone after delete on message_places
    referencing old table as changed
    for each statement execute function count_places()`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
