/** `npm run drill`: one command for all drills, each with a summary and options of its own. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drillNames, drills } from './drills.ts';

const npmRunDrill = (...args: string[]) => {
  const command = ['--import', 'tsx', 'test/drill/run.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

it('knows every file that reads a command line of a drill, and no other', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('drill/'))
    .filter((name) => readFileSync(`test/${name}`, 'utf8').includes('= drillCommand('));
  expect(drillNames.map((name) => drills[name].file as string).toSorted()).toEqual(
    files.toSorted(),
  );
});

it.each(drillNames)('%s takes its name and sentence from the list', (name) => {
  const text = readFileSync(`test/${drills[name].file}`, 'utf8');
  expect(text).toContain(`drillCommand('${name}')`);
  expect(text).toContain(`npm run drill -- ${name}`);
  expect(text).not.toContain('new Command(');
});

it('none has a script of its own beside it', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['drill']).toContain('test/drill/run.ts');
  const own = drillNames.filter((name) =>
    Object.values(scripts).some((line) => line.includes(drills[name].file)),
  );
  expect(own).toEqual([]);
});

it('--help lists each with its sentence', { timeout: 180_000 }, () => {
  const { status, stdout } = npmRunDrill('--help');
  expect(status).toBe(0);
  for (const name of drillNames) {
    expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(stdout).toContain(drills[name].summary);
  }
});

it('one that is named alone is handed its options', { timeout: 180_000 }, () => {
  const help = npmRunDrill('simulate', '--help');
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('Usage: npm run drill -- simulate [options]');
  expect(help.stdout).toContain('--recipients <n>');
  const odd = npmRunDrill('simulate', '--clusters', '3');
  expect([odd.status, odd.stderr]).toEqual([1, expect.stringContaining('unknown option')]);
});

it.each([[['storm']], [[]]])('%j is answered with the names and exit code 2', (args) => {
  const names = expect.stringContaining('ledger-storm') as string;
  expect(npmRunDrill(...args)).toMatchObject({ status: 2, stderr: names });
});
