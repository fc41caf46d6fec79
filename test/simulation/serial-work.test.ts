/** Simulated clients that change the same thing do so one after another. */
import { expect, it } from 'vitest';
import { createSerialRunner } from './serial-work.ts';

it('runs those of one subject in their order, a failed one too, and others at once', async () => {
  const runSerially = createSerialRunner();
  const [one, other] = [{}, {}];
  const done: string[] = [];
  let free: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (free = resolve));
  const first = runSerially(one, async () => {
    await held;
    done.push('first');
    throw new Error('refused');
  });
  const second = runSerially(one, async () => void done.push('second'));
  await runSerially(other, async () => void done.push('other'));
  expect(done).toEqual(['other']);
  free();
  await expect(first).rejects.toThrow('refused');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});
