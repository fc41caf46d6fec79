/**
 * The true state of the simulated world, recorded independently of the product: the referee uses it.
 */
import type { SendWindow } from '../../src/domain/campaigns/campaigns.ts';
import { isHeld, type AddressChoice, type Verdict } from './address-rules.ts';
import { createExpiries, type Expiries } from './addresses/expiries.ts';
import { createHistory, type History } from './history.ts';
import { mostNewLeads, type NewLeadLimits } from './new-leads/limit-rules.ts';
import type { RuleBook } from './rules.ts';
import {
  answersThatBegin,
  createAnswers,
  type Answers,
  type StartRule,
} from './subsequences/answers.ts';
import type { Comparing } from './variants/text-rules.ts';

/** Why no more messages may come: to a lead in one campaign, or to an address in all of them. */
export type ClosedBy =
  | 'replied'
  /** A subsequence: they have answered to something else after its start. */
  | 'answered'
  | 'company_replied'
  | 'rejected'
  | 'bounced'
  | 'unsubscribed'
  | 'complained'
  | 'suppressed'
  | 'erased'
  | 'deleted'
  | 'removed';

/** A window, and whether it is read by the clock of each recipient. */
export interface SimulatedWindow extends SendWindow {
  isOfRecipient?: boolean;
}

export interface SimulatedCampaign {
  id: number;
  isSmall: boolean;
  window: History<SimulatedWindow>;
  isActive: History<boolean>;
  /** By position: words that are in each message; those of built-in reminders are unknown. */
  marks: History<string | undefined>[];
  /** Mailboxes that may begin threads. */
  mailboxes: History<readonly number[]>;
  /** Leads who have to be among its recipients. */
  leads: Set<number>;
  /** By lead: when it was added, where that was not from the start. */
  joined: Map<number, number>;
  delayDays: History<number>;
  followups: History<number>;
  /** How it treats risky addresses. */
  choice: History<AddressChoice>;
  isCancelled: boolean;
  newLeads: History<NewLeadLimits>;
  /** Where texts of a step are compared. */
  comparing?: Comparing;
  /** Where people enter it by their answers. */
  startsOn?: History<StartRule | null>;
}

export interface Book extends RuleBook {
  campaigns: SimulatedCampaign[];
  campaign(id: number): SimulatedCampaign;
  answers: Answers;
  /** Existing leads. */
  people: Set<number>;
  /** By lead, including deleted ones: the address; empty: none. */
  addresses: Map<number, History<string>>;
  /** By lead, where it has one. */
  companies: Map<number, number>;
  /** By lead, where it is known: its time zone, or that of its company. */
  zones: Map<number, string>;
  /** By domain, where it is known: the host of its mail. */
  providers: Map<string, string>;
  /** By lead: the verdict on its address. */
  verdicts: Map<number, History<Verdict>>;
  /** Deleted mailboxes, and since when. */
  goneMailboxes: Map<number, number>;
  /** Ends the sequence of one recipient. */
  closeRecipient(campaignId: number, leadId: number, by: ClosedBy, at: number): void;
  /** Closes an address or a whole domain: from now on nobody there gets a message. */
  closeAddress(addressOrDomain: string, by: ClosedBy, at: number): void;
  /** Lifts these causes; the address gets messages again unless others remain. */
  openAddress(addressOrDomain: string, by: readonly ClosedBy[], at: number): void;
  /** The causes that close it, without those of its domain. */
  addressClosedBy(addressOrDomain: string): ClosedBy[];
  /** Whether the campaign holds its messages to the lead back. */
  isHeldNow(campaignId: number, leadId: number): boolean;
  /** Whether another lead, be it deleted by now, had the address at that moment. */
  isShared(leadId: number, address: string, at: number): boolean;
  expiries: Expiries;
  /** Whether facts or choices about the lead's address changed after the campaign's end. */
  isDecidedLate(campaignId: number, leadId: number): boolean;
  isClosedAddress(address: string): boolean;
  /** Addresses that do not exist: a lead who gets another one starts again. */
  bouncedAddresses: Set<string>;
  /** Domains of addresses whose owners were erased. */
  erasedDomains: Set<string>;
  /** Whether the lead had a closed address at some time in the period. */
  hadClosedAddress(leadId: number, from: number, to: number): boolean;
  /** Whether its address was known to be invalid at some time in the period. */
  hadInvalidAddress(leadId: number, from: number, to: number): boolean;
  /** Whether the person has asked to be left alone, which holds for every address that they have. */
  keepsWish(leadId: number): boolean;
  closedBy(campaignId: number, leadId: number): Set<ClosedBy>;
  /** `campaign/lead`: leads with messages still to come, whose campaign ended before that was known. */
  provenLate: Set<string>;
  /** Whether a client has paused this lead in the campaign. */
  pausedLead(campaignId: number, leadId: number): History<boolean>;
  /** Records the day that an automatic answer has named. */
  setAway(campaignId: number, leadId: number, until: number, at: number): void;
}

