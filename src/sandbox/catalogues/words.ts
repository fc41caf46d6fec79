/** How the stand-ins search: by words, ignoring case and accents. */

export const fold = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();

/** The words of a text, folded. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether each word of `question` occurs somewhere in the texts; no words find nothing. */
export function allOccur(question: string, texts: (string | null | undefined)[]): boolean {
  const hay = fold(texts.filter((text) => text != null).join('\n'));
  const words = wordsOf(question);
  return words.length > 0 && words.every((word) => hay.includes(word));
}
