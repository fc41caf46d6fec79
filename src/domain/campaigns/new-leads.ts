/** How many leads a campaign may write to for the first time on one day. Choice 66. */
import { Temporal } from 'temporal-polyfill';
import { DAY_SECONDS } from '../day.ts';
import type { Dropped, DueRecipient } from '../sending/due-recipients.ts';
import type { OpenWindow } from '../sending/send-window.ts';

/** As a campaign's row has it. */
export interface NewLeadSettings {
  /** Null: any number. */
  max_new_leads_per_day: number | null;
  /** Per cent of the day's capacity; null: all of it. */
  new_lead_share: number | null;
}

/**
 * The current day at `at`: from one midnight of the campaign's zone to the next. Where a sending day is not
 * as long as a real one, days follow each other from the epoch on.
 */
export function campaignDay(timezone: string, at: Date, daySeconds: number): OpenWindow {
  if (daySeconds !== DAY_SECONDS) {
    const dayMs = daySeconds * 1_000;
    const from = Math.floor(at.getTime() / dayMs) * dayMs;
    return { from: new Date(from), until: new Date(from + dayMs) };
  }
  const today = Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timezone)
    .startOfDay();
  const tomorrow = today.add({ days: 1 }).startOfDay();
  return { from: new Date(today.epochMilliseconds), until: new Date(tomorrow.epochMilliseconds) };
}

/** Messages a day of mailboxes with these limits; `domainLimit` is that of a sending domain, 0 = none. */
export function capacityOf(
  mailboxes: readonly { email: string; perDay: number }[],
  domainLimit: number,
): number {
  const byDomain = new Map<string, number>();
  for (const { email, perDay } of mailboxes) {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    byDomain.set(domain, (byDomain.get(domain) ?? 0) + perDay);
  }
  const most = domainLimit === 0 ? Infinity : domainLimit;
  return [...byDomain.values()].reduce((sum, perDay) => sum + Math.min(perDay, most), 0);
}

/**
 * New leads per day; Infinity: any number. A share is rounded down, but above 0 it allows at least one:
 * otherwise a small mailbox would never start a thread.
 */
export function newLeadLimit(
  { max_new_leads_per_day: max, new_lead_share: share }: NewLeadSettings,
  capacity: number,
): number {
  const most = max ?? Infinity;
  if (share === null) return most;
  const part = Math.floor((capacity * share) / 100);
  const least = share > 0 && capacity > 0 ? 1 : 0;
  return Math.min(most, Math.max(part, least));
}

/** How many new leads a campaign has written to on one of its days. */
export interface NewLeadQuota {
  /** Infinity: any number. */
  limit: number;
  /** New leads written to today, deliveries in progress included. */
  today: number;
  dayFrom: Date;
  /** When the earliest first message is due that was put off today for any mailbox: it has its place. Null: none. */
  retryAt: Date | null;
  /** When the next day begins. */
  nextDayAt: Date;
}

export const placesLeft = (quota: NewLeadQuota | undefined): number =>
  quota === undefined ? Infinity : Math.max(0, quota.limit - quota.today);

/**
 * Recipients with a thread, and as many new ones as the quota allows; the others stay due. A first message
 * deferred on an earlier day uses the quota of the day on which it is retried, or waits for the next one:
 * since it is bound to its mailbox, it would block the follow-ups there. So does one of today whose quota was
 * used by others while its lead was paused, bound or not: what stays due would be looked at again at once.
 */
export function withinNewLeadQuota(
  quota: NewLeadQuota | undefined,
  recipients: readonly DueRecipient[],
  dropped: Dropped[],
): readonly DueRecipient[] {
  if (quota === undefined) return recipients;
  let left = placesLeft(quota);
  let tooMany = Math.max(0, quota.today - quota.limit);
  return recipients.filter(({ leadId, step, mailboxId, triedAt }) => {
    if (step > 0) return true;
    const isOfToday = triedAt !== null && triedAt >= quota.dayFrom;
    if (isOfToday) {
      tooMany -= 1;
      if (tooMany < 0) return true;
    } else {
      left -= 1;
      if (left >= 0) return true;
    }
    if (mailboxId !== null || isOfToday) {
      const holdReason = 'new_lead_limit';
      dropped.push({ leadId, status: null, holdReason, dueAt: quota.nextDayAt });
    }
    return false;
  });
}
