/**
 * The rules of sending, implemented independently of the product: every message that begins is checked.
 */
import type { SendWindow } from '../../src/domain/campaigns/campaigns.ts';
import type { GivenAnswer } from './subsequences/answers.ts';
import { wrongOpening } from './subsequences/entry-rules.ts';
import { isHeld, type AddressChoice, type Verdict } from './address-rules.ts';
import { wrongAfterExpiry, type Expiries } from './addresses/expiries.ts';
import { createLimitRules, type LimitBook } from './new-leads/limit-rules.ts';
import { createTextRules, type TextBook } from './variants/text-rules.ts';

/** By one click, and by mail. */
const WAYS_OUT = /^<https:\/\/[^>]+>, <mailto:[^@>]+@[^>]+\?subject=unsubscribe%20[\w-]+>$/;

/** A message whose text has begun to be sent. */
export interface Observed {
  at: number;
  /** When the product chose to send it now. */
  claimedAt: number;
  campaignId: number;
  leadId: number;
  step: number;
  /** The number of its text. */
  variant: number;
  mailboxId: number;
  messageId: string;
  /** Earlier SMTP attempts: servers have deferred it, so it stays on its mailbox. */
  attempts: number;
  /** Of the message itself. */
  to: string;
  body: string;
  /** Pauses of mailboxes after refusals as spam; `mailboxId` null: of all. */
  pauses: readonly { mailboxId: number | null; since: number; until: number }[];
  headers: {
    subject: string;
    inReplyTo: string;
    references: string;
    unsubscribe: string;
    oneClick: string;
  };
}

