/** One automatic recharge: its row and its operation, within the limit of the month, or neither. */
import type { Transaction } from 'kysely';
import { insertAuditEntries } from '../db/accounts/audit-log.ts';
import type { Pace } from '../domain/operations/operations.ts';
import { monthOf } from '../domain/wallet/auto-recharge.ts';
import { rechargeWalletFlow } from '../domain/wallet/flows.ts';
import { formatDollars } from '../domain/wallet/money.ts';
import {
  limitAutoRecharge,
  lockAutoRecharge,
  stopAutoRecharge,
} from '../db/wallet/auto-recharges.ts';
import { insertOperation, newRunKey, type Operation } from '../db/operations/operations.ts';
import { findPaymentMethod } from '../db/wallet/payment-methods.ts';
import { lockWallet } from '../db/wallet/ledger-posting.ts';
import { rechargedCents } from '../db/wallet/recharges.ts';
import type { Database } from '../db/tables.ts';

/**
 * Writes the attempt and the intent to start it, under the wallet's lock: there is one attempt at a time.
 * Undefined where nothing is due any more, or the month's limit leaves no room, which the client is told once.
 */
export async function insertRecharge(
  trx: Transaction<Database>,
  { userId, pace, now }: { userId: string; pace: Pace; now: Date },
): Promise<Operation | undefined> {
  const wallet = await lockWallet(trx, userId);
  const settings = await lockAutoRecharge(trx, userId);
  const month = monthOf(now);
  if (!settings || settings.stop_reason !== null || settings.limited_month === month) {
    return undefined;
  }
  if (wallet.availableCents >= settings.threshold_cents) return undefined;
  if (await isUnderWay(trx, userId)) return undefined;
  const method = await findPaymentMethod(trx, userId);
  if (!method) {
    await stopAutoRecharge(trx, { userId, reason: 'payment_method_invalid' });
    return undefined;
  }
  const amountCents = settings.amount_cents;
  if ((await rechargedCents(trx, userId, month)) + amountCents > settings.monthly_limit_cents) {
    await limitAutoRecharge(trx, settings, now);
    return undefined;
  }
  const { id: rechargeId } = await trx
    .insertInto('wallet_recharges')
    .values({
      user_id: userId,
      amount_cents: amountCents,
      month,
      customer_id: method.customer_id,
      payment_method_id: method.payment_method_id,
      charge_key: newRunKey(),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const entry = {
    userId,
    actor: { kind: 'system', id: null, name: 'automatic recharge' },
    action: 'wallet.recharge',
    resourceType: 'wallet',
    after: { rechargeId, amountCents },
  } as const;
  await insertAuditEntries(trx, [entry]);
  return insertOperation(
    trx,
    rechargeWalletFlow,
    { rechargeId, pace },
    {
      userId,
      summary: `Recharge a wallet by ${formatDollars(amountCents)}`,
      requested: { actor: 'system', reason: 'the balance is below its threshold' },
    },
  );
}

const isUnderWay = async (trx: Transaction<Database>, userId: string): Promise<boolean> => {
  const row = await trx
    .selectFrom('wallet_recharges')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
};
