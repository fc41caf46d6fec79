/** The server on streamable HTTP: each request by itself, with the API key of whoever sends it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { parseUrl } from '../domain/url.ts';
import { createMcpServer, type McpSettings } from './server.ts';

export interface HttpSettings extends McpSettings {
  /** 0 is any free one. */
  port: number;
  /** An address of this machine. */
  host: string;
  /** Names under which it is reached, beside the loopback's own. */
  allowedHosts: readonly string[];
}

export interface HttpServing {
  url: string;
  close: () => Promise<void>;
}

const PATH = '/mcp';

/** A file of leads is the largest that is sent. */
const BODY_LIMIT = '2mb';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Listens; resolves when it does, rejects where the port is taken. */
export async function serveHttp(settings: HttpSettings): Promise<HttpServing> {
  const server = createServer(createMcpApp(settings));
  await listen(server, settings);
  const { port } = server.address() as AddressInfo;
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${host}:${port}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listen = (server: Server, { port, host }: HttpSettings): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

function createMcpApp(settings: HttpSettings): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(onlyFromHere([...LOOPBACK, ...settings.allowedHosts]));
  app.post(PATH, express.json({ limit: BODY_LIMIT }), serveRequest(settings));
  // There are no sessions: nothing to listen to, and nothing to end.
  app.all(PATH, (_request, response) => {
    response.setHeader('Allow', 'POST');
    refuse(response, 405, 'Only POST is served here');
  });
  app.use((_request, response) => refuse(response, 404, `The server is at ${PATH}`));
  app.use(broken(settings.log));
  return app;
}

/**
 * Against DNS rebinding: a page of a stranger, whose name leads to this address, gives its own name as host
 * and origin. Programs send no origin.
 */
const onlyFromHere =
  (hosts: readonly string[]): RequestHandler =>
  ({ headers: { host, origin } }, response, next) => {
    const isKnown = (text: string) => hosts.includes(parseUrl(text)?.hostname ?? '');
    if (host === undefined || !isKnown(`http://${host}`)) {
      return refuse(response, 403, 'This host is not allowed');
    }
    if (origin !== undefined && !isKnown(origin)) {
      return refuse(response, 403, 'This origin is not allowed');
    }
    next();
  };

const serveRequest =
  (settings: HttpSettings): RequestHandler =>
  async (request, response) => {
    const [, apiKey] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (apiKey === undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="outreach"');
      return refuse(response, 401, 'Send your API key: Authorization: Bearer svc_...');
    }
    const server = createMcpServer(settings, apiKey);
    const transport = new StreamableHTTPServerTransport();
    // Ends what still waits when the caller goes away.
    response.once('close', () => void server.close());
    // Its own types are not made for exact optional properties.
    await server.connect(transport as never);
    await transport.handleRequest(request, response, request.body);
  };

type Answering = Parameters<RequestHandler>[1];

/** In the form of the protocol, of no particular request. */
function refuse(response: Answering, status: number, message: string): void {
  response.status(status).json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
}

const broken =
  (log: (line: string) => void): ErrorRequestHandler =>
  (error: { status?: number; message?: string }, _request, response, _next) => {
    const { status = 500, message = 'unknown' } = error;
    if (status >= 500) log(`A request failed: ${message}`);
    if (response.headersSent) return response.destroy() as never;
    refuse(response, status, status < 500 ? message : 'The request failed');
  };
