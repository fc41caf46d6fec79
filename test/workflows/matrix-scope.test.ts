/** What a week of drawn parts of the matrices covers. */
import { describe, expect, it } from 'vitest';
import { drawn, drawnInHalves, isWhole, turns, WEEK } from '../support/matrix-scope.ts';

const DAYS = Array.from({ length: WEEK }, (_, day) => day);
const table = (steps: number, faults: number) =>
  Array.from({ length: steps * faults }, (_, index) => ({
    step: Math.floor(index / faults),
    fault: index % faults,
  }));

describe.skipIf(isWhole)('a week of drawn parts', () => {
  it('has every case once', () => {
    const all = table(16, 8);
    const week = DAYS.flatMap((day) => drawn(all, WEEK, day));
    expect(new Set(week).size).toBe(all.length);
    expect(week).toHaveLength(all.length);
  });

  it.each([
    [0, 4, 11],
    [1, 4, 11],
    [0, 5, 11],
    [1, 5, 11],
  ] as const)(
    'half %s of what is expensive has all %s steps and all %s faults',
    (half, rows, columns) => {
      const week = DAYS.flatMap((day) => drawnInHalves(table(rows, columns), half, day));
      const steps = new Set(week.map(({ step }) => step));
      const faults = new Set(week.map(({ fault }) => fault));
      expect([steps.size, faults.size]).toEqual([rows, columns]);
    },
  );

  it('has few of what is expensive on any day', () => {
    const sizes = DAYS.map((day) => drawnInHalves(table(4, 11), day < 3 ? 0 : 1, day).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
  });
});

describe('turns', () => {
  it('lets so many in at a time, and all in the end', async () => {
    const inTurn = turns(2);
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      return (inside -= 1);
    };
    await Promise.all(Array.from({ length: 9 }, () => inTurn(work)));
    expect([most, inside]).toEqual([2, 0]);
  });
});
