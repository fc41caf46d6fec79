/**
 * The API process of P1 to P5, P18 and `tracing`, with the product's own log, metrics and, where the environment says
 * so, traces; reports its CPU time on request. Arguments: the database, which routes, and a user for whom they need no
 * authentication.
 */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createCipher } from '../src/encryption/cipher.ts';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { openDatabase } from '../src/db/database.ts';
import { createHttpStores } from '../src/db/accounts/http-stores.ts';
import { createApp } from '../src/http/app.ts';
import type { Route } from '../src/http/route.ts';
import { createHttpServer } from '../src/http/server.ts';
import { createLogger, requestLog } from '../src/telemetry/logger.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { createRecipientLinks } from '../src/encryption/recipient-links.ts';
import { auditLogRoutes } from '../src/routes/accounts/audit-log.ts';
import { campaignAnalyticsRoutes } from '../src/routes/campaigns/campaign-analytics.ts';
import { campaignLeadRoutes } from '../src/routes/campaigns/campaign-leads.ts';
import { campaignRoutes } from '../src/routes/campaigns/campaigns.ts';
import { clusterRoutes } from '../src/routes/clusters/clusters.ts';
import { emailValidationRoutes } from '../src/routes/email-validation/email-validation.ts';
import { inboxRoutes } from '../src/routes/inbox/inbox.ts';
import { companyRoutes } from '../src/routes/leads/companies.ts';
import { leadListRoutes } from '../src/routes/leads/lead-lists.ts';
import { leadRoutes } from '../src/routes/leads/leads.ts';
import { recipientLinkRoutes } from '../src/routes/sending/recipient-links.ts';
import { suppressionRoutes } from '../src/routes/suppressions/suppressions.ts';
import { eventRoutes } from '../src/routes/webhooks/events.ts';
import { traceAsSet } from './trace-as-set.ts';

const [url = '', area = '', openFor] = process.argv.slice(2);

const areas: Record<string, (context: Context) => Route[]> = {
  inbox: inboxRoutes,
  leads: leadRoutes,
  clusters: clusterRoutes,
  account: (context) => [
    ...leadRoutes(context),
    ...companyRoutes(context),
    ...leadListRoutes(context),
    ...suppressionRoutes(context),
    ...inboxRoutes(context),
    ...recipientLinkRoutes(context),
    ...campaignRoutes(context),
    ...campaignLeadRoutes(context),
    ...campaignAnalyticsRoutes(context),
    ...emailValidationRoutes(context),
    ...eventRoutes(context),
    ...auditLogRoutes(context),
  ],
};

const config = readConfig({
  OUTREACH_ENV: 'development',
  DATABASE_URL: url,
  DATABASE_POOL_SIZE: process.env.POOL_SIZE ?? '32',
  JWT_SECRET: 'development-secret-of-the-benchmark-01',
  ENCRYPTION_KEYS:
    process.env.ENCRYPTION_KEYS ?? `development:${randomBytes(32).toString('base64')}`,
  // Every request is counted; none is refused.
  RATE_LIMIT_PER_MINUTE: '100000000',
  RATE_LIMIT_PER_HOUR: '100000000',
});
const logger = createLogger({ level: 'info', name: 'api' });
// First: a database decides by it whether it times statements.
await traceAsSet('outreach-api', logger);
const db = openDatabase(url, { poolSize: config.DATABASE_POOL_SIZE });
const limits = { perMinute: config.RATE_LIMIT_PER_MINUTE, perHour: config.RATE_LIMIT_PER_HOUR };
const context = {
  config,
  db,
  logger,
  clock: { now: () => new Date() },
  cipher: createCipher(config.ENCRYPTION_KEYS),
  recipientLinks: createRecipientLinks({
    publicUrl: config.PUBLIC_URL,
    keys: config.ENCRYPTION_KEYS,
  }),
  httpStores: createHttpStores({ db, url, limits }),
  // The bench itself does the work of the job.
  startOperation: () => Promise.resolve(),
} as unknown as Context;

/** The same handlers without authentication. */
const open = (userId: string) => (route: Route) => ({
  ...route,
  public: true,
  handler: (input: Parameters<Route['handler']>[0]) =>
    route.handler({ ...input, user: { userId, token: 'key', keyId: 'key_0', scopes: [] } }),
});

const routes = areas[area]!(context);
const app = createApp(context, openFor === undefined ? routes : routes.map(open(openFor)), {
  observers: [createMetrics().observe, requestLog(logger)],
});
const server = createHttpServer(app);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
