/** Where a program that uses the client can run: each has a folder with the package as it is released, and runs it. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { packClient } from '../../../src/dev/release/tarball.ts';
import { runtimePath } from '../../../src/dev/test-runtimes.ts';
import { openBrowser, whyNoBrowser } from '../browser/browser.ts';
import type { ExerciseSettings } from './exercise.ts';

const run = promisify(execFile);
const PACKAGE = 'node_modules/@outreach/client';

/** Makes the folder of somebody who has installed the client, with the program to run. */
export async function installClient(root: string, folder: string): Promise<void> {
  const { file } = await packClient(root, folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, file], { cwd: folder });
  const source = await readFile(new URL('./exercise.ts', import.meta.url), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  await writeFile(join(folder, 'exercise.js'), code);
}

export interface Runtime {
  name: string;
  /** How it names itself. */
  agent: RegExp;
  /** Why it cannot run here; undefined when it can. */
  missing: string | undefined;
  exercise(folder: string, settings: ExerciseSettings): Promise<unknown>;
}

const ABSENT = 'npm test fetches it, where npm can';

const command = (program: string, args: string[]) =>
  async function exercise(folder: string, settings: ExerciseSettings): Promise<unknown> {
    const main = `import * as client from '@outreach/client';
import { exercise } from './exercise.js';
console.log(JSON.stringify(await exercise(client, ${JSON.stringify(settings)})));`;
    const file = `${basename(program)}.js`;
    await writeFile(join(folder, file), main);
    // Their caches, too, are in the folder.
    const env = { PATH: process.env['PATH'], HOME: folder, DENO_NO_UPDATE_CHECK: '1' };
    const { stdout } = await run(program, [...args, file], { cwd: folder, env });
    return JSON.parse(stdout) as unknown;
  };

/** In a page of the API's own origin, which alone may ask it. */
async function inPage(folder: string, settings: ExerciseSettings): Promise<unknown> {
  const browser = await openBrowser();
  try {
    const base = `${settings.baseUrl}/client-of-a-test/`;
    const { exports } = JSON.parse(
      await readFile(join(folder, PACKAGE, 'package.json'), 'utf8'),
    ) as { exports: { '.': { default: string } } };
    const imports = { '@outreach/client': `./${join(PACKAGE, exports['.'].default)}` };
    const page = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
    await browser.page.route(`${base}**`, async (request) => {
      const path = request.request().url().slice(base.length);
      if (path === '') return request.fulfill({ contentType: 'text/html', body: page });
      const contentType = extname(path) === '.js' ? 'text/javascript' : 'text/plain';
      return request.fulfill({ contentType, body: await readFile(join(folder, path), 'utf8') });
    });
    await browser.page.goto(base);
    const result = await browser.page.evaluate<unknown>(`(async () => {
      const client = await import('@outreach/client');
      const { exercise } = await import('./exercise.js');
      return exercise(client, ${JSON.stringify(settings)});
    })()`);
    return result;
  } finally {
    await browser.close();
  }
}

const deno = runtimePath('deno');
const bun = runtimePath('bun');

export const RUNTIMES: readonly Runtime[] = [
  { name: 'Node', agent: /^Node\.js/, missing: undefined, exercise: command('node', []) },
  {
    name: 'Deno',
    agent: /^Deno\/2/,
    missing: deno === undefined ? ABSENT : undefined,
    // Nothing but the API may be asked.
    exercise: command(deno!, ['run', '--no-prompt', '--allow-net=127.0.0.1', '--no-remote']),
  },
  {
    name: 'Bun',
    agent: /^Bun\/1/,
    missing: bun === undefined ? ABSENT : undefined,
    exercise: command(bun!, ['run', '--no-install']),
  },
  { name: 'Chromium', agent: /Chrome\//, missing: whyNoBrowser(), exercise: inPage },
];
