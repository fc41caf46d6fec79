/** The simulation's referee notices the violations that it is for. */
import { describe, expect, it } from 'vitest';
import type { SendWindow } from '../../src/domain/campaigns/campaigns.ts';
import { ALL_ALLOWED, UNVERIFIED, VERDICTS, type AddressChoice } from './address-rules.ts';
import { createBook } from './book.ts';
import { createExpiries } from './addresses/expiries.ts';
import { createHistory } from './history.ts';
import { createReferee, isOpen, type Observed, type RuleBook } from './rules.ts';

const window: SendWindow = {
  timezone: 'Europe/Berlin',
  activeDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  startTime: '09:00',
  endTime: '17:00',
};
/** A Monday, 10:00 in Berlin. */
const monday = Date.parse('2026-03-02T09:00:00Z');
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const links = {
  unsubscribe: '<https://outreach.example/u/1>, <mailto:a@b.example?subject=unsubscribe%201>',
  oneClick: 'List-Unsubscribe=One-Click',
};

const INVALID = VERDICTS.find(({ status }) => status === 'invalid')!;
const GREYLISTED = VERDICTS.find(({ reason }) => reason === 'greylisted')!;
const HOLDING: AddressChoice = {
  minValidationScore: null,
  riskyAddresses: { catchAll: 'allow', unknown: 'hold', role: 'allow' },
};
const SCORED: AddressChoice = { ...ALL_ALLOWED, minValidationScore: 50 };

const message = (change: Partial<Observed> = {}): Observed => ({
  at: monday,
  claimedAt: change.at ?? monday,
  campaignId: 1,
  leadId: 1,
  step: 0,
  variant: 0,
  mailboxId: 1,
  messageId: '<a@b.example>',
  attempts: 0,
  to: 'ann@c.example',
  body: 'A word.',
  pauses: [],
  headers: { ...links, subject: 'Hello', inReplyTo: '', references: '' },
  ...change,
});

const calm: RuleBook = {
  windowsAt: () => [window],
  isActiveAt: () => true,
  delayDaysAt: () => [3],
  followupsAt: () => [2],
  marksAt: () => [undefined],
  winnersAt: () => [null],
  isCompared: () => false,
  newLeadLimitsAt: () => [Infinity],
  timezonesAt: () => ['Europe/Berlin'],
  addressesAt: () => ['ann@c.example'],
  verdictsAt: () => [UNVERIFIED],
  choicesAt: () => [ALL_ALLOWED],
  takesFirstAt: () => true,
  takesFirstSince: () => true,
  answersAt: () => undefined,
  enteredAt: () => undefined,
  mailboxGoneSince: () => undefined,
  closedSince: () => undefined,
  beginsAnew: () => false,
  expiries: { of: () => [], open: () => [] },
  awayUntil: () => 0,
  isLeadPausedAt: () => false,
  isForgotten: () => false,
};

function violationsOf(messages: Observed[], book: Partial<RuleBook> = {}): string[] {
  const referee = createReferee({ ...calm, ...book });
  for (const one of messages) referee.observe(one);
  return referee.violations;
}

const followup = (change: Partial<Observed> = {}) =>
  message({
    at: monday + 3 * DAY,
    step: 1,
    messageId: '<d@b.example>',
    headers: {
      ...links,
      subject: 'Re: Hello',
      inReplyTo: '<a@b.example>',
      references: '<a@b.example>',
    },
    ...change,
  });

