/**
 * Erasing a person: everything that speaks of him goes, and hashes of what would bring him back stay.
 * Whoever keeps people in a table of his own adds a place to `erasure-places.ts`, and puts nobody
 * there whom `isErased` (leads.ts) forbids: a test searches every column of every table.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import { erasedPerson } from '../domain/erased-person.ts';
import { tombstoneKeys, type PersonKeys } from '../domain/lead-keys.ts';
import { eraseCompanies, ERASURE_PLACES, type ErasurePlace } from './erasure-places.ts';
import { forgetAnswersWithPeople } from './idempotency-keys.ts';
import { lockAccountLeads, tombstoneHash } from './lead-locks.ts';
import type { Database } from './tables.ts';

/** What was erased, by place. */
export type ErasureCounts = Record<'leads' | 'companies' | ErasurePlace, number>;

/** A lead that may be the person. */
export interface LeadToErase extends PersonKeys {
  id: number;
  companyId: number | null;
}

/** Jobs that may be storing the person right now: each is waited for, and sees the tombstones next. */
const JOBS = [
  ['lead_imports', ['processing']],
  ['lead_processes', ['processing', 'paused']],
  ['maps_runs', ['queued', 'running', 'enriching']],
  ['maps_imports', ['running']],
  ['email_validation_jobs', ['processing']],
] as const;

/** Takes the locks of jobs and imports in their order: job, account. Call it first. */
export async function lockForErasure(trx: Transaction<Database>, userId: string): Promise<void> {
  for (const [table, statuses] of JOBS) {
    await sql`select id from ${sql.table(table)}
      where user_id = ${userId} and status = any (${[...statuses]})
      order by id for update`.execute(trx);
  }
  await lockAccountLeads(trx, userId);
}

/** Leads with this id, or with one of the keys; null keys match nothing. */
export async function findLeadsToErase(
  db: Kysely<Database>,
  userId: string,
  by: { id: number } | Omit<PersonKeys, 'nameKey'>,
): Promise<LeadToErase[]> {
  const rows = await db
    .selectFrom('leads')
    .select(['id', 'company_id', 'email_key', 'profile_key', 'phone_key', 'name_key'])
    .where('user_id', '=', userId)
    .where((eb) =>
      'id' in by
        ? eb('id', '=', by.id)
        : eb.or([
            eb('email_key', '=', by.emailKey),
            eb('profile_key', '=', by.profileKey),
            eb('phone_key', '=', by.phoneKey),
          ]),
    )
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    companyId: row.company_id,
    emailKey: row.email_key,
    profileKey: row.profile_key,
    phoneKey: row.phone_key,
    nameKey: row.name_key,
  }));
}

/**
 * Deletes the leads and every other trace of the person, and writes the tombstones that keep all
 * imports from storing him again. `given`: keys that the request named, known or not. Needs
 * `lockForErasure`.
 */
export async function erasePerson(
  trx: Transaction<Database>,
  userId: string,
  { leads, given }: { leads: readonly LeadToErase[]; given: readonly PersonKeys[] },
): Promise<ErasureCounts> {
  const keys = [...given, ...leads];
  const ids = leads.map(({ id }) => id);
  if (ids.length > 0) await trx.deleteFrom('leads').where('id', 'in', ids).execute();
  const shared = await findSharedKeys(trx, userId, keys);
  const person = erasedPerson(keys, shared);
  await insertTombstones(
    trx,
    userId,
    keys.flatMap((each) => tombstoneKeys(each, (key) => shared.has(key))),
  );
  await forgetAnswersWithPeople(trx, userId);
  const counts = { leads: ids.length } as ErasureCounts;
  const companyIds = [...new Set(leads.flatMap(({ companyId }) => companyId ?? []))];
  counts.companies = await eraseCompanies(trx, { userId, companyIds }, person);
  for (const [place, erase] of Object.entries(ERASURE_PLACES)) {
    counts[place as ErasurePlace] = await erase(trx, userId, person);
  }
  return counts;
}

/** Numbers and pages that other leads of the account have, too: a switchboard, a company's page. */
async function findSharedKeys(
  trx: Transaction<Database>,
  userId: string,
  keys: readonly PersonKeys[],
): Promise<ReadonlySet<string>> {
  const phones = keys.flatMap(({ phoneKey }) => phoneKey ?? []);
  const profiles = keys.flatMap(({ profileKey }) => profileKey ?? []);
  const { rows } = await sql<{ key: string }>`
    select phone_key as key from leads
    where user_id = ${userId} and phone_key = any (${phones}::text[])
    union
    select profile_key from leads
    where user_id = ${userId} and profile_key = any (${profiles}::text[])`.execute(trx);
  return new Set(rows.map(({ key }) => key));
}

async function insertTombstones(
  trx: Transaction<Database>,
  userId: string,
  keys: readonly string[],
): Promise<void> {
  const words = [...new Set(keys)];
  if (words.length === 0) return;
  await trx
    .insertInto('erasure_tombstones')
    .values(words.map((word) => ({ user_id: userId, key_hash: tombstoneHash(userId, word) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
