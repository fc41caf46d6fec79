/**
 * Makes the model of likeness from the corpus: multinomial logistic regression by AdaGrad (Duchi et al., 2011),
 * the same from the same texts. `node --import tsx test/support/inbox/mail-model/train.ts [--help]`.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
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

export function trainModel(texts: readonly Pick<LabelledText, 'class' | 'text'>[]): LinearModel {
  const classes = LIKENESS_CLASSES.length;
  const weights = new Float32Array(BUCKETS * classes);
  const squares = new Float32Array(BUCKETS * classes);
  const biases = new Array<number>(classes).fill(0);
  const model: LinearModel = { weights, scale: 1, biases };
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

/** Weights of one byte each. */
export function compacted({ weights, biases }: LinearModel): LinearModel {
  const most = weights.reduce((highest, each) => Math.max(highest, Math.abs(each)), 0);
  const scale = most / 127;
  return {
    weights: Int8Array.from(weights, (each) => Math.round(each / scale)),
    scale,
    biases,
  };
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

async function main(): Promise<void> {
  const texts = await labelledTexts();
  const { weights, scale, biases } = compacted(trainModel(texts));
  const base64 = deflateRawSync((weights as Int8Array).buffer).toString('base64');
  const source = `/** Made by test/support/inbox/mail-model/train.ts from the texts of test/corpus; do not edit. */

/** SHA-256 of the texts and their classes. */
export const LEARNT_FROM = '${digestOf(texts)}';

export const SCALE = ${scale};

/** In the order of \`LIKENESS_CLASSES\`. */
export const BIASES: readonly number[] = [${biases.join(', ')}];

/** Signed bytes by bucket and class, deflated, as base64. */
export const WEIGHTS =
  '${base64}';
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
