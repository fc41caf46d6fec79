/** The Express application: common middleware, then the routes, then error handling. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { TEST_PATH } from '../domain/accounts/modes.ts';
import { OutreachError } from '../domain/errors.ts';
import { errorAnswer } from './error-response.ts';
import { pathsOf, type Route } from './route.ts';
import { traceRequest } from './trace-request.ts';
import { checkEscapes } from './request-text.ts';
import { createRunner, send, type HttpContext, type RunOptions } from './run-route.ts';

export interface AppOptions extends RunOptions {
  /** Pages beside the API, such as /docs. */
  pages?: readonly RequestHandler[];
  /** Runs before everything else: request logs and metrics. */
  observers?: readonly RequestHandler[];
}

/** Builds the application that serves the routes; it does not listen. */
export function createApp(
  context: HttpContext,
  routes: readonly Route[],
  options: AppOptions = {},
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy(context.config.TRUST_PROXY));
  app.use(identify);
  app.use(traceRequest);
  for (const observer of options.observers ?? []) app.use(observer);
  app.use(setAsideBadPaths);
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  const run = createRunner(context, options);
  for (const route of routes) {
    for (const path of pathsOf(route.path)) app[route.method](path, run(route));
  }
  for (const page of options.pages ?? []) app.use(page);
  app.use((request, response) => {
    checkEscapes(response.locals);
    if (request.path.startsWith(`${TEST_PATH}/`)) {
      throw new OutreachError('invalid', 'TEST_MODE_OFF', 'This installation has no test mode');
    }
    throw new OutreachError('not_found', 'NOT_FOUND', 'There is no such route');
  });
  app.use(refuse(context.logger));
  return app;
}

/** The form of a client's own request id; anything else could forge a log line. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Gives every request its id and every answer the API's version. */
const identify: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.setHeader('X-Request-Id', id);
  response.setHeader('API-Version', '1');
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * Express refuses a malformed escape while it looks for the route, before anybody is authenticated (choice 40). Such a
 * path is taken literally and marked; `checkEscapes` refuses it.
 */
const setAsideBadPaths: RequestHandler = (request, response, next) => {
  try {
    decodeURIComponent(request.path);
  } catch {
    const { path } = request;
    response.locals.isBadPath = true;
    request.url = path.replaceAll('%', '%25') + request.url.slice(path.length);
  }
  next();
};

/** An outage ends by itself; retrying in a tight loop would not help. */
const RETRY_AFTER_SECONDS = 2;

/** The last handler: turns any thrown error into the error envelope. */
const refuse =
  (logger: Logger): ErrorRequestHandler =>
  (thrown: unknown, _request, response, _next) => {
    const { requestId } = response.locals as { requestId: string };
    const { status, body, unexpected, retryAfterSeconds } = errorAnswer(thrown, requestId);
    if (unexpected) logger.error({ err: thrown, requestId }, 'a request failed unexpectedly');
    else if (status === 502) logger.warn({ err: thrown, requestId }, 'a backing service is down');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const isSoonBetter = status === 502 || status === 429;
    if (isSoonBetter && !response.hasHeader('Retry-After')) {
      response.setHeader('Retry-After', retryAfterSeconds ?? RETRY_AFTER_SECONDS);
    }
    send(response, { status, text: JSON.stringify(body) });
  };

/** `false`, a hop count, or a comma-separated list of proxies; `true` would trust forged hops. */
function trustProxy(setting: string): boolean | number | string[] {
  if (setting === 'false' || setting === '') return false;
  if (/^\d+$/.test(setting)) return Number(setting);
  return setting.split(',').map((part) => part.trim());
}
