/** Structured logs: one line per request, without headers, bodies, query strings or secrets. */
import type { RequestHandler } from 'express';
import { pino, type Logger } from 'pino';
import { pinoHttp } from 'pino-http';

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

/** What every logger of ours censors. */
export const redaction = {
  paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]),
  censor: '[secret]',
};

export const createLogger = (options: { level: string; name: string }): Logger =>
  pino({
    name: options.name,
    level: options.level,
    redact: redaction,
  });

/** Logs every answered request; `/health` is asked too often to be news. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    genReqId: (_request, response) => localsOf(response).requestId ?? '',
    autoLogging: { ignore: (request) => request.url?.startsWith('/health') ?? false },
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: safePath(request.url),
      }),
      res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
    },
    customProps: (_request, response) => {
      const { route, userId, workflowId } = localsOf(response);
      return { route, userId, workflowId };
    },
    customLogLevel: (_request, response) =>
      response.statusCode === 500 ? 'error' : response.statusCode === 502 ? 'warn' : 'info',
  }) as RequestHandler;
}

interface Locals {
  requestId?: string;
  route?: string;
  userId?: string;
  workflowId?: string;
}

const localsOf = (response: object): Locals => (response as { locals?: Locals }).locals ?? {};

/** The path without its query, and without a key that somebody put into it. */
const safePath = (url: string): string =>
  (url.split('?')[0] ?? '').slice(0, 300).replaceAll(/svc_[^/]*/g, 'svc_[secret]');
