/** Which runs of many are replayed. */
import { describe, expect, it } from 'vitest';
import { spread } from '../../src/temporal/replay-histories.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a sample of runs', () => {
  it('is all of few', () => {
    expect(spread([], 3)).toEqual([]);
    expect(spread(upTo(3), 3)).toEqual([0, 1, 2]);
  });

  it('is spread over many, from the newest to the oldest, none of them twice', () => {
    expect(spread(upTo(101), 5)).toEqual([0, 25, 50, 75, 100]);
    expect(spread(upTo(100), 1)).toEqual([0]);
    expect(new Set(spread(upTo(51), 50)).size).toBe(50);
  });
});
