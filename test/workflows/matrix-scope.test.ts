/** What the drawn parts of the matrices cover. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from '../support/provisioning/fault-injector.ts';
import {
  casesOf,
  DEFAULT_SEED,
  drawn,
  isWhole,
  ONE_OF,
  ONE_OF_DEAR,
  seed,
  createLimit,
  type Strike,
} from '../support/provisioning/matrix-scope.ts';
import { VENDOR_PAIRS } from '../support/provisioning/vendor-pairs.ts';

const table = (steps: number, faults: number) =>
  Array.from({ length: steps * faults }, (_, index) => ({
    step: Math.floor(index / faults),
    fault: index % faults,
  }));

const strikes = (steps: number): Strike[] =>
  Array.from({ length: steps }, (_, step) =>
    FAULT_KINDS.filter((kind) => kind !== 'all_twice').map((kind) => ({ kind, at: `${step}` })),
  ).flat();

/** As `npm run drill -- matrix` does. */
const command = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'test/drill/run.ts', 'matrix', ...args], {
    encoding: 'utf8',
  });

describe('the command', () => {
  it('tells its own options and how long it takes', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['drill']).toBe('node --import tsx test/drill/run.ts');
    const { status, stdout } = command('--help');
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('npm run drill -- matrix --seed 5'),
    ]);
    expect(stdout).toMatch(/half an hour/);
  });

  it.each([
    ['--seed', 'x'],
    ['--flows', 'none'],
    ['--reporter', 'dot'],
  ])('refuses %s %s before anything is run', (...args) => {
    expect(command(...args)).toMatchObject({ status: 1, stdout: '' });
  });
});

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

  it.each([ONE_OF, ONE_OF_DEAR])(
    'of one case in %s has each with both pairs of vendors in twice as many seeds',
    (oneOf) => {
      const all = strikes(16);
      const parts = Array.from({ length: 2 * oneOf }, (_, by) =>
        casesOf(all, oneOf, by).slice(0, -1),
      );
      const met = parts.flat().map(({ kind, at, vendors }) => `${at} ${kind} ${vendors.vps}`);
      expect(new Set(met).size).toBe(2 * all.length);
      expect(met).toHaveLength(2 * all.length);
    },
  );

  it('has both pairs of vendors, each at about every other case and with deaths', () => {
    const part = casesOf(strikes(16), ONE_OF, DEFAULT_SEED);
    for (const pair of VENDOR_PAIRS) {
      const own = part.filter(({ vendors }) => vendors === pair);
      expect(own.length).toBeGreaterThan(part.length / 3);
      expect(own.some(({ kind }) => kind.startsWith('dies_'))).toBe(true);
    }
  });

  it('has few of what is expensive, whatever the seed', () => {
    const seeds = Array.from({ length: ONE_OF_DEAR }, (_, by) => by);
    const sizes = seeds.map((by) => drawn(table(4, 12), ONE_OF_DEAR, by).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });
});

describe('createLimit', () => {
  it('runs at most that many at a time, and all in the end', async () => {
    const limited = createLimit(2);
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      return (inside -= 1);
    };
    await Promise.all(Array.from({ length: 9 }, () => limited(work)));
    expect([most, inside]).toEqual([2, 0]);
  });
});
