/** The health of a warming mailbox: computed from the results of its messages, and its consequences. */
import { WARMUP_RULES } from './warmup-rules.ts';
import { ownStatus, type WarmupReason, type WarmupStatus } from './warmup.ts';

/** Messages of the last seven days. */
export interface WarmupRecord {
  /** Accepted by the server, or possibly so. */
  sent: number;
  /** Where they were found: in the inboxes of seed mailboxes; in spam there or at partners. */
  inbox: number;
  spam: number;
  bounced: number;
  refused: number;
}

/**
 * 0-100: the share of placed messages that were not in spam, less the lost ones. Null while none was placed
 * or lost.
 */
export function healthScore(record: WarmupRecord): number | null {
  const { inbox, spam, bounced, refused, sent } = record;
  const seen = inbox + spam;
  const lost = bounced + refused;
  if (seen + lost === 0) return null;
  const spamShare = spam / (seen + WARMUP_RULES.healthPrior);
  const lostShare = lost / (sent + refused + WARMUP_RULES.lossPrior);
  const score = Math.round(100 * (1 - spamShare - WARMUP_RULES.lossWeight * lostShare));
  return Math.max(0, Math.min(100, score));
}

/** Why a mailbox must not send now; null = it may. */
function quarantineReason(record: WarmupRecord): WarmupReason | null {
  const { sent, refused, bounced } = record;
  const messages = sent + refused;
  const tooMany = (bounced + refused) / messages >= WARMUP_RULES.quarantineBounceRate;
  if (messages >= WARMUP_RULES.quarantineMinMessages && tooMany) return 'bounces';
  const score = healthScore(record);
  return score !== null && score < WARMUP_RULES.quarantineBelow ? 'spam' : null;
}

export interface Verdict {
  status: WarmupStatus;
  reason: WarmupReason | null;
}

/**
 * Throttled below 70, quarantined below 40 or at 5 % bounces; from there back to half the volume after three
 * days and with a clean record, and to all of it at 80, or without any data of the last seven days. A refused
 * login is not judged here: it ends when a login succeeds. States that a person chose stay.
 */
export function judge(
  now: {
    status: WarmupStatus;
    reason: WarmupReason | null;
    day: number;
    isQuarantineServed: boolean;
  },
  record: WarmupRecord,
  warmupDays: number,
): Verdict {
  const { status, day } = now;
  const kept: Verdict = { status, reason: now.reason };
  if (status === 'inactive' || status === 'paused') return kept;
  if (status === 'quarantined' && now.reason === 'login_refused') return kept;
  const bad = quarantineReason(record);
  if (bad !== null) return { status: 'quarantined', reason: bad };
  if (status === 'quarantined') {
    return now.isQuarantineServed ? { status: 'throttled', reason: kept.reason } : kept;
  }
  const score = healthScore(record);
  if (status === 'throttled') {
    // Without seed mailboxes there is never positive evidence.
    const isHealed = score === null || score >= WARMUP_RULES.healedAt;
    return isHealed ? { status: ownStatus(day, warmupDays), reason: null } : kept;
  }
  if (score !== null && score < WARMUP_RULES.throttleBelow) {
    return { status: 'throttled', reason: 'spam' };
  }
  return { status: ownStatus(day, warmupDays), reason: kept.reason };
}

/** The health that clients are told: warming and active are both healthy. */
export const healthWord = (status: WarmupStatus): 'healthy' | 'throttled' | 'quarantined' =>
  status === 'throttled' || status === 'quarantined' ? status : 'healthy';

/** The same for the view of a warm-up: healthy only with positive evidence. */
export function shownHealth(
  status: WarmupStatus,
  score: number | null,
): ReturnType<typeof healthWord> | 'unknown' {
  const word = healthWord(status);
  return word === 'healthy' && score === null ? 'unknown' : word;
}
