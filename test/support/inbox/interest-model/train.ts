/**
 * Makes the weights of interest from the corpus: multinomial logistic regression by AdaGrad (Duchi et al., 2011),
 * the same from the same texts. `node --import tsx test/support/inbox/interest-model/train.ts [--help]`.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { INTERESTS } from '../../../../src/domain/inbox/interest/interest.ts';
import {
  ALL_BUCKETS,
  interestsBy,
  traitsOf,
  type InterestModel,
  type Traits,
} from '../../../../src/domain/inbox/interest/model.ts';
import { packWeights } from '../../../../src/domain/inbox/mail-classification/likeness/packing.ts';
import { BUCKETS } from '../../../../src/domain/inbox/mail-classification/likeness/features.ts';
import { knownAnswers, variedAnswers, type KnownAnswer } from './answers.ts';

const EPOCHS = 12;
const RATE = 0.2;
const BIAS_RATE = 0.02;
const FIRST_SEED = 1;
/** What fewer texts have is chance. */
const LEAST_TEXTS = 3;
const CLASSES = INTERESTS.length;

export function trainInterest(
  answers: readonly KnownAnswer[],
): InterestModel & { weights: Float32Array } {
  const random = seeded(FIRST_SEED);
  const varied = variedAnswers(answers, random);
  const examples = frequent(varied.map(({ text }) => traitsOf(text))).map((traits, at) => ({
    traits,
    is: INTERESTS.indexOf(varied[at]!.interest),
  }));
  const weights = new Float32Array(ALL_BUCKETS * CLASSES);
  const squares = new Float32Array(ALL_BUCKETS * CLASSES);
  const biases = Array.from({ length: CLASSES }, () => 0);
  const model = { weights, scale: 1, biases };
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(examples, random);
    for (const { traits, is } of examples) {
      const errors = interestsBy(model, traits).map((each, at) => each - (at === is ? 1 : 0));
      errors.forEach((error, at) => (biases[at]! -= BIAS_RATE * error));
      for (const [place, bucket] of traits.buckets.entries()) {
        const share = place < traits.words ? traits.wordShare : traits.signShare;
        for (let at = 0; at < CLASSES; at += 1) {
          const gradient = errors[at]! * share;
          const index = bucket * CLASSES + at;
          squares[index]! += gradient * gradient;
          weights[index]! -= (RATE * gradient) / Math.sqrt(squares[index]! + 1e-6);
        }
      }
    }
  }
  return model;
}

/** Without the buckets of few texts; how much each counts stays. */
function frequent(all: readonly Traits[]): Traits[] {
  const counts = new Uint32Array(ALL_BUCKETS);
  for (const { buckets } of all) for (const bucket of buckets) counts[bucket]! += 1;
  return all.map((traits) => {
    const buckets = traits.buckets.filter((bucket) => counts[bucket]! >= LEAST_TEXTS);
    return { ...traits, buckets, words: buckets.filter((each) => each < BUCKETS).length };
  });
}

/** The same for the same answers, in whatever order. */
export function digestOf(answers: readonly KnownAnswer[]): string {
  const lines = answers.map((each) => JSON.stringify([each.interest, each.text])).toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** Numerical Recipes' generator, so that training can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other]!, list[last]!];
  }
}

const WEIGHTS_FILE = new URL('../../../../src/domain/inbox/interest/weights.ts', import.meta.url);

/** Of the file: checks read sources line by line, and want no more than 250. */
const BUCKET_LINES = 20;
const WEIGHT_LINES = 200;

function inLines(text: string, lines: number): string {
  const length = Math.ceil(text.length / lines);
  const each = Array.from({ length: lines }, (_, at) => text.slice(at * length, (at + 1) * length));
  return each.map((line) => `    '${line}',`).join('\n');
}

function main(): void {
  const answers = knownAnswers();
  const { weights, biases } = trainInterest(answers);
  const shape = { buckets: ALL_BUCKETS, classes: CLASSES };
  const { buckets, weights: packed, scale } = packWeights(weights, shape);
  const source = `/** Made by test/support/inbox/interest-model/train.ts from the texts of test/corpus; do not edit. */
import type { PackedWeights } from '../mail-classification/likeness/packing.ts';

/** SHA-256 of the texts and what they mean. */
export const LEARNT_FROM = '${digestOf(answers)}';

/** In the order of the classes. */
export const BIASES: readonly number[] = [${biases.map((bias) => bias.toFixed(4)).join(', ')}];

export const PACKED: PackedWeights = {
  scale: ${scale},
  buckets: [
${inLines(buckets, BUCKET_LINES)}
  ].join(''),
  weights: [
${inLines(packed, WEIGHT_LINES)}
  ].join(''),
};
`;
  writeFileSync(WEIGHTS_FILE, source);
  console.log(`Learnt from ${answers.length} answers`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await new Command('train')
    .description('Makes interest/weights.ts anew from the answers of test/corpus/interest.')
    .action(main)
    .parseAsync();
}
