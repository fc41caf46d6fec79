/** People of one domain are one company; the large campaign stops all of it when one of them answers. */
import { sql, type Kysely } from 'kysely';
import { keepProviders } from '../../src/db/sending/recipient-providers.ts';
import type { Database } from '../../src/db/tables.ts';
import type { Book, SimulatedCampaign } from './book.ts';

/** Gives these leads companies by the domains of their addresses. */
export async function foundCompanies(
  db: Kysely<Database>,
  book: Book,
  leadIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number; company_id: number }>`
    with mine as (select id, user_id, split_part(email_key, '@', 2) as domain from leads
      where id = any (${[...leadIds]}::bigint[])),
    founded as (
      insert into companies (user_id, name, name_key) select distinct user_id, domain, domain from mine
      returning id, name
    )
    update leads set company_id = founded.id from mine join founded on founded.name = mine.domain
    where leads.id = mine.id returning leads.id, leads.company_id`.execute(db);
  for (const { id, company_id } of rows) book.companies.set(id, company_id);
}

/** The mail of two of three domains has one host. */
const HOST = 'one-host';

/** Writes down where the mail of these domains is, as validation sees it. */
export async function noteProviders(
  db: Kysely<Database>,
  book: Book,
  { domains, at }: { domains: readonly string[]; at: Date },
): Promise<void> {
  const hosted = domains.filter((_, n) => n % 3 < 2);
  await keepProviders(db, new Map(hosted.map((domain) => [domain, HOST])), at);
  for (const domain of hosted) book.providers.set(domain, HOST);
}

/** Where companies are, and whose clock counts there; undefined: that of the campaign, since the country has several. */
const PLACES = [
  { country_code: 'JP', state: null, zone: 'Asia/Tokyo' },
  { country_code: 'US', state: 'California', zone: 'America/Los_Angeles' },
  { country_code: 'US', state: null, zone: undefined },
];

/** Gives the companies of these leads places, which count for those who have no zone of their own. */
export async function placeCompanies(
  db: Kysely<Database>,
  book: Book,
  leadIds: readonly number[],
): Promise<void> {
  const companies = [...new Set(leadIds.map((id) => book.companies.get(id)!))];
  for (const [n, id] of companies.entries()) {
    const { zone, ...place } = PLACES[n % PLACES.length]!;
    await db.updateTable('companies').set(place).where('id', '=', id).execute();
    for (const leadId of leadIds.filter((one) => book.companies.get(one) === id)) {
      if (zone !== undefined && !book.zones.has(leadId)) book.zones.set(leadId, zone);
    }
  }
}

/** Somebody has answered: from now on nobody else of the company gets a message of the campaign. */
export function closeCompany(
  book: Book,
  { id, isSmall, leads, startsOn, comparing }: SimulatedCampaign,
  { leadId, at }: { leadId: number; at: number },
): void {
  const company = book.companies.get(leadId);
  if (isSmall || startsOn || comparing || company === undefined) return;
  for (const other of leads) {
    if (other !== leadId && book.companies.get(other) === company) {
      book.closeRecipient(id, other, 'company_replied', at);
    }
  }
}
