/**
 * Deno and Bun, which the tests run the TypeScript client in: which ones, where they are kept, how they come.
 * They are no packages of the repository: 200 MB are much for those who run no tests.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

/** One small request, so that who is offline or behind a firewall is not kept waiting for large ones. */
const ASK_LIMIT_MS = 30_000;
const FETCH_LIMIT_MS = 180_000;

const HOUR_MS = 3_600_000;
/** How long a failure is remembered, so that not each run waits for it. */
const REMEMBERED_MS = 24 * HOUR_MS;
/** Other checkouts may use other versions: what none has used for so long goes. */
const UNUSED_MS = 30 * 24 * HOUR_MS;

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
 * Fetches both by npm where they are missing: once, as the lock file says. Throws with npm's words where it cannot,
 * and for a day does not try again.
 */
export async function fetchRuntimes(report: (line: string) => void): Promise<void> {
  const folder = runtimesFolder();
  if (existsSync(folder)) return noteUse(folder);
  const failure = failureOf(folder);
  if (failure) throw new Error(failure);
  report('fetching Deno and Bun by npm (200 MB on disk)');
  mkdirSync(cacheFolder(), { recursive: true });
  removeUnused(folder);
  const temporary = mkdtempSync(`${folder}.`);
  try {
    for (const name of FILES) cpSync(join(listed, name), join(temporary, name));
    await npm(['view', 'deno', 'name', '--fetch-retries=0'], temporary, ASK_LIMIT_MS);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'];
    await npm(['ci', ...flags], temporary, FETCH_LIMIT_MS);
    // Another run may have been faster; its folder is as good.
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } catch (error) {
    writeFileSync(noteFile(folder), (error as Error).message);
    throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Why they were not fetched when that was tried last; undefined where it was not tried within a day. */
export const whyNotFetched = (): string | undefined => failureOf(runtimesFolder());

const noteFile = (folder: string): string => `${folder}.failed`;

function failureOf(folder: string): string | undefined {
  const file = noteFile(folder);
  if (!existsSync(file) || ageMs(file) > REMEMBERED_MS) return undefined;
  return `${readFileSync(file, 'utf8')} (tried again a day later, or when ${file} is removed)`;
}

const ageMs = (path: string): number => Date.now() - statSync(path).mtimeMs;

const noteUse = (folder: string): void => utimesSync(folder, new Date(), new Date());

/** Versions that nobody uses any more, notes, and what a run has left that was ended by a signal. */
function removeUnused(folder: string): void {
  for (const name of readdirSync(cacheFolder())) {
    const [, rest] = /^runtimes-[0-9a-f]{16}(\..+)?$/.exec(name) ?? [name, name];
    if (rest === name) continue;
    const path = join(cacheFolder(), name);
    // A fetch that is under way is minutes old.
    const keptMs = rest === undefined ? UNUSED_MS : rest === '.failed' ? REMEMBERED_MS : HOUR_MS;
    // Another run may remove it as well.
    if (path !== folder && existsSync(path) && ageMs(path) > keptMs) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

async function npm(args: string[], cwd: string, timeout: number): Promise<void> {
  try {
    await run('npm', args, { cwd, timeout, killSignal: 'SIGKILL' });
  } catch (error) {
    const { killed, stderr = '' } = error as { killed?: boolean; stderr?: string };
    const limit = `took longer than ${timeout / 1_000} s`;
    const words = killed ? limit : (saidBy(stderr) ?? (error as Error).message.split('\n', 1)[0]);
    throw new Error(`npm ${args[0]}: ${words}`, { cause: error });
  }
}

/** The first line of npm's error that is for people; `npm ERR!` is how older ones begin it. */
function saidBy(stderr: string): string | undefined {
  const lines = stderr.split('\n').flatMap((line) => {
    const said = /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1];
    return said === undefined ? [] : [said];
  });
  const forPeople = lines.find((line) => !/^(code|errno|syscall) /.test(line)) ?? lines[0];
  return forPeople?.slice(0, MOST_WORDS);
}

const MOST_WORDS = 200;
