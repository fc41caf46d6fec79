/** Checks beside sending: what is not told yet is still open. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCheckRound } from '../../activities/campaigns/check-round.ts';

const signal = new AbortController().signal;
const items = [{ id: 1, host: 'a' }];

it('is open until the result of a slow check was answered', async () => {
  const round = createCheckRound<{ id: number; host: string }>();
  round.begin(items, () => 0);
  const check = () => sleep(300).then(() => true);
  expect(await round.goOn(check, { signal, budgetMs: 50 })).toEqual([]);
  await sleep(500);
  expect(round.isOpen()).toBe(true);
  const [result] = await round.goOn(check, { signal, budgetMs: 50 });
  expect(result).toEqual({ item: items[0], isFine: true });
  expect(round.isOpen()).toBe(false);
});

it('is open until the error of a slow check was thrown', async () => {
  const round = createCheckRound<{ id: number; host: string }>();
  round.begin(items, () => 0);
  const check = () => sleep(300).then(() => Promise.reject(new Error('the database is gone')));
  await round.goOn(check, { signal, budgetMs: 50 });
  await sleep(500);
  expect(round.isOpen()).toBe(true);
  await expect(round.goOn(check, { signal, budgetMs: 50 })).rejects.toThrow('the database is gone');
  expect(round.isOpen()).toBe(false);
});
