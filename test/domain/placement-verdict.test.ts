/** What the messages of a placement test say together. Choice 124. */
import { describe, expect, it } from 'vitest';
import type { PlacementOutcome, SeedProvider } from '../../src/domain/placement/placement.ts';
import { summariesByProvider, summaryOf } from '../../src/domain/placement/verdict.ts';

const messages = (...outcomes: (PlacementOutcome | null)[]) =>
  outcomes.map((outcome) => ({ provider: 'google' as SeedProvider, outcome }));

describe('a placement verdict', () => {
  it('is good from the threshold on, and bad below it', () => {
    const four = messages('inbox', 'inbox', 'inbox', 'inbox', 'spam');
    expect(summaryOf(four, 80)).toMatchObject({ inboxPercent: 80, verdict: 'good' });
    expect(summaryOf(four, 81)).toMatchObject({ inboxPercent: 80, verdict: 'bad' });
  });

  it('rounds down: two of three are no 67 per cent', () => {
    const two = messages('inbox', 'inbox', 'missing');
    expect(summaryOf(two, 67)).toMatchObject({ inboxPercent: 66, verdict: 'bad' });
  });

  it('leaves out what failed, and what somebody has sorted', () => {
    const sorted = messages('inbox', 'other', 'failed', null);
    expect(summaryOf(sorted, 100)).toEqual({
      inbox: 1,
      spam: 0,
      other: 1,
      missing: 0,
      failed: 1,
      waiting: 1,
      inboxPercent: 100,
      verdict: 'good',
    });
  });

  it('is unknown where nothing was seen', () => {
    const nothing = { inboxPercent: null, verdict: 'unknown' };
    expect(summaryOf(messages('failed', 'other'), 80)).toMatchObject(nothing);
    expect(summaryOf([], 80)).toMatchObject(nothing);
  });

  it('is given for each provider by itself', () => {
    const all = [
      ...messages('inbox', 'spam'),
      { provider: 'yahoo' as const, outcome: 'inbox' as const },
    ];
    expect(summariesByProvider(all, 80)).toMatchObject([
      { provider: 'google', inbox: 1, spam: 1, inboxPercent: 50, verdict: 'bad' },
      { provider: 'yahoo', inbox: 1, spam: 0, inboxPercent: 100, verdict: 'good' },
    ]);
  });
});
