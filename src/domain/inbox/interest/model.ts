/** A linear model of answers: by what their words mean, and by the words themselves. Both count as much. */
import { BUCKETS, featuresOf } from '../mail-classification/likeness/features.ts';
import { INTERESTS } from './interest.ts';
import { signsOf } from './signs.ts';

/** Buckets of concepts, a power of two. */
export const SIGN_BUCKETS = 2 ** 15;
/** Those of words come first. */
export const ALL_BUCKETS = BUCKETS + SIGN_BUCKETS;

export interface InterestModel {
  /** By bucket, then by class. */
  weights: Int8Array | Float32Array;
  /** What a weight of one counts. */
  scale: number;
  /** By class. */
  biases: readonly number[];
}

/** The buckets of a text, and how much each of its words and of its signs counts. */
export interface Traits {
  buckets: Uint32Array;
  words: number;
  wordShare: number;
  signShare: number;
}

/** `text`: without quote and signature. */
export function traitsOf(text: string): Traits {
  const words = featuresOf(text);
  const signs = new Set(signsOf(text).map((sign) => BUCKETS + bucketOf(sign)));
  return {
    buckets: Uint32Array.from([...words, ...signs]),
    words: words.length,
    wordShare: 1 / Math.sqrt(Math.max(1, words.length)),
    signShare: SIGN_WEIGHT / Math.sqrt(Math.max(1, signs.size)),
  };
}

/** The best of those tried by leaving out whole phrasings. */
const SIGN_WEIGHT = 1.5;

/** Probabilities, in the order of the classes. */
export function interestsBy(model: InterestModel, traits: Traits): number[] {
  const { weights, scale, biases } = model;
  const { buckets, words, wordShare, signShare } = traits;
  const classes = INTERESTS.length;
  const sums = [...biases];
  for (const [place, bucket] of buckets.entries()) {
    const share = scale * (place < words ? wordShare : signShare);
    for (let at = 0; at < classes; at += 1) sums[at]! += weights[bucket * classes + at]! * share;
  }
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
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
