/** A wallet with its settings: the notice of a low balance, and automatic recharges. Choice 75. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, difference } from '../../domain/accounts/audited-values.ts';
import {
  findAutoRecharge,
  setAutoRecharge,
  type AutoRecharge,
  type AutoRechargeSettings,
} from '../../db/wallet/auto-recharges.ts';
import { findPaymentMethod } from '../../db/wallet/payment-methods.ts';
import { rechargedCents } from '../../db/wallet/recharges.ts';
import { findWallet, updateWalletSettings, type Wallet } from '../../db/wallet/wallets.ts';
import { invalid } from '../../domain/errors.ts';
import { monthOf, type StopReason } from '../../domain/wallet/auto-recharge.ts';

type Needs = Pick<Context, 'db' | 'clock'>;

/** `limited`: the month's limit is reached; `stopped`: nothing is charged until it is set again. */
export interface AutoRechargeState extends AutoRechargeSettings {
  status: 'active' | 'stopped' | 'limited';
  stopReason: StopReason | null;
  stoppedAt: string | null;
  rechargedThisMonthCents: number;
}

export interface WalletState extends Wallet {
  hasPaymentMethod: boolean;
  autoRecharge: AutoRechargeState | null;
}

/** The user's balances and settings; all zero for a user who never had money here. */
export async function getWallet({ db, clock }: Needs, userId: string): Promise<WalletState> {
  const [wallet, method, settings] = [
    await findWallet(db, userId),
    await findPaymentMethod(db, userId),
    await findAutoRecharge(db, userId),
  ];
  const hasPaymentMethod = method !== undefined;
  if (!settings) return { ...wallet, hasPaymentMethod, autoRecharge: null };
  const month = monthOf(clock.now());
  const recharged = await rechargedCents(db, userId, month);
  return { ...wallet, hasPaymentMethod, autoRecharge: stateOf(settings, month, recharged) };
}

function stateOf(row: AutoRecharge, month: string, recharged: number): AutoRechargeState {
  const isLimited = row.limited_month === month;
  const status = row.stop_reason !== null ? 'stopped' : isLimited ? 'limited' : 'active';
  return {
    thresholdCents: row.threshold_cents,
    amountCents: row.amount_cents,
    monthlyLimitCents: row.monthly_limit_cents,
    status,
    stopReason: row.stop_reason ?? (isLimited ? 'monthly_limit' : null),
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    rechargedThisMonthCents: recharged,
  };
}

/** What a client changes: what is left out stays, null switches off. */
export interface WalletSettings {
  lowBalanceThresholdCents?: number | null | undefined;
  autoRecharge?: AutoRechargeSettings | null | undefined;
}

/** Changes what is given and returns the wallet. Throws NO_PAYMENT_METHOD where no card was saved. */
export async function changeWalletSettings(
  context: Needs,
  userId: string,
  { lowBalanceThresholdCents, autoRecharge }: WalletSettings,
): Promise<WalletState> {
  const before = await getWallet(context, userId);
  await commitOnce(context.db, async (trx) => {
    if (autoRecharge && !(await findPaymentMethod(trx, userId))) {
      const how = 'fund the wallet with savePaymentMethod first';
      throw invalid('NO_PAYMENT_METHOD', `There is no saved payment method: ${how}`);
    }
    if (lowBalanceThresholdCents !== undefined) {
      await updateWalletSettings(trx, userId, { lowBalanceThresholdCents });
    }
    if (autoRecharge !== undefined) await setAutoRecharge(trx, userId, autoRecharge);
    const after = {
      ...settingsOf(before),
      ...definedOf({ lowBalanceThresholdCents, autoRecharge }),
    };
    noteChange(difference(AUDITED_FIELDS.wallet, settingsOf(before), after));
  });
  return getWallet(context, userId);
}

const settingsOf = ({ lowBalanceThresholdCents, autoRecharge }: WalletState) => ({
  lowBalanceThresholdCents,
  autoRecharge: autoRecharge && {
    thresholdCents: autoRecharge.thresholdCents,
    amountCents: autoRecharge.amountCents,
    monthlyLimitCents: autoRecharge.monthlyLimitCents,
  },
});

const definedOf = (settings: WalletSettings) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
