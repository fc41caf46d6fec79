/** How long what failed is left alone. */
import { expect, it } from 'vitest';
import { createRests } from '../../activities/engine/rests.ts';

const MINUTE = 60_000;

it('rests longer after each failure, up to ten minutes, and no more after a success', () => {
  let now = 0;
  const rests = createRests(() => now);
  const restsFor = () => {
    rests.noteFailure(7);
    const from = now;
    while (rests.resting().length > 0) now += 1_000;
    return (now - from) / MINUTE;
  };
  expect(Array.from({ length: 7 }, restsFor)).toEqual([0.5, 1, 2, 4, 8, 10, 10]);
  rests.noteSuccess(7);
  expect(restsFor()).toBe(0.5);
});

it('forgets what nobody has asked for since', () => {
  let now = 0;
  const rests = createRests(() => now);
  rests.noteFailure(7);
  rests.noteFailure(8);
  now = 22 * MINUTE;
  expect(rests.resting()).toEqual([]);
  rests.noteFailure(7);
  now += MINUTE / 2;
  expect(rests.resting()).toEqual([]);
});
