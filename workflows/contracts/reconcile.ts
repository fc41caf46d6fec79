/**
 * Contracts of two flows that a Schedule runs: `reconcile` starts the workflow of any row that has
 * none, `reconcileBooks` compares the vendors' books with ours.
 */
export const reconcileType = 'reconcile';
export const RECONCILE_SCHEDULE_ID = 'reconcile';
/**
 * Twice within the minute that a row may stay without a workflow.
 * docs/workflow-rules.md#the-row-comes-first.
 */
export const RECONCILE_EVERY_SECONDS = 30;

export const reconcileBooksType = 'reconcileBooks';
export const RECONCILE_BOOKS_SCHEDULE_ID = 'reconcile-books';
/** A few pages of each vendor's lists. */
export const RECONCILE_BOOKS_EVERY_SECONDS = 15 * 60;
/** The run that a person asks for: one at a time, and none stands in for one that heals more. */
export const reconcileBooksByHandId = ({
  heal,
  subject,
}: Pick<ReconcileBooksInput, 'heal' | 'subject'>): string =>
  ['reconcile-books/by-hand', heal === 'none' ? [] : ['heal', subject ?? []]].flat(2).join('/');

export interface ReconcileBooksInput {
  /** `safe`: what needs no look first, and `subject`. */
  heal: 'none' | 'safe';
  /** Of the one finding that a person has looked at: `hetzner/outreach-7-1`. */
  subject?: string;
  /** Who asked and why, for the log of what is healed. */
  actor: string;
  reason: string;
}

/** Sums over all books; `failed` names those that could not be read. */
export interface ReconcileBooksResult {
  found: number;
  healed: number;
  failed: string[];
}
