/**
 * What imports count of companies and of leads that were there. The columns `leads_elsewhere` stay for
 * programs of before; nobody writes them now.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table lead_imports
      add column imported_companies integer not null default 0,
      add column found_companies integer not null default 0,
      add column differing_leads integer not null default 0`.execute(db);
  await sql`
    alter table maps_imports
      add column found_leads integer not null default 0,
      add column found_companies integer not null default 0,
      add column differing_leads integer not null default 0`.execute(db);
  // Each company that an import finds is counted once, in whichever of its parts it stands.
  await sql`
    create table lead_import_companies (
      import_id bigint not null references lead_imports (id) on delete cascade,
      company_id bigint not null,
      primary key (import_id, company_id)
    )`.execute(db);
}
