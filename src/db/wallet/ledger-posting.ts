/** How a movement is written: under the wallet's row lock, as one transaction with its entries. */
import { sql, type Transaction } from 'kysely';
import { assertCents } from '../../domain/wallet/money.ts';
import type { TransactionType } from '../../domain/wallet/wallet-transactions.ts';
import { insertEvents } from '../webhooks/events.ts';
import type { Database } from '../tables.ts';
import type { SystemAccountKind, UserAccountKind } from './wallet-tables.ts';

/** Balances of a locked wallet; a posting changes this object, `saveWallet` writes it. */
export interface LockedWallet {
  readonly userId: string;
  /** When it was locked. */
  readonly availableBeforeCents: number;
  /** The client is told when less than this is available; null = never. */
  readonly lowBalanceThresholdCents: number | null;
  availableCents: number;
  heldCents: number;
  owedCents: number;
}

/** Names of a movement: on the wire, and for its caller (`operationKey`, once only). */
export interface Movement {
  operationKey: string;
  referenceType: string;
  referenceId: string;
  description: string;
}

/** Entries by account; they sum to zero. */
type Entries = Partial<Record<UserAccountKind | SystemAccountKind, number>>;

export interface Posting extends Movement {
  type: TransactionType;
  /** Signed, as `GET /wallet/transactions` shows it. */
  amountCents: number;
  entries: Entries;
}

/**
 * Locks the user's wallet (a new one is made) until the end of the transaction: whatever moves
 * money of one user is serialised by this row.
 */
export async function lockWallet(
  trx: Transaction<Database>,
  userId: string,
): Promise<LockedWallet> {
  const found = await readLocked(trx, userId);
  if (found) return found;
  await ensureWallet(trx, userId);
  return (await readLocked(trx, userId))!;
}

/** Makes the wallet and its accounts, if they are missing. */
export async function ensureWallet(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx
    .insertInto('wallets')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx
    .insertInto('ledger_accounts')
    .values(
      (['available', 'held', 'receivable'] as const).map((kind) => ({ user_id: userId, kind })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes one transaction with its entries and applies it to the locked wallet in memory. */
export async function post(
  trx: Transaction<Database>,
  wallet: LockedWallet,
  posting: Posting,
): Promise<{ transactionId: number }> {
  const { entries } = posting;
  wallet.availableCents += entries.available ?? 0;
  wallet.heldCents += entries.held ?? 0;
  wallet.owedCents -= entries.receivable ?? 0;
  const kinds = Object.keys(entries);
  const amounts = Object.values(entries);
  amounts.forEach(assertCents);
  const { rows } = await sql<{ id: number }>`
    with posted as (
      insert into ledger_transactions (user_id, type, amount_cents, balance_after_cents,
        reference_type, reference_id, description, operation_key)
      values (${wallet.userId}, ${posting.type}, ${posting.amountCents},
        ${wallet.availableCents + wallet.heldCents}, ${posting.referenceType},
        ${posting.referenceId}, ${posting.description}, ${posting.operationKey})
      returning id
    ), entered as (
      insert into ledger_entries (transaction_id, account_id, amount_cents)
      select posted.id, account.id, entry.amount_cents
      from posted, unnest(${kinds}::text[], ${amounts}::bigint[]) as entry (kind, amount_cents)
      join ledger_accounts account on account.kind = entry.kind
        and (account.user_id = ${wallet.userId} or account.user_id is null)
    )
    select id from posted`.execute(trx);
  return { transactionId: Number(rows[0]!.id) };
}

/** Settles debt from money that has just become available. */
export async function settleOwed(
  trx: Transaction<Database>,
  wallet: LockedWallet,
  cause: Movement,
): Promise<void> {
  const amountCents = Math.min(wallet.owedCents, wallet.availableCents);
  if (amountCents === 0) return;
  await post(trx, wallet, {
    referenceType: cause.referenceType,
    referenceId: cause.referenceId,
    operationKey: `${cause.operationKey}:settle`,
    description: 'Settlement of the amount owed',
    type: 'adjustment',
    amountCents: -amountCents,
    entries: { available: -amountCents, receivable: amountCents },
  });
}

/**
 * Writes the cached balances; the table's checks refuse anything below zero. Tells the client when
 * what is available has just fallen below the threshold.
 */
export async function saveWallet(trx: Transaction<Database>, wallet: LockedWallet): Promise<void> {
  await trx
    .updateTable('wallets')
    .set({
      available_cents: wallet.availableCents,
      held_cents: wallet.heldCents,
      owed_cents: wallet.owedCents,
      updated_at: sql`now()`,
    })
    .where('user_id', '=', wallet.userId)
    .execute();
  await tellIfLow(trx, wallet);
}

async function tellIfLow(trx: Transaction<Database>, wallet: LockedWallet): Promise<void> {
  const { userId, availableBeforeCents, availableCents } = wallet;
  const thresholdCents = wallet.lowBalanceThresholdCents;
  if (thresholdCents === null) return;
  if (availableBeforeCents < thresholdCents || availableCents >= thresholdCents) return;
  const payload = { availableCents, thresholdCents };
  await insertEvents(trx, [{ userId, type: 'wallet.low_balance', resource: 'wallet', payload }]);
}

/**
 * The transaction of an operation that was posted before. Requires the wallet's lock. Throws when the key
 * belongs to another user or type: that is a programming error.
 */
export async function findOperation(
  trx: Transaction<Database>,
  operation: { userId: string; type: TransactionType; operationKey: string },
): Promise<{ id: number; amount_cents: number } | undefined> {
  const found = await trx
    .selectFrom('ledger_transactions')
    .select(['id', 'user_id', 'type', 'amount_cents'])
    .where('operation_key', '=', operation.operationKey)
    .executeTakeFirst();
  if (!found) return undefined;
  if (found.user_id !== operation.userId || found.type !== operation.type) {
    throw new Error(`operation key ${operation.operationKey} was used for another ${found.type}`);
  }
  return found;
}

async function readLocked(trx: Transaction<Database>, userId: string) {
  const row = await trx
    .selectFrom('wallets')
    .select(['available_cents', 'held_cents', 'owed_cents', 'low_balance_threshold_cents'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return (
    row && {
      userId,
      availableBeforeCents: row.available_cents,
      lowBalanceThresholdCents: row.low_balance_threshold_cents,
      availableCents: row.available_cents,
      heldCents: row.held_cents,
      owedCents: row.owed_cents,
    }
  );
}

/** The capture under this key, in positive cents, with the reference under which it may be refunded. */
export async function findCapture(
  trx: Transaction<Database>,
  { userId, operationKey }: { userId: string; operationKey: string },
): Promise<{ amountCents: number; referenceType: string; referenceId: string } | undefined> {
  const found = await trx
    .selectFrom('ledger_transactions')
    .select(['amount_cents', 'reference_type', 'reference_id'])
    .where('operation_key', '=', operationKey)
    .where('user_id', '=', userId)
    .where('type', '=', 'capture')
    .executeTakeFirst();
  return (
    found && {
      amountCents: -found.amount_cents,
      referenceType: found.reference_type,
      referenceId: found.reference_id,
    }
  );
}
