/** Controls the booted servers: starts their namespaces, communicates with them, ends them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { createConnection, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SandboxCore } from '../core.ts';
import { openChannel, serveChannels, type ServerTree } from './channel.ts';
import type { GatewayOptions } from './gateway.ts';

export interface Lab {
  boot(server: ServerTree): Promise<void>;
  stop(id: string, how: 'shut-down' | 'power-off'): Promise<void>;
  /** A connection to a server, or to a port of the router, from the world. */
  dial(host: string, port: number): Promise<Socket>;
  /** Ends every server at once, as a power cut does. */
  close(): Promise<void>;
}

export interface LabOptions {
  core: SandboxCore;
  /** Logs and the servers' disks. */
  folder: string;
  pebbleConfig: string;
}

const isCompiled = import.meta.url.endsWith('.js');
const GATEWAY = fileURLToPath(new URL(isCompiled ? 'gateway.js' : 'gateway.ts', import.meta.url));
const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 10_000;
/** How long to wait for the servers of an earlier, killed sandbox to end. */
const LOCK_SECONDS = 30;

export async function startLab(options: LabOptions): Promise<Lab> {
  const { core, folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  // The path of a unix socket has at most 107 characters; a state folder may be deeper.
  const sockets = join(tmpdir(), `outreach-vps-${id}`);
  const groupPrefix = `outreach-${id}-`;
  removeControlGroups(groupPrefix);
  rmSync(sockets, { recursive: true, force: true });
  mkdirSync(sockets, { mode: 0o700 });
  const gatewaySocket = join(sockets, 'gateway');
  const worldSocket = join(sockets, 'world');
  const world = await serveChannels(worldSocket, async (request) => {
    if (request.op !== 'connect') throw new Error('servers can only connect');
    return dialWorld(core, request);
  });
  const { pebbleConfig } = options;
  const gateway = launch(folder, { gatewaySocket, worldSocket, pebbleConfig, groupPrefix });
  const close = async () => {
    await endGateway(gateway);
    await closeServer(world);
    rmSync(sockets, { recursive: true, force: true });
    removeControlGroups(groupPrefix);
  };
  try {
    await untilAnswers(gateway, gatewaySocket, join(folder, 'gateway.log'));
  } catch (error) {
    await close();
    throw error;
  }
  const ask = async (request: Parameters<typeof openChannel>[1]) => {
    (await openChannel(gatewaySocket, request)).destroy();
  };
  return {
    boot: (server) => ask({ op: 'boot', server }),
    stop: (serverId, how) => ask({ op: 'stop', id: serverId, how }),
    dial: (host, port) => openChannel(gatewaySocket, { op: 'connect', host, port }),
    close,
  };
}

/**
 * The lock is held by everything inside until the last process is gone: two gateways never use one
 * disk. The gateway lives as long as our end of the pipe is open.
 */
function launch(folder: string, options: GatewayOptions): ChildProcess {
  const log = openSync(join(folder, 'gateway.log'), 'a', 0o600);
  const lock = ['--wait', String(LOCK_SECONDS), join(folder, 'lock')];
  const spaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const loader = isCompiled ? [] : ['--import', 'tsx'];
  const node = [process.execPath, ...loader, GATEWAY, JSON.stringify(options)];
  const child = spawn('flock', [...lock, 'unshare', ...spaces, ...node], {
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  child.once('error', () => undefined); // its end reports it
  return child;
}

async function untilAnswers(gateway: ChildProcess, path: string, logFile: string): Promise<void> {
  const endsAt = Date.now() + START_LIMIT_MS;
  for (;;) {
    const channel = await openChannel(path, { op: 'ping' }).catch(() => undefined);
    if (channel !== undefined) return void channel.destroy();
    if (gateway.exitCode !== null || gateway.signalCode !== null || Date.now() > endsAt) {
      const log = readFileSync(logFile, 'utf8').trim().split('\n').slice(-15).join('\n');
      throw new Error(`the network of the servers does not start:\n${log}`);
    }
    await sleep(50);
  }
}

async function endGateway(gateway: ChildProcess): Promise<void> {
  if (gateway.exitCode !== null || gateway.signalCode !== null) return;
  const ended = new Promise((resolve) => gateway.once('exit', resolve));
  gateway.stdin?.end();
  const limit = setTimeout(() => gateway.kill('SIGKILL'), END_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

/** A connection of a server to a host of the world, found as the world's proxy finds it. */
async function dialWorld(
  core: SandboxCore,
  { host, port }: { host: string; port: number },
): Promise<Socket> {
  const target = core.hosts.dial(host, port);
  if (target === undefined) throw new Error(`nobody listens at ${host}:${port}`);
  const socket = createConnection(target);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return socket.setNoDelay();
}

/** Control groups outlive their processes; only the empty ones of this world are removed. */
function removeControlGroups(prefix: string): void {
  for (const at of ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup']) {
    let names: string[] = [];
    try {
      names = readdirSync(at).filter((name) => name.startsWith(prefix));
    } catch {
      continue; // another layout of control groups
    }
    for (const name of names) removeTree(join(at, name));
  }
}

function removeTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(folder, entry.name));
  }
  try {
    rmdirSync(folder);
  } catch {
    // A process is still ending; the next start removes it.
  }
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()));
