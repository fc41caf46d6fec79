/** The places besides the leads that store people, and how each erases one. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { companyNameKey } from '../../domain/leads/company-keys.ts';
import {
  isErasedEmail,
  isErasedPhone,
  isErasedProfile,
  isRowOf,
  mentionsName,
  type ErasedPerson,
} from '../../domain/suppressions/erased-person.ts';
import type { PlaceContacts } from '../../domain/maps/maps.ts';
import { forgetKeptChecks } from '../../db/email-validation/email-checks.ts';
import { eraseDiscoveryCompanies } from './erase-discovery.ts';
import { eraseMessages } from './erase-messages.ts';
import { speaksOf } from './erasure-search.ts';
import { eraseEvents, eraseSends, eraseWarmupMessages } from './erase-sends.ts';
import { eraseImportErrors, eraseImportParts } from './erase-lead-imports.ts';
import { awaitSuppressions } from '../../db/leads/lead-locks.ts';
import type { Database } from '../../db/tables.ts';

/**
 * Erases the person and returns how many rows mentioned them. Nothing of the account is locked: the committed
 * tombstones prevent storing them again. `leadIds`: their leads.
 */
type Erase = (
  db: Kysely<Database>,
  userId: string,
  person: ErasedPerson,
  leadIds: readonly number[],
) => Promise<number>;

/** For a place that is small enough for one transaction. */
const atOnce =
  (erase: (trx: Transaction<Database>, userId: string, person: ErasedPerson) => Promise<number>) =>
  (db: Kysely<Database>, userId: string, person: ErasedPerson): Promise<number> =>
    db.transaction().execute((trx) => erase(trx, userId, person));

export const ERASURE_PLACES = {
  suppressions: atOnce(eraseSuppressions),
  importErrors: atOnce(eraseImportErrors),
  importRows: atOnce(eraseImportParts),
  discoveryContacts: atOnce(eraseDiscoveryContacts),
  // After the contacts: the remaining ones tell whether a company was the person's only.
  discoveryCompanies: atOnce(eraseDiscoveryCompanies),
  boughtContacts: atOnce(eraseBoughtContacts),
  mapsItems: atOnce(eraseMapsItems),
  emailValidations: atOnce(eraseEmailValidations),
  letters: eraseMessages,
  sends: eraseSends,
  events: eraseEvents,
  warmupLetters: atOnce(eraseWarmupMessages),
} satisfies Record<string, Erase>;

export type ErasurePlace = keyof typeof ERASURE_PLACES;

/**
 * A company that was only the person under another name is deleted with them; any other loses a phone number
 * that was theirs. Neither while other people work there. Returns how many were changed or deleted.
 */
export async function eraseCompanies(
  trx: Transaction<Database>,
  { userId, companyIds }: { userId: string; companyIds: readonly number[] },
  person: ErasedPerson,
): Promise<number> {
  const { emails, profiles, phones, names } = person;
  const ownNames = [...emails, ...profiles, ...phones, ...names].map(companyNameKey);
  const companies = await trx
    .selectFrom('companies')
    .select(['id', 'name_key', 'phone'])
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('id', '=', sql<number>`any(${companyIds}::bigint[])`),
        eb('name_key', '=', sql<string>`any(${ownNames}::text[])`),
      ]),
    )
    .where((eb) => {
      const remaining = eb.selectFrom('leads').select('leads.id');
      return eb.not(eb.exists(remaining.whereRef('company_id', '=', 'companies.id')));
    })
    .forUpdate()
    .execute();
  const isOwn = ({ name_key }: { name_key: string }) => ownNames.includes(name_key);
  const own = companies.filter(isOwn).map(({ id }) => id);
  const called = companies.filter((each) => !isOwn(each) && isErasedPhone(person, each.phone));
  if (own.length > 0) await trx.deleteFrom('companies').where('id', 'in', own).execute();
  if (called.length > 0) {
    await trx
      .updateTable('companies')
      .set({ phone: null, updated_at: new Date() })
      .where(
        'id',
        'in',
        called.map(({ id }) => id),
      )
      .execute();
  }
  return own.length + called.length;
}

/** The tombstone already keeps the person from being written to: their address is no longer needed. */
async function eraseSuppressions(
  trx: Transaction<Database>,
  userId: string,
  { emails }: ErasedPerson,
): Promise<number> {
  // An entry being added has either seen the tombstones or is visible here.
  await awaitSuppressions(trx, userId);
  let erased = 0;
  for (const table of ['suppressions', 'lifted_suppressions'] as const) {
    const { numDeletedRows } = await trx
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where('kind', '=', 'email')
      .where('value', '=', sql<string>`any(${emails}::text[])`)
      .executeTakeFirst();
    erased += Number(numDeletedRows);
  }
  return erased;
}

