/** Leads of a campaign that lack values which a text uses. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { LeadFact } from '../../domain/sending/empty-messages.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

/** The check before the start has to be quick; it reads no more leads than these. */
export const MAX_LEADS_LOOKED_AT = 10_000;

/** How many of the first recipients have none of the facts. */
export async function countLeadsWithout(
  db: Kysely<Database>,
  campaignId: number,
  facts: readonly LeadFact[],
): Promise<number> {
  const lacks = sql.join(
    facts.map((fact) => LACKS[fact]),
    sql` and `,
  );
  const { rows } = await sql<{ leads: number }>`
    select count(*)::int as leads
    from (select lead_id from recipients where campaign_id = ${campaignId}
      order by lead_id limit ${MAX_LEADS_LOOKED_AT}) as first
    join leads on leads.id = first.lead_id
    left join companies on companies.id = leads.company_id
    where ${lacks} and ${isKeptLead()}`.execute(db);
  return rows[0]!.leads;
}

const empty = (column: RawBuilder<unknown>) => sql<boolean>`coalesce(btrim(${column}), '') = ''`;

/** The lead's name is the company's, not a person's. */
const isCompany = sql<boolean>`(btrim(leads.last_name) = ''
  and btrim(leads.first_name) = btrim(coalesce(companies.name, '')))`;

/** As messages render them. */
const LACKS: Readonly<Record<LeadFact, RawBuilder<boolean>>> = {
  firstName: sql`(${empty(sql`leads.first_name`)} or ${isCompany})`,
  lastName: empty(sql`leads.last_name`),
  fullName: sql`(${empty(sql`leads.first_name || leads.last_name`)} or ${isCompany})`,
  role: empty(sql`leads.role`),
  company: empty(sql`companies.name`),
  companyDomain: empty(sql`companies.domain`),
  website: sql`coalesce(companies.website, '') !~* '^https?://'`,
  city: empty(sql`companies.city`),
  country: sql`coalesce(companies.country_code, '') !~ '^[A-Za-z]{2}$'`,
};
