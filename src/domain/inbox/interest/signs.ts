/** What an answer looks like, for the model: what its words mean, sentence by sentence; hashed. */
import { folded } from '../mail-classification/folding.ts';
import { CONCEPTS, type Concept, type Vocabulary } from './concepts/concepts.ts';
import { VOCABULARIES } from './concepts/index.ts';

interface Language {
  words: ReadonlySet<string>;
  concepts: readonly (readonly [Concept, RegExp])[];
}

const START = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;
/** Some words of the same sentence. */
const GAP = '.{0,40}?';

function patternOf(phrases: string): RegExp {
  const each = phrases
    .split('|')
    .map((phrase) => phrase.replace(/(?<!\\)\.$/, END).replaceAll('~', GAP));
  return new RegExp(`${START}(?:${each.join('|')})`, 'gu');
}

const languageOf = (vocabulary: Vocabulary): Language => ({
  words: new Set(vocabulary.words.split('|')),
  concepts: CONCEPTS.map((concept) => [concept, patternOf(folded(vocabulary[concept]))] as const),
});

let loaded: readonly Language[] | undefined;
const languages = () => (loaded ??= VOCABULARIES.map(languageOf));

/** The number of the language with the most usual words of the text; the first one of those that have as many; -1: none. */
export function languageIn(text: string): number {
  const words = plainOf(text).match(/[\p{L}']+/gu) ?? [];
  let best = -1;
  let most = 0;
  for (const [at, language] of languages().entries()) {
    const known = words.filter((word) => language.words.has(word)).length;
    if (known > most) [best, most] = [at, known];
  }
  return best;
}

/** Longer texts are judged by their beginning. */
const MAX_CHARS = 1_200;
/** One sign may be written out as eighteen letters. */
const MAX_FOLDED = 2 * MAX_CHARS;

export interface Sentence {
  concepts: Concept[];
  isQuestion: boolean;
}

const plainOf = (text: string): string =>
  folded(text.slice(0, MAX_CHARS).replaceAll(/\n+/g, ' ¶ ')).slice(0, MAX_FOLDED);

/** The concepts of each sentence, in the order of their first words. `language`: of the whole text, where this is a part. */
export function sentencesOf(text: string, language: number = languageIn(text)): Sentence[] {
  const spoken = language < 0 ? languages() : [languages()[language]!];
  const parts = plainOf(text).match(/[^.!?¶]+(?:\.(?=[^\s])[^.!?¶]+)*[.!?]*/gu) ?? [];
  return parts
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .map((part) => ({ concepts: conceptsIn(part, spoken), isQuestion: part.includes('?') }));
}

function conceptsIn(sentence: string, spoken: readonly Language[]): Concept[] {
  const found: { concept: Concept; at: number }[] = [];
  for (const language of spoken) {
    for (const [concept, pattern] of language.concepts) {
      pattern.lastIndex = 0;
      const match = pattern.exec(sentence);
      if (match) found.push({ concept, at: match.index });
    }
  }
  found.sort((a, b) => a.at - b.at);
  return [...new Set(found.map(({ concept }) => concept))];
}

/** Whether any usual word or concept of it is known: of other languages than the ten nothing was learnt. */
export const isUnderstood = (text: string): boolean => languageIn(text) >= 0 || hasConcept(text);

/** Thanks alone say nothing. */
export const hasConcept = (text: string): boolean =>
  sentencesOf(text).some(({ concepts }) => concepts.some((concept) => concept !== 'thanks'));

/** Names of the features of a text. `language`: as in `sentencesOf`. */
export function signsOf(text: string, language?: number): string[] {
  const sentences = sentencesOf(text, language);
  const found = new Set<string>();
  for (const [at, { concepts, isQuestion }] of sentences.entries()) {
    const mark = isQuestion ? '?' : '';
    if (isQuestion) found.add('?');
    if (concepts.length === 0) found.add(`0${mark}`);
    for (const [place, concept] of concepts.entries()) {
      found.add(concept);
      if (isQuestion) found.add(`${concept}?`);
      if (at === 0) found.add(`1${concept}`);
      for (const other of concepts.slice(place + 1)) {
        const [first, second] = concept < other ? [concept, other] : [other, concept];
        found.add(`${first}+${second}`);
        if (isQuestion) found.add(`${first}+${second}?`);
      }
    }
  }
  found.add(`n${Math.min(sentences.length, 4)}`);
  return [...found];
}
