/** The world in a box as a user starts it: one command in its own process, and its clean end. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetState } from '../../../src/dev/state-dir.ts';
import { isAlive } from '../../../src/dev/processes/process-identity.ts';
import { readWorldFile, type WorldFile } from '../../../src/dev/world-file.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Two cores may be shared with the rest of the suite. */
const START_LIMIT_MS = 150_000;

export interface RunningWorld {
  stateDir: string;
  /** Milliseconds from the command to the line of output that says that the API answers. */
  apiAfterMs(): number;
  /** `world.json` as it is now; process ids change when one is restarted. */
  read(): Promise<WorldFile>;
  /** SIGTERM to the command, as a service manager would; more than once is harmless. */
  stop(): Promise<{ code: number | null; survivors: string[] }>;
}

/** An empty state dir, removed by `removeStateDir`. */
export async function makeStateDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outreach-world-'));
  // As root, Postgres runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  return join(folder, 'state');
}

export async function removeStateDir(stateDir: string): Promise<void> {
  await forgetState(stateDir);
  await rm(dirname(stateDir), { recursive: true, force: true });
}

/** `npm run quickstart -- --no-tour --ports auto`, or `npm run dev`; resolves when `world.json` is there. */
export async function startWorld(
  stateDir: string,
  options: readonly string[] = [],
  limitMs: number = START_LIMIT_MS,
  command: readonly string[] = ['quickstart', '--no-tour'],
): Promise<RunningWorld> {
  const startedAt = Date.now();
  const args = ['src/dev/setup.mjs', ...command, '--ports', 'auto', ...options];
  const child = spawn(process.execPath, [...args, '--state-dir', stateDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = createWriteStream(`${stateDir}.log`, { flags: 'a' });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  let apiAfterMs = Number.NaN;
  child.stdout.on('data', (words: Buffer) => {
    if (Number.isNaN(apiAfterMs) && words.includes('API at ')) apiAfterMs = Date.now() - startedAt;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const read = async () => {
    const world = await readWorldFile(stateDir);
    if (world) return world;
    throw new Error(`There is no world.json in ${stateDir}`);
  };
  const stop = async () => {
    const { pids } = await read();
    child.kill('SIGTERM');
    const code = await ended;
    output.end();
    const survivors = Object.entries(pids).filter(([, pid]) => isAlive(pid));
    return { code, survivors: survivors.map(([name, pid]) => `${name} (${pid})`) };
  };
  let stopped: ReturnType<typeof stop> | undefined;
  await untilUp(child, stateDir, limitMs);
  return { stateDir, apiAfterMs: () => apiAfterMs, read, stop: () => (stopped ??= stop()) };
}

async function untilUp(child: ChildProcess, stateDir: string, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!existsSync(join(stateDir, 'world.json'))) {
    const isOver = child.exitCode !== null || Date.now() > deadline;
    if (isOver) {
      child.kill('SIGTERM');
      throw new Error(`The world does not come up:\n${await readFile(`${stateDir}.log`, 'utf8')}`);
    }
    await sleep(50);
  }
}
