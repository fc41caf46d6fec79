/**
 * Deno and Bun, which the tests run the TypeScript client in: which ones, where they are kept, how they come.
 * They are no packages of the repository: 200 MB are much for those who run no tests.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from './environment.ts';

const run = promisify(execFile);

/** Versions, and the hash of each package for each platform. */
const FILES = ['package.json', 'package-lock.json'];
const listed = fileURLToPath(new URL('./runtimes', import.meta.url));

/**
 * Folder of the packages that hold a program, one for each platform, and the program in them. The packages `deno`
 * and `bun` only look for it, by scripts that are not run here.
 */
const PROGRAMS = { deno: ['@deno', 'deno'], bun: ['@oven', 'bin/bun'] } as const;
export type Runtime = keyof typeof PROGRAMS;
export const RUNTIMES = Object.keys(PROGRAMS) as Runtime[];

/** Whoever is offline is not kept waiting. */
const FETCH_LIMIT_MS = 180_000;

/** Where they are once they have been fetched; other versions have another folder. */
function runtimesFolder(): string {
  const lock = readFileSync(join(listed, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  return join(cacheFolder(), `runtimes-${hash}`);
}

/** The program; undefined where it has not been fetched, or there is none for this platform. */
export const runtimePath = (name: Runtime): string | undefined => programIn(runtimesFolder(), name);

function programIn(folder: string, name: Runtime): string | undefined {
  const [scope, program] = PROGRAMS[name];
  const packages = join(folder, 'node_modules', scope);
  if (!existsSync(packages)) return undefined;
  return readdirSync(packages)
    .map((each) => join(packages, each, program))
    .find((path) => existsSync(path));
}

/**
 * Fetches both by npm where they are missing: once, as the lock file says. Throws where npm cannot. npm is at work
 * when this returns, so that it goes on while the caller waits for something else without an event loop.
 */
export async function fetchRuntimes(report: (line: string) => void): Promise<void> {
  const folder = runtimesFolder();
  if (existsSync(folder)) return;
  report('fetching Deno and Bun by npm (200 MB on disk)');
  mkdirSync(cacheFolder(), { recursive: true });
  const temporary = mkdtempSync(`${folder}.`);
  try {
    for (const name of FILES) cpSync(join(listed, name), join(temporary, name));
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'];
    await run('npm', ['ci', ...flags], { cwd: temporary, timeout: FETCH_LIMIT_MS });
    // Another run may have been faster; its folder is as good.
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
