/** People whom a discovery process found, until they become leads or are dropped. */
import { sql, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import {
  emailKey,
  forbiddenBy,
  personNameKey,
  phoneKey,
  profileKey,
} from '../../domain/leads/lead-keys.ts';
import type { PersonOutcome } from '../../domain/leads/leads.ts';
import type { BoughtPerson, LeadProcessContactsTable } from './discovery-tables.ts';
import { tombstoneHash } from '../leads/lead-locks.ts';
import type { Database } from '../tables.ts';

export type ProcessContact = Selectable<LeadProcessContactsTable>;
export type NewProcessContact = Insertable<LeadProcessContactsTable>;

/** Filters out people with a tombstone: an erased person is not stored. GDPR, article 17. */
export async function withoutErased<T extends BoughtPerson>(
  trx: Transaction<Database>,
  userId: string,
  people: readonly T[],
): Promise<T[]> {
  if (people.length === 0) return [];
  const hashes = people.map((person) =>
    forbiddenBy({
      emailKey: emailKey(person.email),
      profileKey: profileKey(person.profileUrl),
      phoneKey: phoneKey(person.phone),
      nameKey: personNameKey(person.firstName, person.lastName),
    }).map((key) => tombstoneHash(userId, key)),
  );
  const rows = await trx
    .selectFrom('erasure_tombstones')
    .select('key_hash')
    .where('user_id', '=', userId)
    .where('key_hash', '=', sql<Buffer>`any(${hashes.flat()}::bytea[])`)
    .execute();
  const erased = new Set(rows.map(({ key_hash }) => key_hash.toString('hex')));
  return people.filter(
    (_person, at) => !hashes[at]!.some((hash) => erased.has(hash.toString('hex'))),
  );
}

/** The columns of a person. */
export const contactColumns = (person: BoughtPerson) => ({
  email: person.email,
  first_name: person.firstName,
  last_name: person.lastName,
  position: person.position,
  phone: person.phone,
  profile_url: person.profileUrl,
});

/** An address that another company of the process has stays with it. Returns how many are new. */
export async function insertContacts(
  trx: Transaction<Database>,
  contacts: readonly NewProcessContact[],
): Promise<number> {
  if (contacts.length === 0) return 0;
  const rows = await trx
    .insertInto('lead_process_contacts')
    .values([...contacts])
    .onConflict((conflict) => conflict.columns(['process_id', 'email']).doNothing())
    .returning('id')
    .execute();
  return rows.length;
}

export const listContacts = (
  db: Kysely<Database>,
  processId: number,
  state: ProcessContact['state'],
  limit: number,
): Promise<ProcessContact[]> =>
  db
    .selectFrom('lead_process_contacts')
    .selectAll()
    .where('process_id', '=', processId)
    .where('state', '=', state)
    // Groups people by company, whenever they were found.
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute();

/** A validated contact with its company. */
export interface AttachableContact extends ProcessContact {
  company: {
    name: string;
    website: string | null;
    phone: string | null;
    countryCode: string | null;
    /** The ad library, and the ad, by which it was found. */
    vendor: string;
    adUrl: string | null;
  };
}

/** Grouped by company. */
export async function listAttachable(
  trx: Transaction<Database>,
  processId: number,
  limit: number,
): Promise<AttachableContact[]> {
  const contacts = await listContacts(trx, processId, 'checked', limit);
  if (contacts.length === 0) return [];
  const companies = await trx
    .selectFrom('lead_process_companies')
    .select(['id', 'name', 'website', 'phone', 'country_code', 'vendor', 'ad_url'])
    .where('id', 'in', [...new Set(contacts.map(({ company_id }) => company_id))])
    .execute();
  const byId = new Map(companies.map((company) => [company.id, company]));
  return contacts.map((contact) => {
    const { name, website, phone, country_code, vendor, ad_url } = byId.get(contact.company_id)!;
    const company = { name, website, phone, countryCode: country_code, vendor, adUrl: ad_url };
    return { ...contact, company };
  });
}

export interface CheckedContact {
  id: number;
  state: 'checked' | 'rejected';
  score: number | null;
  status: string | null;
  reason: string | null;
  /** ISO 8601 UTC. */
  checkedAt: string;
}

/** Writes the verdicts of contacts that have none. Returns how many were rejected. */
export async function markChecked(
  trx: Transaction<Database>,
  checked: readonly CheckedContact[],
): Promise<number> {
  const { rows } = await sql<{ state: string }>`
    update lead_process_contacts as contact
    set state = verdict.state, score = verdict.score, status = verdict.status,
      reason = verdict.reason, checked_at = verdict."checkedAt"
    from jsonb_to_recordset(${JSON.stringify(checked)}::jsonb)
      as verdict(id bigint, state text, score integer, status text, reason text,
        "checkedAt" timestamptz)
    where contact.id = verdict.id and contact.state = 'new'
    returning contact.state`.execute(trx);
  return rows.filter(({ state }) => state === 'rejected').length;
}

export async function markAttached(
  trx: Transaction<Database>,
  attached: readonly { id: number; outcome: PersonOutcome['outcome'] }[],
): Promise<void> {
  await sql`
    update lead_process_contacts as contact
    set state = 'attached', outcome = made.outcome
    from jsonb_to_recordset(${JSON.stringify(attached)}::jsonb) as made(id bigint, outcome text)
    where contact.id = made.id`.execute(trx);
}
