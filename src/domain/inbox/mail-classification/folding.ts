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
 * Without soft hyphens, marks of direction and other characters that are not shown. Not a part of `folded`: the
 * models that are trained on folded texts see them.
 */
export const visible = (text: string): string =>
  text.replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '');

/** From the first letter or digit to the last: without emoji, quotation marks, bullets; question marks stay. */
export const bare = (text: string): string => BARE.exec(text)?.[0] ?? '';
const BARE = /[\p{L}\p{M}\p{N}?？؟](?:.*[\p{L}\p{M}\p{N}?？؟])?/su;

/**
 * One pattern of many phrases, all in lower case. `~` stands for some words of the same sentence. With
 * `isSpaced` each starts at a word boundary.
 */
export function patternOf(phrases: readonly string[], isSpaced: boolean): RegExp {
  const source = sourceOf(phrases.join('|'));
  return new RegExp(isSpaced ? `${WORD_START}(?:${source})` : source, 'u');
}

/**
 * The patterns of all languages. Those of a language with many phrases are several: V8 does not optimise a
 * pattern of more than 20 KB, which then takes four times as long.
 */
export const patternsOf = (part: Exclude<keyof Phrases, 'isSpaced'>): RegExp[] =>
  LANGUAGES.flatMap((each) =>
    inPortions(each[part]).map((phrases) => patternOf(phrases, each.isSpaced)),
  );

/** Of a pattern's source. */
const MAX_LENGTH = 12_000;

function inPortions(phrases: readonly string[]): string[][] {
  const portions: string[][] = [[]];
  let length = 0;
  for (const phrase of phrases) {
    const added = sourceOf(phrase).length + 1;
    if (length > 0 && length + added > MAX_LENGTH) {
      portions.push([]);
      length = 0;
    }
    portions.at(-1)!.push(phrase);
    length += added;
  }
  return portions;
}

const sourceOf = (phrases: string): string => flattened(phrases).replaceAll('~', GAP);

/** Before a number: `ticket n. 00931`. */
export const ABBREVIATION = String.raw`(?<=(?<!\p{L})(?:n|nr|no|nro|num|c|sz|αρ|ref)\.)`;
/** The dot of a date, a time or a number does not end a sentence. */
const GAP = String.raw`(?:[^.!?。！？]|\.(?=\S)|\.${ABBREVIATION}|(?<=\d)\.(?!\S)){0,60}?`;
const WORD_START = String.raw`(?<![\p{L}\p{N}])`;

const flattened = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u0640\u200b-\u200f\u2066-\u2069\ufeff]/gu, '')
    .replaceAll(/[ßłøđæœıς]/g, (letter) => LETTERS[letter]!)
    .replaceAll(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replaceAll(/[\u2010-\u2015]/g, '-')
    .replaceAll(/\s+/g, ' ');
