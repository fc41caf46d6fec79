/** Changes a balance by hand; only the command line calls this. */
import type { Context } from '../../context.ts';
import { insertAdjustment, type Adjustment } from '../../db/wallet/adjustments.ts';
import { findWallet, type Wallet } from '../../db/wallet/wallets.ts';
import { notFound } from '../../domain/errors.ts';

/**
 * `isRepeated`: the key was used before, and nothing has changed. Throws not_found for an unknown user, and
 * invalid ADJUSTMENT_TOO_LARGE where more would be taken than is available.
 */
export async function adjustWallet(
  { db }: Pick<Context, 'db'>,
  adjustment: Adjustment,
): Promise<{ isRepeated: boolean; wallet: Wallet }> {
  const done = await db.transaction().execute((trx) => insertAdjustment(trx, adjustment));
  if (done === 'no_user') throw notFound('user');
  return { isRepeated: done === 'repeated', wallet: await findWallet(db, adjustment.userId) };
}
