/** An engine of our own: its data in the cache, everything else in the folder of this run. */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { devEnvironment } from '../../src/dev/environment.ts';
import { cached } from './cache.ts';

const run = promisify(execFile);
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

/** This machine has none to offer: nothing was tested, and nothing failed. */
export class NoEngine extends Error {}

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
  const network = ['--bridge', 'none', '--default-address-pool', POOL, '--dns', HOST];
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
      const said = await readFile(join(folder, 'dockerd.log'), 'utf8').catch(() => '');
      throw new NoEngine(`The engine did not start here: ${said.trim().split('\n').at(-1)}`);
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

/** Runs a program; the end of what it said is in the message of what it rejects with. */
export async function capture(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Whoever waits may look at it while it is being written.
  const log = createWriteStream(join(env['HOME'] ?? '.', 'commands.log'), { flags: 'a' });
  log.write(`$ ${basename(program)} ${args.join(' ')}\n`);
  const out: string[] = [];
  const all: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void out.push(text));
  for (const stream of [child.stdout, child.stderr.setEncoding('utf8')]) {
    stream.on('data', (text: string) => void all.push(text));
    stream.on('data', (text: string) => log.write(text));
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  log.end();
  if (code === 0) return out.join('');
  const said = all.join('').trim().split('\n').slice(-25).join('\n');
  throw new Error(`${basename(program)} ${args.join(' ')}: ${said}`);
}
