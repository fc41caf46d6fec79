/** The referee of subsequences notices the violations that it is for. */
import { describe, expect, it } from 'vitest';
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import { createBook, type SimulatedCampaign } from '../book.ts';
import { createHistory } from '../history.ts';
import type { Observed } from '../rules.ts';
import { answersThatBegin, type GivenAnswer, type StartRule } from './answers.ts';
import { missingEntry, wrongEntry, wrongOpening } from './entry-rules.ts';

const DAY = 86_400_000;
const monday = Date.parse('2026-03-02T09:00:00Z');
const LEAD = 7;

const rule: StartRule = { campaignId: 1, interests: ['not_now'], afterMs: 2 * DAY };
const subsequence = { id: 3, startsOn: createHistory<StartRule | null>(rule) };

const meaning = (interest: Interest | null) => createHistory<Interest | null>(interest);
const corrected = (to: Interest | null, days: number, from: Interest = 'not_now') => {
  const interest = meaning(from);
  interest.set(to, monday + days * DAY);
  return answer({ interest });
};

const answer = (change: Partial<GivenAnswer> = {}): GivenAnswer => ({
  at: monday,
  interest: meaning('not_now'),
  campaignId: 1,
  mailboxId: 5,
  messageId: '<answer@c.example>',
  inReplyTo: '<first@b.example>',
  subject: 'Re: Hello',
  ...change,
});

/** What is wrong with an entry by the first of these answers, days after it. */
function entryAfter(
  days: number,
  answers: readonly GivenAnswer[],
  change: (book: ReturnType<typeof createBook>) => void = () => undefined,
): string {
  const book = createBook();
  book.addresses.set(LEAD, createHistory('ann@c.example'));
  for (const one of answers) book.answers.give(LEAD, one);
  change(book);
  const entry = { leadId: LEAD, at: monday + days * DAY, by: answers[0]?.messageId ?? null };
  return wrongEntry(book, subsequence, entry).join('\n');
}

describe('the referee of subsequences', () => {
  it('lets enter whose last answer means it, after the days', () => {
    expect(entryAfter(2, [answer()])).toBe('');
    // It may come at the very moment of the start.
    const late = answer({
      at: monday + 2 * DAY,
      interest: meaning('question'),
      messageId: '<b@c>',
    });
    expect(entryAfter(2, [answer(), late])).toBe('');
    // So may a correction, and what it takes back.
    expect(entryAfter(2, [corrected('meeting', 2)])).toBe('');
    expect(entryAfter(3, [corrected('not_now', 3, 'meeting')])).toBe('');
  });

  it.for<[string, number, GivenAnswer[], RegExp]>([
    ['without an answer', 2, [], /last answer is none/],
    ['by another interest', 2, [answer({ interest: meaning('question') })], /is question to 1/],
    ['by an answer to another campaign', 2, [answer({ campaignId: 2 })], /is not_now to 2/],
    ['by what a client has taken back', 3, [corrected('meeting', 1)], /is meeting to 1/],
    ['before a client says so', 3, [corrected('not_now', 4, 'meeting')], /is meeting to 1/],
    ['too soon', 1.9, [answer()], /1\.9 days after/],
    [
      'though they have refused since',
      3,
      [answer(), answer({ at: monday + DAY, interest: meaning('not_interested') })],
      /is not_interested/,
    ],
    [
      'by an answer that a later one has moved',
      4,
      [answer(), answer({ at: monday + DAY, messageId: '<b@c>' })],
      /not their last answer/,
    ],
  ])('sees who enters %s', ([, days, answers, words]) => {
    expect(entryAfter(days, answers)).toMatch(words);
  });

  it('sees who enters though they are suppressed', () => {
    const close = (book: ReturnType<typeof createBook>) =>
      book.closeAddress('ann@c.example', 'suppressed', monday + DAY);
    expect(entryAfter(2, [answer()], close)).toMatch(/they are closed/);
  });

  it('knows by which answer a message may come: by none of before the rule ended it', () => {
    const book = createBook();
    book.answers.give(LEAD, answer());
    const begins = (at: number) =>
      answersThatBegin(book.answers, subsequence, { leadId: LEAD, at });
    expect(begins(monday + DAY)).toEqual([]);
    expect(begins(monday + 2 * DAY)).toMatchObject([{ messageId: '<answer@c.example>' }]);
    book.answers.give(LEAD, answer({ at: monday + 3 * DAY, interest: meaning('question') }));
    expect(begins(monday + 4 * DAY)).toEqual([]);
  });

  const opening = (change: Partial<Observed> = {}, headers: Partial<Observed['headers']> = {}) =>
    ({
      mailboxId: 5,
      attempts: 0,
      headers: {
        subject: 'Re: Hello',
        inReplyTo: '<answer@c.example>',
        references: '<first@b.example> <answer@c.example>',
        ...headers,
      },
      ...change,
    }) as Observed;
  const elsewhere = { subject: 'Hello', inReplyTo: '', references: '' };
  const wrong = (message: Observed, mayWrite = true) =>
    wrongOpening(message, [answer()], () => mayWrite).join('\n');

  it('lets the first message answer the answer, or begin a thread where its mailbox may not write', () => {
    expect(wrong(opening())).toBe('');
    expect(wrong(opening({ mailboxId: 6 }, elsewhere), false)).toBe('');
    expect(wrong(opening({ mailboxId: 6, attempts: 1 }, elsewhere))).toBe('');
  });

  it.for<[string, Observed, RegExp]>([
    ['that answers nothing', opening({}, { inReplyTo: '' }), /In-Reply-To/],
    ['that answers their own message', opening({}, { inReplyTo: '<first@b.example>' }), /In-Reply/],
    ['without the thread', opening({}, { references: '<answer@c.example>' }), /References/],
    ['with a subject of its own', opening({}, { subject: 'Hello' }), /subject Hello/],
    ['of another mailbox', opening({ mailboxId: 6 }, elsewhere), /6 has not got the answer/],
    ['of another mailbox in the thread', opening({ mailboxId: 6 }), /of another mailbox/],
  ])('sees a first message %s', ([, message, words]) => {
    expect(wrong(message)).toMatch(words);
  });

  it('sees that the thread is lost, also where its mailbox could not write meanwhile', () => {
    expect(wrong(opening({}, elsewhere), false)).toMatch(/In-Reply-To/);
  });

  it('sees a first message to whom no answer lets in', () => {
    expect(wrongOpening(opening(), [], () => true).join()).toMatch(/no answer of theirs/);
  });
});

it('a lead has not entered for a message of the campaign to its address, where that was to another lead', () => {
  const book = createBook();
  book.addresses.set(LEAD, createHistory('ann@c.example'));
  book.answers.give(LEAD, answer());
  const campaign = { ...subsequence, isCancelled: false } as unknown as SimulatedCampaign;
  const at = new Date(monday + 2 * DAY);
  const start = { campaign_id: 3, lead_id: LEAD, status: 'cancelled', updated_at: at };
  const row = { ...start, reason: 'already_contacted' };
  const missing = (...written: string[]) =>
    missingEntry(book, campaign, { leadId: LEAD, row, written });
  expect(missing('ann@c.example')).toBeUndefined();
  expect(missing('bob@c.example')).toBe('has not entered: already_contacted');
});
