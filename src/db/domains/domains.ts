/** Domains of users, bought or to be bought. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { DomainsTable } from './domain-tables.ts';
import type { Database } from '../tables.ts';

export type Domain = Selectable<DomainsTable>;

/** Claims the name. Undefined when it is live already, in this or another user's account. */
export const insertDomain = (
  trx: Transaction<Database>,
  domain: { userId: string; name: string; provider: string },
): Promise<Domain | undefined> =>
  trx
    .insertInto('domains')
    .values({ user_id: domain.userId, name: domain.name, provider: domain.provider })
    .onConflict((conflict) =>
      conflict.column('name').where('status', 'in', ['pending', 'active']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

/** The live (pending or active) domain of this name, whoever owns it. */
export const findLiveDomain = (db: Kysely<Database>, name: string): Promise<Domain | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', name)
    .where('status', 'in', ['pending', 'active'])
    .executeTakeFirst();

/** Which of these names are live, in any account. */
export async function listLiveNames(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom('domains')
    .select('name')
    .where('name', 'in', [...names])
    .where('status', 'in', ['pending', 'active'])
    .execute();
  return new Set(rows.map(({ name }) => name));
}

export const getDomain = (db: Kysely<Database>, id: number): Promise<Domain> =>
  db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The domain, locked until the transaction ends. */
export const lockDomain = (trx: Transaction<Database>, id: number): Promise<Domain> =>
  trx.selectFrom('domains').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

export const findUserDomain = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Domain | undefined> =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A page of a user's domains, newest first; failed purchases only when asked for. */
export async function listDomains(
  db: Kysely<Database>,
  userId: string,
  page: { status?: Domain['status'] | undefined; limit: number; offset: number },
): Promise<{ rows: Domain[]; total: number }> {
  let query = db.selectFrom('domains').where('user_id', '=', userId);
  query = page.status
    ? query.where('status', '=', page.status)
    : query.where('status', '!=', 'failed');
  const [rows, count] = await Promise.all([
    query.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(count.total) };
}

/** The domain is bought. Safe to repeat. */
export async function markDomainBought(
  trx: Transaction<Database>,
  id: number,
  purchase: {
    purchasedAt: Date;
    expiresAt: Date;
    orderRef: string | null;
    costCents: number | null;
  },
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({
      status: 'active',
      purchased_at: purchase.purchasedAt,
      expires_at: purchase.expiresAt,
      order_ref: purchase.orderRef,
      cost_cents: purchase.costCents,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
}

/** At which registrar a name is being bought; a bought name stays where it is. */
export async function setPurchaseProvider(
  trx: Transaction<Database>,
  id: number,
  provider: string,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ provider, updated_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Frees the name of a failed purchase, and records why. Safe to repeat. */
export async function markDomainFailed(
  db: Kysely<Database>,
  id: number,
  error: { code: string; message: string },
): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      status: 'failed',
      error_code: error.code,
      error_message: error.message,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', '!=', 'active')
    .execute();
}

/** Whether it renews by itself before its end. */
export async function setAutoRenew(
  db: Kysely<Database>,
  id: number,
  autoRenew: boolean,
): Promise<void> {
  await db
    .updateTable('domains')
    .set({ auto_renew: autoRenew, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** Records that an operation added, so that its undo removes these and no others. */
export interface PublishedRecord {
  operationId: number;
  domainId: number;
  type: string;
  name: string;
  value: string;
  priority: number | null;
  /** When the registrar is asked to make it. */
  askedAt: Date;
}

/**
 * Written each time before the record is created at the registrar. True where the row is new: then no earlier
 * attempt can have made the record.
 */
export async function upsertPublishedRecord(
  db: Kysely<Database>,
  record: PublishedRecord,
): Promise<{ id: number; isNew: boolean }> {
  const { id, is_new } = await db
    .insertInto('published_records')
    .values({
      operation_id: record.operationId,
      domain_id: record.domainId,
      type: record.type,
      name: record.name,
      value: record.value,
      priority: record.priority,
      asked_at: record.askedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['operation_id', 'type', 'name', 'value'])
        .doUpdateSet({ asked_at: record.askedAt, seen_at: null }),
    )
    // A row that was never updated has no `xmax`.
    .returning(['id', sql<boolean>`xmax = 0`.as('is_new')])
    .executeTakeFirstOrThrow();
  return { id, isNew: is_new };
}

export const listPublishedRecords = (db: Kysely<Database>, operationId: number) =>
  db
    .selectFrom('published_records')
    .selectAll()
    .where('operation_id', '=', operationId)
    .orderBy('id')
    .execute();

/**
 * Called before the record is deleted at the registrar: the record has been seen there, so a retry after a
 * crash knows that a missing record is deleted, not delayed. Publishing it again resets the time.
 */
export const notePublishedRecordSeen = (db: Kysely<Database>, id: number, at: Date) =>
  db.updateTable('published_records').set({ seen_at: at }).where('id', '=', id).execute();

export const deletePublishedRecord = (db: Kysely<Database>, id: number) =>
  db.deleteFrom('published_records').where('id', '=', id).execute();
