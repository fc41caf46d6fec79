/** The benches as commands: options by name, told by --help; nonsense is refused with exit code 2. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const benches = [
  ...readFileSync('bench/run.ts', 'utf8').matchAll(/^ +'?([\w-]+)'?: '(.+\.ts)',$/gm),
];

const npmRunBench = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'bench/run.ts', ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
};

it('npm run bench knows each of them', () => {
  const files = readdirSync('bench').filter((name) => readText(name).includes('./command.ts'));
  expect(benches.map(([, , file]) => file).toSorted()).toEqual(
    files.filter((name) => name !== 'run.ts').toSorted(),
  );
});

const readText = (name: string): string =>
  name.endsWith('.ts') ? readFileSync(`bench/${name}`, 'utf8') : '';

it.each(benches.map(([, name, file]) => [name!, file!]))(
  '%s reads its command line as all do',
  (name, file) => {
    const text = readText(file);
    expect(text).toContain(`bench('${name}', `);
    expect(text).not.toMatch(/process\.argv|parseArgs/);
  },
);

it('a bench that is named alone is handed its options', { timeout: 180_000 }, () => {
  const help = npmRunBench('mail-kinds', '--help');
  expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('bench -- mail-kinds')]);
  const odd = npmRunBench('mail-kinds', '--rounds', '3');
  expect([odd.status, odd.stderr]).toEqual([2, expect.stringContaining('unknown option')]);
});

it('no bench has a name that is not in the list', { timeout: 180_000 }, () => {
  expect(npmRunBench('p99')).toMatchObject({ status: 2, stderr: expect.stringContaining('p15') });
});
