/** Compiled sources: each module a file of its own, only what changed anew, whole whoever else compiles. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compileCheckout, compiledFile, root } from '../../src/dev/processes/compiled-sources.ts';

let checkout: string;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'outreach-sources-'));
  for (const folder of ['workflows', 'activities', 'migrations', 'clients/typescript/src']) {
    await mkdir(join(checkout, folder), { recursive: true });
  }
  await cp(join(root, 'docs'), join(checkout, 'docs'), { recursive: true });
  await write('src/words.json', '{ "greeting": "hello" }');
  await write('src/name.ts', `export const name: string = 'ada';`);
  await write(
    'src/main.ts',
    `import { readFileSync } from 'node:fs';
import { name } from './name.ts';
const words = JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8'));
console.log(words.greeting, name, (await import('./name.ts')).name);`,
  );
});
afterEach(async () => await rm(checkout, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(checkout, file)), { recursive: true });
  await writeFile(join(checkout, file), text);
}

async function says(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    compiledFile('src/main.ts', checkout),
  ]);
  return stdout.trim();
}

const madeAt = async (file: string) => (await stat(compiledFile(file, checkout))).ctimeMs;

it('run with the files beside them, and follow each change', async () => {
  await compileCheckout(checkout);
  expect(await says()).toBe('hello ada ada');
  const before = await madeAt('src/main.ts');
  await write('src/name.ts', `export const name: string = 'grace';`);
  await write('src/words.json', '{ "greeting": "good morning" }');
  await compileCheckout(checkout);
  expect(await says()).toBe('good morning grace grace');
  expect(await madeAt('src/main.ts')).toBe(before);
});

it('of files that are gone are gone', async () => {
  await compileCheckout(checkout);
  await rm(join(checkout, 'src/name.ts'));
  await compileCheckout(checkout);
  expect((await readdir(dirname(compiledFile('src/main.ts', checkout)))).toSorted()).toEqual([
    'main.js',
    'main.js.map',
    'words.json',
  ]);
});

it('are whole where several compile at once', async () => {
  await Promise.all(Array.from({ length: 3 }, () => compileCheckout(checkout)));
  expect(await says()).toBe('hello ada ada');
  expect(await readdir(dirname(compiledFile('src/main.ts', checkout)))).toHaveLength(5);
});

it('leave what was compiled as it is where a source cannot be', async () => {
  await compileCheckout(checkout);
  await write('src/name.ts', 'export const name = ;');
  await expect(compileCheckout(checkout)).rejects.toThrow(/name\.ts:1:20: ERROR: Unexpected ";"/);
  expect(await says()).toBe('hello ada ada');
});
