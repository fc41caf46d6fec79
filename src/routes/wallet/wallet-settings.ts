/** The wallet's balance, its settings and its saved card. Choices 36, 75. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { STOP_REASONS } from '../../domain/wallet/auto-recharge.ts';
import { formatCents } from '../../domain/wallet/money.ts';
import { route, type Route } from '../../http/route.ts';
import { orNull, timestamp } from '../../http/schemas.ts';
import { forgetSavedCard } from '../../services/wallet/saved-card.ts';
import { changeWalletSettings, getWallet } from '../../services/wallet/wallet-settings.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'payments'>;

export const walletSettingsRoutes = (context: Needs): Route[] => [
  read(context),
  settings(context),
  forgetCard(context),
];

/** Stripe's smallest charge is $0.50, its largest has eight digits. Choice 37. */
export const fundingCents = z.int().min(50).max(99_999_999);

const autoRechargeSchema = z
  .object({
    thresholdCents: z.int(),
    amountCents: z.int(),
    monthlyLimitCents: z.int(),
    status: z.enum(['active', 'stopped', 'limited']),
    stopReason: z.enum(STOP_REASONS).nullable(),
    stoppedAt: timestamp.nullable(),
    rechargedThisMonthCents: z.int(),
  })
  .meta({ id: 'AutoRecharge' });

const walletSchema = z
  .object({
    balanceCents: z.int(),
    heldCents: z.int(),
    availableCents: z.int(),
    owedCents: z.int(),
    balance: z.string(),
    currency: z.literal('USD'),
    lowBalanceThresholdCents: z.int().nullable(),
    hasPaymentMethod: z.boolean(),
    autoRecharge: orNull(autoRechargeSchema),
  })
  .meta({ id: 'Wallet' });

const presentWallet = (wallet: Awaited<ReturnType<typeof getWallet>>) => ({
  ...wallet,
  balance: formatCents(wallet.balanceCents),
  currency: 'USD' as const,
});

const read = (context: Needs) =>
  route({
    method: 'get',
    path: '/wallet',
    operationId: 'wallet.read',
    tag: 'Wallet',
    summary: 'Reads the wallet’s balance.',
    description:
      '`balanceCents` = `availableCents` + `heldCents` (set aside for work that is going on). ' +
      '`owedCents` is what the payment processor took back beyond what was available: the next ' +
      'funding settles it first, and charges answer 402 meanwhile.',
    status: 200,
    response: walletSchema,
    handler: async ({ user }) => presentWallet(await getWallet(context, user.userId)),
  });

/** Choice 75. At least what a funding is: it is a charge as well. */
const autoRechargeBody = z
  .object({
    thresholdCents: z.int().min(1).max(99_999_999),
    amountCents: fundingCents,
    monthlyLimitCents: z.int().min(50).max(999_999_999),
  })
  .refine(({ amountCents, monthlyLimitCents }) => monthlyLimitCents >= amountCents, {
    path: ['monthlyLimitCents'],
    error: 'must be at least amountCents',
  });

const settings = (context: Needs) =>
  route({
    method: 'patch',
    path: '/wallet/settings',
    operationId: 'wallet.updateSettings',
    tag: 'Wallet',
    summary: 'Changes the wallet’s settings.',
    description:
      '`lowBalanceThresholdCents: null` switches the notice off. `autoRecharge` charges the saved ' +
      'payment method by `amountCents` once less than `thresholdCents` is available, and at most ' +
      '`monthlyLimitCents` in a calendar month (UTC); `null` switches it off. After a payment that ' +
      'failed, or was taken back, nothing is charged until it is set again: `status` is `stopped` ' +
      'then. Without a saved method the answer is 400 `NO_PAYMENT_METHOD`.',
    status: 200,
    errors: { 400: ['NO_PAYMENT_METHOD'] },
    body: z.object({
      lowBalanceThresholdCents: z.int().min(0).max(99_999_999).nullish(),
      autoRecharge: autoRechargeBody.nullish(),
    }),
    response: walletSchema,
    handler: async ({ user, body }) =>
      presentWallet(await changeWalletSettings(context, user.userId, body)),
  });

const forgetCard = (context: Needs) =>
  route({
    method: 'delete',
    path: '/wallet/payment-method',
    operationId: 'wallet.deletePaymentMethod',
    tag: 'Wallet',
    summary: 'Forgets the saved card.',
    description:
      'The payment processor lets go of it, and automatic recharges are switched off; a payment that is being ' +
      'made may still end. 502 where the processor does not answer: nothing is changed then.',
    status: 200,
    errors: { 404: ['SAVED_CARD_NOT_FOUND'] },
    response: walletSchema,
    handler: async ({ user }) => presentWallet(await forgetSavedCard(context, user.userId)),
  });
