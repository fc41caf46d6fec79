/**
 * What an answer is taken to mean: by the words of the whole and what they mean (a linear model), and by what each
 * clause adds to the one before it: hidden units read the clauses in order (a simple recurrent network, Elman, 1990).
 */
import { featuresOf } from '../mail-classification/likeness/features.ts';
import { clausesOf } from './clauses.ts';
import { INTERESTS } from './interest.ts';
import { languageIn, signsOf } from './signs.ts';

/** Buckets of words, and of concepts; powers of two. */
const WORD_BUCKETS = 2 ** 20;
const SIGN_BUCKETS = 2 ** 15;
/** Those of words come first. */
export const ALL_BUCKETS = WORD_BUCKETS + SIGN_BUCKETS;

/** Hidden units: of three models that are joined. */
const UNITS = 36;
export const WHOLE_SHAPE = { buckets: ALL_BUCKETS, classes: INTERESTS.length } as const;
export const CLAUSE_SHAPE = { buckets: ALL_BUCKETS, classes: UNITS } as const;

/** Weights by bucket, then by what it is weighed for. */
export interface Layer {
  weights: Int8Array | Float32Array;
  /** What a weight of one counts. */
  scale: number;
  /** 1 for each bucket of which something was learnt. */
  known: Uint8Array;
}

export interface InterestModel {
  /** For each class, of the whole text. */
  whole: Layer;
  /** For each unit, of a clause. */
  clause: Layer;
  unitBiases: ArrayLike<number>;
  /** By unit of the clause before, then by unit. */
  before: ArrayLike<number>;
  /** By the highest value of each unit, then by the mean of each; then by class. */
  outputs: ArrayLike<number>;
  /** By class. */
  biases: ArrayLike<number>;
}

/** The buckets of words and of signs. */
export interface Buckets {
  words: Uint32Array;
  signs: Uint32Array;
}

export interface Traits {
  whole: Buckets;
  clauses: Buckets[];
}

/** `text`: without quote and signature. */
export function traitsOf(text: string): Traits {
  const language = languageIn(text);
  const bucketsOf = (part: string): Buckets => ({
    words: featuresOf(part, WORD_BUCKETS),
    signs: Uint32Array.from(
      new Set(signsOf(part, language).map((sign) => WORD_BUCKETS + bucketOf(sign))),
    ),
  });
  return { whole: bucketsOf(text), clauses: clausesOf(text).map(bucketsOf) };
}

/** Signs count more than words: the best of those tried by leaving out whole phrasings. */
const SIGN_WEIGHT = 1.5;

/** Buckets that are weighed, and how much each counts. */
export interface Weighed {
  buckets: number[];
  shares: number[];
}

/** How an answer was read. Of unit values, each clause has one for each unit. */
export interface Reading {
  whole: Weighed;
  clauses: { read: Weighed; units: Float32Array }[];
  /** The highest value of each unit, then their means. */
  pooled: Float32Array;
  /** The clause with the highest value of each unit; -1 for none. */
  highest: Int32Array;
  /** Probabilities, in the order of the classes. */
  likely: number[];
}

/** While it is learnt, some buckets and pooled values are left out. */
export interface LeftOut {
  isKept: () => boolean;
  /** What each of `pooled` is multiplied with. */
  mask: Float32Array;
}

/** Probabilities, in the order of the classes. */
export const interestsBy = (model: InterestModel, traits: Traits): number[] =>
  readAnswer(model, traits).likely;

export function readAnswer(model: InterestModel, traits: Traits, leftOut?: LeftOut): Reading {
  const whole = weigh(traits.whole, model.whole.known, leftOut);
  const clauses = readClauses(model, traits.clauses, leftOut);
  const { pooled, highest } = pool(clauses, model.unitBiases.length);
  if (leftOut) for (const [at, each] of leftOut.mask.entries()) pooled[at]! *= each;
  const classes = model.biases.length;
  const sums = Float32Array.from(model.biases);
  addWeights(sums, model.whole, whole);
  for (const [unit, value] of pooled.entries()) {
    if (value === 0) continue;
    for (let at = 0; at < classes; at += 1)
      sums[at]! += value * model.outputs[unit * classes + at]!;
  }
  return { whole, clauses, pooled, highest, likely: probabilities(sums) };
}

function readClauses(
  model: InterestModel,
  clauses: readonly Buckets[],
  leftOut?: LeftOut,
): Reading['clauses'] {
  const { clause, unitBiases, before } = model;
  let last = new Float32Array(unitBiases.length);
  return clauses.map((each) => {
    const read = weigh(each, clause.known, leftOut);
    const units = Float32Array.from(unitBiases);
    addWeights(units, clause, read);
    for (const [from, value] of last.entries()) {
      if (value === 0) continue;
      for (let to = 0; to < units.length; to += 1) {
        units[to]! += value * before[from * units.length + to]!;
      }
    }
    last = units.map((value) => Math.max(0, value));
    return { read, units: last };
  });
}

function weigh({ words, signs }: Buckets, known: Uint8Array, leftOut?: LeftOut): Weighed {
  const isRead = (bucket: number) => known[bucket] === 1 && (leftOut?.isKept() ?? true);
  const buckets = Array.from(words.filter(isRead));
  const count = buckets.length;
  const shares = buckets.map(() => 1 / Math.sqrt(count));
  const read = signs.filter(isRead);
  for (const bucket of read) {
    buckets.push(bucket);
    shares.push(SIGN_WEIGHT / Math.sqrt(read.length));
  }
  return { buckets, shares };
}

function addWeights(sums: Float32Array, { weights, scale }: Layer, read: Weighed): void {
  const { length } = sums;
  for (let at = 0; at < read.buckets.length; at += 1) {
    const row = read.buckets[at]! * length;
    const share = scale * read.shares[at]!;
    for (let to = 0; to < length; to += 1) sums[to]! += weights[row + to]! * share;
  }
}

function pool(clauses: Reading['clauses'], count: number) {
  const pooled = new Float32Array(2 * count);
  const highest = new Int32Array(count).fill(-1);
  for (const [at, { units }] of clauses.entries()) {
    for (let unit = 0; unit < count; unit += 1) {
      const value = units[unit]!;
      if (value > pooled[unit]!) {
        pooled[unit] = value;
        highest[unit] = at;
      }
      pooled[count + unit]! += value / clauses.length;
    }
  }
  return { pooled, highest };
}

function probabilities(sums: Float32Array): number[] {
  const highest = Math.max(...sums);
  const powers = Array.from(sums, (sum) => Math.exp(sum - highest));
  const total = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / total);
}

/** FNV-1a, 32 bits, over UTF-16. */
function bucketOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return hash & (SIGN_BUCKETS - 1);
}
