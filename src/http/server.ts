/** The HTTP server around the application: time limits, and refusals of what is no HTTP at all. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Slow senders must not hold a connection: headers within 15 s, everything within 60 s. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Makes the server; it does not listen. */
export function createHttpServer(app: RequestListener): Server {
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    app,
  );
  server.on('clientError', refuse);
  return server;
}

const WORDS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive',
};

/** Node would answer with an empty body, and with statuses that the spec does not have. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({
    success: false,
    error: WORDS[error.code ?? ''] ?? 'The request is not valid HTTP',
    code: 'INVALID_INPUT',
    requestId: randomUUID(),
  });
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n' +
      `API-Version: 1\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
