/**
 * The world's SOCKS5 proxy: connects to hosts of the world by name or address, and to others as asked, unless
 * the world is closed.
 */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { Socks5Server } from '@pondwader/socks5-server';
import { listenHost, type SandboxCore } from './core.ts';
import { isWorldAddress } from './host-directory.ts';

/** A connection requested from the proxy. */
export interface NotedConnection {
  id: number;
  /** ISO 8601 UTC. */
  at: string;
  host: string;
  port: number;
  /** Whether it went to a host of the world, and where that really listens. */
  world: boolean;
  loopbackPort: number | null;
  status: Status;
}

type Status = 'REQUEST_GRANTED' | 'HOST_UNREACHABLE' | 'CONNECTION_REFUSED' | 'GENERAL_FAILURE';

export interface SocksServer {
  /** `socks5://127.0.0.1:3980`. */
  url: string;
  /** Oldest first. */
  connections(): NotedConnection[];
  close(): Promise<void>;
}

/** Older ones are dropped. */
const MAX_NOTED = 10_000;
const CONNECT_TIMEOUT_MS = 30_000;

type Asked = Parameters<Socks5Server['connectionHandler']>[0];
type SendStatus = (status: Status) => void;

export async function startSocksServer(core: SandboxCore): Promise<SocksServer> {
  const noted: NotedConnection[] = [];
  const open = new Set<Socket>();
  let lastId = 0;
  const socks = new Socks5Server();
  socks.setConnectionHandler((asked, sendStatus) => {
    const { destAddress: host, destPort: port } = asked;
    const note = (status: Status, loopbackPort: number | null, world: boolean): void => {
      lastId += 1;
      const at = new Date().toISOString();
      noted.push({ id: lastId, at, host, port, world, loopbackPort, status });
      if (noted.length > MAX_NOTED) noted.shift();
    };
    connect(core, { asked, sendStatus, note, open });
  });
  const server = createServer((socket) => {
    track(open, socket.setNoDelay());
    socks._handleConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(core.options.socksPort, listenHost(core.options), resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `socks5://${listenHost(core.options)}:${port}`,
    connections: () => [...noted],
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Connecting {
  asked: Asked;
  sendStatus: SendStatus;
  note: (status: Status, loopbackPort: number | null, world: boolean) => void;
  open: Set<Socket>;
}

function connect(core: SandboxCore, { asked, sendStatus, note, open }: Connecting): void {
  const { destAddress: host, destPort: port } = asked;
  const client = asked.socket;
  client.on('error', () => {});
  const addresses = core.hosts.resolve(host);
  const world = addresses.some(isWorldAddress);
  const target = core.hosts.dial(host, port);
  if (core.options.closed && !world) {
    note('HOST_UNREACHABLE', null, false);
    return sendStatus('HOST_UNREACHABLE');
  }
  if (world && target === undefined) {
    // A firewall drops: nobody refuses, nobody answers.
    const isHost =
      addresses.some((address) => core.hosts.has(address)) && !core.hosts.isDropped(host, port);
    const status = isHost ? 'CONNECTION_REFUSED' : 'HOST_UNREACHABLE';
    note(status, null, true);
    return sendStatus(status);
  }
  const stream = createConnection(target ?? { host, port });
  const loopbackPort = target?.port ?? null;
  track(open, stream.setNoDelay());
  stream.setTimeout(CONNECT_TIMEOUT_MS, () => stream.destroy(new Error('timed out')));
  const fail = (error: NodeJS.ErrnoException): void => {
    const status = statusOf(error);
    note(status, loopbackPort, world);
    sendStatus(status);
  };
  stream.once('error', fail);
  stream.once('connect', () => {
    stream.setTimeout(0);
    stream.off('error', fail);
    stream.on('error', () => client.destroy());
    note('REQUEST_GRANTED', loopbackPort, world);
    sendStatus('REQUEST_GRANTED');
    stream.pipe(client).pipe(stream);
  });
  // Data under way still arrives: only an error on one side breaks the other.
  stream.on('close', (hadError) => (hadError ? client.destroy() : client.end()));
  client.on('close', (hadError: boolean) => (hadError ? stream.destroy() : stream.end()));
}

function statusOf({ code, message }: NodeJS.ErrnoException): Status {
  if (code === 'ECONNREFUSED') return 'CONNECTION_REFUSED';
  const unreachable = ['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'];
  if (unreachable.includes(code ?? '') || message === 'timed out') return 'HOST_UNREACHABLE';
  return 'GENERAL_FAILURE';
}

function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on('close', () => open.delete(socket));
}
