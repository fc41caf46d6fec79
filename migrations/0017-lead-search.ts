/** Leads: search and order by name without reading them all, and what a suppression must not lose. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Trusted: whoever may create in the database may create it.
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create index leads_search on leads
    using gin ((first_name || ' ' || last_name) gin_trgm_ops, email gin_trgm_ops)`.execute(db);
  await sql`create index companies_search on companies
    using gin (name gin_trgm_ops, domain gin_trgm_ops)`.execute(db);
  await sql`create index leads_name on leads (user_id, name_key, id)`.execute(db);
  // A part of a file is read twice and deleted: to compress it costs more than to keep it.
  await sql`alter table lead_import_parts alter column content set storage external`.execute(db);
  await sql`create index contact_purchases_uncertain on contact_purchases (process_id, vendor)
    where state = 'uncertain'`.execute(db);
  // Choice 17. A trigger, since imports, requests and sending all suppress.
  await sql`alter table leads add column status_before text`.execute(db);
  await sql`
    create function keep_status_before() returns trigger language plpgsql as $$
    begin
      new.status_before := case when new.status = 'suppressed' then old.status end;
      return new;
    end
    $$`.execute(db);
  await sql`
    create trigger leads_status_before before update of status on leads for each row
    when ((old.status = 'suppressed') <> (new.status = 'suppressed'))
    execute function keep_status_before()`.execute(db);
}
