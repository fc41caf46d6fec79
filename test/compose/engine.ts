/** An engine of our own: its data in the cache, everything else in the folder of this run. */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { devEnvironment } from '../../src/dev/environment.ts';
import { cached } from './cache.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 27;
const START_MS = 120_000;
const POLL_MS = 250;

/** The control group of all its containers. */
export const CGROUP = 'outreach-compose';
/** Where the machine is for containers: an address of its loopback. */
export const HOST = '10.199.0.1';
const POOL = 'base=10.200.0.0/16,size=24';

export interface Engine {
  /** Runs the command line; answers its output, rejects with its errors. */
  docker: (...args: string[]) => Promise<string>;
  /** What any client of it has to have in its environment. */
  env: Record<string, string>;
  stop: () => Promise<void>;
}

/** Starts it; the log is `<folder>/dockerd.log`. */
export async function startEngine(folder: string): Promise<Engine> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['address', 'add', `${HOST}/32`, 'dev', 'lo']);
  const socket = join(folder, 'docker.sock');
  const data = cached('compose-engine');
  await mkdir(data, { recursive: true });
  const places = [
    '--data-root',
    data,
    '--exec-root',
    join(folder, 'exec'),
    '-H',
    `unix://${socket}`,
  ];
  const network = ['--bridge', 'none', '--default-address-pool', POOL];
  const rest = ['--pidfile', join(folder, 'docker.pid'), '--cgroup-parent', `/${CGROUP}`];
  const child = spawn('dockerd', [...places, ...network, ...rest], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...devEnvironment().inherited, PATH: `${devEnvironment().path}:/usr/sbin:/sbin` },
  });
  const log = createWriteStream(join(folder, 'dockerd.log'));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // Classic builds: BuildKit's front end would be pulled.
  const env = {
    ...devEnvironment().inherited,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_BUILDKIT: '0',
    HOME: folder,
  };
  const docker = (...args: string[]) => capture('docker', args, env);
  const deadline = Date.now() + START_MS;
  while (!(await docker('version').then(yes, no))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The engine did not start: see ${folder}/dockerd.log`);
    }
    await sleep(POLL_MS);
  }
  return {
    docker,
    env,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const yes = () => true;
const no = () => false;

/** Runs a program; its errors are in the message of what it rejects with. */
export async function capture(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  try {
    return (await run(program, args, { env, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-25).join('\n');
    throw new Error(`${program} ${args.join(' ')}: ${said}`, { cause: error });
  }
}
