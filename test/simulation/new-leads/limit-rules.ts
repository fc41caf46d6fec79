/**
 * How many leads get their first message on one day, by docs/campaign-messages.md#how-many-new-leads-a-day: implemented
 * independently of the product.
 */
import type { Observed } from '../rules.ts';

export interface NewLeadLimits {
  /** Null: any number. */
  perDay: number | null;
  /** Per cent of what the mailboxes that begin threads may send a day; null: all of it. */
  share: number | null;
}

export const UNLIMITED: NewLeadLimits = { perDay: null, share: null };

/** Defaults of docs/sending-rules.md#one-message-at-a-time; all mailboxes have one domain. */
export const OF_A_MAILBOX = 30;
const OF_A_DOMAIN = 150;

/** Infinity: any number. `mailboxes`: how many begin threads. */
export function mostNewLeads({ perDay, share }: NewLeadLimits, mailboxes: number): number {
  const most = perDay ?? Infinity;
  if (share === null) return most;
  if (share === 0 || mailboxes === 0) return 0;
  const part = (Math.min(OF_A_DOMAIN, mailboxes * OF_A_MAILBOX) * share) / 100;
  return Math.min(most, Math.max(1, Math.floor(part)));
}

/** The date on a calendar of that zone. */
const dateIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);

/** At the moment of a change both the old and the new value. */
export interface LimitBook {
  /** As numbers. */
  newLeadLimitsAt(campaignId: number, at: number): number[];
  /** Whose midnights begin its days. */
  timezonesAt(campaignId: number, at: number): string[];
}

/** Remembers the first messages whose texts have begun; what is wrong with the next one. */
export function createLimitRules(
  book: LimitBook,
): (message: Observed, broken: (rule: string) => void) => void {
  const firsts = new Map<number, { at: number; leadId: number }[]>();
  return ({ at, campaignId, leadId, step }, broken) => {
    if (step > 0) return;
    const own = [...(firsts.get(campaignId) ?? []), { at, leadId }];
    firsts.set(campaignId, own);
    const most = Math.max(...book.newLeadLimitsAt(campaignId, at));
    if (most === Infinity) return;
    const counts = book.timezonesAt(campaignId, at).map((zone) => {
      const today = dateIn(zone, at);
      return new Set(own.filter((one) => dateIn(zone, one.at) === today).map((one) => one.leadId))
        .size;
    });
    const count = Math.min(...counts);
    if (count > most) broken(`it is new lead ${count} of the day, and ${most} are allowed`);
  };
}
