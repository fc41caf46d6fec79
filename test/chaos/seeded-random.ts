/** Random numbers that are the same for the same seed (mulberry32). */
import { choose } from '../../src/domain/seeded-choice.ts';

/** Numbers from 0 up to 1. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A stream of its own: whoever draws from it changes nothing for those who draw from another. */
export const namedRandom = (seed: number, name: string): (() => number) =>
  seededRandom(choose(`${seed}/${name}`, 2 ** 32));
