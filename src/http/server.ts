/** The HTTP server around the applications of both modes: time limits, and refusals of malformed HTTP. */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { modeOfKey, TEST_PATH } from '../domain/accounts/modes.ts';
import { createRests, type RestLimits } from './unread-body.ts';

export interface ServerLimits extends RestLimits {
  /** From the start of the connection until the headers are complete. */
  headersMs: number;
  /** Until the whole request has arrived. */
  requestMs: number;
  /** How often the two limits above are checked. */
  checkMs: number;
  /** A connection without traffic, also during the answer: a client that does not read. */
  stillMs: number;
  /**
   * Between two requests: longer than proxies keep idle connections (60 s), or they would use a closed
   * one.
   */
  idleMs: number;
}

/** Slow senders must not hold a connection; an answer takes at most 85 s (two waits of ours). */
const LIMITS: ServerLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  checkMs: 2_000,
  stillMs: 120_000,
  idleMs: 65_000,
  lingerMs: 2_000,
  lingerBytes: 4 * 1_048_576,
};

/** Makes the server; it does not listen. */
export const createHttpServer = (app: RequestListener, limits: ServerLimits = LIMITS): Server =>
  withLimits(createServer(timeLimits(limits)), app, limits);

/** The same by TLS. */
export const createHttpsServer = (tls: TlsOptions, app: RequestListener): SecureServer =>
  withLimits(
    createSecureServer({ ...timeLimits(LIMITS), handshakeTimeout: HANDSHAKE_MS, ...tls }),
    app,
    LIMITS,
  );

/** A connection that says nothing is given up. */
const HANDSHAKE_MS = 10_000;

const timeLimits = (limits: ServerLimits) => ({
  headersTimeout: limits.headersMs,
  requestTimeout: limits.requestMs,
  keepAliveTimeout: limits.idleMs,
  connectionsCheckingInterval: limits.checkMs,
  // Node would answer with an empty body.
  requireHostHeader: false,
});

function withLimits<S extends Server | SecureServer>(
  server: S,
  app: RequestListener,
  limits: ServerLimits,
): S {
  server.timeout = limits.stillMs;
  server.on('request', createRests(limits));
  server.on('request', (request, response) => {
    if (lacksHost(request)) refuseRequest(response);
    else app(request, response);
  });
  // Node would answer 417 itself, and read the body at any speed; RFC 9110, 10.1.1 allows ignoring it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => refuse(error, socket, limits.lingerMs));
  return server;
}

/** RFC 9112, 3.2. */
const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

function refuseRequest(response: ServerResponse): void {
  const body = refusal('The Host header is missing');
  response.writeHead(400, { ...REFUSAL_HEADERS, 'Content-Length': body.length }).end(body);
}

const REFUSAL_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'API-Version': '1',
  Connection: 'close',
};

const refusal = (error: string): string =>
  JSON.stringify({ success: false, error, code: 'INVALID_INPUT', requestId: randomUUID() });

const WORDS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive',
};

/** Node would answer with an empty body, and with statuses that the spec does not have. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, lingerMs: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = refusal(WORDS[error.code ?? ''] ?? 'The request is not valid HTTP');
  const headers = Object.entries({ ...REFUSAL_HEADERS, 'Content-Length': body.length });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines}\r\n${body}`);
  // A client that does not close its half would hold ours open for ever.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

export interface ModeApps {
  live: RequestListener;
  /** Undefined where there is no test mode: the live application says so then. */
  test: RequestListener | undefined;
}

/** Each request goes to the application of its mode: by the path under which test mode stands, else by its key. Choice 110. */
export function serveModes({ live, test }: ModeApps): RequestListener {
  if (!test) return live;
  return (request, response) => {
    const path = withoutTestPath(request.url ?? '');
    if (path !== undefined) request.url = path;
    const isTest = path !== undefined || modeOfKey(keyOf(request)) === 'test';
    return isTest ? test(request, response) : live(request, response);
  };
}

/** `/test/u/abc` -> `/u/abc`; undefined for a path elsewhere. */
function withoutTestPath(url: string): string | undefined {
  return url.startsWith(`${TEST_PATH}/`) ? url.slice(TEST_PATH.length) : undefined;
}

/** As authentication reads it. */
const keyOf = ({ headers }: IncomingMessage): string =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
