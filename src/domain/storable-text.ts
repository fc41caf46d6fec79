/** Texts that all our stores can hold. */

/** No NUL and no lone surrogate: Postgres refuses the first, UTF-8 cannot encode the second. */
export const isStorable = (text: string): boolean =>
  !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

/** The text without NUL, lone surrogates replaced: for external texts that have to be stored. */
export const storable = (text: string): string =>
  text.replaceAll('\u0000', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');
