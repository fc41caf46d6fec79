/** What the drawn parts of the matrices cover. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from '../support/fault-injector.ts';
import {
  DEFAULT_SEED,
  drawn,
  isWhole,
  ONE_OF,
  ONE_OF_DEAR,
  seed,
  turns,
} from '../support/matrix-scope.ts';

const table = (steps: number, faults: number) =>
  Array.from({ length: steps * faults }, (_, index) => ({
    step: Math.floor(index / faults),
    fault: index % faults,
  }));

describe.skipIf(isWhole)('a drawn part', () => {
  it.skipIf(process.env['MATRIX_SEED'])('is the same on every day', () => {
    expect(seed).toBe(DEFAULT_SEED);
  });

  it('is told in the documents as it is', async () => {
    const told = await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
    expect(told).toContain(`\`npm test\` has that of seed ${DEFAULT_SEED}`);
    expect(told).toContain(`The seeds 0 to ${ONE_OF_DEAR - 1} have`);
    for (const share of [ONE_OF, ONE_OF_DEAR])
      expect(told).toMatch(new RegExp(`one in ${share} +\\|`));
  });

  it.each([ONE_OF, ONE_OF_DEAR])('of one case in %s has each for one seed', (oneOf) => {
    const all = table(16, 10);
    const parts = Array.from({ length: oneOf }, (_, by) => drawn(all, oneOf, by)).flat();
    expect(new Set(parts).size).toBe(all.length);
    expect(parts).toHaveLength(all.length);
  });

  it('of a provisioning has every fault, and the deaths before a call and before a note', () => {
    expect(FAULT_KINDS).toEqual(expect.arrayContaining(['dies_before_call', 'dies_before_record']));
    const faults = FAULT_KINDS.length - 1;
    const part = drawn(table(16, faults));
    expect(new Set(part.map(({ fault }) => fault)).size).toBe(faults);
    expect(new Set(part.map(({ step }) => step)).size).toBe(16);
  });

  it('has few of what is expensive, whatever the seed', () => {
    const seeds = Array.from({ length: ONE_OF_DEAR }, (_, by) => by);
    const sizes = seeds.map((by) => drawn(table(4, 12), ONE_OF_DEAR, by).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });
});

describe('turns', () => {
  it('lets so many in at a time, and all in the end', async () => {
    const inTurn = turns(2);
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      return (inside -= 1);
    };
    await Promise.all(Array.from({ length: 9 }, () => inTurn(work)));
    expect([most, inside]).toEqual([2, 0]);
  });
});
