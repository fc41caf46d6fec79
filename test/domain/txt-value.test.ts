/** One text out of quoted pieces. */
import { describe, expect, it } from 'vitest';
import { joinedText } from '../../src/domain/txt-value.ts';

describe('joinedText', () => {
  it.each([
    ['"v=spf1" " mx ~all"', 'v=spf1 mx ~all'],
    [' "v=spf1 mx"\t" ~all" ', 'v=spf1 mx ~all'],
    ['"v=sp""f1 -all"', 'v=spf1 -all'],
    ['"v=DMARC1\\; p=none"', 'v=DMARC1; p=none'],
    ['"say \\"hi\\" \\\\"', 'say "hi" \\'],
    ['""', ''],
  ])('%s is one text', (value, text) => {
    expect(joinedText(value)).toBe(text);
  });

  it.each(['v=spf1 -all', '', '"', '"open', '"a" b "c"', 'key="value"', '"a\\"'])(
    '%j stays as it is',
    (value) => {
      expect(joinedText(value)).toBe(value);
    },
  );

  it('takes no longer for a text that is made to be slow', () => {
    const began = performance.now();
    joinedText(`${'"" '.repeat(20_000)}x`);
    joinedText(`"${'\\"'.repeat(20_000)}`);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
