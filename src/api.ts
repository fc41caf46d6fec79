/** The API process: serves HTTP until it is told to stop, then finishes what is in flight. */
import closeWithGrace from 'close-with-grace';
import { createHttpTerminator } from 'http-terminator';
import { listenCodecEndpoint } from './temporal/codec-endpoint.ts';
import type { Server as NetServer } from 'node:net';
import type { Logger } from 'pino';
import { readConfig, readTestConfig, type Config } from './config.ts';
import { createContext } from './context.ts';
import { createApp } from './http/app.ts';
import { createDocument } from './http/openapi.ts';
import { createLinkServers } from './http/links/links-server.ts';
import type { LinkMode } from './http/links/served-names.ts';
import { createHttpServer, serveModes } from './http/server.ts';
import { createLogger, requestLog } from './telemetry/logger.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { docsRouter } from './routes/docs.ts';
import { createRoutes } from './routes/index.ts';
import { documentedWebhooks } from './routes/webhooks/event-schemas.ts';
import { trackingLinks } from './services/domains/tracking-links.ts';
import { startTracing } from './tracing/start-tracing.ts';

/** A purchase is awaited for 25 s; requests in flight may finish before the process ends. */
const FINISH_MS = 28_000;
const SWEEP_MS = 10 * 60_000;

const config = readConfig();
const logger = createLogger({ level: config.LOG_LEVEL, name: 'api' });
const tracing = await startTracing(config, { service: 'outreach-api', logger });
const context = createContext(config, logger);
const metrics = createMetrics(context.db, context.vendorCalls);
const routes = createRoutes(context);
const live = createApp(context, routes, {
  observers: [metrics.observe, requestLog(logger)],
  pages: [docsRouter(() => createDocument(routes, documentedWebhooks))],
});
// Counted in no metric: alarms and objectives are about what is real.
const testConfig = readTestConfig();
const test = testConfig && createTestApi(testConfig, logger.child({ mode: 'test' }));
const server = createHttpServer(serveModes({ live, test: test?.app }));
const terminator = createHttpTerminator({ server, gracefulTerminationTimeout: FINISH_MS });
const linkServers = await listenLinks([
  { ...trackingLinks(context), app: live },
  ...(test ? [{ ...trackingLinks(test.context), app: test.app }] : []),
]);
const metricsServer = await metrics.listen(config.API_METRICS_PORT, config.API_HOST);
const codecServer = await listenCodecEndpoint(config, testConfig);

await listen(server, config.API_PORT);
logger.info({ port: config.API_PORT }, 'api is listening');

const sweeping = setInterval(() => {
  for (const { httpStores } of [context, ...(test ? [test.context] : [])]) {
    httpStores.sweep().catch((err: unknown) => logger.warn({ err }, 'sweep failed'));
  }
}, SWEEP_MS);

closeWithGrace({ delay: FINISH_MS + 2_000, logger: undefined }, async ({ err }) => {
  if (err) logger.error({ err }, 'api stops after an error');
  clearInterval(sweeping);
  await Promise.all([terminator, ...linkServers].map((each) => each.terminate()));
  metricsServer.close();
  codecServer?.close();
  await Promise.all([context.close(), test?.context.close()]);
  await tracing.stop();
});

/** Links on clients' own domains, where the installation has a host for them. */
async function listenLinks(modes: readonly LinkMode[]) {
  if (config.LINKS_HOST === undefined) return [];
  const { http, https } = createLinkServers(modes);
  await listen(http, config.LINKS_HTTP_PORT);
  await listen(https, config.LINKS_TLS_PORT);
  return [http, https].map((each) =>
    createHttpTerminator({ server: each, gracefulTerminationTimeout: FINISH_MS }),
  );
}

function listen(one: NetServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    one.once('error', reject);
    one.listen(port, config.API_HOST, resolve);
  });
}

/** The same routes over test mode's own database, namespace and vendors. */
function createTestApi(settings: Config, log: Logger) {
  const own = createContext(settings, log);
  return { context: own, app: createApp(own, createRoutes(own), { observers: [requestLog(log)] }) };
}
