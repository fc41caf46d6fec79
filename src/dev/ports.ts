/** Ports of the world: the wanted one, else the next free one; any free one on request. */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { cacheFolder } from './environment.ts';
import { isAlive } from './processes/process-identity.ts';

/** Enough ports that one is free on every machine that can run the world at all. */
const triesAfterWanted = 200;

/** The world's ports that scripts and people expect. */
export const wantedPorts = {
  api: 3000,
  temporal: 7233,
  temporalUi: 8233,
  temporalMetrics: 9467,
  postgres: 5433,
  sandbox: 3900,
  dns: 3953,
  socks: 3980,
  apiMetrics: 9464,
  workerMetrics: 9465,
  codec: 9466,
  testSandbox: 3901,
  testDns: 3954,
  testSocks: 3981,
  testWorkerMetrics: 9468,
  links: 3080,
  linksTls: 3443,
};

export type Ports = typeof wantedPorts;

/** `auto` takes any free ports; `default` the wanted ones, and reports which had to change. */
export async function choosePorts(
  mode: 'default' | 'auto',
  moved: (name: keyof Ports, wanted: number, got: number) => void,
): Promise<Ports> {
  const ports = { ...wantedPorts };
  const taken = new Set<number>();
  for (const [name, wanted] of Object.entries(wantedPorts) as [keyof Ports, number][]) {
    const got = mode === 'auto' ? await freePort(taken) : await nextFreePort(wanted, taken);
    if (mode === 'default' && got !== wanted) moved(name, wanted, got);
    taken.add(got);
    ports[name] = got;
  }
  return ports;
}

/** Below what Linux and macOS give to outgoing connections: those would take a port before its server does. */
const FREE_FROM = 20_000;
const FREE_UNTIL = 32_000;

/** A port of 127.0.0.1, free for TCP and UDP, not among `taken`, and claimed by no other process. */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < triesAfterWanted; attempt++) {
    const port = randomInt(FREE_FROM, FREE_UNTIL);
    if (!taken.has(port) && claimPort(port) && (await isFree(port))) return port;
  }
  throw new Error('The system has no free port on 127.0.0.1.');
}

/**
 * Whether this process is the first that is alive to choose the port. A port is bound seconds after it was chosen, when
 * all before it has started: until then, worlds that start beside each other must not choose, nor try, the same.
 */
export function claimPort(port: number, folder = join(cacheFolder(), 'ports')): boolean {
  const file = join(folder, String(port));
  const claim = () => writeFileSync(file, String(process.pid), { flag: 'wx' });
  try {
    mkdirSync(folder, { recursive: true });
    claim();
    return true;
  } catch (error) {
    // Somebody else's folder: there are no claims then.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true;
  }
  try {
    // An empty file is about to be written.
    const holder = Number(readFileSync(file, 'utf8')) || process.pid;
    if (isAlive(holder)) return false;
    rmSync(file);
    claim();
    return true;
  } catch {
    return false;
  }
}

/** `wanted`, or the next one that is free and not among `taken`. */
export async function nextFreePort(
  wanted: number,
  taken: ReadonlySet<number> = new Set(),
): Promise<number> {
  for (let port = wanted; port <= Math.min(wanted + triesAfterWanted, 65_535); port++) {
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`No free port between ${wanted} and ${wanted + triesAfterWanted}.`);
}

/** A server on either loopback or on all addresses occupies the port; so does a DNS server's UDP. */
async function isFree(port: number): Promise<boolean> {
  return (
    (await bindTcp(port, '127.0.0.1')) && (await bindTcp(port, '0.0.0.0')) && (await bindUdp(port))
  );
}

function bindTcp(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function bindUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.close(() => resolve(true));
    });
  });
}
