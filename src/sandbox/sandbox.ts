/** Starts the world: every stand-in, its DNS, its proxy and its control API, on the loopback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import {
  createCore,
  listenHost,
  type SandboxCore,
  type SandboxOptions,
  type StandIn,
} from './core.ts';
import { startDnsServer } from './dns-server.ts';
import { createControlApi } from './control-api.ts';
import { ROUTER } from './real-servers/addresses.ts';
import { indexPage } from './index-page.ts';
import { startSocksServer, type NotedConnection } from './socks-server.ts';
import { createStandIns } from './stand-ins.ts';

export type { SandboxOptions } from './core.ts';

export interface Sandbox {
  /** `http://127.0.0.1:3900`. */
  url: string;
  /** `127.0.0.1:3953`. */
  dns: string;
  /** `socks5://127.0.0.1:3980`. */
  socks: string;
  /** PEM of the world's certificate authority. */
  caFile: string;
  close(): Promise<void>;
}

/** Resolves when everything listens; the records continue where `stateDir` left them. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { core, listensAt, close: stopWaiting } = await createCore(options);
  const standIns = createStandIns(core);
  let connections = (): NotedConnection[] => [];
  let isReady = false;
  const app = createApp(core, standIns, {
    connections: () => connections(),
    isReady: () => isReady,
  });
  const server = createServer(app);
  // As long as vendors keep idle connections: Node's 5 s would break calls of a busy machine.
  server.keepAliveTimeout = 65_000;
  const host = listenHost(options);
  await listen(server, options.port, host);
  const url = options.url ?? `http://${host}:${(server.address() as AddressInfo).port}`;
  listensAt(url);
  const dns = await startDnsServer(core);
  // Servers of the world use it at an address of the world.
  core.hosts.register(ROUTER, 53, Number(dns.address.split(':')[1]));
  const socks = await startSocksServer(core);
  connections = () => socks.connections();
  for (const standIn of standIns) await standIn.start?.();
  isReady = true;
  return {
    url,
    dns: dns.address,
    socks: socks.url,
    caFile: core.ca.caFile,
    async close() {
      stopWaiting();
      for (const standIn of standIns) await standIn.close?.();
      await Promise.all([socks.close(), dns.close(), closeServer(server)]);
    },
  };
}

function createApp(
  core: SandboxCore,
  standIns: StandIn[],
  { connections, isReady }: { connections: () => NotedConnection[]; isReady: () => boolean },
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/', (_request, response) => void response.send(indexPage(core, standIns)));
  // A caller that waits for the sandbox asks the control API: real servers and their authority take a
  // moment.
  app.use('/_sandbox', (_request, response, next) => {
    if (isReady()) next();
    else response.status(503).json({ error: 'the sandbox is starting' });
  });
  app.use('/_sandbox', createControlApi(core, standIns, connections));
  for (const { mount, pages } of standIns) {
    if (mount !== undefined) app.use(mount.path, mount.router);
    if (pages !== undefined) app.use(pages);
  }
  return app;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
