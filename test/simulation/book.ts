/** What is true in the simulated world, noted beside the product: the referee goes by it. */
import type { SendWindow } from '../../src/domain/campaigns/campaigns.ts';
import { isHeld, type AddressChoice, type Verdict } from './address-rules.ts';
import { createHistory, type History } from './history.ts';
import type { Observed, RuleBook } from './rules.ts';

/** Why nothing more may come: of a person in one campaign, or of an address in all of them. */
export type ClosedBy =
  | 'replied'
  | 'rejected'
  | 'bounced'
  | 'unsubscribed'
  | 'complained'
  | 'suppressed'
  | 'erased'
  | 'deleted'
  | 'removed';

export interface SimulatedCampaign {
  id: number;
  isSmall: boolean;
  window: History<SendWindow>;
  isActive: History<boolean>;
  /** By position: words that stand in each message; those of built-in reminders are unknown. */
  marks: History<string | undefined>[];
  /** Those that may begin threads. */
  mailboxes: History<readonly number[]>;
  /** Who has to be among its recipients. */
  leads: Set<number>;
  delayDays: History<number>;
  followups: History<number>;
  /** What it does with risky addresses. */
  choice: History<AddressChoice>;
  isCancelled: boolean;
}

export interface Book extends RuleBook {
  campaigns: SimulatedCampaign[];
  campaign(id: number): SimulatedCampaign;
  /** Leads that are there. */
  people: Set<number>;
  /** By lead, also of those that are gone: the address. */
  addresses: Map<number, History<string>>;
  /** By lead: the verdict on its address. */
  verdicts: Map<number, History<Verdict>>;
  /** Mailboxes that are gone for good, and since when. */
  goneMailboxes: Map<number, number>;
  /** Ends the sequence of one recipient. */
  closeRecipient(campaignId: number, leadId: number, by: ClosedBy, at: number): void;
  /** An address or a whole domain: nobody there is written to from now on. */
  closeAddress(addressOrDomain: string, by: ClosedBy, at: number): void;
  /** It is written to again, as far as these have closed it. */
  openAddress(addressOrDomain: string, by: readonly ClosedBy[], at: number): void;
  /** By what it is closed, the domain aside. */
  addressClosedBy(addressOrDomain: string): ClosedBy[];
  /** Whether the campaign keeps its messages from the lead's address. */
  isHeldNow(campaignId: number, leadId: number): boolean;
  /** Whether what is known or chosen of the lead's address changed after the campaign's end. */
  isDecidedLate(campaignId: number, leadId: number): boolean;
  isClosedAddress(address: string): boolean;
  /** That do not exist: a lead who gets another one begins anew. */
  bouncedAddresses: Set<string>;
  /** Domains of addresses whose owners were erased. */
  erasedDomains: Set<string>;
  /** Whether the lead had a closed address at some time in between. */
  hadClosedAddress(leadId: number, from: number, to: number): boolean;
  closedBy(campaignId: number, leadId: number): Set<ClosedBy>;
  /** `campaign/lead`: people who have messages to come, and whose campaign has ended before. */
  provenLate: Set<string>;
  /** Whether a client has paused just this lead in the campaign. */
  pausedLead(campaignId: number, leadId: number): History<boolean>;
  /** An automatic answer has named the day. */
  setAway(campaignId: number, leadId: number, until: number, at: number): void;
}

/** While something keeps messages from an address. */
interface Period {
  by: ClosedBy;
  since: number;
  until: number;
}

interface Closing {
  by: Set<ClosedBy>;
  since: number;
}

