/** Counts and places what was there before 0045, while others write. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // In one snapshot: what the counters lack does not change, whatever comes and goes meanwhile.
  await sql`
    insert into lead_counters (user_id, lead_list_id, companies, leads)
    select user_id, lead_list_id, sum(companies), sum(leads) from (
      select user_id, null::bigint as lead_list_id, count(*) as companies, 0 as leads
      from companies group by user_id
      union all
      select user_id, lead_list_id, count(*), 0
      from companies where lead_list_id is not null group by user_id, lead_list_id
      union all
      select user_id, null, 0, count(*) from leads group by user_id
      union all
      select company.user_id, company.lead_list_id, 0, count(*)
      from leads join companies as company on company.id = leads.company_id
      where company.lead_list_id is not null group by company.user_id, company.lead_list_id
      union all
      select user_id, lead_list_id, -companies, -leads from lead_counters
    ) as lacking
    group by user_id, lead_list_id
    having sum(companies) <> 0 or sum(leads) <> 0`.execute(db);
  // Who is deleted or moved before this ends leaves a row behind: 0047 takes it away.
  await sql`
    insert into lead_list_members (lead_list_id, lead_id, name_key)
    select companies.lead_list_id, leads.id, leads.name_key
    from leads join companies on companies.id = leads.company_id
    where companies.lead_list_id is not null
    on conflict do nothing`.execute(db);
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
