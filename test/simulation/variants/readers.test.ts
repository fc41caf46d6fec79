/** The people of a simulated campaign that compares texts: who answers which of them. */
import { describe, expect, it } from 'vitest';
import { namedRandom } from '../../chaos/seeded-random.ts';
import { countReaders, createTaste, drawReaders, readerDomain } from './readers.ts';

const message = (mark: string, domain: string) => ({
  from: 'a@a.example',
  to: `b@${domain}`,
  raw: Buffer.from(`Subject: x\r\nMessage-ID: <x>\r\n\r\nHi there, a word: ${mark}.`),
});

const decided = drawReaders(() => 0.9);
const wavering = drawReaders(() => 0);

/** Of 1,000 messages. */
function countLiked(readers: typeof decided, mark: string, domain: string): number {
  const likes = createTaste(readers, namedRandom(1, 'test'));
  return Array.from({ length: 1_000 }, () => likes(message(mark, domain))).filter(Boolean).length;
}

describe('readers', () => {
  const own = readerDomain('a.example');

  it('are of two kinds, and more where they waver, for as many looks', () => {
    const kinds = Array.from({ length: 100 }, (_, seed) => drawReaders(namedRandom(seed, 'x')));
    const wavers = kinds.filter((one) => one === wavering).length;
    expect(wavers).toBeGreaterThan(25);
    expect(wavers).toBeLessThan(55);
    expect(countReaders(wavering, 40)).toBeGreaterThan(2 * countReaders(decided, 40));
    expect(countReaders(decided, 600)).toBe(300);
    expect(countReaders(wavering, 10_000)).toBe(400);
  });

  it('answer the text that they like and no other, or some others, too', () => {
    expect(countLiked(decided, 'liked0m', own)).toBeGreaterThan(800);
    expect(countLiked(decided, 'first0m', own)).toBe(0);
    const liked = countLiked(wavering, 'liked0m', own);
    const others = countLiked(wavering, 'first0m', own);
    expect(others).toBeGreaterThan(100);
    expect(liked).toBeGreaterThan(2 * others);
  });

  it('leave texts of other campaigns to their own people', () => {
    expect(countLiked(wavering, 'first0m', 'a.example')).toBe(0);
  });
});
