/** Texts that all our stores can hold. */

/** No NUL and no lone surrogate: Postgres refuses the first, UTF-8 cannot encode the second. */
export const isStorable = (text: string): boolean =>
  !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

/** The text without NUL, lone surrogates replaced: for external texts that have to be stored. */
export const storable = (text: string): string =>
  text.replaceAll('\u0000', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** At most so many characters (UTF-16) from the start, without half of the last one. */
export function startOf(text: string, most: number): string {
  const start = text.slice(0, most);
  return most < text.length && /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}
