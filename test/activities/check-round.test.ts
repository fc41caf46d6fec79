/** Checks beside sending: what is not told yet is still open, and a session that ends waits for none. */
import { expect, it } from 'vitest';
import { createCheckRound } from '../../activities/campaigns/check-round.ts';
import { createSignal } from '../support/tools/signal.ts';

const { signal } = new AbortController();
const items = [{ id: 1, host: 'a' }];

/** A round whose only check answers when it is told to, after the session has ceased to wait for it. */
async function slowRound(answer: () => Promise<boolean>) {
  const round = createCheckRound<{ id: number; host: string }>();
  round.begin(items, () => 0);
  const told = createSignal();
  const goOn = () => round.goOn(() => told.opened.then(answer), { signal, budgetMs: 50 });
  expect(await goOn()).toEqual([]);
  told.open();
  // Whatever follows from it has happened by then.
  await new Promise((done) => setImmediate(done));
  return { round, goOn };
}

it('is open until the result of a slow check was answered', async () => {
  const { round, goOn } = await slowRound(async () => true);
  expect(round.isOpen()).toBe(true);
  expect(await goOn()).toEqual([{ item: items[0], isFine: true }]);
  expect(round.isOpen()).toBe(false);
});

it('is open until the error of a slow check was thrown', async () => {
  const { round, goOn } = await slowRound(async () => {
    throw new Error('the database is gone');
  });
  expect(round.isOpen()).toBe(true);
  await expect(goOn()).rejects.toThrow('the database is gone');
  expect(round.isOpen()).toBe(false);
});

it('waits no longer once its signal fires', async () => {
  const round = createCheckRound<{ id: number; host: string }>();
  round.begin(items, () => 0);
  const stop = new AbortController();
  let asked = 0;
  const check = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  // Longer than this test may last.
  const going = round.goOn(check, { signal: stop.signal, budgetMs: 600_000 });
  stop.abort();
  expect(await going).toEqual([]);
  expect(asked).toBe(1);
});
