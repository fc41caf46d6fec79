/** Rows of holds: what a wallet has set aside, and for what. Only the ledger changes them. */
import type { Transaction } from 'kysely';
import { lockWallet } from './ledger-posting.ts';
import type { Database } from '../tables.ts';

/**
 * The hold as it is once whoever moves its user's money has committed. The wallet's lock comes before the
 * hold is read: holds have no lock of their own.
 */
export async function lockHold(trx: Transaction<Database>, holdId: number) {
  const { user_id } = await trx
    .selectFrom('holds')
    .select('user_id')
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();
  const wallet = await lockWallet(trx, user_id);
  const held = await trx
    .selectFrom('holds')
    .selectAll()
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();
  return { wallet, held };
}

/** The hold that a transaction of the ledger has made. */
export async function holdOf(trx: Transaction<Database>, transactionId: number): Promise<number> {
  const row = await trx
    .selectFrom('holds')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow();
  return row.id;
}
