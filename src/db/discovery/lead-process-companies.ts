/** Advertisers of a discovery process, from their ads to their contacts. */
import { sql, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { LeadProcessAdsTable, LeadProcessCompaniesTable } from './discovery-tables.ts';
import type { Database } from '../tables.ts';

export type ProcessAd = Selectable<LeadProcessAdsTable>;
export type NewProcessCompany = Insertable<LeadProcessCompaniesTable>;
export type ProcessCompany = Selectable<LeadProcessCompaniesTable>;

/** Removes waiting ads; the caller writes their companies in the same transaction. */
export const takeAds = (
  trx: Transaction<Database>,
  processId: number,
  limit: number,
): Promise<ProcessAd[]> =>
  trx
    .deleteFrom('lead_process_ads')
    .where('process_id', '=', processId)
    .where('ad_id', 'in', (eb) =>
      eb
        .selectFrom('lead_process_ads')
        .select('ad_id')
        .where('process_id', '=', processId)
        .orderBy('ad_id')
        .limit(limit),
    )
    .returningAll()
    .execute();

/** Companies already known to this process stay unchanged. Returns how many are new. */
export async function insertCompanies(
  trx: Transaction<Database>,
  companies: readonly NewProcessCompany[],
): Promise<number> {
  if (companies.length === 0) return 0;
  const rows = await trx
    .insertInto('lead_process_companies')
    .values([...companies])
    .onConflict((conflict) => conflict.columns(['process_id', 'key']).doNothing())
    .returning('id')
    .execute();
  return rows.length;
}

/** Which of the domains stand on the user's suppression list. */
export async function listSuppressedDomains(
  db: Kysely<Database>,
  userId: string,
  domains: readonly string[],
): Promise<Set<string>> {
  if (domains.length === 0) return new Set();
  const rows = await db
    .selectFrom('suppressions')
    .select('value')
    .where('user_id', '=', userId)
    .where('kind', '=', 'domain')
    .where('value', '=', sql<string>`any(${sql.val([...domains])}::text[])`)
    .execute();
  return new Set(rows.map(({ value }) => value));
}

/** Those whose site was not visited, oldest first. */
export const listUnvisited = (
  db: Kysely<Database>,
  processId: number,
  page: { after: number; limit: number },
): Promise<ProcessCompany[]> =>
  db
    .selectFrom('lead_process_companies')
    .selectAll()
    .where('process_id', '=', processId)
    .where('state', '=', 'found')
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute();

/** Those without a usable contact that one of `vendors` was not asked about, oldest first. */
export const listUnanswered = (
  db: Kysely<Database>,
  processId: number,
  page: { vendors: readonly string[]; after: number; limit: number },
): Promise<ProcessCompany[]> =>
  unanswered(db, processId, page.vendors)
    .selectAll()
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute();

/** A contact is usable until its address turned out to be invalid. */
function unanswered(db: Kysely<Database>, processId: number, vendors: readonly string[]) {
  return db
    .selectFrom('lead_process_companies')
    .where('process_id', '=', processId)
    .where('state', '=', 'visited')
    .where('domain', 'is not', null)
    .where(sql<boolean>`not (asked @> ${sql.val([...vendors])}::text[])`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('lead_process_contacts')
            .select('lead_process_contacts.id')
            .whereRef('company_id', '=', 'lead_process_companies.id')
            .where('lead_process_contacts.state', '<>', 'rejected'),
        ),
      ),
    );
}

/** Stores what was found on a company's own site. */
export async function markVisited(
  trx: Transaction<Database>,
  visits: readonly { id: number; reason: string | null; phone: string | null }[],
): Promise<void> {
  for (const { id, reason, phone } of visits) {
    await trx
      .updateTable('lead_process_companies')
      .set({ state: 'visited', reason, phone })
      .where('id', '=', id)
      .where('state', '=', 'found')
      .execute();
  }
}

/** This finder need not be asked about the company again. */
export async function markAsked(db: Kysely<Database>, id: number, vendor: string): Promise<void> {
  await db
    .updateTable('lead_process_companies')
    .set({ asked: sql<string[]>`array_append(asked, ${vendor})` })
    .where('id', '=', id)
    .where(sql<boolean>`not (${vendor} = any(asked))`)
    .execute();
}

/** How far a process is, in companies and contacts. */
export interface DiscoveryStock {
  ads: number;
  companies: number;
  unvisited: number;
  unanswered: number;
  unchecked: number;
  checked: number;
}

/** `vendors`: contact finders that can be asked. */
export async function countStock(
  db: Kysely<Database>,
  processId: number,
  vendors: readonly string[],
): Promise<DiscoveryStock> {
  const companies = await db
    .selectFrom('lead_process_companies')
    .select((eb) => [
      eb.fn.countAll<number>().as('companies'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'found').as('unvisited'),
    ])
    .where('process_id', '=', processId)
    .executeTakeFirstOrThrow();
  const contacts = await db
    .selectFrom('lead_process_contacts')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'new').as('unchecked'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'checked').as('checked'),
    ])
    .where('process_id', '=', processId)
    .executeTakeFirstOrThrow();
  const left = await unanswered(db, processId, vendors)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const ads = await db
    .selectFrom('lead_process_ads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('process_id', '=', processId)
    .executeTakeFirstOrThrow();
  return {
    ads: Number(ads.count),
    companies: Number(companies.companies),
    unvisited: Number(companies.unvisited),
    unanswered: Number(left.count),
    unchecked: Number(contacts.unchecked),
    checked: Number(contacts.checked),
  };
}
