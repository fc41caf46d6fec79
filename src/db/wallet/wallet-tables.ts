/** Tables of the wallet as `migrations/0003-wallet.ts` makes them. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { StopReason } from '../../domain/wallet/auto-recharge.ts';
import type { TransactionType } from '../../domain/wallet/wallet-transactions.ts';

/** The user's accounts; `receivable` is negative when the user owes. */
export type UserAccountKind = 'available' | 'held' | 'receivable';
/** Ours: the processor's money (negative: it holds ours), what was earned, what was given by hand. */
export type SystemAccountKind = 'processor' | 'revenue' | 'adjustments';

type Timestamp = ColumnType<Date, Date | undefined, Date>;
type Frozen<T> = ColumnType<T, T, never>;

export interface LedgerAccountsTable {
  id: GeneratedAlways<number>;
  user_id: Frozen<string | null>;
  kind: Frozen<UserAccountKind | SystemAccountKind>;
  created_at: ColumnType<Date, undefined, never>;
}

export interface LedgerTransactionsTable {
  id: GeneratedAlways<number>;
  user_id: Frozen<string>;
  type: Frozen<TransactionType>;
  amount_cents: Frozen<number>;
  balance_after_cents: Frozen<number>;
  status: ColumnType<'completed', undefined, never>;
  reference_type: Frozen<string>;
  reference_id: Frozen<string>;
  description: Frozen<string>;
  operation_key: Frozen<string>;
  created_at: ColumnType<Date, undefined, never>;
}

export interface LedgerEntriesTable {
  transaction_id: Frozen<number>;
  account_id: Frozen<number>;
  amount_cents: Frozen<number>;
}

export interface WalletsTable {
  user_id: Frozen<string>;
  available_cents: Generated<number>;
  held_cents: Generated<number>;
  owed_cents: Generated<number>;
  low_balance_threshold_cents: number | null;
  created_at: ColumnType<Date, undefined, never>;
  updated_at: Timestamp;
}

export interface HoldsTable {
  id: GeneratedAlways<number>;
  user_id: Frozen<string>;
  transaction_id: Frozen<number>;
  reference_type: Frozen<string>;
  reference_id: Frozen<string>;
  amount_cents: Frozen<number>;
  captured_cents: Generated<number>;
  released_cents: Generated<number>;
  created_at: ColumnType<Date, undefined, never>;
  updated_at: Timestamp;
}

export interface CheckoutsTable {
  session_id: Frozen<string>;
  user_id: Frozen<string>;
  amount_cents: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  payment_id: string | null;
  credited_cents: Generated<number>;
  /** What the payer was asked for; null where nobody knows. */
  asked_cents: number | null;
  /** Why the payment was not credited though it was made: not what was asked for. */
  mismatch: string | null;
  created_at: ColumnType<Date, undefined, never>;
  updated_at: Timestamp;
}

export interface PaymentReversalsTable {
  payment_id: Frozen<string>;
  refunded_cents: Generated<number>;
  taken_back_cents: Generated<number>;
  /** How often money was taken or given back. */
  movements: Generated<number>;
  updated_at: Timestamp;
}

export interface PaymentRefundsTable {
  refund_id: Frozen<string>;
  payment_id: Frozen<string>;
  amount_cents: Frozen<number>;
  has_failed: Generated<boolean>;
  created_at: ColumnType<Date, undefined, never>;
}

export interface PaymentDisputesTable {
  dispute_id: Frozen<string>;
  payment_id: Frozen<string>;
  amount_cents: Frozen<number>;
  /** The processor has taken the amount. */
  is_withdrawn: boolean;
  /** The processor has given it back. */
  is_reinstated: Generated<boolean>;
  created_at: ColumnType<Date, undefined, never>;
}

export interface PaymentEventsTable {
  event_id: Frozen<string>;
  type: Frozen<string>;
  outcome: 'applied' | 'ignored' | 'unmatched' | 'mismatched';
  received_at: ColumnType<Date, undefined, never>;
}

/** Append-only: who changed a balance by hand, and why. */
export interface WalletAdjustmentsTable {
  adjustment_key: Frozen<string>;
  user_id: Frozen<string>;
  /** Signed. */
  amount_cents: Frozen<number>;
  actor: Frozen<string>;
  reason: Frozen<string>;
  created_at: ColumnType<Date, undefined, never>;
}

/** The card that a user saved last; the processor keeps what it is. */
export interface PaymentMethodsTable {
  user_id: Frozen<string>;
  customer_id: string;
  payment_method_id: string;
  saved_at: Timestamp;
  /** Set: its payer had it forgotten. */
  forgotten_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** A user's settings; no row: recharges are off. */
export interface AutoRechargesTable {
  user_id: Frozen<string>;
  threshold_cents: number;
  amount_cents: number;
  monthly_limit_cents: number;
  /** Nothing is charged until the client sets them again. */
  stop_reason: StopReason | null;
  stopped_at: Date | null;
  /** `2026-11`: nothing more is charged in this month. */
  limited_month: string | null;
  created_at: ColumnType<Date, undefined, never>;
  updated_at: Timestamp;
}

/** One attempt to charge the saved method. */
export interface WalletRechargesTable {
  id: GeneratedAlways<number>;
  user_id: Frozen<string>;
  amount_cents: Frozen<number>;
  /** `2026-11`: whose limit it counts against. */
  month: Frozen<string>;
  state: ColumnType<RechargeState, undefined, RechargeState>;
  customer_id: Frozen<string>;
  payment_method_id: Frozen<string>;
  /** Random, so that no other row ever had the same name at the processor; null in rows of before. */
  charge_key: ColumnType<string | null, string | undefined, never>;
  /** The latest moment at which the processor may have been asked to charge; null: nobody knows. */
  asked_at: ColumnType<Date | null, undefined, Date | null>;
  payment_id: string | null;
  credited_cents: Generated<number>;
  failure_reason: string | null;
  decline_code: string | null;
  /** Why a payment of it was not credited though it was made, and which one. */
  mismatch: string | null;
  mismatch_payment_id: string | null;
  mismatch_cents: number | null;
  created_at: Frozen<Date>;
  updated_at: Timestamp;
}

export type RechargeState = 'pending' | 'succeeded' | 'failed';

/** A view: payments of checkouts and of recharges. */
export interface CreditedPaymentsView {
  payment_id: ColumnType<string, never, never>;
  reference_type: ColumnType<string, never, never>;
  reference_id: ColumnType<string, never, never>;
  user_id: ColumnType<string, never, never>;
  credited_cents: ColumnType<number, never, never>;
}

export interface WalletTables {
  payment_methods: PaymentMethodsTable;
  auto_recharges: AutoRechargesTable;
  wallet_recharges: WalletRechargesTable;
  credited_payments: CreditedPaymentsView;
  wallet_adjustments: WalletAdjustmentsTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  wallets: WalletsTable;
  holds: HoldsTable;
  checkouts: CheckoutsTable;
  payment_reversals: PaymentReversalsTable;
  payment_refunds: PaymentRefundsTable;
  payment_disputes: PaymentDisputesTable;
  payment_events: PaymentEventsTable;
}
