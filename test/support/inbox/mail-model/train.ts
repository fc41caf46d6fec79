/**
 * Makes the model of likeness from the corpus: multinomial logistic regression by AdaGrad (Duchi et al., 2011),
 * the same from the same texts. `node --import tsx test/support/inbox/mail-model/train.ts [--help]`.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import {
  BUCKETS,
  featuresOf,
} from '../../../../src/domain/inbox/mail-classification/likeness/features.ts';
import {
  LIKENESS_CLASSES,
  likenessBy,
  type LikenessClass,
  type LinearModel,
} from '../../../../src/domain/inbox/mail-classification/likeness/model.ts';
import { packWeights } from '../../../../src/domain/inbox/mail-classification/likeness/packing.ts';
import { labelledTexts, type LabelledText, type TextClass } from './labelled-texts.ts';

const EPOCHS = 20;
const RATE = 0.2;
const BIAS_RATE = 0.02;
const FIRST_SEED = 1;
/** What fewer texts have is chance. */
const LEAST_TEXTS = 3;
/** A reply that is taken for something else is worse than the other way round. */
const COST: Record<LikenessClass, number> = { unsubscribe: 1, reply: 1.5, autoReply: 1, other: 1 };

export const likenessClassOf: Record<TextClass, LikenessClass> = {
  unsubscribe: 'unsubscribe',
  reply: 'reply',
  auto_reply: 'autoReply',
  other: 'other',
};

export function trainModel(
  texts: readonly Pick<LabelledText, 'class' | 'text'>[],
): LinearModel & { weights: Float32Array } {
  const classes = LIKENESS_CLASSES.length;
  const weights = new Float32Array(BUCKETS * classes);
  const squares = new Float32Array(BUCKETS * classes);
  const biases = Array.from({ length: classes }, () => 0);
  const model = { weights, scale: 1, biases };
  const examples = frequent(texts.map(({ text }) => featuresOf(text))).map((features, at) => ({
    features,
    is: likenessClassOf[texts[at]!.class],
  }));
  const random = seeded(FIRST_SEED);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(examples, random);
    for (const { features, is } of examples) {
      const likeness = likenessBy(model, features);
      const share = 1 / Math.sqrt(Math.max(1, features.length));
      LIKENESS_CLASSES.forEach((name, at) => {
        const error = COST[is] * (likeness[name] - (name === is ? 1 : 0));
        biases[at]! -= BIAS_RATE * error;
        const gradient = error * share;
        for (const bucket of features) {
          const place = bucket * classes + at;
          squares[place]! += gradient * gradient;
          weights[place]! -= (RATE * gradient) / Math.sqrt(squares[place]! + 1e-6);
        }
      });
    }
  }
  return model;
}

function frequent(all: readonly Uint32Array[]): Uint32Array[] {
  const counts = new Uint32Array(BUCKETS);
  for (const features of all) for (const bucket of features) counts[bucket]! += 1;
  return all.map((features) => features.filter((bucket) => counts[bucket]! >= LEAST_TEXTS));
}

/** The same for the same texts, in whatever order. */
export function digestOf(texts: readonly Pick<LabelledText, 'class' | 'text'>[]): string {
  const lines = texts.map((each) => JSON.stringify([each.class, each.text])).toSorted();
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

const WEIGHTS_FILE = new URL(
  '../../../../src/domain/inbox/mail-classification/likeness/weights.ts',
  import.meta.url,
);

/** Of the file: checks read sources line by line, and want no more than 250. */
const BUCKET_LINES = 20;
const WEIGHT_LINES = 200;

function inLines(text: string, lines: number): string {
  const length = Math.ceil(text.length / lines);
  const each = Array.from({ length: lines }, (_, at) => text.slice(at * length, (at + 1) * length));
  return each.map((line) => `    '${line}',`).join('\n');
}

async function main(): Promise<void> {
  const texts = await labelledTexts();
  const { weights, biases } = trainModel(texts);
  const { buckets, weights: packed, scale } = packWeights(weights);
  const source = `/** Made by test/support/inbox/mail-model/train.ts from the texts of test/corpus; do not edit. */
import type { PackedWeights } from './packing.ts';

/** SHA-256 of the texts and their classes. */
export const LEARNT_FROM = '${digestOf(texts)}';

/** In the order of the classes of likeness. */
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
  console.log(`Learnt from ${texts.length} texts`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await new Command('train')
    .description('Makes likeness/weights.ts anew from the labelled texts of test/corpus.')
    .action(main)
    .parseAsync();
}