/** The facts at a moment; at the moment of a change both the old and the new value. */
export interface RuleBook extends LimitBook, TextBook {
  /** As its recipient reads them. */
  windowsAt(campaignId: number, leadId: number, at: number): SendWindow[];
  isActiveAt(campaignId: number, at: number): boolean;
  /** Between any two messages. */
  delayDaysAt(campaignId: number, at: number): number[];
  /** How many messages follow the first one. */
  followupsAt(campaignId: number, at: number): number[];
  /** Words of the selected texts; undefined = unknown. */
  marksAt(campaignId: number, step: number, at: number): (string | undefined)[];
  /** Of the lead. */
  addressesAt(leadId: number, at: number): string[];
  /** Of the lead's address. */
  verdictsAt(leadId: number, at: number): Verdict[];
  /** How the campaign treats risky addresses. */
  choicesAt(campaignId: number, at: number): AddressChoice[];
  /** Whether the mailbox may begin threads for the campaign. */
  takesFirstAt(campaignId: number, mailboxId: number, at: number): boolean;
  /** Whether it may have all the time. */
  takesFirstSince(
    campaignId: number,
    mailboxId: number,
    period: { from: number; to: number },
  ): boolean;
  /** The answers by which the lead may be in the campaign; undefined: nobody enters that by answers. */
  answersAt(campaignId: number, leadId: number, at: number): GivenAnswer[] | undefined;
  /** Since when the lead is in a campaign by an answer, where that is known. */
  enteredAt(campaignId: number, leadId: number): number | undefined;
  /** Since when the mailbox is deleted. */
  mailboxGoneSince(mailboxId: number): number | undefined;
  /** Since when messages to the recipient or the address are forbidden. */
  closedSince(message: Pick<Observed, 'at' | 'campaignId' | 'leadId' | 'to'>): number | undefined;
  /** Whether the message goes to another address than the earlier one, which was given up meanwhile. */
  beginsAnew(message: Observed, before: Observed): boolean;
  /** Whether a client has paused this recipient. */
  isLeadPausedAt(campaignId: number, leadId: number, at: number): boolean;
  /** Messages that their servers gave up. */
  expiries: Pick<Expiries, 'of' | 'open'>;
  /** The day until which an automatic answer has asked to wait; 0 = none. */
  awayUntil(campaignId: number, leadId: number, at: number): number;
  /**
   * Whether an erasure removed address and domain from what was sent to the lead, so that no rule can
   * be checked.
   */
  isForgotten(leadId: number, domain: string): boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The gap is 600 s with 20 % jitter. docs/sending-rules.md#one-message-at-a-time. */
const MIN_GAP_MS = 600_000 * 0.8;
const HOURLY = 8;
const DAILY = 30;
const PER_RECIPIENT_DOMAIN = 2;

const WEEKDAY: Record<string, string> = {
  Mon: 'mon',
  Tue: 'tue',
  Wed: 'wed',
  Thu: 'thu',
  Fri: 'fri',
  Sat: 'sat',
  Sun: 'sun',
};
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** The wall clock time in that zone. */
function wallClock(at: number, timeZone: string): { day: string; minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]));
  return {
    day: WEEKDAY[parts['weekday']!]!,
    minute: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** By the wall clock alone. A window over midnight belongs to the day on which it begins. */
export function isOpen(window: SendWindow, at: number): boolean {
  const { day, minute } = wallClock(at, window.timezone);
  const from = minuteOf(window.startTime);
  const to = minuteOf(window.endTime);
  const isActive = (name: string) => (window.activeDays as readonly string[]).includes(name);
  if (from < to) return isActive(day) && minute >= from && minute < to;
  const yesterday = DAYS[(DAYS.indexOf(day) + 6) % 7]!;
  return (isActive(day) && minute >= from) || (isActive(yesterday) && minute < to);
}

type Broken = (rule: string) => void;

/** Remembers every message and reports violations. */
export function createReferee(book: RuleBook) {
  const byMailbox = new Map<number, number[]>();
  const byDomain = new Map<string, { at: number; leadId: number }[]>();
  const begun = new Map<string, Observed>();
  /** By `campaign/address` the lead who got it: whoever the lead is, the first message comes once. */
  const firsts = new Map<string, number>();
  /** By `campaign/address`. */
  const written = new Set<string>();
  const checkNewLeads = createLimitRules(book);
  const texts = createTextRules(book);
  const violations: string[] = [];
  const within = (times: readonly number[], at: number, span: number) =>
    times.filter((time) => time > at - span && time <= at).length;

  /** A message that was refused or deferred before its text may be sent once more. */
  const key = ({ campaignId, leadId, step }: Observed) => `${campaignId}/${leadId}/${step}`;

  return {
    violations,
    begun,
    texts,
    observe(message: Observed): void {
      const { at, campaignId, leadId, step } = message;
      const what = `${new Date(at).toISOString()} campaign ${campaignId} lead ${leadId} step ${step}`;
      const broken = (rule: string) => void violations.push(`${what}: ${rule}`);
      const before = begun.get(key(message));
      if (before && !book.beginsAnew(message, before)) {
        const then = new Date(before.at).toISOString();
        broken(`its text was begun before (${then} to ${before.to}, now to ${message.to})`);
      }
      begun.set(key(message), message);
      if (!book.isActiveAt(campaignId, at)) broken('the campaign is not active');
      if (!book.windowsAt(campaignId, leadId, at).some((window) => isOpen(window, at))) {
        broken('the window is closed');
      }
      checkLimits(message, broken);
      checkRecipient(message, broken);
      checkAddress(message, broken);
      checkText(message, broken);
      texts.check(message, broken);
      checkNewLeads(message, broken);
      if (step > 0) checkThread(message, broken);
      else checkMailbox(message, broken);
      checkExpiries(message, broken);
      written.add(`${campaignId}/${message.to}`);
    },
  };

  function checkLimits(message: Observed, broken: Broken): void {
    const { at, campaignId, mailboxId } = message;
    const times = byMailbox.get(mailboxId) ?? [];
    const last = times.at(-1);
    if (last !== undefined && at - last < MIN_GAP_MS) {
      broken(`mailbox ${mailboxId} wrote ${(at - last) / 1_000} s before`);
    }
    if (within(times, at, HOUR) >= HOURLY) broken(`mailbox ${mailboxId}: hour`);
    if (within(times, at, DAY) >= DAILY) broken(`mailbox ${mailboxId}: day`);
    byMailbox.set(mailboxId, [...times.filter((time) => time > at - DAY), at]);
    const domain = message.to.slice(message.to.indexOf('@') + 1);
    const domainKey = `${campaignId}/${domain}`;
    const toDomain = (byDomain.get(domainKey) ?? []).filter(
      (before) => before.at > at - DAY && !book.isForgotten(before.leadId, domain),
    );
    if (toDomain.length >= PER_RECIPIENT_DOMAIN) broken('recipient domain');
    byDomain.set(domainKey, [...toDomain, { at, leadId: message.leadId }]);
    const goneSince = book.mailboxGoneSince(mailboxId);
    if (goneSince !== undefined && goneSince < at) broken(`mailbox ${mailboxId} is gone`);
  }

  function checkRecipient(message: Observed, broken: Broken): void {
    const { at, campaignId, leadId, to } = message;
    const closed = book.closedSince(message);
    if (closed !== undefined && closed < at) broken('the recipient was closed before');
    if (book.isLeadPausedAt(campaignId, leadId, at)) broken('the lead is paused');
    if (!book.addressesAt(leadId, at).includes(to)) broken(`${to} is not the lead's address`);
    const until = book.awayUntil(campaignId, leadId, at);
    if (until > at) broken(`the recipient is away until ${new Date(until).toISOString()}`);
  }

  /** Only an invalid address never gets messages; for others the campaign's choice counts. */
  function checkAddress({ at, campaignId, leadId, step, to }: Observed, broken: Broken): void {
    const verdicts = book.verdictsAt(leadId, at);
    const choices = book.choicesAt(campaignId, at);
    if (verdicts.every(({ status }) => status === 'invalid')) broken('its address is invalid');
    else if (choices.every((choice) => verdicts.every((one) => isHeld(choice, one, to)))) {
      broken('the campaign holds such addresses');
    }
    if (step > 0) return;
    const first = `${campaignId}/${to}`;
    const before = firsts.get(first);
    if (before !== undefined && !book.isForgotten(before, to.slice(to.indexOf('@') + 1))) {
      broken('its address got the first message before');
    }
    firsts.set(first, leadId);
  }

  function checkText(message: Observed, broken: Broken): void {
    const { at, campaignId, step, body, headers } = message;
    const marks = book.marksAt(campaignId, step, at);
    const mark = marks.find((one) => one === undefined || body.includes(one)) ?? '';
    if (mark === '' && !marks.includes(undefined)) {
      broken(`its text is not the one that was chosen (${marks.join(', ')})`);
    }
    if (!WAYS_OUT.test(headers.unsubscribe)) broken('no link to unsubscribe');
    if (headers.oneClick !== 'List-Unsubscribe=One-Click') broken('no one-click unsubscribing');
  }

  /** A mailbox that was removed from the campaign continues the threads that it has begun. */
  function checkMailbox(message: Observed, broken: Broken): void {
    const { at, campaignId, leadId, mailboxId, attempts } = message;
    if (attempts === 0 && !book.takesFirstAt(campaignId, mailboxId, at)) {
      broken(`mailbox ${mailboxId} was taken off the campaign`);
    }
    const answers = book.answersAt(campaignId, leadId, at);
    if (!answers) return;
    const from = book.enteredAt(campaignId, leadId) ?? at;
    const mayWrite = (answer: GivenAnswer) =>
      book.takesFirstSince(campaignId, answer.mailboxId, { from, to: at }) &&
      !message.pauses.some(
        (pause) =>
          (pause.mailboxId ?? answer.mailboxId) === answer.mailboxId &&
          pause.since <= at &&
          // The end of a pause is noticed later.
          pause.until + HOUR >= from,
      );
    for (const rule of wrongOpening(message, answers, mayWrite)) broken(rule);
  }

  function checkExpiries(message: Observed, broken: Broken): void {
    const { campaignId, leadId, step, to } = message;
    const before = begun.get(`${campaignId}/${leadId}/${step - 1}`);
    const isKnownThere = written.has(`${campaignId}/${to}`);
    const thread = before && { messageId: before.messageId, isKnownThere };
    for (const rule of wrongAfterExpiry(book.expiries, message, thread)) broken(rule);
  }

  function checkThread(message: Observed, broken: Broken): void {
    const { campaignId, leadId, step, at, attempts, mailboxId, headers } = message;
    const before = begun.get(`${campaignId}/${leadId}/${step - 1}`);
    const first = begun.get(`${campaignId}/${leadId}/0`);
    if (!before || !first) return broken('no message before it');
    if (first.mailboxId !== mailboxId) broken('another mailbox than the first message');
    if (headers.inReplyTo !== before.messageId) broken(`In-Reply-To ${headers.inReplyTo}`);
    if (!headers.references.includes(first.messageId)) broken('References without the first');
    const { subject } = first.headers;
    if (headers.subject !== (subject.startsWith('Re: ') ? subject : `Re: ${subject}`))
      broken(`subject ${headers.subject}`);
    const waited = at - before.at;
    const delay = Math.min(...book.delayDaysAt(campaignId, at)) * DAY;
    if (step > Math.max(...book.followupsAt(campaignId, at))) broken('the sequence is shorter');
    // A message that its server defers keeps the time of its first attempt.
    if (attempts === 0 && waited < delay) broken(`${waited / DAY} days after the message before`);
  }
}
