/** The kinds of wallet transactions, as the ledger stores and `GET /wallet/transactions` shows them. */

/** Choice 36. */
export const TRANSACTION_TYPES = [
  'credit',
  'hold',
  'capture',
  'release',
  'refund',
  'adjustment',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
