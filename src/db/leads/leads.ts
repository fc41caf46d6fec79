/** Changing and deleting leads; only imports create them (lead-groups.ts). */
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import { NO_VERDICT } from '../../domain/email-validation/email-validation.ts';
import { forbiddenBy, type PersonKeys } from '../../domain/leads/lead-keys.ts';
import { lockRecipientsOfLeads, tombstoneHash } from './lead-locks.ts';
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
