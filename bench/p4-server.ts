/** One API process for P4, with the product's own log and metrics; tells its CPU time when asked. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createCipher } from '../src/cipher.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { openDatabase } from '../src/db/database.ts';
import { createHttpStores } from '../src/db/http-stores.ts';
import { createApp } from '../src/http/app.ts';
import type { Route } from '../src/http/route.ts';
import { createHttpServer } from '../src/http/server.ts';
import { requestLog } from '../src/logger.ts';
import { createMetrics } from '../src/metrics.ts';
import { clusterRoutes } from '../src/routes/clusters.ts';

/** `guarded` serves the routes as they are; `open` the same handlers without a caller. */
const [variant = 'guarded', url = '', userId = ''] = process.argv.slice(2);

/** High enough that no round is refused; the counting is the same. */
const limit = 1_000_000_000;

const config = readConfig({
  OUTREACH_ENV: 'development',
  DATABASE_URL: url,
  JWT_SECRET: 'development-secret-of-the-benchmark-01',
  ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
});
const db = openDatabase(url, { poolSize: 10 });
const context = {
  config,
  db,
  logger: pino({ level: 'info' }, pino.destination('/dev/null')),
  cipher: createCipher(config.ENCRYPTION_KEYS),
  httpStores: createHttpStores({ db, url, limits: { perMinute: limit, perHour: limit } }),
} as unknown as Context;

const unguarded = (route: Route): Route => ({
  ...route,
  public: true,
  handler: (input) =>
    route.handler({ ...input, user: { userId, token: 'key', keyId: 'key_0', scopes: [] } }),
});

const routes = clusterRoutes(context);
const app = createApp(context, variant === 'open' ? routes.map(unguarded) : routes, {
  observers: [createMetrics().observe, requestLog(context.logger)],
});
const server = createHttpServer(app);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
