/** The wallet's payments and transactions. Spec: Wallet, Events, Limits; choices 35-40. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { TRANSACTION_TYPES } from '../../domain/wallet/wallet-transactions.ts';
import { paged } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { offsetOf, pageQuery, shortText, timestamp } from '../../http/schemas.ts';
import {
  fundWallet,
  listWalletTransactions,
  receivePaymentEvent,
  verifyCheckout,
} from '../../services/wallet/wallet.ts';
import { fundingCents, walletSettingsRoutes } from './wallet-settings.ts';

type Needs = Pick<Context, 'db' | 'payments' | 'config' | 'clock' | 'logger'>;

export const walletRoutes = (context: Needs): Route[] => [
  fund(context),
  verify(context),
  webhook(context),
  transactions(context),
  ...walletSettingsRoutes(context),
];

const fund = (context: Needs) =>
  route({
    method: 'post',
    path: '/wallet/fund',
    operationId: 'wallet.fund',
    tag: 'Wallet',
    summary: 'Opens a checkout session that funds the wallet.',
    description:
      'The money arrives through the payment processor’s webhook, after which ' +
      '`POST /wallet/verify` says `complete`. `savePaymentMethod` asks the payer to keep their card ' +
      'for `autoRecharge` (`PATCH /wallet/settings`): it needs their consent to charges without them.',
    status: 201,
    repeatable: true,
    body: z.object({
      amountCents: fundingCents,
      savePaymentMethod: z.boolean().optional(),
    }),
    response: z
      .object({ checkoutUrl: z.string(), sessionId: z.string() })
      .meta({ id: 'CheckoutSession' }),
    handler: ({ user, body, idempotencyKey }) =>
      fundWallet(context, {
        userId: user.userId,
        amountCents: body.amountCents,
        savesMethod: body.savePaymentMethod,
        // Not the request id: clients may choose it, and a paid session must not be returned again.
        requestKey: idempotencyKey ?? randomUUID(),
      }),
  });

const verify = (context: Needs) =>
  route({
    method: 'post',
    path: '/wallet/verify',
    operationId: 'wallet.verify',
    tag: 'Wallet',
    summary: 'Checks whether a checkout session completed.',
    description:
      '`status` is the session’s; it may be `complete` while `paymentStatus` is still `unpaid`. ' +
      '`credited` says whether the money is in the wallet. A paid session that the webhook did ' +
      'not bring yet is credited by this call, and only once.',
    status: 200,
    errors: { 404: ['CHECKOUT_SESSION_NOT_FOUND'] },
    repeatable: true,
    body: z.object({ sessionId: shortText }),
    response: z
      .object({
        sessionId: z.string(),
        status: z.enum(['open', 'complete', 'expired']),
        paymentStatus: z.enum(['paid', 'unpaid', 'no_payment_required']),
        amountCents: z.int(),
        credited: z.boolean(),
      })
      .meta({ id: 'CheckoutState' }),
    handler: async ({ user, body }) => {
      const row = await verifyCheckout(context, {
        userId: user.userId,
        sessionId: body.sessionId,
      });
      return {
        sessionId: row.session_id,
        status: row.status,
        paymentStatus: row.payment_status,
        amountCents: row.amount_cents,
        credited: row.credited_cents > 0,
      };
    },
  });

const webhook = (context: Needs) =>
  route({
    method: 'post',
    path: '/wallet/webhook',
    operationId: 'wallet.receiveEvent',
    tag: 'Wallet',
    summary: 'Receives the payment processor’s signed events.',
    description: 'Needs no token: the `Stripe-Signature` header signs the body as it was sent.',
    status: 200,
    errors: { 400: ['INVALID_SIGNATURE'] },
    public: true,
    rawBody: true,
    response: z.object({ received: z.literal(true) }),
    handler: async ({ rawBody, headers }) => {
      const signature = headers['stripe-signature'];
      await receivePaymentEvent(context, {
        rawBody,
        signature: typeof signature === 'string' ? signature : '',
      });
      return { received: true as const };
    },
  });

const transactionType = z.enum(TRANSACTION_TYPES);

/** An ISO 8601 instant, or a day (its start in UTC). */
const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be an ISO 8601 date or time',
  })
  .transform((text) => new Date(text));

const transactions = (context: Needs) =>
  route({
    method: 'get',
    path: '/wallet/transactions',
    operationId: 'wallet.listTransactions',
    tag: 'Wallet',
    summary: 'Lists the wallet’s transactions, newest first.',
    description:
      'Append-only. The sign of `amountCents`: `credit` +, `hold` - and `release` + move money ' +
      'between available and held, `capture` - is earned from what is held, `refund` + brings ' +
      'captured money back, `adjustment` - is taken back by the payment processor or settles ' +
      'what is owed. So the sum over all types but `hold` and `release` is `balanceCents`, and ' +
      'the sum over all but `capture` is `availableCents`. `balanceAfterCents` is the balance ' +
      '(available and held) after the transaction. `from` is inclusive, `to` is exclusive.',
    status: 200,
    paged: true,
    query: pageQuery.extend({
      type: transactionType.optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    response: z.array(
      z
        .object({
          id: z.int(),
          type: transactionType,
          amountCents: z.int(),
          balanceAfterCents: z.int(),
          status: z.literal('completed'),
          referenceType: z.string(),
          referenceId: z.string(),
          description: z.string(),
          createdAt: timestamp,
        })
        .meta({ id: 'WalletTransaction' }),
    ),
    handler: async ({ user, query }) => {
      const { type, from, to, limit } = query;
      const page = { filter: { type, from, to }, limit, offset: offsetOf(query) };
      const found = await listWalletTransactions(context, user.userId, page);
      return paged(found.transactions.map(presentTransaction), query, found.total);
    },
  });

type TransactionRow = Awaited<ReturnType<typeof listWalletTransactions>>['transactions'][number];

const presentTransaction = (row: TransactionRow) => ({
  id: row.id,
  type: row.type,
  amountCents: row.amount_cents,
  balanceAfterCents: row.balance_after_cents,
  status: row.status,
  referenceType: row.reference_type,
  referenceId: row.reference_id,
  description: row.description,
  createdAt: row.created_at.toISOString(),
});
