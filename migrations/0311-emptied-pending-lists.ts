/**
 * Lets the app empty the list of what was written last to an index of texts, which only the index' owner may do. Each search
 * reads that list, and whoever fills it up waits until all of it is in the index.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // As the owner, therefore for these indexes alone, and without a look at what a caller may have made of a type. Nobody else
  // waits for it. In small portions: what is sorted in stays so where it is cancelled.
  await sql`
    create function empty_pending_list(p_index text) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
    set maintenance_work_mem = '4MB' as $$
    begin
      if p_index not in ('suppressions_search_blocks', 'lifted_suppressions_search_blocks',
          'leads_search_texts', 'companies_search_blocks', 'messages_search_blocks') then
        raise exception 'not an index of texts: %', p_index;
      end if;
      perform gin_clean_pending_list(('public.' || p_index)::pg_catalog.regclass);
    end $$`.execute(db);
  await sql`revoke all on function empty_pending_list(text) from public`.execute(db);
  await sql`grant execute on function empty_pending_list(text) to outreach_app`.execute(db);
  // So far it names no type that could be another one.
  await sql`alter function prune_audit_log(timestamptz, integer)
    set search_path = pg_catalog, pg_temp`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
