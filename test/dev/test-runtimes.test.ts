/** How Deno and Bun come before the tests: by npm, once, and with nothing left where it fails. */
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchRuntimes, runtimePath } from '../../src/dev/test-runtimes.ts';

const { PATH: path, XDG_CACHE_HOME: cacheHome } = process.env;
let folder: string;
let told: string[];
const report = (line: string) => void told.push(line);

beforeEach(async () => {
  told = [];
  folder = await mkdtemp(join(tmpdir(), 'outreach-runtimes-'));
  process.env['XDG_CACHE_HOME'] = folder;
  process.env['PATH'] = [join(folder, 'bin'), path].join(delimiter);
});
afterEach(async () => {
  process.env['PATH'] = path;
  if (cacheHome === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = cacheHome;
  await rm(folder, { recursive: true, force: true });
});

/** An npm that does this in the folder where it is called. */
async function npm(script: string): Promise<void> {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npm'), `#!/bin/sh\nset -e\n${script}\n`);
  await chmod(join(folder, 'bin/npm'), 0o755);
}

describe('the runtimes of the tests', () => {
  it('are fetched once, as the lock file says, without scripts of packages', async () => {
    await npm(`[ "$1" = ci ] && test -s package-lock.json
echo "$*" | grep -q -- --ignore-scripts
mkdir -p node_modules/@deno/any node_modules/@oven/any/bin
touch node_modules/@deno/any/deno node_modules/@oven/any/bin/bun`);
    expect(runtimePath('deno')).toBeUndefined();
    await fetchRuntimes(report);
    expect(runtimePath('deno')).toMatch(/\/node_modules\/@deno\/any\/deno$/);
    expect(runtimePath('bun')).toMatch(/\/node_modules\/@oven\/any\/bin\/bun$/);
    await fetchRuntimes(report);
    expect(told).toHaveLength(1);
  });

  it('leave nothing where npm cannot fetch them', async () => {
    await npm('mkdir node_modules; exit 1');
    await expect(fetchRuntimes(report)).rejects.toThrow(/npm ci/);
    expect(await readdir(join(folder, 'outreach'))).toEqual([]);
  });
});
