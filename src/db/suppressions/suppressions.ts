/** Addresses and domains that must not be written to. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import {
  domainsAbove,
  TAKE_BACK_DAYS,
  type NewSuppression,
  type SuppressionReason,
} from '../../domain/suppressions/suppressions.ts';
import { tombstoneHash } from '../leads/lead-locks.ts';
import type { SuppressionsTable } from '../leads/lead-tables.ts';
import type { Database } from '../tables.ts';

export type Suppression = Selectable<SuppressionsTable>;

/**
 * A later reason overrides an earlier one: lifting a manual entry must not lift a bounce, nor a person's
 * wish.
 */
const BY_WEIGHT: readonly SuppressionReason[] = ['manual', 'bounce', 'unsubscribe', 'complaint'];

/**
 * Adds missing entries; an existing one takes a weightier reason, keeping its own note in addition to the new
 * one, and otherwise stays unchanged, but for one thing: what anybody else wants, too, the recipient cannot take
 * back. The first entry of a value counts. Returns the new ones. At the transaction's commit, leads of the address that were stored meanwhile become suppressed, too, and the
 * address of a person who was erased meanwhile is not kept: see `recheckLeads`.
 */
export async function insertSuppressions(
  trx: Transaction<Database>,
  userId: string,
  entries: readonly NewSuppression[],
): Promise<Suppression[]> {
  const weight = (reason: string) =>
    sql`array_position(${[...BY_WEIGHT]}::text[], ${sql.ref(reason)})`;
  const isWeightier = sql<boolean>`${weight('excluded.reason')} > ${weight('suppressions.reason')}`;
  const byValue = entries.map((entry) => [`${entry.kind} ${entry.value}`, entry] as const);
  const once = [...new Map(byValue.toReversed()).values()];
  const rows = await trx
    .insertInto('suppressions')
    .values(
      once.map(({ byLink = false, ...entry }) => ({ user_id: userId, by_link: byLink, ...entry })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'value'])
        .doUpdateSet({
          reason: sql`case when ${isWeightier} then excluded.reason else suppressions.reason end`,
          note: sql`case when ${isWeightier}
            then nullif(concat_ws('; ', suppressions.note, excluded.note), '')
            else suppressions.note end`,
          by_link: false,
          weightier_at: sql`case when ${isWeightier} then clock_timestamp()
            else suppressions.weightier_at end`,
        })
        .where(sql<boolean>`${isWeightier} or (suppressions.by_link and not excluded.by_link)`),
    )
    .returningAll()
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .execute();
  return rows.filter((row) => row.is_new);
}

/** The entries with these values, of both kinds. */
export const findSuppressionsOf = (
  db: Kysely<Database>,
  userId: string,
  values: readonly string[],
): Promise<Suppression[]> =>
  values.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('suppressions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('value', '=', sql<string>`any(${[...values]}::text[])`)
        .execute();

export const findSuppression = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Suppression | undefined> =>
  db
    .selectFrom('suppressions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Requests of the person: they hold whatever address the person has. */
export const OF_THE_PERSON: readonly SuppressionReason[] = ['unsubscribe', 'complaint'];

/** Whether an entry of the address itself says that the person wants no more mail, whoever wrote it down. */
export async function isWishOfPerson(
  trx: Transaction<Database>,
  userId: string,
  emailKey: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('suppressions')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'email')
    .where('value', '=', emailKey)
    .where('reason', 'in', OF_THE_PERSON)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose unsubscription. */
interface Unsubscribed {
  userId: string;
  emailKey: string;
}

/** Whether a domain of the address is suppressed, too: then the person cannot come back by themselves. */
export async function isOfSuppressedDomain(
  trx: Transaction<Database>,
  { userId, emailKey }: Unsubscribed,
): Promise<boolean> {
  const entries = await findSuppressionsOf(trx, userId, domainsAbove(emailKey));
  return entries.some(({ kind }) => kind === 'domain');
}

/** What the recipient may take back, by the clock that has dated it. */
const isOwn = sql<boolean>`(kind = 'email' and reason = 'unsubscribe' and by_link
  and created_at > now() - ${TAKE_BACK_DAYS} * interval '1 day')`;

/** `id`: no later entry. Undefined where there is none, as after another request has taken it back. */
export const deleteOwnUnsubscription = (
  trx: Transaction<Database>,
  { userId, emailKey, id }: Unsubscribed & { id: number },
): Promise<Suppression | undefined> =>
  trx
    .deleteFrom('suppressions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('value', '=', emailKey)
    .where(isOwn)
    .returningAll()
    .executeTakeFirst();

export async function deleteSuppression(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('suppressions').where('id', '=', id).execute();
}

/** Who has lifted an entry; `note`: who asked the owner for it. */
export interface LiftedFor {
  note: string;
  lifted_by: 'owner' | 'recipient';
}

/** Records who lifted it, and for what; answers its id. */
export async function noteLifting(
  trx: Transaction<Database>,
  { id, user_id, kind, value, reason }: Suppression,
  lifted: LiftedFor & { lifted_leads: number },
): Promise<number> {
  const row = { user_id, suppression_id: id, kind, value, reason, ...lifted };
  const noted = trx.insertInto('lifted_suppressions').values(row).returning('id');
  return (await noted.executeTakeFirstOrThrow()).id;
}

/** Which of the keys (`emailKey`) belong to erased people. */
export async function erasedEmails(
  db: Kysely<Database>,
  userId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const byHash = new Map(
    keys.map((key) => [tombstoneHash(userId, `email:${key}`).toString('hex'), key]),
  );
  if (byHash.size === 0) return new Set();
  const rows = await db
    .selectFrom('erasure_tombstones')
    .select('key_hash')
    .where('user_id', '=', userId)
    .where(
      'key_hash',
      'in',
      [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex')),
    )
    .execute();
  return new Set(rows.map(({ key_hash }) => byHash.get(key_hash.toString('hex'))!));
}
