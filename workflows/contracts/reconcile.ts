/**
 * Contracts of two flows: `reconcile`, which a Schedule of earlier releases ran to start the workflow of any row that
 * has none, and `reconcileBooks`, which a Schedule runs to compare the vendor records with our rows.
 */
export const reconcileType = 'reconcile';
export const RECONCILE_SCHEDULE_ID = 'reconcile';
export const reconcileBooksType = 'reconcileBooks';
export const RECONCILE_BOOKS_SCHEDULE_ID = 'reconcile-books';
/** Our own records; vendors' every other time while they agree, a few pages of each vendor's lists. */
export const RECONCILE_BOOKS_EVERY_SECONDS = 15 * 60;
/**
 * Id of a run that a person starts. It names what is healed, so that no request attaches to a run that
 * heals less.
 */
export const reconcileBooksByHandId = ({
  heal,
  subject,
}: Pick<ReconcileBooksInput, 'heal' | 'subject'>): string =>
  ['reconcile-books/by-hand', heal === 'none' ? [] : ['heal', subject ?? []]].flat(2).join('/');

export interface ReconcileBooksInput {
  /** `safe`: heals what needs no check by a person, and `subject`. */
  heal: 'none' | 'safe';
  /** The one finding that a person has checked: `hetzner/outreach-7-1`. */
  subject?: string;
  /**
   * Which vendors' records: `due` leaves out those that agreed at the run before. Absent in runs of earlier releases,
   * which compare all, and each set of our own in an activity of its own.
   */
  vendors?: 'due' | 'all';
  /** Who asked and why, for the log of what is healed. */
  actor: string;
  reason: string;
}

/** Totals of the comparison; `failed` names the records that could not be read. */
export interface ReconcileBooksResult {
  found: number;
  healed: number;
  failed: string[];
}
