/** Metrics of a worker process: what waits for a person, and the SDK's own, on one port. */
import { createServer, type Server } from 'node:http';
import { createServer as createSocket, type AddressInfo } from 'node:net';
import { Runtime } from '@temporalio/worker';
import type { Kysely } from 'kysely';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { countBlocked } from './db/operations.ts';
import type { Database } from './db/tables.ts';

/** Serves `GET /metrics`. Call it before the first worker is made: it installs the SDK's runtime. */
export async function serveWorkerMetrics(
  db: Kysely<Database>,
  address: { port: number; host: string },
): Promise<Server> {
  const sdkPort = await freePort();
  Runtime.install({
    telemetryOptions: { metrics: { prometheus: { bindAddress: `127.0.0.1:${sdkPort}` } } },
  });
  const registry = createRegistry(db);
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    Promise.all([registry.metrics(), sdkMetrics(sdkPort)]).then(
      ([own, sdk]) =>
        response.writeHead(200, { 'content-type': registry.contentType }).end(`${own}\n${sdk}`),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return server;
}

function createRegistry(db: Kysely<Database>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'outreach_operations_blocked',
    help: 'Operations that wait for a person, by step',
    labelNames: ['state', 'step'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { state, step, count } of await countBlocked(db)) {
        this.labels(state, step).set(count);
      }
    },
  });
  return registry;
}

/** The runtime says nothing before the first worker runs. */
const sdkMetrics = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/metrics`).then(
    (response) => response.text(),
    () => '',
  );

/** The SDK cannot listen on "any port" and tell which. */
async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
