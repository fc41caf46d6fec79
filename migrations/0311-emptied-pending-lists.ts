/**
 * Lets the app empty the list of what was written last to an index of texts, which only the index' owner may do. Each search
 * reads that list, and whoever fills it up waits until all of it is in the index.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // As the owner, therefore for these indexes alone. Nobody else waits for it.
  await sql`
    create function empty_pending_list(p_index text) returns void
    language plpgsql security definer set search_path = pg_catalog, public as $$
    begin
      if p_index not in ('suppressions_search_blocks', 'lifted_suppressions_search_blocks',
          'leads_search_texts', 'companies_search_blocks', 'messages_search_blocks') then
        raise exception 'not an index of texts: %', p_index;
      end if;
      perform gin_clean_pending_list(('public.' || p_index)::regclass);
    end $$`.execute(db);
  await sql`revoke all on function empty_pending_list(text) from public`.execute(db);
  await sql`grant execute on function empty_pending_list(text) to outreach_app`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
