/** Normalises text and phrases to one spelling: people omit accents, and systems encode them in many ways. */

import { LANGUAGES, type Phrases } from './phrases/index.ts';

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
};

/** Lower case without accents; apostrophes and dashes of one kind, runs of white space one space. */
export const folded = (text: string): string => flattened(text.toLowerCase());

/**
 * One pattern of many phrases, all in lower case. `~` stands for some words of the same sentence. With
 * `isSpaced` each starts at a word boundary.
 */
export function patternOf(phrases: readonly string[], isSpaced: boolean): RegExp {
  const source = flattened(phrases.join('|')).replaceAll('~', GAP);
  return new RegExp(isSpaced ? `${WORD_START}(?:${source})` : source, 'u');
}

/** One pattern for each language. */
export const patternsOf = (part: Exclude<keyof Phrases, 'isSpaced'>): RegExp[] =>
  LANGUAGES.map((each) => patternOf(each[part], each.isSpaced));

/** The dot of a date or time does not end a sentence. */
const GAP = String.raw`(?:[^.!?。！？]|\.(?=\S)|(?<=\d)\.(?!\S)){0,60}?`;
const WORD_START = String.raw`(?<![\p{L}\p{N}])`;

const flattened = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u0640\u200b-\u200f\u2066-\u2069\ufeff]/gu, '')
    .replaceAll(/[ßłøđæœıς]/g, (letter) => LETTERS[letter]!)
    .replaceAll(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .replaceAll(/\s+/g, ' ');
