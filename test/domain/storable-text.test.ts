/** Texts of others that are cut to be stored. */
import { expect, it } from 'vitest';
import { quotedWords } from '../../src/domain/sending/policy-refusals.ts';
import { isStorable, shortened } from '../../src/domain/storable-text.ts';

it.each([
  ['whole', 'ab😀', 4, 'ab😀'],
  ['shorter', 'ab😀', 9, 'ab😀'],
  ['before a pair', 'ab😀', 2, 'ab'],
  ['within a pair', 'ab😀', 3, 'ab'],
  ['after a pair', 'ab😀c', 4, 'ab😀'],
  ['to nothing', '😀', 1, ''],
])('a text is cut %s', (_, text, most, start) => {
  expect(shortened(text, most)).toBe(start);
});

it('words that are quoted end with a whole character', () => {
  for (const length of [299, 7_999]) {
    expect(isStorable(quotedWords(`${'a'.repeat(length)}😀`))).toBe(true);
  }
});
