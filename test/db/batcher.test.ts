/** What goes together and what goes alone, without a database: work that a test lets end. */
import { describe, expect, it } from 'vitest';
import { createBatcher, type BatchRules } from '../../src/db/batcher.ts';

interface Started {
  items: readonly string[];
  end: (answers: readonly string[]) => void;
  fail: (error: unknown) => void;
}

/** A batcher whose batches wait until the test ends them. */
function heldBatcher(rules?: BatchRules<string>) {
  const started: Started[] = [];
  const ask = createBatcher<string, string>(
    (items) => new Promise((end, fail) => started.push({ items, end, fail })),
    rules,
  );
  return { ask, started };
}

/**
 * Everything that is due in this turn and the next. No timer: one that is late already is served before what
 * this turn has left for its end.
 */
const pause = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('a batcher', () => {
  it('asks together what comes in one turn, and answers each its own', async () => {
    const { ask, started } = heldBatcher();
    const answers = Promise.all([ask('a'), ask('b')]);
    await pause();
    expect(started.map(({ items }) => items)).toEqual([['a', 'b']]);
    started[0]!.end(['A', 'B']);
    expect(await answers).toEqual(['A', 'B']);
  });

  it('keeps what comes meanwhile for the next batch: one runs at a time', async () => {
    const { ask, started } = heldBatcher();
    const first = ask('a');
    await pause();
    const later = Promise.all([ask('b'), ask('c')]);
    await pause();
    expect(started).toHaveLength(1);
    started[0]!.end(['A']);
    expect(await first).toBe('A');
    await pause();
    expect(started.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    started[1]!.end(['B', 'C']);
    expect(await later).toEqual(['B', 'C']);
  });

  it('begins anew after a pause', async () => {
    const { ask, started } = heldBatcher();
    for (const [index, item] of ['a', 'b'].entries()) {
      const answer = ask(item);
      await pause();
      started[index]!.end([item.toUpperCase()]);
      expect(await answer).toBe(item.toUpperCase());
    }
  });

  it('takes no more into a batch than it may, and one that is too large alone', async () => {
    const rules = { most: 3, weigh: (item: string) => item.length };
    const { ask, started } = heldBatcher(rules);
    const answers = Promise.all(['a', 'bb', 'c', 'dddd', 'e'].map(ask));
    for (let batch = 0; batch < 4; batch += 1) {
      await pause();
      started[batch]!.end(started[batch]!.items);
    }
    expect(await answers).toEqual(['a', 'bb', 'c', 'dddd', 'e']);
    expect(started.map(({ items }) => items)).toEqual([['a', 'bb'], ['c'], ['dddd'], ['e']]);
  });

  it('tells all of a batch of its failure, and goes on with the next', async () => {
    const { ask, started } = heldBatcher();
    const failed = Promise.allSettled([ask('a'), ask('b')]);
    await pause();
    const later = ask('c');
    const down = new Error('down');
    started[0]!.fail(down);
    const refusal = { status: 'rejected', reason: down };
    expect(await failed).toEqual([refusal, refusal]);
    await pause();
    expect(started[1]!.items).toEqual(['c']);
    started[1]!.end(['C']);
    expect(await later).toBe('C');
  });

  it('tries each alone where one may be at fault, and that one only fails', async () => {
    const { ask, started } = heldBatcher({ isOfOne: (error) => error instanceof RangeError });
    const outcomes = Promise.allSettled([ask('a'), ask('b'), ask('c')]);
    await pause();
    const fault = new RangeError('b');
    started[0]!.fail(fault);
    await pause();
    started[1]!.end(['A']);
    await pause();
    started[2]!.fail(fault);
    await pause();
    started[3]!.end(['C']);
    expect(await outcomes).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 'C' },
    ]);
    expect(started.slice(1).map(({ items }) => items)).toEqual([['a'], ['b'], ['c']]);
  });

  it('tries nobody alone after a failure that is nobody’s', async () => {
    const { ask, started } = heldBatcher({ isOfOne: (error) => error instanceof RangeError });
    const failed = Promise.allSettled([ask('a'), ask('b')]);
    await pause();
    started[0]!.fail(new Error('down'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await pause();
    expect(started).toHaveLength(1);
  });
});
