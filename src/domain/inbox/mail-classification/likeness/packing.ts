/** Weights as text: four bits each, for the buckets that have any, or that are known. */
import { BUCKETS } from './features.ts';
import { LIKENESS_CLASSES } from './model.ts';

/** Both in base 64, with the letters of URLs: others begin comments for whoever reads sources by patterns. */
export interface PackedWeights {
  /** A bit for each bucket that has weights. */
  buckets: string;
  /** Their weights, two in a byte. */
  weights: string;
  /** What a weight of one counts. */
  scale: number;
}

/** Of a model. Classes are even in number. */
export interface WeightShape {
  buckets: number;
  classes: number;
}

const LIKENESS: WeightShape = { buckets: BUCKETS, classes: LIKENESS_CLASSES.length };

/** Weights are -7 to 7; 8 is added to each. */
const MOST = 7;
const ZERO = 8;
/** How many bits of a byte are set. */
const BITS_OF = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
);

/** Of all weights that are not 0, so many are within -7 to 7: the few larger ones are cut. */
const SHARE_WITHIN = 0.99;

/** `known`: 1 for each bucket that is kept; by default those with a weight. */
export function packWeights(
  all: Float32Array,
  shape: WeightShape = LIKENESS,
  known?: Uint8Array,
): PackedWeights {
  const weights = known
    ? all.map((weight, at) => weight * known[Math.floor(at / shape.classes)]!)
    : all;
  const sizes = Float32Array.from(
    weights.filter((each) => each !== 0),
    Math.abs,
  ).sort();
  const scale = (sizes[Math.floor((sizes.length - 1) * SHARE_WITHIN)] ?? 1) / MOST;
  const levels = Int8Array.from(weights, (each) =>
    Math.max(-MOST, Math.min(MOST, Math.round(each / scale))),
  );
  const buckets = Buffer.alloc(shape.buckets / 8);
  const bytes: number[] = [];
  for (let bucket = 0; bucket < shape.buckets; bucket += 1) {
    const own = levels.subarray(bucket * shape.classes, (bucket + 1) * shape.classes);
    if (known ? known[bucket] === 0 : own.every((level) => level === 0)) continue;
    buckets[bucket >> 3]! |= 1 << (bucket & 7);
    for (let at = 0; at < shape.classes; at += 2) {
      bytes.push(((own[at]! + ZERO) << 4) | (own[at + 1]! + ZERO));
    }
  }
  return {
    buckets: buckets.toString('base64url'),
    weights: Buffer.from(bytes).toString('base64url'),
    scale,
  };
}

/** `known`: 1 for each bucket that was packed. */
export function unpackWeights(
  { buckets, weights, scale }: PackedWeights,
  shape: WeightShape = LIKENESS,
): { weights: Int8Array; known: Uint8Array; scale: number } {
  const has = Buffer.from(buckets, 'base64url');
  const bytes = Buffer.from(weights, 'base64url');
  const rows = has.reduce((count, byte) => count + BITS_OF[byte]!, 0);
  if (has.length !== shape.buckets / 8 || bytes.length !== (rows * shape.classes) / 2) {
    throw new Error('The weights of the model do not fit its features: train it anew');
  }
  const levels = new Int8Array(shape.buckets * shape.classes);
  const known = new Uint8Array(shape.buckets);
  let next = 0;
  for (let bucket = 0; bucket < shape.buckets; bucket += 1) {
    if ((has[bucket >> 3]! & (1 << (bucket & 7))) === 0) continue;
    known[bucket] = 1;
    for (let at = 0; at < shape.classes; at += 2) {
      const byte = bytes[next]!;
      levels[bucket * shape.classes + at] = (byte >> 4) - ZERO;
      levels[bucket * shape.classes + at + 1] = (byte & 15) - ZERO;
      next += 1;
    }
  }
  return { weights: levels, known, scale };
}
