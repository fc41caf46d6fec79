/** When a domain may be renewed, and how one tells that it was. Choice 25. */
import { DAY_MS } from '../day.ts';

/** Ends of one term, as registry and registrar count them, differ by less than this. */
export const SAME_TERM_MS = 7 * DAY_MS;

/** More than a term ahead nobody renews on purpose: it is a request that came twice. */
const TOO_EARLY_MS = 366 * DAY_MS;

/** A request that comes again within a day means the renewal that was made. */
const REPEAT_MS = DAY_MS;

/** A registrar keeps an expired domain for its owner for about so long. */
export const GRACE_DAYS = 30;

/** Whether a domain that ends at `found` got another term after `expiresAt`. */
export const isRenewed = (expiresAt: Date, found: Date): boolean =>
  found.getTime() - expiresAt.getTime() > SAME_TERM_MS;

/** How long before the end its owner is told again where the renewal fails. */
const REMINDERS_MS = [7 * DAY_MS, DAY_MS];

/**
 * Which notice of an end is due: the end itself stands for the first one, moments before it for
 * the reminders. Undefined where `told`, the newest one that was given, is as late or later.
 */
export function dueNotice(
  { expiresAt, told, isFailing }: { expiresAt: Date; told: Date | null; isFailing: boolean },
  now: Date,
): Date | undefined {
  const end = expiresAt.getTime();
  const notices = [end, ...REMINDERS_MS.map((ms) => end - ms)];
  const due = isFailing ? notices.findLastIndex((at, n) => n === 0 || at <= now.getTime()) : 0;
  const given = told === null ? -1 : notices.indexOf(told.getTime());
  return due > given ? new Date(notices[due]!) : undefined;
}

/**
 * Whether an end that a registrar told is older than a renewal that was made within a day: it was
 * asked before, or the registrar shows its changes late. Later than that the registrar is right.
 */
export const isOutdated = (
  expiresAt: Date,
  renewed: { at: Date; until: Date } | undefined,
  now: Date,
): boolean =>
  renewed !== undefined &&
  isRenewed(expiresAt, renewed.until) &&
  now.getTime() - renewed.at.getTime() < REPEAT_MS;

/** `early`: it still has more than a term; `repeated`: it got this one a moment ago. */
export function renewalDue(
  domain: { expiresAt: Date; renewed?: { at: Date; until: Date } | undefined },
  now: Date,
): 'due' | 'early' | 'repeated' {
  const { expiresAt, renewed } = domain;
  const isStill = renewed !== undefined && !isRenewed(renewed.until, expiresAt);
  if (isStill && now.getTime() - renewed.at.getTime() < REPEAT_MS) return 'repeated';
  return expiresAt.getTime() - now.getTime() > TOO_EARLY_MS ? 'early' : 'due';
}
