/** The simulation's referee notices texts that win too early, or without what has to be known. */
import { describe, expect, it } from 'vitest';
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import { createHistory } from '../history.ts';
import type { GivenAnswer } from '../subsequences/answers.ts';
import {
  chanceOfAsGood,
  wrongDecision,
  type Decision,
  type DecisionFacts,
  type WinnerRule,
} from './evidence.ts';

const DAY = 86_400_000;
const at = 10 * DAY;
const rule: WinnerRule = { metric: 'replied', minSends: 8, confidence: 0.8, afterDays: 1 };

/** Eight of each text, of which `answered` of the second were answered. */
const messages = Array.from({ length: 16 }, (_, n) => ({
  at: 5 * DAY + n,
  variant: n % 2,
  messageId: `<${n}>`,
  leadId: n,
}));
const answer = (interest: Interest, since = 6 * DAY) =>
  ({ at: since, interest: createHistory<Interest | null>(interest) }) as GivenAnswer;
const answersTo = (messageId: string) =>
  messages.some((one) => one.messageId === messageId && one.variant === 1)
    ? [answer('interested')]
    : [];

const decision: Decision = {
  at,
  variant: 1,
  metric: 'replied',
  confidence: 0.8,
  texts: [
    { variant: 0, sent: 8, successes: 0 },
    { variant: 1, sent: 8, successes: 8 },
  ],
  looks: 1,
};
const facts: DecisionFacts = {
  rules: [rule],
  wasOpen: true,
  texts: 2,
  since: [-Infinity],
  messages,
  answersTo,
  isSure: () => true,
  isKnown: () => true,
};
const told = (change: Partial<Decision>, known: Partial<DecisionFacts> = {}) =>
  wrongDecision({ ...decision, ...change }, { ...facts, ...known }).join('\n');

describe('a text that has won', () => {
  it('has won rightly where the messages and answers say so', () => {
    expect(told({})).toBe('');
    const interested = { ...rule, metric: 'interested' as const };
    expect(told({ metric: 'interested' }, { rules: [interested] })).toBe('');
  });

  it.for<[string, Partial<Decision>, Partial<DecisionFacts>, RegExp]>([
    ['without a rule', {}, { rules: [null] }, /not asked for/],
    ['by another rule', { confidence: 0.9 }, {}, /not asked for/],
    ['where somebody had chosen', {}, { wasOpen: false }, /chosen before/],
    ['among too few texts', {}, { texts: 3 }, /2 of 3 texts/],
    ['too early', {}, { rules: [{ ...rule, minSends: 9 }] }, /after 8 messages, .* needs 9/],
    ['between two looks', { looks: 2 }, {}, /look 2 needs 16/],
    [
      'with messages that are too young',
      {},
      { rules: [{ ...rule, afterDays: 5 }] },
      /8 messages of text 0, and 1 count/,
    ],
    ['with messages of earlier texts', {}, { since: [5 * DAY + 1] }, /text 0, and 7 count/],
    ['with answers that nobody gave', {}, { answersTo: () => [] }, /8 answers to text 1, and 0/],
    [
      'with answers that came later',
      {},
      { answersTo: () => [answer('interested', at + 1)] },
      /8 answers to text 1, and 0/,
    ],
    [
      'by answers that mean something else',
      { metric: 'interested' },
      {
        rules: [{ ...rule, metric: 'interested' }],
        answersTo: () => [answer('not_interested')],
      },
      /8 answers to text 1, and 0/,
    ],
    [
      'by chance',
      {
        texts: [
          { variant: 0, sent: 8, successes: 0 },
          { variant: 1, sent: 8, successes: 2 },
        ],
      },
      {},
      /by chance 0\.23.*, and 0\.0(5|49)/,
    ],
    ['though it is the worse one', { variant: 0 }, {}, /over text 1 by chance (1|0\.9\d*),/],
    ['though it is none of them', { variant: 2 }, {}, /has not/],
  ])('is seen to have won %s', ([, change, known, words]) => {
    expect(told(change, known)).toMatch(words);
  });

  it('has won wrongly where the loser is told without its messages or answers', () => {
    const hidden = [{ ...decision.texts[0]!, sent: 7 }, decision.texts[1]!];
    expect(told({ texts: hidden }, { rules: [{ ...rule, minSends: 7 }] })).toBe(
      'with 7 messages of text 0, and at least 8 count',
    );
    const all = { answersTo: () => [answer('interested')] };
    expect(told({}, all)).toBe('with 0 answers to text 0, and at least 8 count');
    const interested: WinnerRule = { ...rule, metric: 'interested' };
    const byMeaning = { ...all, rules: [interested] };
    expect(told({ metric: 'interested' }, byMeaning)).toMatch(/text 0, and at least 8 count/);
  });

  it.for<[string, Partial<DecisionFacts>]>([
    ['may not have arrived', { isSure: ({ variant }) => variant === 1 }],
    ['began at the moment from which they count', { since: [-Infinity, 5 * DAY + 14] }],
    ['are just old enough', { rules: [{ ...rule, afterDays: 5 - 14 / DAY }] }],
  ])('is told with or without messages that %s', ([, known]) => {
    const hidden = [{ variant: 0, sent: 7, successes: 0 }, decision.texts[1]!];
    const rules = (known.rules ?? [rule]).map((one) => ({ ...one!, minSends: 7 }));
    const words = told({ texts: hidden }, { ...known, rules });
    expect(words).not.toMatch(/text 0/);
  });

  it.for<[string, Partial<DecisionFacts>]>([
    ['of people who are gone', { isKnown: ({ variant }) => variant === 1 }],
    ['of that moment', { answersTo: () => [answer('interested', at)] }],
  ])('is told with or without answers %s', ([, known]) => {
    const all = { answersTo: () => [answer('interested')] };
    expect(told({}, { ...all, ...known })).toBe('');
  });

  it('is told with or without answers whose meaning changes at that moment', () => {
    const changed = answer('interested');
    changed.interest.set('not_now', at);
    const known = {
      answersTo: () => [changed],
      rules: [{ ...rule, metric: 'interested' as const }],
    };
    expect(told({ metric: 'interested' }, known)).toBe('');
  });

  it('is told by Fisher’s exact test, as in textbooks', () => {
    // The lady tasting tea: all four of eight cups, and three of four.
    const cups = (right: number) =>
      chanceOfAsGood({ sent: 4, successes: right }, { sent: 4, successes: 4 - right });
    expect(cups(4)).toBeCloseTo(1 / 70, 10);
    expect(cups(3)).toBeCloseTo(17 / 70, 10);
  });
});
