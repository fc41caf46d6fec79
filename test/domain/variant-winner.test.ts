/** Which text of a step wins, and how often a wrong one does. Choice 127. */
import { describe, expect, it } from 'vitest';
import { chooseVariant } from '../../src/domain/sending/message-content.ts';
import {
  chanceOfAsMany,
  chancesToBeBest,
  intervalOf,
} from '../../src/domain/campaigns/proportions.ts';
import {
  lookAt,
  neededSends,
  type AutoWinner,
  type TextFigures,
} from '../../src/domain/campaigns/variant-winner.ts';

const SETTING: AutoWinner = { metric: 'replied', minSends: 100, confidence: 0.95, afterDays: 3 };
const NEW = { looks: 0, lookedSends: 0 };
const texts = (...figures: [sent: number, successes: number][]): TextFigures[] =>
  figures.map(([sent, successes], variant) => ({ variant, sent, successes }));

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A campaign that looks after each message of every text; the number of the winner, and when. */
function campaignOf(rates: readonly number[], most: number, random: () => number) {
  const figures = rates.map((_, variant) => ({ variant, sent: 0, successes: 0 }));
  let progress = NEW;
  for (let sent = 1; sent <= most; sent += 1) {
    for (const [n, rate] of rates.entries()) {
      figures[n]!.sent += 1;
      if (random() < rate) figures[n]!.successes += 1;
    }
    const look = lookAt(SETTING, progress, figures);
    if (look && look.winner !== null) return { winner: look.winner, sent };
    if (look) progress = look;
  }
  return undefined;
}

/** The share of campaigns in which one of `wrong` wins. */
function shareOf(rates: readonly number[], wrong: readonly number[], seed: number): number {
  const random = randomOf(seed);
  const runs = 1_000;
  let count = 0;
  for (let run = 0; run < runs; run += 1) {
    const end = campaignOf(rates, 800, random);
    if (end && wrong.includes(end.winner)) count += 1;
  }
  return count / runs;
}

describe('however often somebody looks', () => {
  it.each([
    [[0.05, 0.05], [0, 1], 1],
    [[0.3, 0.3], [0, 1], 2],
    [[0.05, 0.05, 0.05, 0.05], [0, 1, 2, 3], 3],
    [[0.08, 0.08, 0.02], [0, 1, 2], 4],
  ])('of texts that are alike (%j) one wins in at most 5 %% of campaigns', (rates, wrong, seed) => {
    expect(shareOf(rates, wrong, seed)).toBeLessThanOrEqual(0.05);
  });

  it('a text that is much better wins in nearly all, and never the other', () => {
    const random = randomOf(5);
    const ends = Array.from({ length: 200 }, () => campaignOf([0.03, 0.12], 1_600, random));
    expect(ends.filter((end) => end?.winner === 1).length).toBeGreaterThan(190);
    expect(ends.filter((end) => end?.winner === 0)).toEqual([]);
  });
});

describe('a look', () => {
  it('waits until each text was sent often enough, then for twice as many', () => {
    expect(lookAt(SETTING, NEW, texts([99, 0], [500, 90]))).toBeUndefined();
    const first = lookAt(SETTING, NEW, texts([120, 6], [130, 8]));
    expect(first).toEqual({ looks: 1, lookedSends: 120, winner: null });
    expect(neededSends(SETTING, first!)).toBe(240);
    expect(lookAt(SETTING, first!, texts([239, 0], [239, 90]))).toBeUndefined();
    expect(lookAt(SETTING, first!, texts([240, 0], [240, 90]))).toMatchObject({ winner: 1 });
  });

  it('asks for more proof, the more often it has looked and the more texts there are', () => {
    const clear = texts([200, 4], [200, 16]);
    expect(lookAt(SETTING, NEW, clear)).toMatchObject({ winner: 1 });
    expect(lookAt(SETTING, { looks: 3, lookedSends: 100 }, clear)).toMatchObject({ winner: null });
    expect(
      lookAt(SETTING, NEW, [...clear, { variant: 7, sent: 200, successes: 12 }]),
    ).toMatchObject({ winner: null });
  });

  it('finds no winner without answers, nor in a text alone', () => {
    expect(lookAt(SETTING, NEW, texts([100, 0], [100, 0]))).toMatchObject({ winner: null });
    expect(lookAt(SETTING, NEW, texts([1_000, 900]))).toBeUndefined();
  });
});

describe('the figures', () => {
  it('are those of Fisher’s exact test', () => {
    // The lady tasting tea: 3 of 4 against 1 of 4, p = 17/70.
    const three = { sent: 4, successes: 3 };
    const one = { sent: 4, successes: 1 };
    expect(chanceOfAsMany(three, one)).toBeCloseTo(17 / 70, 9);
    expect(chanceOfAsMany({ sent: 4, successes: 4 }, { sent: 4, successes: 0 })).toBeCloseTo(
      1 / 70,
    );
    expect(chanceOfAsMany({ sent: 100, successes: 0 }, { sent: 90, successes: 0 })).toBeCloseTo(1);
    const many = chanceOfAsMany(
      { sent: 100_000, successes: 5_000 },
      { sent: 100_000, successes: 5_000 },
    );
    expect(many).toBeGreaterThan(0.5);
    expect(many).toBeLessThan(0.51);
  });

  it('are Wilson’s interval', () => {
    const { low, high } = intervalOf({ sent: 100, successes: 10 });
    expect(low).toBeCloseTo(0.0552, 4);
    expect(high).toBeCloseTo(0.1744, 4);
    expect(intervalOf({ sent: 0, successes: 0 })).toEqual({ low: 0, high: 1 });
    expect(intervalOf({ sent: 50, successes: 0 }).low).toBeCloseTo(0, 9);
  });

  it('are the chances to be best', () => {
    const [even, other] = chancesToBeBest(texts([0, 0], [0, 0]));
    expect(even).toBeCloseTo(0.5, 6);
    expect(other).toBeCloseTo(0.5, 6);
    // Beta(2, 1) against Beta(1, 2): 5/6.
    expect(chancesToBeBest(texts([1, 1], [1, 0]))[0]).toBeCloseTo(5 / 6, 3);
    const three = chancesToBeBest(texts([10_000, 300], [10_000, 500], [40, 2]));
    expect(three.reduce((sum, each) => sum + each)).toBeCloseTo(1, 9);
    expect(three[0]).toBeLessThan(0.01);
  });
});

it('who gets a message after that gets the winner, whatever its place', () => {
  const step = {
    position: 0,
    delayDays: 0,
    subjectTemplate: 'S',
    bodyTemplate: 'own',
    variants: [{ bodyTemplate: 'one' }, { bodyTemplate: 'two' }],
    numbers: [0, 5, 2],
  };
  const chosen = (winner: number | null) =>
    new Set(
      Array.from({ length: 60 }, (_, leadId) =>
        chooseVariant({ ...step, winner }, { campaignId: 1, leadId, position: 0 }),
      ),
    );
  expect([...chosen(5)]).toEqual([1]);
  expect([...chosen(0)]).toEqual([0]);
  expect(chosen(null).size).toBe(3);
  // A text that is gone: all others are used.
  expect(chosen(9).size).toBe(3);
});
