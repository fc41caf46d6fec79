/** The API on a free port over a test's database, with every answer checked against its schema. */
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'express';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { createCipher } from '../../../src/encryption/cipher.ts';
import { readConfig } from '../../../src/config.ts';
import type { Context } from '../../../src/context.ts';
import { createHttpStores } from '../../../src/db/accounts/http-stores.ts';
import { createApp } from '../../../src/http/app.ts';
import { createDocument } from '../../../src/http/openapi.ts';
import { createHttpServer, type ServerLimits } from '../../../src/http/server.ts';
import { createWebhookEndpoints } from '../../../src/providers/webhook-endpoints/index.ts';
import { createRecipientLinks } from '../../../src/encryption/recipient-links.ts';
import type { Route } from '../../../src/http/route.ts';
import { docsRouter } from '../../../src/routes/docs.ts';
import { createRoutes } from '../../../src/routes/index.ts';
import { documentedWebhooks } from '../../../src/routes/webhooks/event-schemas.ts';
import type { TestDatabase } from '../database/database.ts';
import { recordExample } from './record-example.ts';

export const testJwtSecret = 'development-secret-of-the-tests-0123456789';

export interface TestApiOptions {
  database: Pick<TestDatabase, 'db' | 'url'>;
  /** Default: all routes of the product. */
  routes?: (context: Context) => Route[];
  /** What the routes under test use of the context: temporal, payments, ... */
  context?: Partial<Context>;
  /** Environment variables that differ from the tests' defaults. */
  environment?: Record<string, string>;
  /** The product's own by default. */
  limits?: ServerLimits;
  /** Run before everything else, and may answer in its place. */
  observers?: readonly RequestHandler[];
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, else the text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  body: any;
}

export interface CallOptions {
  /** Sent as JSON; a string or Buffer as it is. */
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

export interface TestApi {
  url: string;
  context: Context;
  /** What the server serves. */
  app: RequestListener;
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** A valid token of a user, who thereby exists after the first call. */
  jwt(userId?: string): Promise<string>;
  close(): Promise<void>;
}

export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const context = createTestContext(options);
  const routes = (options.routes ?? createRoutes)(context);
  const { observers = [] } = options;
  const pages = [docsRouter(() => createDocument(routes, documentedWebhooks))];
  const app = createApp(context, routes, { checkAnswers: true, pages, observers });
  const server = createHttpServer(app, options.limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    context,
    app,
    call: (method, path, callOptions = {}) => call(`${url}${path}`, method, callOptions),
    jwt: (userId = 'user-1') => signTestJwt({ userId, email: `${userId}@example.test` }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await context.httpStores.close();
    },
  };
}

/** Signs claims like the web application; the token expires in ten minutes. */
export const signTestJwt = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ name: 'Test User', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(testJwtSecret));

function createTestContext({ database, context, environment }: TestApiOptions): Context {
  const config = readConfig({
    OUTREACH_ENV: 'development',
    DATABASE_URL: database.url,
    JWT_SECRET: testJwtSecret,
    ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_HOUR: '1000000',
    LINKS_HOST: 'links.outreach.test',
    ...environment,
  });
  const httpStores = createHttpStores({
    db: database.db,
    url: database.url,
    limits: { perMinute: config.RATE_LIMIT_PER_MINUTE, perHour: config.RATE_LIMIT_PER_HOUR },
  });
  const needed = {
    config,
    db: database.db,
    // A failing test has to show the reason of a 500.
    logger: pino({ level: 'error' }),
    clock: { now: () => new Date() },
    cipher: createCipher(config.ENCRYPTION_KEYS),
    recipientLinks: createRecipientLinks({
      publicUrl: config.PUBLIC_URL,
      keys: config.ENCRYPTION_KEYS,
    }),
    httpStores,
    // No name has an address here.
    webhookEndpoints: createWebhookEndpoints({
      dns: { resolveA: async () => [] },
      outboundProxy: undefined,
      allowBenchmarkRange: false,
      allowHttp: true,
    }),
    registrars: {},
    vps: {},
    // Not called here: a discovery is refused where there is none.
    adLibraries: { meta: {} },
    payments: undefined,
    mailboxOauth: {},
    // There is no Temporal here.
    keepSchedule: async () => 'away',
    nextRunsOf: async () => null,
  };
  return { ...needed, ...context } as Context;
}

/** Sends a request, and records it as an example of its operation. */
export async function call(url: string, method: string, options: CallOptions): Promise<TestAnswer> {
  const { body, token, headers } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = parse(text);
  const { status } = response;
  recordExample({ method, path: new URL(url).pathname, status, answer, ...(!raw && { body }) });
  return { status, headers: response.headers, body: answer };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
