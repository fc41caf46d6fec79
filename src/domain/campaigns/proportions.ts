/** Shares of messages that had an answer: how sure they are, and which is larger. Choice 127. */

/** So many of so many. */
export interface Proportion {
  sent: number;
  successes: number;
}

/** ln (x - 1)!, by the approximation of Lanczos (1964). */
function lnGamma(x: number): number {
  const series = [
    76.180_091_729_471_46, -86.505_320_329_416_78, 24.014_098_240_830_91, -1.231_739_572_450_155,
    0.001_208_650_973_866_179, -0.000_005_395_239_384_953,
  ];
  const base = x + 5.5;
  const sum = series.reduce((total, each, n) => total + each / (x + n + 1), 1.000_000_000_190_015);
  return (x + 0.5) * Math.log(base) - base + Math.log((2.506_628_274_631 * sum) / x);
}

const lnChoose = (n: number, k: number): number =>
  lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);

/**
 * How likely `one` has at least as many successes as it has, were its share that of `other`. Fisher's exact test,
 * one-sided (Statistical Methods for Research Workers, 1934): it errs at most as often as it says at any share and
 * any number, where the z test errs more often with few answers.
 */
export function chanceOfAsMany(one: Proportion, other: Proportion): number {
  const all = one.sent + other.sent;
  const successes = one.successes + other.successes;
  const most = Math.min(one.sent, successes);
  let term = Math.exp(
    lnChoose(successes, one.successes) +
      lnChoose(all - successes, one.sent - one.successes) -
      lnChoose(all, one.sent),
  );
  let chance = 0;
  for (let x = one.successes; x <= most; x += 1) {
    chance += term;
    const left = one.sent - x;
    term *= ((successes - x) * left) / ((x + 1) * (all - successes - left + 1));
  }
  return Math.min(1, chance);
}

const Z_95 = 1.959_963_984_540_054;

/** Where the true share is with 95 %. Wilson, JASA 22 (1927). */
export function intervalOf({ sent, successes }: Proportion): { low: number; high: number } {
  if (sent === 0) return { low: 0, high: 1 };
  const rate = successes / sent;
  const square = Z_95 ** 2;
  const middle = rate + square / (2 * sent);
  const reach = Z_95 * Math.sqrt((rate * (1 - rate)) / sent + square / (4 * sent ** 2));
  const whole = 1 + square / sent;
  return {
    low: Math.max(0, (middle - reach) / whole),
    high: Math.min(1, (middle + reach) / whole),
  };
}

const POINTS = 2_000;

/**
 * How likely each has the largest true share, when before any message all shares were alike likely: posteriors
 * Beta(1 + successes, 1 + others), integrated on a grid over all that is likely. Shown, and decides nothing: it does
 * not know how often somebody has looked.
 */
export function chancesToBeBest(texts: readonly Proportion[]): number[] {
  const spans = texts.map(({ sent, successes }) => {
    const mean = (successes + 1) / (sent + 2);
    return { mean, reach: 10 * Math.sqrt((mean * (1 - mean)) / (sent + 3)) };
  });
  const from = Math.max(0, Math.min(...spans.map(({ mean, reach }) => mean - reach)));
  const to = Math.min(1, Math.max(...spans.map(({ mean, reach }) => mean + reach)));
  const grids = texts.map((text) => gridOf(text, { from, to }));
  const raw = grids.map((own) =>
    own.density.reduce(
      (sum, density, at) =>
        sum +
        grids.reduce(
          (chance, other) => (other === own ? chance : chance * other.below[at]!),
          density,
        ),
      0,
    ),
  );
  const total = raw.reduce((sum, each) => sum + each, 0);
  return raw.map((each) => each / total);
}

/** The posterior at the middle of each cell, and what is below that. */
function gridOf({ sent, successes }: Proportion, { from, to }: { from: number; to: number }) {
  const logs = Array.from({ length: POINTS }, (_, n) => {
    const share = from + ((n + 0.5) / POINTS) * (to - from);
    return successes * Math.log(share) + (sent - successes) * Math.log1p(-share);
  });
  const top = Math.max(...logs);
  const weights = logs.map((each) => Math.exp(each - top));
  const total = weights.reduce((sum, each) => sum + each, 0);
  const density = weights.map((each) => each / total);
  let sum = 0;
  const below = density.map((each) => {
    sum += each;
    return sum - each / 2;
  });
  return { density, below };
}
