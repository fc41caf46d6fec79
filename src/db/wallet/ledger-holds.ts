/** Rows of holds: amounts that a wallet has set aside, and their purpose. Only the ledger changes them. */
import type { Transaction } from 'kysely';
import { lockWallet } from './ledger-posting.ts';
import type { Database } from '../tables.ts';

/**
 * The hold after all concurrent movements of its user's money have committed. The wallet is locked before the
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

/** The hold created by a transaction of the ledger. */
export async function holdOf(trx: Transaction<Database>, transactionId: number): Promise<number> {
  const row = await trx
    .selectFrom('holds')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow();
  return row.id;
}
