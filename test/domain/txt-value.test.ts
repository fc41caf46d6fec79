/** One text out of quoted pieces. */
import { describe, expect, it } from 'vitest';
import { joinedText, txtPieces } from '../../src/domain/domains/txt-value.ts';
import { cpuMs } from '../support/cpu-time.ts';

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

  it('takes no longer for a text that is made to be slow', async () => {
    const join = () => {
      joinedText(`${'"" '.repeat(20_000)}x`);
      joinedText(`"${'\\"'.repeat(20_000)}`);
    };
    expect(await cpuMs(join)).toBeLessThan(1_000);
  });
});

describe('txtPieces', () => {
  const bytes = (text: string) => new TextEncoder().encode(text).length;

  it.each([
    ['', 1],
    ['a'.repeat(255), 1],
    ['a'.repeat(256), 2],
    ['é'.repeat(127), 1],
    ['é'.repeat(200), 2],
    [`a${'é'.repeat(127)}`, 1],
    [`aa${'é'.repeat(127)}`, 2],
    ['€'.repeat(170), 2],
    ['😀'.repeat(64), 2],
    [`${'a'.repeat(254)}é\nz`, 2],
  ])('cuts %j into %i pieces that fit and stay whole', (value, count) => {
    const pieces = txtPieces(value);
    expect(pieces.length).toBe(count);
    expect(pieces.join('')).toBe(value);
    // A character that was cut would come back as another one.
    const decoded = pieces.map((piece) =>
      new TextDecoder().decode(new TextEncoder().encode(piece)),
    );
    expect(decoded).toEqual(pieces);
    expect(pieces.every((piece) => bytes(piece) <= 255)).toBe(true);
  });
});