describe('the referee', () => {
  it('lets through what keeps the rules', () => {
    expect(violationsOf([message(), followup()])).toEqual([]);
  });

  it('counts no messages to people who were erased since', () => {
    const addresses = [0, 1, 2].map((n) => `ann${n}@c.example`);
    const messages = addresses.map((to, n) =>
      message({ leadId: n, mailboxId: n, to, at: monday + n }),
    );
    const isForgotten = (leadId: number) => leadId === 0;
    expect(violationsOf(messages, { isForgotten, addressesAt: () => addresses })).toEqual([]);
  });

  it.for<[string, Observed[], RegExp]>([
    ['a message twice', [message(), message({ at: monday + DAY })], /begun before/],
    ['a closed window', [message({ at: monday + 9 * 60 * MINUTE })], /window is closed/],
    ['a weekend', [message({ at: monday - DAY })], /window is closed/],
    [
      'a gap of five minutes',
      [message(), message({ leadId: 2, to: 'ann@x', at: monday + 5 * MINUTE })],
      /300 s before/,
    ],
    [
      'nine messages in an hour',
      Array.from({ length: 9 }, (_, n) =>
        message({ leadId: n, to: `ann@d${n}`, at: monday + n * 1.0001 * MINUTE }),
      ),
      /hour/,
    ],
    [
      'three messages to a company on a day',
      [0, 1, 2].map((n) => message({ leadId: n, mailboxId: n, at: monday + n })),
      /recipient domain/,
    ],
    ['another mailbox for a follow-up', [message(), followup({ mailboxId: 2 })], /another mailbox/],
    ['a follow-up too soon', [message(), followup({ at: monday + 2 * DAY })], /days after/],
    [
      'a follow-up out of the thread',
      [
        message(),
        followup({ headers: { ...links, subject: 'Re: Hello', inReplyTo: '', references: '' } }),
      ],
      /In-Reply-To/,
    ],
  ])('sees %s', ([, messages, rule]) => {
    expect(violationsOf(messages).join('\n')).toMatch(rule);
  });

  it.for<[string, Partial<RuleBook>, RegExp]>([
    ['somebody who has answered', { closedSince: () => monday - 1 }, /closed before/],
    ['somebody who is away', { awayUntil: () => monday + DAY }, /away until/],
    ['an address that the lead had before', { addressesAt: () => ['ann@new'] }, /not the lead's/],
  ])('sees a message to %s', ([, book, rule]) => {
    expect(violationsOf([message()], book).join('\n')).toMatch(rule);
  });

  it.for<[string, Partial<RuleBook>, RegExp]>([
    ['that is invalid', { verdictsAt: () => [INVALID] }, /address is invalid/],
    [
      'that the campaign holds',
      { verdictsAt: () => [GREYLISTED], choicesAt: () => [HOLDING] },
      /holds such addresses/,
    ],
    ['that has too low a score', { choicesAt: () => [SCORED] }, /holds such addresses/],
  ])('sees a message to an address %s', ([, book, rule]) => {
    expect(violationsOf([message()], book).join('\n')).toMatch(rule);
  });

  it('lets through who is greylisted, and whom the campaign held until this very moment', () => {
    expect(violationsOf([message()], { verdictsAt: () => [GREYLISTED] })).toEqual([]);
    const choicesAt = () => [HOLDING, ALL_ALLOWED];
    expect(violationsOf([message()], { verdictsAt: () => [GREYLISTED], choicesAt })).toEqual([]);
  });

  it('sees a first message to an address that another lead had before', () => {
    const messages = [message(), message({ leadId: 2, mailboxId: 2, at: monday + DAY })];
    expect(violationsOf(messages).join('\n')).toMatch(/got the first message before/);
    // What an erasure removed can no longer be checked.
    expect(violationsOf(messages, { isForgotten: (leadId) => leadId === 1 })).toEqual([]);
  });

  it('knows what has closed an address, and what opens it again', () => {
    const book = createBook();
    book.closeAddress('ann@c.example', 'unsubscribed', monday);
    book.closeAddress('ann@c.example', 'suppressed', monday);
    const closedSince = (at: number) => book.closedSince(message({ at }));
    book.openAddress('ann@c.example', ['suppressed'], monday + DAY);
    expect(closedSince(monday + 2 * DAY)).toBe(monday);
    expect(book.addressClosedBy('ann@c.example')).toEqual(['unsubscribed']);
    book.openAddress('ann@c.example', ['unsubscribed'], monday + 2 * DAY);
    expect(closedSince(monday + DAY)).toBe(monday);
    expect(closedSince(monday + 2 * DAY)).toBeUndefined();
    book.closeAddress('ann@c.example', 'bounced', monday + 3 * DAY);
    expect(closedSince(monday + 4 * DAY)).toBe(monday + 3 * DAY);
  });

  it.for<[string, Partial<RuleBook>, RegExp]>([
    ['of a campaign that is stopped', { isActiveAt: () => false }, /not active/],
    ['from a mailbox that was taken off', { takesFirstAt: () => false }, /taken off/],
    ['from a mailbox that is gone', { mailboxGoneSince: () => monday - 1 }, /is gone/],
    ['with a text of before', { marksAt: () => ['another'] }, /not the one that was chosen/],
  ])('sees a message %s', ([, book, rule]) => {
    expect(violationsOf([message()], book).join('\n')).toMatch(rule);
  });

  it('sees a thread that goes on where its last message expired, and at an address that has none of it', () => {
    const expiries = createExpiries();
    const expired = { to: 'ann@c.example', messageId: '<a@b.example>', isPausing: true };
    expiries.note(1, 1, { ...expired, at: monday + DAY });
    const seen = (to: string) =>
      violationsOf([message(), followup({ to })], {
        expiries,
        addressesAt: () => [to, expired.to],
      });
    expect(seen(expired.to).join('\n')).toMatch(/paused since a message expired/);
    expiries.resume(1, 1, monday + 2 * DAY);
    expect(seen(expired.to)).toEqual([]);
    expect(seen('ann@d.example').join('\n')).toMatch(/expired at another address/);
  });

  it('lets a mailbox that was taken off try again what it has begun', () => {
    const book = { takesFirstAt: () => false };
    expect(violationsOf([message({ attempts: 1 }), followup()], book)).toEqual([]);
  });

  it('excuses what changes at the very moment of a message, and nothing later', () => {
    const isActive = createHistory(true);
    isActive.set(false, monday);
    const book = { isActiveAt: (_id: number, at: number) => isActive.at(at).includes(true) };
    expect(violationsOf([message()], book)).toEqual([]);
    expect(violationsOf([message({ at: monday + 1 })], book).join('\n')).toMatch(/not active/);
  });

  it('knows who was suppressed when it was noticed, whatever address they have by now', () => {
    const book = createBook();
    const address = createHistory('ann@c.example');
    book.addresses.set(1, address);
    book.closeAddress('c.example', 'suppressed', monday);
    address.set('ann@d.example', monday + DAY);
    expect(book.hadClosedAddress(1, 0, monday - 1)).toBe(false);
    expect(book.hadClosedAddress(1, 0, monday)).toBe(true);
    expect(book.hadClosedAddress(1, monday + DAY + 1, monday + 2 * DAY)).toBe(false);
  });

  it('sees a message without a way to unsubscribe', () => {
    const headers = { ...message().headers, unsubscribe: '', oneClick: '' };
    expect(violationsOf([message({ headers })]).join('\n')).toMatch(/no link.*\n.*no one-click/);
  });

  it('takes a text that was changed after others got another, and sees one that is not chosen', () => {
    let mark = 'first';
    const referee = createReferee({
      ...calm,
      marksAt: () => [mark],
      addressesAt: () => ['ann@c.example', 'b@d', 'c@e'],
    });
    referee.observe(message({ body: 'first' }));
    mark = 'second';
    referee.observe(message({ body: 'second', leadId: 2, to: 'b@d', at: monday + 20 * MINUTE }));
    expect(referee.violations).toEqual([]);
    referee.observe(message({ body: 'first', leadId: 3, to: 'c@e', at: monday + 40 * MINUTE }));
    expect(referee.violations.join('\n')).toMatch(/not the one that was chosen/);
  });

  it('knows windows over midnight by the day on which they begin', () => {
    const night: SendWindow = { ...window, startTime: '20:00', endTime: '04:30' };
    // Saturday 03:00 belongs to Friday's window, Monday 03:00 to Sunday's.
    expect(isOpen(night, Date.parse('2026-03-07T02:00:00Z'))).toBe(true);
    expect(isOpen(night, Date.parse('2026-03-02T02:00:00Z'))).toBe(false);
  });
});
