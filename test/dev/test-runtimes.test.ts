/** How Deno and Bun come before the tests: by npm, once, and with nothing left where it fails. */
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchRuntimes, runtimePath, whyNotFetched } from '../../src/dev/test-runtimes.ts';

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

const kept = () => readdir(join(folder, 'outreach'));

const HOUR_MS = 3_600_000;

/** As if it had been written so many hours ago. */
async function age(name: string, hours: number): Promise<void> {
  const at = new Date(Date.now() - hours * HOUR_MS);
  await utimes(join(folder, 'outreach', name), at, at);
}

describe('the runtimes of the tests', () => {
  it('are fetched once, as the lock file says, without scripts of packages', async () => {
    await npm(`[ "$1" = view ] && exit
[ "$1" = ci ] && test -s package-lock.json
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

  it('leave nothing but a note where npm cannot fetch them, and say why', async () => {
    await npm(`[ "$1" = view ] && exit
mkdir node_modules
echo 'npm warn old' >&2
echo 'npm error code E404' >&2
echo 'npm error 404 Not Found - deno' >&2
exit 1`);
    await expect(fetchRuntimes(report)).rejects.toThrow('npm ci: 404 Not Found - deno');
    expect(await kept()).toEqual([expect.stringMatching(/^runtimes-[0-9a-f]{16}\.failed$/)]);
    expect(whyNotFetched()).toContain('404 Not Found');
  });

  it('are asked for by one small request first, and after a failure for a day by none', async () => {
    await npm(`echo "$1" >>'${folder}/asked'; echo 'npm error code ENOTFOUND' >&2; exit 1`);
    const asked = async () => (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n');
    await expect(fetchRuntimes(report)).rejects.toThrow('npm view: code ENOTFOUND');
    await expect(fetchRuntimes(report)).rejects.toThrow(/ENOTFOUND .*tried again a day later/);
    expect([await asked(), told.length]).toEqual([['view'], 1]);
    await age((await kept())[0]!, 25);
    await expect(fetchRuntimes(report)).rejects.toThrow('npm view: code ENOTFOUND');
    expect(await asked()).toEqual(['view', 'view']);
  });

  it('are not left over from runs that were ended, nor those of versions that nobody uses', async () => {
    await npm('mkdir -p node_modules');
    const version = (digit: string) => `runtimes-${digit.repeat(16)}`;
    const young = [version('b'), `${version('a')}.young0`];
    for (const name of [`${version('a')}.old000`, version('c'), 'temporal-1.9.1', ...young]) {
      await mkdir(join(folder, 'outreach', name), { recursive: true });
      await age(name, young.includes(name) ? 0.5 : 24 * 40);
    }
    await fetchRuntimes(report);
    const fetched = expect.not.stringMatching(/\./);
    const rest = (await kept()).filter((name) => ![...young, 'temporal-1.9.1'].includes(name));
    expect(rest).toEqual([fetched]);
    expect(await kept()).toHaveLength(4);
  });

  it('stay where they are used', async () => {
    await npm('mkdir -p node_modules');
    await fetchRuntimes(report);
    const [name] = await kept();
    await age(name!, 24 * 40);
    await fetchRuntimes(report);
    const { mtimeMs } = await stat(join(folder, 'outreach', name!));
    expect(Date.now() - mtimeMs).toBeLessThan(HOUR_MS);
  });
});
