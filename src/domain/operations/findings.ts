/** Terms for the findings of a comparison with vendor records. */

/**
 * - `orphan_server`: rented by an operation that is over, and no live cluster is on it
 * - `unknown_server`: tagged as ours, but no intent of this installation made it
 * - `missing_server`: a live cluster is on it, and the vendor does not have it
 * - `unrecorded_domain`: bought for an operation of ours, and no account has it
 * - `unknown_domain`: in our account at the registrar, and nobody here asked for it
 * - `missing_domain`: in a user's account here, and not in ours at the registrar
 * - `rejected_order`: bought for a user, and refused by the registry afterwards
 * - `ownerless_hold`: money is set aside, and nothing that is under way needs it
 * - `row_without_workflow`: an operation that nothing runs for over a minute
 * - `lost_row`: a run in Temporal whose row is not here any more; it has ended and touched nothing since
 * - `foreign_run`: Temporal has another one's run under the id of an operation, which waits
 * - `wallet_mismatch`: something cached about money differs from the ledger
 * - `uncredited_payment`: the processor has the money of a session of ours, and no wallet has
 * - `unrecorded_reversal`: a refund or dispute that the processor has told nobody here of
 * - `unsaved_card`: a payer let the processor keep a card, and nobody here was told
 * - `unpaid_credit`: a wallet was credited for a session that the processor does not show as paid
 */
export const FINDING_KINDS = [
  'orphan_server',
  'unknown_server',
  'missing_server',
  'unrecorded_domain',
  'unknown_domain',
  'missing_domain',
  'rejected_order',
  'ownerless_hold',
  'row_without_workflow',
  'lost_row',
  'foreign_run',
  'wallet_mismatch',
  'uncredited_payment',
  'unrecorded_reversal',
  'unsaved_card',
  'unpaid_credit',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** One thing that is not as it should be; `subject` tells it from others of its kind. */
export interface Finding {
  kind: FindingKind;
  subject: string;
  operationId: number | null;
  /** For people; no secret, no personal data beyond names of domains. */
  detail: Record<string, unknown>;
}

/** Who requests a healing, and why. */
export interface HealWords {
  actor: string;
  reason: string;
}
