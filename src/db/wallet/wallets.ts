/** Reading a wallet: balances, transactions, holds; and its settings. Moving money is ledger.ts. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { TransactionType } from '../../domain/wallet/wallet-transactions.ts';
import { ensureWallet } from './ledger-posting.ts';
import type { Database } from '../tables.ts';
import type { LedgerTransactionsTable } from './wallet-tables.ts';

/** Integer cents; `balanceCents` is the user's total: available and held. */
export interface Wallet {
  balanceCents: number;
  availableCents: number;
  heldCents: number;
  owedCents: number;
  lowBalanceThresholdCents: number | null;
}

export type WalletTransaction = Selectable<LedgerTransactionsTable>;

export interface TransactionFilter {
  type?: TransactionType | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** The user's balances; all zero for a user who never had money here. */
export async function findWallet(db: Kysely<Database>, userId: string): Promise<Wallet> {
  const row = await db
    .selectFrom('wallets')
    .select(['available_cents', 'held_cents', 'owed_cents', 'low_balance_threshold_cents'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const availableCents = row?.available_cents ?? 0;
  const heldCents = row?.held_cents ?? 0;
  return {
    balanceCents: availableCents + heldCents,
    availableCents,
    heldCents,
    owedCents: row?.owed_cents ?? 0,
    lowBalanceThresholdCents: row?.low_balance_threshold_cents ?? null,
  };
}

/** Sets the threshold of the low-balance notice; null switches it off. */
export async function updateWalletSettings(
  trx: Transaction<Database>,
  userId: string,
  settings: { lowBalanceThresholdCents: number | null },
): Promise<void> {
  await ensureWallet(trx, userId);
  await trx
    .updateTable('wallets')
    .set({
      low_balance_threshold_cents: settings.lowBalanceThresholdCents,
      updated_at: sql`now()`,
    })
    .where('user_id', '=', userId)
    .execute();
}

/** One page of the user's transactions, newest first, and how many there are in all. */
export async function listTransactions(
  db: Kysely<Database>,
  userId: string,
  options: { filter: TransactionFilter; limit: number; offset: number },
): Promise<{ transactions: WalletTransaction[]; total: number }> {
  const { type, from, to } = options.filter;
  let query = db.selectFrom('ledger_transactions').where('user_id', '=', userId);
  if (type) query = query.where('type', '=', type);
  if (from) query = query.where('created_at', '>=', from);
  if (to) query = query.where('created_at', '<', to);
  const counted = await query
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const transactions = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(options.limit)
    .offset(options.offset)
    .execute();
  return { transactions, total: Number(counted.total) };
}
