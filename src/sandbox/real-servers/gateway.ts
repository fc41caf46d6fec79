/**
 * The first process of the private namespaces that booted servers live in. It is their router: every
 * address of the world that is not a server's is its own, and what arrives there goes to the sandbox
 * through a unix socket. When it ends, for whatever reason, the kernel ends everything inside, and
 * links, mounts and namespaces are gone with it.
 *
 * Started by `lab.ts` as `node gateway.js '<GatewayOptions as JSON>'`, or from its source.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { ROUTER, WORLD_PORTS, WORLD_RANGE } from './addresses.ts';
import { join, openChannel, serveChannels } from './channel.ts';
import { createContainers } from './containers.ts';

export interface GatewayOptions {
  /** Where the gateway listens, and where the sandbox does. */
  gatewaySocket: string;
  worldSocket: string;
  pebbleConfig: string;
  groupPrefix: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Longer answers go by TCP: resolvers of Debian ask so without EDNS (RFC 1035, 4.2.1). */
const UDP_ANSWER_BYTES = 512;
const TRUNCATED = 0x02;

const options = JSON.parse(process.argv[2] ?? '{}') as GatewayOptions;

// The sandbox holds the other end; it is closed even by a kill -9.
process.stdin.on('end', () => process.exit(0)).resume();

prepareNamespaces();
const containers = createContainers(options.groupPrefix);
for (const port of WORLD_PORTS) listenForWorld(port);
answerDns();
startPebble();
await serveChannels(options.gatewaySocket, async (request) => {
  if (request.op === 'connect') return dial(request.host, request.port);
  if (request.op === 'boot') await containers.boot(request.server);
  if (request.op === 'stop') await containers.stop(request.id, request.how);
  return undefined;
});

function prepareNamespaces(): void {
  const ip = (...args: string[]) =>
    execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  ip('link', 'set', 'lo', 'up');
  ip('address', 'add', `${ROUTER}/32`, 'dev', 'lo');
  // Each address of the world is local here unless a server's own route is more specific.
  ip('route', 'add', 'local', WORLD_RANGE, 'dev', 'lo', 'table', 'main');
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  // systemd-nspawn's records of machines: worlds side by side must not see each other's.
  mkdirSync('/run/systemd/nspawn', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/systemd/nspawn']);
}

/** Passes a connection of a server to the host of the world that has the address. */
function listenForWorld(port: number): void {
  createServer((socket) => {
    socket.on('error', () => socket.destroy());
    const host = socket.localAddress ?? '';
    openChannel(options.worldSocket, { op: 'connect', host, port }).then(
      (other) => join(socket, other),
      () => socket.resetAndDestroy(),
    );
  }).listen(port, '0.0.0.0');
}

function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('timed out')));
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket.setTimeout(0).setNoDelay().off('error', reject)));
  });
}

/** DNS over UDP: forwarded to the sandbox by TCP, since a unix socket joins the two networks. */
function answerDns(): void {
  const server = createSocket('udp4');
  server.on('message', (question, asker) => {
    askWorld(question).then(
      (answer) => server.send(fitted(answer), asker.port, asker.address),
      () => undefined, // a resolver asks again
    );
  });
  server.bind(53, ROUTER);
}

async function askWorld(question: Buffer): Promise<Buffer> {
  const channel = await openChannel(options.worldSocket, { op: 'connect', host: ROUTER, port: 53 });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(question.length);
  channel.write(Buffer.concat([length, question]));
  let answer = Buffer.alloc(0);
  for await (const chunk of channel) {
    answer = Buffer.concat([answer, chunk as Buffer]);
    if (answer.length >= 2 && answer.length >= 2 + answer.readUInt16BE(0)) break;
  }
  channel.destroy();
  return answer.subarray(2);
}

/** Only header and question, marked as truncated, when it is too long for a datagram. */
function fitted(answer: Buffer): Buffer {
  if (answer.length <= UDP_ANSWER_BYTES) return answer;
  let end = 12;
  while (answer[end] !== 0) end += answer[end]! + 1;
  const cut = Buffer.from(answer.subarray(0, end + 5));
  cut[2]! |= TRUNCATED;
  cut.fill(0, 6, 12);
  return cut;
}

function startPebble(): void {
  // Without this variable it waits up to 15 s before each validation of a server.
  const command = ['PEBBLE_VA_NOSLEEP=1', 'pebble', '-config', options.pebbleConfig];
  const pebble = spawn('env', [...command, '-dnsserver', `${ROUTER}:53`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  pebble.once('exit', () => process.exit(1));
}
