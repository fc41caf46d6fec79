/** The simulation's referee notices texts that win too early, or without what has to be known. */
import { describe, expect, it } from 'vitest';
import type { Interest } from '../../../src/domain/inbox/interest/interest.ts';
import { createHistory } from '../history.ts';
import type { GivenAnswer } from '../subsequences/answers.ts';
import {
  chanceOfAsGood,
  missedLook,
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
  since: -Infinity,
  messages,
  answersTo,
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
    ['with messages of earlier texts', {}, { since: 5 * DAY + 1 }, /text 0, and 7 count/],
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

  it('is looked for when each text was sent often enough, and then at twice as many', () => {
    const missed = (looks: number, lookedSends: number, sent: number[]) =>
      missedLook({ minSends: 8 }, { looks, lookedSends, sent });
    expect(missed(0, 0, [7, 20])).toBeUndefined();
    expect(missed(0, 0, [8, 20])).toMatch(/compared 0 times, and each was sent 8 times/);
    expect(missed(1, 9, [17, 20])).toBeUndefined();
    expect(missed(1, 9, [18, 20])).toMatch(/compared 1 times/);
  });

  it('is told by Fisher’s exact test, as in textbooks', () => {
    // The lady tasting tea: all four of eight cups, and three of four.
    const cups = (right: number) =>
      chanceOfAsGood({ sent: 4, successes: right }, { sent: 4, successes: 4 - right });
    expect(cups(4)).toBeCloseTo(1 / 70, 10);
    expect(cups(3)).toBeCloseTo(17 / 70, 10);
  });
});
