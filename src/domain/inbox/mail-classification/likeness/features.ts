/** What a text looks like, for a linear model: its words, two or three of them in a row, and parts of words; hashed. */
import { folded } from '../folding.ts';

/** Buckets of the model, a power of two. */
export const BUCKETS = 2 ** 18;

/** Longer texts are judged by their beginning. */
const MAX_CHARS = 1_200;
/** One sign may be written out as eighteen letters. */
const MAX_FOLDED = 2 * MAX_CHARS;

const PARTS = [3, 4, 5];
/** Words of scripts without spaces are cut into these. */
const UNSPACED_PARTS = [1, 2, 3, 4];
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The buckets that a text falls into, each once. Numbers, addresses and links count as one word each.
 * `buckets`: how many there are, a power of two.
 */
export function featuresOf(text: string, buckets: number = BUCKETS): Uint32Array {
  const bucketOf = (feature: string) => hashOf(feature) & (buckets - 1);
  const plain = folded(text.slice(0, MAX_CHARS))
    .slice(0, MAX_FOLDED)
    .replaceAll(/\S+@\S+/gu, ' @ ')
    .replaceAll(/https?:\/\/\S+/gu, ' :// ')
    .replaceAll(/\d+/gu, '0');
  const found = new Set<number>();
  const words = plain.match(/\p{L}+|[^\s\p{L}]/gu) ?? [];
  let beforeLast = '^';
  let last = '^';
  for (const word of words) {
    found.add(bucketOf(`w ${word}`));
    found.add(bucketOf(`p ${last} ${word}`));
    found.add(bucketOf(`t ${beforeLast} ${last} ${word}`));
    found.add(bucketOf(`s ${beforeLast} ${word}`));
    if (/\p{L}/u.test(word)) {
      const isUnspaced = UNSPACED.test(word);
      const padded = isUnspaced ? word : ` ${word} `;
      for (const length of isUnspaced ? UNSPACED_PARTS : PARTS) {
        for (let at = 0; at + length <= padded.length; at += 1) {
          found.add(bucketOf(padded.slice(at, at + length)));
        }
      }
    }
    beforeLast = last;
    last = word;
  }
  return Uint32Array.from(found);
}

/** FNV-1a, 32 bits, over UTF-16. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
