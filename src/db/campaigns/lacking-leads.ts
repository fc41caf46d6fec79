/** Leads of a campaign that lack values which a text uses. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import {
  BUSINESS_IN_FIRST_NAME,
  BUSINESS_IN_FULL_NAME,
  BUSINESS_IN_LAST_NAME,
  BUSINESS_SIGNS,
  FORM_ALONE,
  FORM_BEHIND_NAME,
} from '../../domain/leads/business-names.ts';
import { PLACEHOLDER } from '../../domain/leads/placeholders.ts';
import { customNameOf } from '../../domain/leads/custom-fields.ts';
import type { LEAD_FACTS, LeadFact } from '../../domain/sending/empty-messages.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

/** The check before the start has to be quick; it reads no more leads than these. */
export const MAX_LEADS_LOOKED_AT = 10_000;

/** How many of the first recipients have none of the facts. */
export async function countLeadsWithout(
  db: Kysely<Database>,
  campaignId: number,
  facts: readonly LeadFact[],
  fields: CustomIds,
): Promise<number> {
  const lacks = sql.join(
    facts.map((fact) => lacksOf(fact, fields)),
    sql` and `,
  );
  const { rows } = await sql<{ leads: number }>`
    select count(*)::int as leads ${firstLeads(campaignId)} and ${lacks}`.execute(db);
  return rows[0]!.leads;
}

const firstLeads = (campaignId: number) => sql`
  from (select lead_id from recipients where campaign_id = ${campaignId}
    order by lead_id limit ${MAX_LEADS_LOOKED_AT}) as first
  join leads on leads.id = first.lead_id
  left join companies on companies.id = leads.company_id
  where ${isKeptLead()}`;

/** The ids of custom fields by their names. */
export type CustomIds = ReadonlyMap<string, number>;

/** How many of the first recipients lack a fact, and some of them. */
export interface Lacking {
  leads: number;
  examples: { id: number; name: string; email: string | null }[];
}

/** How many leads are named. */
const MAX_EXAMPLES = 5;

/** For each of the facts, in their order. */
export async function listLeadsWithout(
  db: Kysely<Database>,
  campaignId: number,
  facts: readonly LeadFact[],
  fields: CustomIds,
): Promise<Lacking[]> {
  if (facts.length === 0) return [];
  const counts = facts.map((fact) => {
    const lacks = lacksOf(fact, fields);
    return sql`json_build_object('leads', count(*) filter (where ${lacks}), 'ids',
      (array_agg(leads.id order by leads.id) filter (where ${lacks}))[1:${sql.lit(MAX_EXAMPLES)}])`;
  });
  const { rows } = await sql<{ counted: { leads: number; ids: number[] | null }[] }>`
    select json_build_array(${sql.join(counts)}) as counted ${firstLeads(campaignId)}`.execute(db);
  const { counted } = rows[0]!;
  const ids = [...new Set(counted.flatMap((each) => each.ids ?? []))];
  const leads = await namesOf(db, ids);
  return counted.map((each) => ({
    leads: each.leads,
    examples: (each.ids ?? []).flatMap((id) => leads.get(id) ?? []),
  }));
}

async function namesOf(db: Kysely<Database>, ids: readonly number[]) {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('leads')
          .select(['id', 'email', sql<string>`btrim(first_name || ' ' || last_name)`.as('name')])
          .where('id', 'in', ids)
          .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Of a field that is gone nobody has a value. */
function lacksOf(fact: LeadFact, fields: CustomIds): RawBuilder<boolean> {
  const name = customNameOf(fact);
  if (name === undefined) return LACKS[fact as (typeof LEAD_FACTS)[number]];
  const id = fields.get(name);
  if (id === undefined) return sql<boolean>`true`;
  return sql<boolean>`not coalesce(jsonb_exists(leads.custom, ${String(id)}), false)`;
}

/** As `saying`. */
const said = (column: RawBuilder<unknown>) =>
  sql`btrim(regexp_replace(coalesce(${column}, ''), ${PLACEHOLDER}, '', 'i'))`;

const empty = (column: RawBuilder<unknown>) => sql<boolean>`${said(column)} = ''`;

/** Nearly as `personNameKey`; both names are folded alike. */
const folded = (name: RawBuilder<unknown>) => sql`btrim(regexp_replace(
  translate(lower(${name}), ${"'’`´."}, ''), '[^[:alnum:]]+', ' ', 'g'))`;

const first = said(sql`leads.first_name`);

const last = said(sql`leads.last_name`);

const fullName = sql`(${first} || ' ' || ${last})`;

const companyName = said(sql`companies.name`);

/** The first name is the company's but for the legal form. */
const isFirstOfCompany = sql`(${folded(first)} =
  ${folded(sql`regexp_replace(btrim(${companyName}), ${FORM_BEHIND_NAME}, '', 'i')`)})`;

/** As `isSingleNameOfBusiness`. */
const isSingleOfBusiness = sql<boolean>`(${last} = '' and (${first} ~* ${BUSINESS_SIGNS}
  or (${first} ~ '\\s' and ${isFirstOfCompany})))`;

/** As `areNamesOfBusiness`. */
const areOfBusiness = sql<boolean>`(${last} <> '' and (${first} ~* ${BUSINESS_IN_FIRST_NAME}
  or ${last} ~* ${BUSINESS_IN_LAST_NAME} or (${first} || ' ' || ${last}) ~* ${BUSINESS_IN_FULL_NAME}
  or (${last} ~* ${FORM_ALONE} and ${folded(first)} <> '' and ${isFirstOfCompany})))`;

/** The lead's name is the company's, not a person's: as `personOf` of message-values.ts decides. */
const isCompany = sql<boolean>`(${isSingleOfBusiness} or ${areOfBusiness} or (${folded(fullName)} <> ''
  and ${folded(fullName)} = ${folded(companyName)}
  and (${last} = '' or coalesce(companies.domain, '') <> ''
    or coalesce(companies.website, '') <> '' or ${fullName} ~* ${BUSINESS_SIGNS})))`;

/** As messages render them. */
const LACKS: Readonly<Record<(typeof LEAD_FACTS)[number], RawBuilder<boolean>>> = {
  firstName: sql`(${empty(sql`leads.first_name`)} or ${isCompany})`,
  lastName: sql`(${empty(sql`leads.last_name`)} or ${isCompany})`,
  fullName: sql`(${first} || ${last} = '' or ${isCompany})`,
  role: empty(sql`leads.role`),
  company: empty(sql`companies.name`),
  companyDomain: empty(sql`companies.domain`),
  website: sql`coalesce(companies.website, '') !~* '^https?://'`,
  city: empty(sql`companies.city`),
  country: sql`coalesce(companies.country_code, '') !~ '^[A-Za-z]{2}$'`,
};
