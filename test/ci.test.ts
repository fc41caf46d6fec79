/** What `.ci/run` counts and how it ends, with programs in the place of npm and git that do nothing. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;

/** Writes the numbers of `$NUMBERS` where vitest would write its own. */
const NPM = `#!/bin/bash
for argument; do
  case $argument in --outputFile.json=*) echo "$NUMBERS" >"\${argument#*=}" ;; esac
done
[ "$2" != "$BREAKS" ] || exit "$CODE"
`;
/** Makes the folder that a clone would make. */
const GIT = `#!/bin/bash
mkdir "\${@: -1}"
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outreach-ci-'));
  await cp(join(root, '.ci/run'), join(folder, '.ci/run'));
  await mkdir(join(folder, 'node_modules'));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
  await writeFile(join(folder, 'bin/git'), GIT, { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Its exit code and lines; `breaks` is the npm script that ends with `failure`. */
function runCi(numbers: object, breaks = 'none', failure = 1) {
  const path = [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const env = {
    PATH: path,
    HOME: folder,
    NUMBERS: JSON.stringify(numbers),
    BREAKS: breaks,
    CODE: String(failure),
    CI_COMPOSE: '1',
  };
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    execFile(join(folder, '.ci/run'), { env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trimEnd().split('\n') }),
    );
  });
}

describe('.ci/run', () => {
  it('tells what was skipped, by step and in all, before its last line', async () => {
    const numbers = { numPassedTests: 10, numFailedTests: 0, numPendingTests: 3 };
    const { code, lines } = await runCi(numbers);
    expect(code).toBe(0);
    expect(lines.slice(-2)).toEqual(['6 skipped', '27 passed, 0 failed']);
    expect(lines).toEqual(expect.arrayContaining(['== test: 3 skipped', '== test:vps: 3 skipped']));
  });

  it('counts containers that cannot run here as skipped', async () => {
    const numbers = { numPassedTests: 10, numFailedTests: 0, numPendingTests: 3 };
    const { code, lines } = await runCi(numbers, 'test:compose', 77);
    expect(code).toBe(0);
    expect(lines.slice(-2)).toEqual(['7 skipped', '27 passed, 0 failed']);
    expect((await runCi(numbers, 'test:compose')).code).toBe(1);
  });

  it('counts a step that fails beside its tests, and ends there', async () => {
    const numbers = { numPassedTests: 10, numFailedTests: 2, numPendingTests: 1 };
    const { code, lines } = await runCi(numbers, 'test');
    expect(code).toBe(1);
    expect(lines.slice(-2)).toEqual(['1 skipped', '12 passed, 3 failed']);
    expect(lines).not.toContain('== build');
  });
});
