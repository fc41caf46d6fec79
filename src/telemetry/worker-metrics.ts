/** Metrics and logs of a worker process, the SDK's own among them. */
import { createServer, type Server } from 'node:http';
import { createServer as createSocket, type AddressInfo } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { addOperatorGauges, type MetricsSources } from './operator-metrics.ts';
import { SCRAPE_MS } from './scrape.ts';
import { addWorkerRoles, type ServedRoles } from './worker-roles.ts';

interface WorkerEndpoint {
  port: number;
  host: string;
  serves: ServedRoles;
  /** Whether the workers run. */
  isReady: () => boolean;
}

/**
 * Serves `GET /metrics`, and `GET /ready`, which is 503 until the workers run. Call it before the
 * first worker is made: it installs the SDK's runtime.
 */
export async function serveWorkerMetrics(
  sources: MetricsSources,
  { port, host, serves, isReady }: WorkerEndpoint,
): Promise<Server> {
  const sdkPort = await freePort();
  Runtime.install({
    logger: sdkLogger(sources.logger),
    // The process has handlers of its own; the SDK's would discard a signal before workers run.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'WARN' }, forward: {} },
      metrics: { prometheus: { bindAddress: `127.0.0.1:${sdkPort}` } },
    },
  });
  const registry = createRegistry(sources);
  addWorkerRoles(registry, serves, isReady);
  const server = createServer((request, response) => {
    if (request.url === '/ready') {
      response.writeHead(isReady() ? 200 : 503).end();
      return;
    }
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
    server.listen(port, host, resolve);
  });
  return server;
}

/** Log lines of the SDK, its native part and the workflows, written by our logger with its redaction. */
export const sdkLogger = (logger: Logger): DefaultLogger =>
  new DefaultLogger('TRACE', ({ level, message, meta }) => {
    const { error, ...facts } = meta ?? {};
    const line = { ...facts, ...(error !== undefined && { err: error }) };
    logger[PINO_LEVELS[level]](line, message);
  });

const PINO_LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

function createRegistry(sources: MetricsSources): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addOperatorGauges(registry, sources);
  return registry;
}

/** The runtime has no metrics before the first worker runs. */
const sdkMetrics = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) }).then(
    (response) => response.text(),
    () => '',
  );

/** The SDK cannot listen on port 0 and report the chosen port. */
async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
