/** Prometheus metrics of the API, served on a port of their own. */
import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { Kysely } from 'kysely';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { addDatabaseGauges } from './database-gauges.ts';
import type { Database } from '../db/tables.ts';
import type { VendorCalls } from './vendor-calls.ts';
import { addVendorCalls } from './vendor-metrics.ts';

/** Seconds; from a response out of memory to an awaited purchase. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Metrics {
  /** Times every request by route pattern and status, never by the path as it came. */
  observe: RequestHandler;
  /** Serves `GET /metrics`; resolves when it listens. */
  listen(port: number, host: string): Promise<Server>;
  text(): Promise<string>;
}

/** Without `db`, only the metrics of requests. */
export function createMetrics(db?: Kysely<Database>, vendorCalls?: VendorCalls): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  if (db) addDatabaseGauges(registry, db);
  if (vendorCalls) addVendorCalls(registry, vendorCalls);
  return {
    observe: (request, response, next) => {
      const startedAt = performance.now();
      response.once('finish', () => {
        const route = (response.locals.route as string | undefined) ?? 'none';
        const seconds = (performance.now() - startedAt) / 1_000;
        durations
          .labels(methodOf(request.method), route, `${response.statusCode}`)
          .observe(seconds);
      });
      next();
    },
    listen: (port, host) => listen(registry, port, host),
    text: () => registry.metrics(),
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Clients may send any method; a label must have few values. */
const methodOf = (method: string): string => (METHODS.has(method) ? method : 'other');

async function listen(registry: Registry, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