export function createBook(): Book {
  const campaigns: SimulatedCampaign[] = [];
  const addresses = new Map<number, History<string>>();
  const goneMailboxes = new Map<number, number>();
  const recipients = new Map<string, Closing>();
  const closedAddresses = new Map<string, Period[]>();
  const verdicts = new Map<number, History<Verdict>>();
  const people = new Set<number>();
  const erasedDomains = new Set<string>();
  const bouncedAddresses = new Set<string>();
  const provenLate = new Set<string>();
  const pausedLeads = new Map<string, History<boolean>>();
  const pausedLead = (campaignId: number, leadId: number) => {
    const known = pausedLeads.get(key(campaignId, leadId)) ?? createHistory(false);
    pausedLeads.set(key(campaignId, leadId), known);
    return known;
  };
  const away = new Map<string, { until: number; since: number }[]>();
  const campaign = (id: number) => campaigns.find((one) => one.id === id)!;
  const key = (campaignId: number, leadId: number) => `${campaignId}/${leadId}`;
  /** Of the address itself and of its domain. */
  const periodsOf = (address: string) =>
    [address, address.slice(address.indexOf('@') + 1)].flatMap(
      (value) => closedAddresses.get(value) ?? [],
    );
  const isOpenStill = ({ until }: Period) => until === Infinity;
  return {
    campaigns,
    campaign,
    people,
    addresses,
    verdicts,
    goneMailboxes,
    erasedDomains,
    bouncedAddresses,
    provenLate,
    pausedLead,
    isLeadPausedAt: (campaignId, leadId, at) =>
      !pausedLead(campaignId, leadId).at(at).includes(false),
    beginsAnew({ campaignId, leadId, to }, before) {
      if (to === before.to || !bouncedAddresses.has(before.to)) return false;
      away.delete(key(campaignId, leadId));
      return true;
    },
    closeRecipient(campaignId, leadId, by, at) {
      const before = recipients.get(key(campaignId, leadId));
      if (before) before.by.add(by);
      else recipients.set(key(campaignId, leadId), { by: new Set([by]), since: at });
    },
    closeAddress(address, by, at) {
      const periods = closedAddresses.get(address) ?? [];
      if (periods.some((one) => one.by === by && isOpenStill(one))) return;
      closedAddresses.set(address, [...periods, { by, since: at, until: Infinity }]);
    },
    openAddress(address, by, at) {
      for (const period of closedAddresses.get(address) ?? []) {
        if (by.includes(period.by) && isOpenStill(period)) period.until = at;
      }
    },
    addressClosedBy: (address) =>
      (closedAddresses.get(address) ?? []).filter(isOpenStill).map(({ by }) => by),
    isClosedAddress: (address) => periodsOf(address).some(isOpenStill),
    hadClosedAddress: (leadId, from, to) =>
      addresses
        .get(leadId)!
        .during(from, to)
        .some(({ value, until }) =>
          periodsOf(value).some((period) => period.since <= until && period.until >= from),
        ),
    isHeldNow: (campaignId, leadId) =>
      isHeld(
        campaign(campaignId).choice.now(),
        verdicts.get(leadId)!.now(),
        addresses.get(leadId)!.now(),
      ),
    isDecidedLate(campaignId, leadId) {
      const { isActive, choice } = campaign(campaignId);
      const decidedAt = Math.max(
        choice.since(),
        verdicts.get(leadId)!.since(),
        addresses.get(leadId)!.since(),
      );
      return !isActive.now() && decidedAt >= isActive.since();
    },
    closedBy: (campaignId, leadId) => recipients.get(key(campaignId, leadId))?.by ?? new Set(),
    setAway(campaignId, leadId, until, since) {
      const times = away.get(key(campaignId, leadId)) ?? [];
      away.set(key(campaignId, leadId), [...times, { until, since }]);
    },
    windowsAt: (campaignId, at) => campaign(campaignId).window.at(at),
    isActiveAt: (campaignId, at) => campaign(campaignId).isActive.at(at).includes(true),
    delayDaysAt: (campaignId, at) => campaign(campaignId).delayDays.at(at),
    followupsAt: (campaignId, at) => campaign(campaignId).followups.at(at),
    marksAt: (campaignId, step, at) => campaign(campaignId).marks[step]!.at(at),
    addressesAt: (leadId, at) => addresses.get(leadId)!.at(at),
    verdictsAt: (leadId, at) => verdicts.get(leadId)!.at(at),
    choicesAt: (campaignId, at) => campaign(campaignId).choice.at(at),
    takesFirstAt: (campaignId, mailboxId, at) =>
      campaign(campaignId)
        .mailboxes.at(at)
        .some((ids) => ids.includes(mailboxId)),
    mailboxGoneSince: (mailboxId) => goneMailboxes.get(mailboxId),
    closedSince: ({ at, campaignId, leadId, to }: Observed) => {
      const recipient = recipients.get(key(campaignId, leadId))?.since ?? Infinity;
      const ofAddress = periodsOf(to)
        .filter(({ until }) => at < until)
        .map((period) => period.since);
      const since = Math.min(recipient, ...ofAddress);
      return since === Infinity ? undefined : since;
    },
    isForgotten: (leadId, domain) => !people.has(leadId) && erasedDomains.has(domain),
    awayUntil: (campaignId, leadId, at) =>
      Math.max(
        0,
        ...(away.get(key(campaignId, leadId)) ?? [])
          .filter(({ since }) => since < at)
          .map(({ until }) => until),
      ),
  };
}
