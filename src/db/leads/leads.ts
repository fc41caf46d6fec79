/** Changing and deleting leads; only imports create them (lead-groups.ts). */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import { NO_VERDICT } from '../../domain/email-validation/email-validation.ts';
import { forbiddenBy, type PersonKeys } from '../../domain/leads/lead-keys.ts';
import { lockUserCompany } from './companies.ts';
import { lockAccountLeads, lockRecipientsOfLeads, tombstoneHash } from './lead-locks.ts';
import { isKeptLead } from './deleted-lists.ts';
import type { LeadsTable } from './lead-tables.ts';
import type { Database } from '../tables.ts';

/** The lead, locked until the transaction ends; undefined when the user has no such lead. */
export const lockUserLead = (trx: Transaction<Database>, userId: string, id: number) =>
  trx
    .selectFrom('leads')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(isKeptLead('leads', userId))
    .forUpdate()
    .executeTakeFirst();

export async function updateLead(
  trx: Transaction<Database>,
  id: number,
  changes: Updateable<LeadsTable>,
): Promise<void> {
  await trx
    .updateTable('leads')
    .set({ ...changes, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

export async function isSuppressed(
  db: Kysely<Database>,
  userId: string,
  emailKey: string,
): Promise<boolean> {
  const { rows } = await sql<{
    yes: boolean;
  }>`select is_suppressed(${userId}, ${emailKey}) as yes`.execute(db);
  return rows[0]!.yes;
}

/** Whether a person with one of the keys was erased in this account. */
export async function isErased(
  db: Kysely<Database>,
  userId: string,
  keys: PersonKeys,
): Promise<boolean> {
  const hashes = forbiddenBy(keys).map((key) => tombstoneHash(userId, key));
  if (hashes.length === 0) return false;
  const found = await db
    .selectFrom('erasure_tombstones')
    .select('key_hash')
    .where('user_id', '=', userId)
    .where('key_hash', 'in', hashes)
    .executeTakeFirst();
  return found !== undefined;
}

/** The leads of the user that have the address, the one with the newest verdict first, what tells nothing last. */
export const listLeadsByEmail = (
  db: Kysely<Database>,
  userId: string,
  emailKey: string,
): Promise<Pick<Selectable<LeadsTable>, 'id' | 'company_id' | 'status' | VerdictColumn>[]> =>
  db
    .selectFrom('leads')
    .select(['id', 'company_id', 'status', ...VERDICT_COLUMNS])
    .where('user_id', '=', userId)
    .where('email_key', '=', emailKey)
    .where(isKeptLead('leads', userId))
    .orderBy(sql`coalesce(validation_reason = any(${NO_VERDICT}::text[]), false)`)
    .orderBy('validated_at', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute();

/** The columns of a verifier's result for a lead's address. */
export const VERDICT_COLUMNS = [
  'validation_score',
  'email_valid',
  'validation_status',
  'validation_reason',
  'validated_at',
] as const;
type VerdictColumn = (typeof VERDICT_COLUMNS)[number];

/** Deletes the user's leads among the ids; returns which they were. Lock order: recipients, leads. */
export async function deleteLeads(
  trx: Transaction<Database>,
  userId: string,
  ids: readonly number[],
): Promise<number[]> {
  const own = trx
    .selectFrom('leads')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where(isKeptLead('leads', userId))
    // In the order in which imports lock leads that they fill in.
    .orderBy('id');
  // A cascade would lock recipients after their leads.
  await lockRecipientsOfLeads(
    trx,
    (await own.execute()).map(({ id }) => id),
  );
  const deleted = await trx
    .deleteFrom('leads')
    .where('id', 'in', own.forUpdate())
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}

/** Removes these leads with their recipients. Lock order: recipients, leads. */
export async function removeLeadRows(
  trx: Transaction<Database>,
  ids: readonly number[],
): Promise<void> {
  await lockRecipientsOfLeads(trx, ids);
  await sql`select from leads where id = any (${ids}::bigint[]) order by id for update`.execute(
    trx,
  );
  // In one statement: a cascade would update their campaigns' counts lead by lead.
  await sql`delete from recipients where lead_id = any (${ids}::bigint[])`.execute(trx);
  await sql`delete from leads where id = any (${ids}::bigint[])`.execute(trx);
}

/**
 * Removes leads of a company that has more than a portion of them, so that deleting it takes no longer than a
 * statement may, and holds the account no longer than imports should wait. Returns how many; 0: the rest is small.
 */
export async function removeCompanyPortion(
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
  portion: number,
): Promise<number> {
  await lockAccountLeads(trx, userId);
  if (!(await lockUserCompany(trx, userId, id))) return 0;
  const some = trx.selectFrom('leads').select('id').where('company_id', '=', id);
  const leads = await some.limit(portion + 1).execute();
  if (leads.length <= portion) return 0;
  const ids = leads.slice(0, portion).map((lead) => lead.id);
  await removeLeadRows(trx, ids);
  return ids.length;
}

/** Deletes the company and its leads. Undefined when the user has no such company. */
export async function deleteCompany(
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<{ leads: number; leadListId: number | null } | undefined> {
  await lockAccountLeads(trx, userId);
  const company = await lockUserCompany(trx, userId, id);
  if (!company) return undefined;
  const all = trx.selectFrom('leads').select('id').where('company_id', '=', id);
  const leads = (await all.execute()).map((lead) => lead.id);
  await removeLeadRows(trx, leads);
  await trx.deleteFrom('companies').where('id', '=', id).execute();
  return { leads: leads.length, leadListId: company.lead_list_id };
}

/** The companies of those of the given leads that are the user's. */
export const findLeadCompanies = (
  db: Kysely<Database>,
  userId: string,
  ids: readonly number[],
): Promise<{ id: number; company_id: number | null }[]> =>
  db
    .selectFrom('leads')
    .select(['id', 'company_id'])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where(isKeptLead('leads', userId))
    .orderBy('id')
    .execute();
