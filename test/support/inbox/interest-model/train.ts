/**
 * Makes the weights of interest from the corpus, the same from the same texts. `node --import tsx test/support/inbox/interest-model/train.ts [--help]`.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { INTERESTS } from '../../../../src/domain/inbox/interest/interest.ts';
import {
  ALL_BUCKETS,
  CLAUSE_SHAPE,
  traitsOf,
  WHOLE_SHAPE,
  type Buckets,
  type InterestModel,
  type Traits,
} from '../../../../src/domain/inbox/interest/model.ts';
import {
  packWeights,
  type PackedWeights,
} from '../../../../src/domain/inbox/mail-classification/likeness/packing.ts';
import { knownAnswers, variedAnswers, type KnownAnswer } from './answers.ts';
import { createLearner, joined, type Known } from './learning.ts';

const EPOCHS = 3;
/** Models that are learnt apart and joined: each is wrong where the others are not. */
const SEEDS = [1, 2, 3];
/** What fewer texts have is chance, where no other word has the same bucket; units are many, and need more. */
const LEAST_TEXTS = { whole: 3, clause: 30 };

export function trainInterest(answers: readonly KnownAnswer[]): InterestModel {
  const varied = variedAnswers(answers, seeded(SEEDS[0]!));
  const examples = varied.map(({ text, interest }) => ({
    traits: traitsOf(text),
    is: INTERESTS.indexOf(interest),
  }));
  const known = {
    whole: knownIn(examples, LEAST_TEXTS.whole, ({ whole }) => [whole]),
    clause: knownIn(examples, LEAST_TEXTS.clause, ({ clauses }) => clauses),
  };
  return joined(SEEDS.map((seed) => learntFrom(examples, known, seeded(seed))));
}

interface Example {
  traits: Traits;
  is: number;
}

function learntFrom(all: readonly Example[], known: Known, random: () => number) {
  const { model, learn } = createLearner(known, random);
  const examples = [...all];
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(examples, random);
    for (const { traits, is } of examples) learn(traits, is);
  }
  return model;
}

/** 1 for each bucket that at least so many texts have. */
function knownIn(
  examples: readonly Example[],
  least: number,
  partsOf: (traits: Traits) => readonly Buckets[],
): Uint8Array {
  const counts = new Uint32Array(ALL_BUCKETS);
  for (const { traits } of examples) {
    const found = new Set(partsOf(traits).flatMap(({ words, signs }) => [...words, ...signs]));
    for (const bucket of found) counts[bucket]! += 1;
  }
  return Uint8Array.from(counts, (count) => (count >= least ? 1 : 0));
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

function main(): void {
  const answers = knownAnswers();
  const { whole, clause, ...small } = trainInterest(answers);
  const packed = [
    ['WHOLE', whole, WHOLE_SHAPE],
    ['CLAUSE', clause, CLAUSE_SHAPE],
  ] as const;
  const source = `/** Made by test/support/inbox/interest-model/train.ts from the texts of test/corpus; do not edit. */
import type { PackedWeights } from '../mail-classification/likeness/packing.ts';

/** SHA-256 of the texts and what they mean. */
export const LEARNT_FROM = '${digestOf(answers)}';

/** What is little: see the model. */
export const SMALL = JSON.parse(
  [
${inLines(
  JSON.stringify(small, (_, each: unknown) =>
    typeof each === 'number' ? Number(each.toFixed(4)) : each,
  ),
  SMALL_LINES,
)}
  ].join(''),
) as Record<'unitBiases' | 'before' | 'outputs' | 'biases', number[]>;
${packed.map(([name, layer, shape]) => textOf(name, packWeights(layer.weights as Float32Array, shape, layer.known))).join('')}`;
  writeFileSync(WEIGHTS_FILE, source);
  console.log(`Learnt from ${answers.length} answers`);
}

const textOf = (name: string, { scale, buckets, weights }: PackedWeights): string => `
export const ${name}: PackedWeights = {
  scale: ${scale},
  buckets: [
${inLines(buckets, BUCKET_LINES)}
  ].join(''),
  weights: [
${inLines(weights, WEIGHT_LINES)}
  ].join(''),
};
`;

/** Of the file: checks read sources line by line, and want no more than 250. */
const SMALL_LINES = 10;
const BUCKET_LINES = 10;
const WEIGHT_LINES = 80;

function inLines(text: string, lines: number): string {
  const length = Math.ceil(text.length / lines);
  const each = Array.from({ length: lines }, (_, at) => text.slice(at * length, (at + 1) * length));
  return each.map((line) => `    '${line}',`).join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await new Command('train')
    .description('Makes interest/weights.ts anew from the answers of test/corpus/interest.')
    .action(main)
    .parseAsync();
}
