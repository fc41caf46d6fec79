/** What of an answer leaves the installation, where a model is asked. docs/interest.md#what-leaves-the-installation. */
import { answerIn } from './answer-text.ts';

/** Longer answers say first what they mean; it bounds what one call costs. */
export const MAX_MODEL_TEXT = 2_000;

/**
 * The writer's own words, without quote and signature; addresses, links, telephone numbers and the writer's own
 * name are replaced. Empty where nothing with a word is left.
 */
export function textForModel({
  text,
  fromName,
}: {
  text: string;
  fromName: string | null;
}): string {
  const said = masked(answerIn(text), nameWords(fromName)).trim();
  if (!/\p{L}{2}/u.test(said)) return '';
  return said.slice(0, MAX_MODEL_TEXT).replace(/[\uD800-\uDBFF]$/, '');
}

/** At the beginning of a word: searched for in a whole text, many @ take n³ steps. */
const ADDRESS = /^.[^@]*@.+\.[\p{L}\d-]{2,}/u;

function masked(text: string, names: readonly string[]): string {
  const plain = text
    .replaceAll(/\b(?:https?:\/\/|www\.)[^\s<>"]+/giu, '[link]')
    .replaceAll(/[^\s<>"'(),;:]+/gu, (word) => word.replace(ADDRESS, '[address]'))
    .replaceAll(/(?<![\p{L}\d])\+?\(?\d[\d ().\u00A0/-]{5,}\d/gu, (found) =>
      isPhone(found) ? '[phone]' : found,
    );
  if (names.length === 0) return plain;
  // As a name is written: "will" and "may" are words, too.
  const any = names.flatMap((name) => [name, capitalised(name)]).join('|');
  return plain.replaceAll(new RegExp(`(?<!\\p{L})(?:${any})(?!\\p{L})`, 'gu'), '[name]');
}

const capitalised = (name: string): string =>
  name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase();

/** A date has eight digits and its own form; what is shorter is a price or a time. */
const isPhone = (found: string): boolean =>
  (found.match(/\d/g) ?? []).length >= 7 &&
  !/\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2}/.test(found);

const nameWords = (name: string | null): string[] =>
  (name ?? '').split(/[\s,.]+/u).filter((word) => /^[\p{L}\p{M}'’-]{3,40}$/u.test(word));
