/**
 * Erases a person: all their data is deleted; hashes stay that prevent storing them again. Code that stores
 * people in a table of its own adds a place to `erase-places.ts`, and stores nobody whom `isErased`
 * (leads.ts) forbids: a test searches every column of every table.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import { erasedPerson, type ErasedPerson } from '../../domain/suppressions/erased-person.ts';
import { tombstoneKeys, type PersonKeys } from '../../domain/leads/lead-keys.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { eraseCompanies, ERASURE_PLACES, type ErasurePlace } from './erase-places.ts';
import { forgetAnswers } from '../../db/accounts/idempotency-keys.ts';
import { lockAccountLeads, tombstoneHash } from '../../db/leads/lead-locks.ts';
import type { Database } from '../../db/tables.ts';

/** The number of erased rows, by place. */
export type ErasureCounts = Record<'leads' | 'companies' | ErasurePlace, number>;

/** A lead that may be the person. */
export interface LeadToErase extends PersonKeys {
  id: number;
  companyId: number | null;
}

/** Jobs that may be storing the person right now: each is waited for, and then sees the tombstones. */
const JOBS = [
  ['lead_imports', ['processing']],
  ['lead_processes', ['processing', 'paused']],
  ['maps_runs', ['queued', 'running', 'enriching']],
  ['maps_imports', ['running']],
  ['email_validation_jobs', ['processing']],
] as const;

/**
 * Takes the locks of jobs and imports in their order: job, account. Call it first, and keep the transaction
 * short: imports wait for it.
 */
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

/** The person of a request: their leads, and the keys in the request, known or not. */
export interface PersonToErase {
  leads: readonly LeadToErase[];
  given: readonly PersonKeys[];
}

/**
 * The first step: writes the tombstones that prevent storing the person again, and removes their leads from
 * campaigns. The leads are kept until all else is erased, so that an interrupted erasure finds them again.
 * Needs `lockForErasure`; returns what the next steps search for.
 */
export async function forbidPerson(
  trx: Transaction<Database>,
  userId: string,
  { leads, given }: PersonToErase,
): Promise<ErasedPerson> {
  const keys = [...given, ...leads];
  const ids = leads.map(({ id }) => id);
  await sql`delete from recipients where lead_id = any (${ids}::bigint[])`.execute(trx);
  const shared = await findSharedKeys(trx, userId, { keys, ids });
  await insertTombstones(
    trx,
    userId,
    keys.flatMap((each) => tombstoneKeys(each, (key) => shared.has(key))),
  );
  return erasedPerson(keys, shared);
}

/**
 * The second step: all other data of the person, place by place, each in transactions of its own. Data erased
 * before is not found again.
 */
export async function eraseTraces(
  db: Kysely<Database>,
  userId: string,
  { person, leadIds }: { person: ErasedPerson; leadIds: readonly number[] },
): Promise<Record<ErasurePlace, number>> {
  const counts = {} as Record<ErasurePlace, number>;
  for (const [place, erase] of Object.entries(ERASURE_PLACES)) {
    counts[place as ErasurePlace] = await despiteDeadlocks(() =>
      erase(db, userId, person, leadIds),
    );
  }
  return counts;
}

/** The last step: their leads, and stored responses, any of which may contain them. */
export async function eraseLeads(
  trx: Transaction<Database>,
  userId: string,
  { person, leads }: { person: ErasedPerson; leads: readonly LeadToErase[] },
): Promise<Pick<ErasureCounts, 'leads' | 'companies'>> {
  await lockAccountLeads(trx, userId);
  const ids = leads.map(({ id }) => id);
  const { rows } = await sql<{ id: number }>`
    delete from leads where id = any (${ids}::bigint[]) returning id`.execute(trx);
  await forgetAnswers(trx, userId);
  const companyIds = [...new Set(leads.flatMap(({ companyId }) => companyId ?? []))];
  const companies = await eraseCompanies(trx, { userId, companyIds }, person);
  return { leads: rows.length, companies };
}

/** Phone numbers and pages shared with other people of the account: a switchboard, a company's page. */
async function findSharedKeys(
  trx: Transaction<Database>,
  userId: string,
  { keys, ids }: { keys: readonly PersonKeys[]; ids: readonly number[] },
): Promise<ReadonlySet<string>> {
  const phones = keys.flatMap(({ phoneKey }) => phoneKey ?? []);
  const profiles = keys.flatMap(({ profileKey }) => profileKey ?? []);
  const { rows } = await sql<{ key: string }>`
    select phone_key as key from leads
    where user_id = ${userId} and phone_key = any (${phones}::text[])
      and id <> all (${ids}::bigint[])
    union
    select profile_key from leads
    where user_id = ${userId} and profile_key = any (${profiles}::text[])
      and id <> all (${ids}::bigint[])`.execute(trx);
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
