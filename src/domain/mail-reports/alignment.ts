/**
 * Judges what DMARC reports say of the messages of our own server. A report is not signed by anybody: it proves
 * nothing, so one reporter alone counts by volume only, and nothing stops because of it.
 */

/** Reports that begin within this many days are judged together. */
export const ALIGNMENT_DAYS = 7;
/** Below this share of failing messages, what fails may be a forwarder that keeps our address. */
const FAILING_SHARE = 0.05;
const MIN_REPORTERS = 2;
/** Failing messages at which a single reporter is believed. */
const MIN_MESSAGES = 50;

/** Of messages that our own server delivered, as others report. */
export interface AlignmentFacts {
  messages: number;
  /** Neither an aligned signature nor an aligned envelope sender. RFC 7489, 3.1. */
  failed: number;
  /** Organizations that report a failure. */
  reporters: number;
}

/** `unknown`: nobody has reported on our server. */
export type Alignment = 'ok' | 'warning' | 'failing' | 'unknown';

export function judgeAlignment({ messages, failed, reporters }: AlignmentFacts): Alignment {
  if (messages === 0) return 'unknown';
  if (failed === 0) return 'ok';
  const isShare = failed / messages >= FAILING_SHARE;
  const isBelieved = reporters >= MIN_REPORTERS || failed >= MIN_MESSAGES;
  return isShare && isBelieved ? 'failing' : 'warning';
}
