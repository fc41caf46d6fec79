/** Changes of balances by hand, each with who made it and why. */
import type { Transaction } from 'kysely';
import { insertAuditEntries } from '../accounts/audit-log.ts';
import type { Database } from '../tables.ts';
import { adjust } from './ledger-adjustments.ts';

export interface Adjustment {
  userId: string;
  /** Signed. */
  amountCents: number;
  actor: string;
  /** The client reads it as well. */
  reason: string;
  /** A second adjustment with this key changes nothing. */
  key: string;
}

/** Writes the record and the movement; changes nothing where the key was used before, or for an unknown user. */
export async function insertAdjustment(
  trx: Transaction<Database>,
  { userId, amountCents, actor, reason, key }: Adjustment,
): Promise<'done' | 'repeated' | 'no_user'> {
  const user = trx.selectFrom('users').select('user_id').where('user_id', '=', userId);
  if (!(await user.executeTakeFirst())) return 'no_user';
  const inserted = await trx
    .insertInto('wallet_adjustments')
    .values({ adjustment_key: key, user_id: userId, amount_cents: amountCents, actor, reason })
    .onConflict((conflict) => conflict.doNothing())
    .returning('adjustment_key')
    .executeTakeFirst();
  if (!inserted) return 'repeated';
  await adjust(trx, {
    userId,
    amountCents,
    operationKey: `adjustment:${key}`,
    referenceType: 'adjustment',
    referenceId: key,
    description: `Adjustment: ${reason}`,
  });
  const entry = {
    userId,
    actor: { kind: 'operator', id: null, name: actor.replace(/^operator:/, '') },
    action: 'wallet.adjust',
    resourceType: 'wallet',
    reason,
    after: { amountCents, reason },
  } as const;
  await insertAuditEntries(trx, [entry]);
  return 'done';
}