/** A time in which messages to an address are held back. */
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
  const companies = new Map<number, number>();
  const zones = new Map<number, string>();
  const providers = new Map<string, string>();
  const goneMailboxes = new Map<number, number>();
  const recipients = new Map<string, Closing>();
  const closedAddresses = new Map<string, Period[]>();
  const verdicts = new Map<number, History<Verdict>>();
  const people = new Set<number>();
  const erasedDomains = new Set<string>();
  const bouncedAddresses = new Set<string>();
  const provenLate = new Set<string>();
  const answers = createAnswers();
  const pausedLeads = new Map<string, History<boolean>>();
  const pausedLead = (campaignId: number, leadId: number) => {
    const known = pausedLeads.get(key(campaignId, leadId)) ?? createHistory(false);
    pausedLeads.set(key(campaignId, leadId), known);
    return known;
  };
  const expiries = createExpiries();
  const away = new Map<string, { until: number; since: number }[]>();
  const campaign = (id: number) => campaigns.find((one) => one.id === id)!;
  const key = (campaignId: number, leadId: number) => `${campaignId}/${leadId}`;
  /** The periods of the address itself and of its domain. */
  const periodsOf = (address: string) =>
    [address, address.slice(address.indexOf('@') + 1)].flatMap(
      (value) => closedAddresses.get(value) ?? [],
    );
  const isOpenStill = ({ until }: Period) => until === Infinity;
  const keepsWish = (leadId: number) =>
    addresses.get(leadId)!.since() > -Infinity &&
    campaigns.some(({ id }) => {
      const by = recipients.get(key(id, leadId))?.by;
      return by?.has('unsubscribed') || by?.has('complained');
    });
  return {
    campaigns,
    campaign,
    answers,
    people,
    addresses,
    companies,
    zones,
    providers,
    verdicts,
    goneMailboxes,
    erasedDomains,
    bouncedAddresses,
    provenLate,
    pausedLead,
    expiries,
    isShared: (leadId, address, at) =>
      [...addresses].some(
        ([other, history]) =>
          other !== leadId && address !== '' && history.at(at).includes(address),
      ),
    isLeadPausedAt: (campaignId, leadId, at) =>
      !pausedLead(campaignId, leadId).at(at).includes(false),
    beginsAnew({ campaignId, leadId, to, at }, before) {
      if (to === before.to) return false;
      // The address that was given up may be one in between, to which no text was sent.
      const since = addresses.get(leadId)!.during(before.at, at);
      const current = since.findLastIndex(({ value }) => value === to);
      const othersWith = (value: string, from: number, until: number) =>
        [...addresses]
          .filter(([, history]) => history.during(from, until).some((one) => one.value === value))
          .map(([other]) => other)
          .filter((other) => other !== leadId);
      const mayBeIn = (other: number) =>
        campaign(campaignId).leads.has(other) || !people.has(other);
      const wasClosed = (value: string, from: number, until: number) =>
        periodsOf(value).some((one) => one.since <= until && one.until >= from);
      const gaveUp = since.some(({ value, until }, index) => {
        if (value !== to) {
          return (
            value === '' ||
            bouncedAddresses.has(value) ||
            othersWith(value, -Infinity, until).length > 0 ||
            wasClosed(value, before.at, until)
          );
        }
        // Who was left out for another lead with the address gets messages there once that one has another; what is lifted
        // lets the thread go on, unless the lead had yet another address meanwhile.
        const from = since[index - 1]?.until ?? before.at;
        return (
          othersWith(to, from, until).some(mayBeIn) ||
          (index < current && wasClosed(to, from, until))
        );
      });
      const wasInvalid = verdicts
        .get(leadId)!
        .during(before.at, at)
        .some(({ value }) => value.status === 'invalid');
      const hasExpired = expiries
        .of(campaignId, leadId)
        .some((one) => one.at >= before.at && one.to !== to);
      if (!(gaveUp || wasInvalid || hasExpired)) return false;
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
    hadInvalidAddress: (leadId, from, to) =>
      verdicts
        .get(leadId)!
        .during(from, to)
        .some(({ value }) => value.status === 'invalid'),
    keepsWish,
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
        // Of what was lifted; nothing of what still closes it.
        ...periodsOf(addresses.get(leadId)!.now())
          .filter((period) => !isOpenStill(period))
          .map(({ until }) => until),
      );
      return !isActive.now() && decidedAt >= isActive.since();
    },
    closedBy: (campaignId, leadId) => recipients.get(key(campaignId, leadId))?.by ?? new Set(),
    setAway(campaignId, leadId, until, since) {
      const times = away.get(key(campaignId, leadId)) ?? [];
      away.set(key(campaignId, leadId), [...times, { until, since }]);
    },
    windowsAt: (campaignId, leadId, at) =>
      campaign(campaignId)
        .window.at(at)
        .map(({ isOfRecipient, ...window }) => ({
          ...window,
          timezone: (isOfRecipient && zones.get(leadId)) || window.timezone,
        })),
    isActiveAt: (campaignId, at) => campaign(campaignId).isActive.at(at).includes(true),
    delayDaysAt: (campaignId, at) => campaign(campaignId).delayDays.at(at),
    followupsAt: (campaignId, at) => campaign(campaignId).followups.at(at),
    marksAt: (campaignId, step, at) => {
      const { marks, comparing } = campaign(campaignId);
      return [...marks[step]!.at(at), ...(comparing?.tests[step]?.variants ?? [])];
    },
    winnersAt: (campaignId, step, at) =>
      campaign(campaignId)
        .comparing?.tests[step]?.choice.at(at)
        .map(({ mark }) => mark) ?? [null],
    isCompared: (campaignId, step) => campaign(campaignId).comparing?.tests[step] !== undefined,
    newLeadLimitsAt(campaignId, at) {
      const { newLeads, mailboxes } = campaign(campaignId);
      const isThere = (id: number) => (goneMailboxes.get(id) ?? Infinity) >= at;
      const counts = mailboxes.at(at).map((ids) => ids.filter(isThere).length);
      return newLeads.at(at).flatMap((limits) => counts.map((one) => mostNewLeads(limits, one)));
    },
    timezonesAt: (campaignId, at) =>
      campaign(campaignId)
        .window.at(at)
        .map(({ timezone }) => timezone),
    addressesAt: (leadId, at) => addresses.get(leadId)!.at(at),
    verdictsAt: (leadId, at) => verdicts.get(leadId)!.at(at),
    choicesAt: (campaignId, at) => campaign(campaignId).choice.at(at),
    takesFirstAt: (campaignId, mailboxId, at) =>
      campaign(campaignId)
        .mailboxes.at(at)
        .some((ids) => ids.includes(mailboxId)),
    takesFirstSince: (campaignId, mailboxId, { from, to }) =>
      (goneMailboxes.get(mailboxId) ?? Infinity) > to &&
      campaign(campaignId)
        .mailboxes.during(from, to)
        .every(({ value }) => value.includes(mailboxId)),
    answersAt: (campaignId, leadId, at) =>
      campaign(campaignId).startsOn &&
      answersThatBegin(answers, campaign(campaignId), { leadId, at }),
    enteredAt: (campaignId, leadId) => answers.entryOf(campaignId, leadId)?.at,
    mailboxGoneSince: (mailboxId) => goneMailboxes.get(mailboxId),
    closedSince: ({ at, campaignId, leadId, to }) => {
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
