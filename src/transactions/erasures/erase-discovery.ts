/** Erases a person from the advertisers that a discovery has found: their name and phone number. */
import { sql, type Transaction } from 'kysely';
import { companyNameKey } from '../../domain/leads/company-keys.ts';
import { isErasedPhone, type ErasedPerson } from '../../domain/suppressions/erased-person.ts';
import { speaksOf } from './erasure-search.ts';
import type { Database } from '../../db/tables.ts';

/**
 * An advertiser that is only the person loses all personal data, unless other people work there; any other
 * loses a phone number that was the person's. Their contacts must be erased before. Returns how many rows
 * mentioned them.
 */
export async function eraseDiscoveryCompanies(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const ownNames = new Set(person.names.map(companyNameKey));
  const ads = await eraseAds(trx, userId, { person, ownNames });
  const rows = await trx
    .selectFrom('lead_process_companies as company')
    .innerJoin('lead_processes as process', 'process.id', 'company.process_id')
    .select(['company.id', 'company.name', 'company.phone'])
    .select((eb) => {
      const others = eb.selectFrom('lead_process_contacts').select('lead_process_contacts.id');
      return eb.exists(others.whereRef('company_id', '=', 'company.id')).as('hasOthers');
    })
    .where('process.user_id', '=', userId)
    .where(speaksOf(sql`concat_ws(' ', company.name, company.phone)`, person))
    .execute();
  const isOwn = ({ name, hasOthers }: (typeof rows)[number]) =>
    !hasOthers && ownNames.has(companyNameKey(name));
  const own = rows.filter(isOwn).map(({ id }) => id);
  const called = rows.filter((row) => !isOwn(row) && isErasedPhone(person, row.phone));
  if (own.length > 0) {
    await sql`
      update lead_process_companies set key = 'erased:' || id, name = '(erased)', domain = null,
        website = null, ad_url = null, phone = null, state = 'unusable', reason = 'erased'
      where id = any(${own}::bigint[])`.execute(trx);
  }
  if (called.length > 0) {
    await trx
      .updateTable('lead_process_companies')
      .set({ phone: null })
      .where('id', '=', sql<number>`any(${called.map(({ id }) => id)}::bigint[])`)
      .execute();
  }
  return ads + own.length + called.length;
}

/** Ads whose companies are not yet stored. */
async function eraseAds(
  trx: Transaction<Database>,
  userId: string,
  { person, ownNames }: { person: ErasedPerson; ownNames: ReadonlySet<string> },
): Promise<number> {
  const rows = await trx
    .selectFrom('lead_process_ads as ad')
    .innerJoin('lead_processes as process', 'process.id', 'ad.process_id')
    .select(['ad.process_id', 'ad.ad_id', 'ad.page_name'])
    .where('process.user_id', '=', userId)
    .where(speaksOf(sql`ad.page_name`, person))
    .execute();
  const own = rows.filter(({ page_name }) => ownNames.has(companyNameKey(page_name)));
  for (const { process_id, ad_id } of own) {
    await trx
      .deleteFrom('lead_process_ads')
      .where('process_id', '=', process_id)
      .where('ad_id', '=', ad_id)
      .execute();
  }
  return own.length;
}
