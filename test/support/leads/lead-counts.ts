/** Counts of lists and accounts as triggers keep them, and as recounted. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';

/** The numbers by list (null: the account) and the list's leads, as kept and as recounted. */
export async function bothWays(db: Kysely<Database>, userId: string) {
  const of = async (text: ReturnType<typeof sql>) => (await text.execute(db)).rows;
  const kept = await of(sql`select lead_list_id as list, sum(companies)::int as companies,
      sum(leads)::int as leads from lead_counters where user_id = ${userId}
    group by 1 having sum(companies) <> 0 or sum(leads) <> 0 order by 1`);
  const counted = await of(sql`
    select lead_list_id as list, count(distinct company)::int as companies, count(lead)::int as leads
    from (
      select lead_list_id, companies.id as company, leads.id as lead
      from companies left join leads on leads.company_id = companies.id
      where companies.user_id = ${userId} and lead_list_id is not null
      union all
      select null, id, null from companies where user_id = ${userId}
      union all
      select null, null, id from leads where user_id = ${userId}
    ) as everything group by 1 having count(company) + count(lead) > 0 order by 1`);
  const members = await of(sql`
    select member.* from lead_list_members as member
      join lead_lists on lead_lists.id = member.lead_list_id where user_id = ${userId}
    order by 1, 2`);
  const placed = await of(sql`
    select lead_list_id, leads.id as lead_id, leads.name_key
    from leads join companies on companies.id = company_id
    where leads.user_id = ${userId} and lead_list_id is not null order by 1, 2`);
  return { kept: { counts: kept, members }, counted: { counts: counted, members: placed } };
}
