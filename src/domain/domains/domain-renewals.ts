/** When a domain may be renewed, and how a renewal is recognised. Choice 25. */
import { DAY_MS } from '../day.ts';

/** Ends of one term, as registry and registrar count them, differ by less than this. */
export const SAME_TERM_MS = 7 * DAY_MS;

/** No one renews more than a term ahead on purpose: such a request is a repeat. */
const TOO_EARLY_MS = 366 * DAY_MS;

/** A request within a day of a renewal is a repeat of it. */
const REPEAT_MS = DAY_MS;

/** About how long a registrar keeps an expired domain for its owner. */
export const GRACE_DAYS = 30;

/** Whether the expiry `found` is a renewal later than `expiresAt`. */
export const isRenewed = (expiresAt: Date, found: Date): boolean =>
  found.getTime() - expiresAt.getTime() > SAME_TERM_MS;

/** How long before the expiry the owner is reminded of a failing renewal. */
const REMINDERS_MS = [7 * DAY_MS, DAY_MS];

/**
 * Which notice of an expiry is due: the expiry itself identifies the first one, times before it the
 * reminders. Undefined where `lastNotice`, the newest one sent, is as late or later.
 */
export function dueNotice(
  {
    expiresAt,
    lastNotice,
    isFailing,
  }: { expiresAt: Date; lastNotice: Date | null; isFailing: boolean },
  now: Date,
): Date | undefined {
  const end = expiresAt.getTime();
  const notices = [end, ...REMINDERS_MS.map((ms) => end - ms)];
  const due = isFailing ? notices.findLastIndex((at, n) => n === 0 || at <= now.getTime()) : 0;
  const given = lastNotice === null ? -1 : notices.indexOf(lastNotice.getTime());
  return due > given ? new Date(notices[due]!) : undefined;
}

/**
 * Whether an expiry reported by a registrar predates a renewal made within a day: it was read before, or the
 * registrar shows changes late. After a day the registrar is authoritative.
 */
export const isOutdated = (
  expiresAt: Date,
  renewed: { at: Date; until: Date } | undefined,
  now: Date,
): boolean =>
  renewed !== undefined &&
  isRenewed(expiresAt, renewed.until) &&
  now.getTime() - renewed.at.getTime() < REPEAT_MS;

/** `early`: more than one term is left; `repeated`: this term was bought a moment ago. */
export function renewalDue(
  domain: { expiresAt: Date; renewed?: { at: Date; until: Date } | undefined },
  now: Date,
): 'due' | 'early' | 'repeated' {
  const { expiresAt, renewed } = domain;
  const isStill = renewed !== undefined && !isRenewed(renewed.until, expiresAt);
  if (isStill && now.getTime() - renewed.at.getTime() < REPEAT_MS) return 'repeated';
  return expiresAt.getTime() - now.getTime() > TOO_EARLY_MS ? 'early' : 'due';
}