async function eraseDiscoveryContacts(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const rows = await trx
    .selectFrom('lead_process_contacts as contact')
    .innerJoin('lead_processes as process', 'process.id', 'contact.process_id')
    .select(['contact.id', 'contact.email', 'contact.phone', 'contact.profile_url'])
    .select(sql<string>`concat_ws(' ', contact.first_name, contact.last_name)`.as('name'))
    .where('process.user_id', '=', userId)
    .where(speaksOf(sql`contact::text`, person))
    .execute();
  const ids = rows
    .filter(({ email, phone, profile_url, name }) =>
      isRowOf([email ?? '', phone ?? '', profile_url ?? '', name], person),
    )
    .map(({ id }) => id);
  if (ids.length > 0)
    await trx.deleteFrom('lead_process_contacts').where('id', 'in', ids).execute();
  return ids.length;
}

/** The purchase is kept, so that nothing is bought twice; the person in it is erased. */
async function eraseBoughtContacts(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const rows = await trx
    .selectFrom('contact_purchases')
    .select(['vendor', 'domain', 'people'])
    .where('user_id', '=', userId)
    .where(speaksOf(sql`people::text`, person))
    .forUpdate()
    .execute();
  let erased = 0;
  for (const { vendor, domain, people } of rows) {
    const kept = people.filter(
      ({ email, phone, profileUrl, firstName, lastName }) =>
        !isRowOf([email ?? '', phone ?? '', profileUrl ?? '', `${firstName} ${lastName}`], person),
    );
    if (kept.length === people.length) continue;
    erased += people.length - kept.length;
    await trx
      .updateTable('contact_purchases')
      .set({ people: JSON.stringify(kept) })
      .where('user_id', '=', userId)
      .where('vendor', '=', vendor)
      .where('domain', '=', domain)
      .execute();
  }
  return erased;
}

async function eraseMapsItems(
  trx: Transaction<Database>,
  userId: string,
  person: ErasedPerson,
): Promise<number> {
  const rows = await trx
    .selectFrom('maps_items as item')
    .innerJoin('maps_runs as run', 'run.id', 'item.run_id')
    .select(['item.id', 'item.phone', 'item.contacts'])
    .where('run.user_id', '=', userId)
    .where(speaksOf(sql`concat_ws(' ', item.phone, item.contacts::text)`, person))
    .execute();
  let erased = 0;
  for (const { id, phone, contacts } of rows) {
    const left = contacts && withoutPerson(contacts, person);
    const isPhone = isErasedPhone(person, phone);
    if (!isPhone && JSON.stringify(left) === JSON.stringify(contacts)) continue;
    erased += 1;
    await trx
      .updateTable('maps_items')
      .set({ phone: isPhone ? null : phone, contacts: left && JSON.stringify(left) })
      .where('id', '=', id)
      .execute();
  }
  return erased;
}

const withoutPerson = (contacts: PlaceContacts, person: ErasedPerson): PlaceContacts => ({
  ...contacts,
  emails: contacts.emails.filter(
    ({ email, name }) => !isErasedEmail(person, email) && !mentionsName(name ?? '', person),
  ),
  phones: contacts.phones.filter(({ phone }) => !isErasedPhone(person, phone)),
  profiles: contacts.profiles.filter(({ url }) => !isErasedProfile(person, url)),
  contactPages: contacts.contactPages.filter((page) => !mentionsName(page, person)),
  pages: contacts.pages.filter((page) => !mentionsName(page, person)),
  checks: Object.fromEntries(
    Object.entries(contacts.checks).filter(([email]) => !isErasedEmail(person, email)),
  ),
});

/** The result stays in its job's counts; the address is erased. The kept checks have hashed keys only. */
async function eraseEmailValidations(
  trx: Transaction<Database>,
  userId: string,
  { emails }: ErasedPerson,
): Promise<number> {
  await forgetKeptChecks(trx, emails);
  const { numUpdatedRows } = await trx
    .updateTable('email_validation_items as item')
    .from('email_validation_jobs as job')
    .set({ email: '(erased)', email_key: null, suggestion: null })
    .whereRef('job.id', '=', 'item.job_id')
    .where('job.user_id', '=', userId)
    .where('item.email_key', '=', sql<string>`any(${emails}::text[])`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
