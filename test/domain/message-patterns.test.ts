/** The patterns by which messages are classified are of a size that V8 optimises. */
import { describe, expect, it } from 'vitest';
import { patternsOf } from '../../src/domain/inbox/mail-classification/folding.ts';
import { LANGUAGES } from '../../src/domain/inbox/mail-classification/phrases/index.ts';

/** V8's `kRegExpTooLargeToOptimize`, in bytes of the source; what is longer takes four times as long. */
const LARGEST = 20 * 1024;
const { isSpaced: _flag, ...lists } = LANGUAGES[0]!;
const parts = Object.keys(lists) as (keyof typeof lists)[];

describe('the patterns of all languages', () => {
  it.each(parts)('%s: none is too long to be optimised, and no phrase is lost', (part) => {
    const patterns = patternsOf(part);
    const longest = Math.max(...patterns.map(({ source }) => Buffer.byteLength(source)));
    expect(longest).toBeLessThan(LARGEST);
    expect(patterns.length).toBeGreaterThanOrEqual(LANGUAGES.length);
    for (const { [part]: phrases } of LANGUAGES) {
      const plain = phrases.filter((phrase) => /^[a-z ]+$/.test(phrase));
      for (const phrase of plain) expect(patterns.some((one) => one.test(phrase))).toBe(true);
    }
  });
});
