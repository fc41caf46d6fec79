/** The simulation's referee notices looks that come too early, too late, or are not noted. */
import { describe, expect, it } from 'vitest';
import { createBook, type SimulatedCampaign } from '../book.ts';
import { createHistory } from '../history.ts';
import type { WinnerRule } from './evidence.ts';
import { createLookWatch } from './look-watch.ts';
import { missedLook, wrongLooks, type Looks } from './looks.ts';
import { OPEN, type Choice } from './text-rules.ts';

const HOUR = 3_600_000;
const rule: WinnerRule = { metric: 'replied', minSends: 5, confidence: 0.8, afterDays: 0 };
const noted = (looks: number, lookedSends: number): Looks => ({ looks, lookedSends });

describe('looks at texts', () => {
  it('come when each text was sent often enough, and then at twice as many', () => {
    const missed = (looks: number, lookedSends: number, least: number) =>
      missedLook({ minSends: 8 }, noted(looks, lookedSends), least);
    expect(missed(0, 0, 7)).toBeUndefined();
    expect(missed(0, 0, 8)).toMatch(/compared 0 times, and each was sent 8 times/);
    expect(missed(1, 9, 17)).toBeUndefined();
    expect(missed(1, 9, 18)).toMatch(/compared 1 times/);
  });

  it.for<[Looks, Looks, number, RegExp]>([
    [noted(0, 0), noted(0, 0), 9, /^$/],
    [noted(0, 0), noted(1, 5), 5, /^$/],
    [noted(0, 0), noted(1, 4), 5, /look 1 was at 4 messages, and needs 5/],
    [noted(1, 5), noted(2, 10), 10, /^$/],
    [noted(1, 5), noted(2, 9), 10, /look 2 was at 9 messages, and needs 10/],
    // Two of them between two readings.
    [noted(1, 5), noted(3, 20), 20, /^$/],
    [noted(1, 5), noted(3, 19), 20, /needs 20/],
    [noted(1, 5), noted(1, 6), 6, /look 1 was at 6 messages, after look 1 at 5/],
    [noted(2, 10), noted(1, 10), 20, /after look 2/],
    [noted(1, 5), noted(2, 12), 11, /at 12 messages, and 11 count/],
    [noted(1, 5), noted(2, 10), 30, /^$/],
  ])('are noted from %o to %o where %d messages count', ([before, now, most, words]) => {
    const wrong = wrongLooks(rule, before, now, { least: 0, most }).join('\n');
    expect(wrong).toMatch(words);
  });

  it('are at no fewer messages than counted before', () => {
    const counted = { least: 12, most: 12 };
    expect(wrongLooks(rule, noted(1, 5), noted(2, 10), counted)).toEqual([
      'look 2 was at 10 messages, and at least 12 count',
    ]);
  });
});

/** A campaign that sends its two texts in turns, one each hour. */
function watched() {
  const book = createBook();
  const choice = createHistory<Choice>(OPEN);
  const since = createHistory(-Infinity);
  const comparing = {
    rule: createHistory<WinnerRule | null>(rule),
    tests: [{ variants: ['liked0m'], choice, since }],
  };
  const isActive = createHistory(true);
  const marks = [createHistory<string | undefined>('first0m')];
  const campaign = { id: 1, comparing, isActive, marks } as unknown as SimulatedCampaign;
  book.campaigns.push(campaign);
  const violations: string[] = [];
  let hour = 0;
  const watch = createLookWatch({
    book,
    texts: {
      messagesOf: () =>
        Array.from({ length: 2 * hour }, (_, n) => ({
          at: (n >> 1) * HOUR,
          variant: n % 2,
          messageId: `<${n}>`,
          leadId: n,
        })),
      numberOf: (_id, _position, mark) => ({ first0m: 0, liked0m: 1 })[mark],
    },
    isSure: () => true,
    now: () => hour * HOUR,
    breach: (words) => void violations.push(words.slice(words.indexOf('step'))),
  });
  return {
    violations,
    comparing,
    marks,
    watch,
    /** Each text was sent `sent` times, each an hour after the one before, the last one an hour ago. */
    read: (sent: number, looks: Looks) => {
      hour = sent;
      watch.see([{ campaignId: 1, position: 0, ...looks }]);
      watch.check(campaign, hour * HOUR, 2 * HOUR);
    },
    now: () => hour * HOUR,
  };
}

describe('what is noted of looks', () => {
  it('is right where they come soon, and each at twice as many', () => {
    const { read, violations, watch } = watched();
    for (const sent of [1, 2, 3, 4]) read(sent, noted(0, 0));
    for (const sent of [5, 6, 7, 8, 9]) read(sent, noted(1, 5));
    read(10, noted(2, 10));
    expect(violations).toEqual([]);
    expect(watch.looksOf(1, 0)).toBe(2);
  });

  it('is wrong where texts are compared at each message, and nothing, or only the last look, is noted', () => {
    const { read, violations } = watched();
    for (const sent of [5, 6, 7, 8]) read(sent, noted(0, 0));
    expect(violations).toEqual([
      'step 0: its texts were compared 0 times, and each was sent 5 times',
      'step 0: its texts were compared 0 times, and each was sent 6 times',
    ]);
    const stuck = watched();
    for (const sent of [5, 6, 7]) stuck.read(sent, noted(1, sent));
    expect(stuck.violations).toEqual([
      'step 0: look 1 was at 6 messages, after look 1 at 5',
      'step 0: look 1 was at 7 messages, after look 1 at 6',
    ]);
  });

  it('counts one more for a decision than were noted before, and one where the test may be another', () => {
    const { read, watch, comparing, now } = watched();
    read(5, noted(1, 5));
    read(7, noted(1, 5));
    expect(watch.looksOf(1, 0)).toBe(2);
    comparing.tests[0]!.since.set(now(), now());
    read(7, noted(1, 5));
    expect(watch.looksOf(1, 0)).toBe(1);
  });

  it('may be gone where the texts were changed, and is as before until then', () => {
    const { read, violations, comparing, now } = watched();
    read(5, noted(1, 5));
    comparing.tests[0]!.since.set(now(), now());
    comparing.tests[0]!.choice.set(OPEN, now());
    read(5, noted(1, 5));
    read(6, noted(0, 0));
    expect(violations).toEqual([]);
    read(11, noted(1, 5));
    expect(violations).toEqual([]);
    read(12, noted(0, 0));
    expect(violations[0]).toMatch(/look 0 was at 0 messages, after look 1 at 5/);
  });

  it('may be of right before the change of a text, by messages of the text of then, and of no moment later', () => {
    const change = ({ comparing, marks, now }: ReturnType<typeof watched>) => {
      marks[0]!.set('new0m', now());
      comparing.tests[0]!.since.set(now(), now());
    };
    const [right, more, late] = [watched(), watched(), watched()];
    for (const one of [right, more, late]) {
      one.read(6, noted(0, 0));
      change(one);
    }
    right.read(6, noted(1, 6));
    right.read(6, noted(0, 0));
    expect(right.violations).toEqual([]);
    more.read(6, noted(1, 7));
    expect(more.violations).toEqual(['step 0: look 1 was at 7 messages, and 6 count']);
    late.read(7, noted(1, 6));
    expect(late.violations).toEqual(['step 0: look 1 was at 6 messages, and 0 count']);
  });
});
