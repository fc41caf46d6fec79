/** Renewals of domains: one at a time and one per expiry, each with the operation behind it. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { RenewalTrouble } from '../../domain/domains/domain-health.ts';
import { isOutdated, isRenewed } from '../../domain/domains/domain-renewals.ts';
import { lockDomain, type Domain } from './domains.ts';
import type { DomainRenewalsTable } from './domain-tables.ts';
import type { Database } from '../tables.ts';

export type DomainRenewal = Selectable<DomainRenewalsTable>;

export const getRenewal = (db: Kysely<Database>, id: number): Promise<DomainRenewal> =>
  db.selectFrom('domain_renewals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The newest renewal of each of these domains, by its id. */
export async function findLatestRenewals(
  db: Kysely<Database>,
  domainIds: readonly number[],
): Promise<Map<number, DomainRenewal>> {
  if (domainIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('domain_renewals')
    .distinctOn('domain_id')
    .selectAll()
    .where('domain_id', 'in', [...domainIds])
    .orderBy('domain_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.domain_id, row]));
}

/**
 * The registrar's expiry date is authoritative: a person may have renewed the domain there. False, with
 * nothing changed, where this snapshot predates a renewal of ours, which would then be bought twice.
 */
export const setExpiry = (db: Kysely<Database>, snapshot: ExpirySnapshot): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { domainId, expiresAt } = snapshot;
    await lockDomain(trx, domainId);
    if (await isBehindRenewal(trx, snapshot)) return false;
    await moveExpiry(trx, domainId, expiresAt);
    return true;
  });

/** The end of a term, as the registrar reports it. */
export interface ExpirySnapshot {
  domainId: number;
  expiresAt: Date;
  now: Date;
}

/**
 * Whether this expiry was read before a renewal of ours. The caller holds the domain's lock, under which
 * renewals are recorded.
 */
export async function isBehindRenewal(
  trx: Transaction<Database>,
  { domainId, expiresAt, now }: ExpirySnapshot,
): Promise<boolean> {
  const last = await trx
    .selectFrom('domain_renewals')
    .select(['updated_at as at', 'new_expires_at as until'])
    .where('domain_id', '=', domainId)
    .where('state', '=', 'done')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const renewed = last?.until ? { at: last.at, until: last.until } : undefined;
  return isOutdated(expiresAt, renewed, now);
}

async function moveExpiry(trx: Transaction<Database>, id: number, expiresAt: Date): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ expires_at: expiresAt, updated_at: new Date() })
    .where('id', '=', id)
    .where('expires_at', 'is distinct from', expiresAt)
    .execute();
}

/** The renewal succeeded; the caller holds the domain's lock. */
export async function markRenewed(
  trx: Transaction<Database>,
  renewal: DomainRenewal,
  bought: { expiresAt: Date; orderRef: string | null; costCents: number | null },
): Promise<void> {
  await trx
    .updateTable('domain_renewals')
    .set({
      state: 'done',
      new_expires_at: bought.expiresAt,
      order_ref: bought.orderRef,
      cost_cents: bought.costCents,
      updated_at: new Date(),
    })
    .where('id', '=', renewal.id)
    .execute();
  await moveExpiry(trx, renewal.domain_id, bought.expiresAt);
}

/**
 * Records why a term could not be extended where no renewal was even begun, for clients to see. The same
 * refusal is kept once, in its newest words. Safe to repeat.
 */
export const insertRefusedRenewal = (
  db: Kysely<Database>,
  snapshot: ExpirySnapshot,
  error: { code: string; message: string },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { domainId, expiresAt } = snapshot;
    const { user_id } = await lockDomain(trx, domainId);
    if (await isBehindRenewal(trx, snapshot)) return;
    const latest = (await findLatestRenewals(trx, [domainId])).get(domainId);
    if (latest?.state === 'pending') return;
    if (latest && failureOf(latest, expiresAt) === error.code) {
      await trx
        .updateTable('domain_renewals')
        .set({ error_message: error.message, updated_at: new Date() })
        .where('id', '=', latest.id)
        .execute();
      return;
    }
    await trx
      .insertInto('domain_renewals')
      .values({
        user_id,
        domain_id: domainId,
        expires_at: expiresAt,
        state: 'failed',
        error_code: error.code,
        error_message: error.message,
      })
      .execute();
  });

/** The error code of the failed renewal of this term; null where it did not fail. */
export const failureOf = (renewal: DomainRenewal | undefined, expiresAt: Date): string | null =>
  renewal?.state === 'failed' && !isRenewed(renewal.expires_at, expiresAt)
    ? renewal.error_code
    : null;

/** The error code for which a renewal is blocked; null where it is not. */
export async function findBlock(db: Kysely<Database>, renewalId: number): Promise<string | null> {
  const row = await db
    .selectFrom('operations')
    .select('error_code')
    .where('resource_type', '=', 'domain_renewal')
    .where('resource_id', '=', renewalId)
    .where('blocked_at', 'is not', null)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return row?.error_code ?? null;
}

/** Why the term of a domain was not extended; undefined where nothing prevents it. */
export async function findRenewalTrouble(
  db: Kysely<Database>,
  { id, expires_at: expiresAt }: Pick<Domain, 'id' | 'expires_at'>,
): Promise<RenewalTrouble | undefined> {
  if (expiresAt === null) return undefined;
  const latest = (await findLatestRenewals(db, [id])).get(id);
  const failed = failureOf(latest, expiresAt);
  if (failed !== null) return { state: 'failed', code: failed };
  const blocked = latest?.state === 'pending' ? await findBlock(db, latest.id) : null;
  return blocked === null ? undefined : { state: 'blocked', code: blocked };
}

/** Frees the claim of a renewal that was given up. Safe to repeat. */
export async function markRenewalFailed(
  trx: Transaction<Database>,
  id: number,
  error: { code: string; message: string } | undefined,
): Promise<void> {
  await trx
    .updateTable('domain_renewals')
    .set({
      state: 'failed',
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}
