/** A linear model of texts: each class has a weight for each feature. */

/** The order of the weights of a bucket. */
export const LIKENESS_CLASSES = ['unsubscribe', 'reply', 'autoReply', 'other'] as const;
export type LikenessClass = (typeof LIKENESS_CLASSES)[number];

/** Probabilities; their sum is 1. */
export type Likeness = Record<LikenessClass, number>;

export interface LinearModel {
  /** By bucket, then by class. */
  weights: Int8Array | Float32Array;
  /** What a weight of one counts. */
  scale: number;
  /** By class. */
  biases: readonly number[];
}

export function likenessBy(model: LinearModel, features: Uint32Array): Likeness {
  const sums = sumsBy(model, features);
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((all, power) => all + power, 0);
  const [unsubscribe = 0, reply = 0, autoReply = 0, other = 0] = powers.map(
    (power) => power / total,
  );
  return { unsubscribe, reply, autoReply, other };
}

/** Long texts have more features: each counts less. */
function sumsBy({ weights, scale, biases }: LinearModel, features: Uint32Array): number[] {
  const classes = biases.length;
  const sums = biases.map(() => 0);
  for (const bucket of features) {
    for (let at = 0; at < classes; at += 1) sums[at]! += weights[bucket * classes + at]!;
  }
  const share = scale / Math.sqrt(Math.max(1, features.length));
  return sums.map((sum, at) => biases[at]! + sum * share);
}
