/** Users with money, and movements with keys, for tests that need a wallet. */
import type { Kysely } from 'kysely';
import { credit } from '../../../src/db/wallet/ledger.ts';
import type { Database } from '../../../src/db/tables.ts';

let last = 0;

/** A new user; with `cents`, one who has funded that much. */
export async function userWith(db: Kysely<Database>, cents = 0): Promise<string> {
  last += 1;
  const userId = `wallet-user-${last}`;
  await db
    .insertInto('users')
    .values({ user_id: userId, email: `${userId}@example.com` })
    .execute();
  if (cents > 0) {
    await db.transaction().execute((trx) => credit(trx, movement(userId, cents)));
  }
  return userId;
}

/** A movement that was never made before, unless a key is given. */
export function movement(userId: string, amountCents: number, operationKey?: string) {
  last += 1;
  return {
    userId,
    amountCents,
    operationKey: operationKey ?? `test:${last}`,
    referenceType: 'test',
    referenceId: userId,
    description: 'Test',
  };
}
