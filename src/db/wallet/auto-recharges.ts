/**
 * Settings of automatic recharges. Whoever changes a row locks in the order recharge, payment, wallet, settings.
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { monthOf, nextMonth, type StopReason } from '../../domain/wallet/auto-recharge.ts';
import { insertEvents } from '../webhooks/events.ts';
import { lockWallet } from './ledger-posting.ts';
import type { Database } from '../tables.ts';
import type { AutoRechargesTable } from './wallet-tables.ts';

type Trx = Transaction<Database>;

export type AutoRecharge = Selectable<AutoRechargesTable>;

/** What a client sets; integer cents. */
export interface AutoRechargeSettings {
  thresholdCents: number;
  amountCents: number;
  monthlyLimitCents: number;
}

export const findAutoRecharge = (
  db: Kysely<Database>,
  userId: string,
): Promise<AutoRecharge | undefined> =>
  db.selectFrom('auto_recharges').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Turns recharges on, or on again after a stop; null turns them off. */
export async function setAutoRecharge(
  trx: Trx,
  userId: string,
  settings: AutoRechargeSettings | null,
): Promise<void> {
  if (settings === null) {
    await trx.deleteFrom('auto_recharges').where('user_id', '=', userId).execute();
    return;
  }
  const values = {
    threshold_cents: settings.thresholdCents,
    amount_cents: settings.amountCents,
    monthly_limit_cents: settings.monthlyLimitCents,
    stop_reason: null,
    stopped_at: null,
    limited_month: null,
  };
  await trx
    .insertInto('auto_recharges')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
}

/** The settings, locked; the wallet's lock comes first. */
export const lockAutoRecharge = (trx: Trx, userId: string): Promise<AutoRecharge | undefined> =>
  trx
    .selectFrom('auto_recharges')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

export interface Stop {
  userId: string;
  reason: Exclude<StopReason, 'monthly_limit'>;
  rechargeId?: number;
  declineCode?: string | null;
}

/** Stops recharges until the client sets them again, and tells so, once. */
export async function stopAutoRecharge(trx: Trx, stop: Stop): Promise<void> {
  const { userId, reason } = stop;
  await lockWallet(trx, userId);
  const row = await trx
    .updateTable('auto_recharges')
    .set({ stop_reason: reason, stopped_at: sql`now()`, updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('stop_reason', 'is', null)
    .returning('amount_cents')
    .executeTakeFirst();
  if (!row) return;
  const payload = {
    reason,
    rechargeId: stop.rechargeId ?? null,
    amountCents: row.amount_cents,
    declineCode: stop.declineCode ?? null,
    resumesAt: null,
  };
  const type = 'wallet.auto_recharge_stopped';
  await insertEvents(trx, [{ userId, type, resource: 'wallet', payload }]);
}

/** Rests until the month is over. The caller holds both locks. */
export async function limitAutoRecharge(trx: Trx, row: AutoRecharge, now: Date): Promise<void> {
  const { user_id: userId, amount_cents: amountCents } = row;
  await trx
    .updateTable('auto_recharges')
    .set({ limited_month: monthOf(now), updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .execute();
  const payload = {
    reason: 'monthly_limit' as const,
    rechargeId: null,
    amountCents,
    declineCode: null,
    resumesAt: nextMonth(now).toISOString(),
  };
  const type = 'wallet.auto_recharge_stopped';
  await insertEvents(trx, [{ userId, type, resource: 'wallet', payload }]);
}

/**
 * Users whose wallet is below its threshold and may be charged now. Read by the reconciler, so that
 * movements of money do nothing for it.
 */
export async function listDueRecharges(
  db: Kysely<Database>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select settings.user_id from auto_recharges as settings
    join wallets on wallets.user_id = settings.user_id
    where wallets.available_cents < settings.threshold_cents
      and settings.stop_reason is null
      and settings.limited_month is distinct from ${monthOf(now)}
      and not exists (
        select from wallet_recharges as recharge
        where recharge.user_id = settings.user_id and recharge.state = 'pending')
    order by settings.user_id limit ${limit}`.execute(db);
  return rows.map((row) => row.user_id);
}
