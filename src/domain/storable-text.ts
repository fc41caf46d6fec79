/** Texts that all our stores can hold. */

/** No NUL and no lone surrogate: Postgres refuses the first, UTF-8 cannot encode the second. */
export const isStorable = (text: string): boolean =>
  !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

/** The text without NUL, lone surrogates replaced: for external texts that have to be stored. */
export const storable = (text: string): string =>
  text.replaceAll('\u0000', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** Longer than any letter that people write; of a longer one a part is kept. */
const MAX_LETTER = 128;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most so many UTF-16 units, cut between letters: `é`, 🙏 and a family of emoji are one each. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = Math.max(0, max - MAX_LETTER);
  const near = text.slice(start, max + MAX_LETTER);
  const { index } = letters.segment(near).containing(max - start)!;
  if (index > 0) return text.slice(0, start + index);
  // Half of a pair is no text.
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
