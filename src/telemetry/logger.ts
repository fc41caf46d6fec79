/** Structured logs: one line per request, without headers, bodies, query strings or secrets. */
import type { RequestHandler } from 'express';
import { pino, type DestinationStream, type Logger } from 'pino';
import { currentRequestId } from '../tracing/origin.ts';
import { currentTraceId } from '../tracing/spans.ts';

/** Names under which a secret could be logged by mistake, at the top or one level down. */
const SECRET_FIELDS = [
  'authorization',
  'password',
  'token',
  'taskToken',
  'key',
  'secret',
  'privateKey',
  'connectionString',
];

/** Of errors of Postgres: whole rows and values of parameters. Its message and the constraint tell enough. */
const ROWS = ['err.detail', 'err.where', 'err.internalQuery', 'err.parameters'];

/** The redaction of all our loggers. */
export const redaction = {
  paths: [
    ...SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]),
    ...ROWS,
  ],
  censor: '[secret]',
};

/** Writes to the process's output unless another place is given. */
export const createLogger = (
  options: { level: string; name: string },
  to: DestinationStream = pino.destination(1),
): Logger =>
  pino({ name: options.name, level: options.level, redact: redaction, mixin: origin }, to);

/** Which request and trace a line belongs to; a line's own fields come first. */
function origin(): object {
  const requestId = currentRequestId();
  const traceId = currentTraceId();
  return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
}

/**
 * Logs every request when its response was sent, or its client has disconnected; not `/health`, which is
 * polled too often. A log line of our own: pino-http makes a logger for each request, and redaction copies
 * objects that are known to hold no secret.
 */
export function requestLog(logger: Logger): RequestHandler {
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    if (!request.url.startsWith('/health')) {
      const startedAt = performance.now();
      const { method, url } = request;
      response.once('close', () => {
        const { statusCode, writableFinished } = response;
        const { requestId, traceId, route, userId, workflowId } = localsOf(response);
        const words = writableFinished ? 'request completed' : 'request aborted';
        lines[levelOf(statusCode)](
          {
            requestId,
            traceId,
            req: { method, path: safePath(url) },
            res: { statusCode },
            route,
            userId,
            workflowId,
            responseTime: Math.round((performance.now() - startedAt) * 10) / 10,
          },
          words,
        );
      });
    }
    next();
  };
}

const levelOf = (statusCode: number): 'error' | 'warn' | 'info' =>
  statusCode === 500 ? 'error' : statusCode === 502 ? 'warn' : 'info';

interface Locals {
  requestId?: string;
  traceId?: string;
  route?: string;
  userId?: string;
  workflowId?: string;
}

const localsOf = (response: object): Locals => (response as { locals?: Locals }).locals ?? {};

/** The path without its query, and without a key that a client put into it. */
const safePath = (url: string): string =>
  (url.split('?')[0] ?? '').slice(0, 300).replaceAll(/svc_[^/]*/g, 'svc_[secret]');
