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

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date on a calendar of that zone. */
function dateIn(timeZone: string, at: number): string {
  // Dear to make, and asked for each message.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(at);
}

/** At the moment of a change both the old and the new value. */
export interface LimitBook {
  /** As numbers. */
  newLeadLimitsAt(campaignId: number, at: number): number[];
  /** Whose midnights begin its days. */
  timezonesAt(campaignId: number, at: number): string[];
}

interface First {
  at: number;
  leadId: number;
}

/** The first messages of a campaign: how many leads got theirs on one day of a zone. */
function createFirsts() {
  const all: First[] = [];
  /** By zone and date; only of zones that were asked for. */
  const leads = new Map<string, Map<string, Set<number>>>();
  const put = (zone: string, { at, leadId }: First) => {
    const days = leads.get(zone)!;
    const date = dateIn(zone, at);
    days.set(date, (days.get(date) ?? new Set()).add(leadId));
  };
  return {
    add(first: First): void {
      all.push(first);
      for (const zone of leads.keys()) put(zone, first);
    },
    /** On the day of that moment. */
    count(zone: string, at: number): number {
      if (!leads.has(zone)) {
        leads.set(zone, new Map());
        for (const first of all) put(zone, first);
      }
      return leads.get(zone)!.get(dateIn(zone, at))?.size ?? 0;
    },
  };
}

/** Remembers the first messages whose texts have begun; what is wrong with the next one. */
export function createLimitRules(
  book: LimitBook,
): (message: Observed, broken: (rule: string) => void) => void {
  const firsts = new Map<number, ReturnType<typeof createFirsts>>();
  return ({ at, campaignId, leadId, step }, broken) => {
    if (step > 0) return;
    const own = firsts.get(campaignId) ?? createFirsts();
    firsts.set(campaignId, own);
    own.add({ at, leadId });
    const most = Math.max(...book.newLeadLimitsAt(campaignId, at));
    if (most === Infinity) return;
    const counts = book.timezonesAt(campaignId, at).map((zone) => own.count(zone, at));
    const count = Math.min(...counts);
    if (count > most) broken(`it is new lead ${count} of the day, and ${most} are allowed`);
  };
}
