/** One HTTP and one HTTPS listener behind every website; Host and SNI tell which one is meant. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import { waitOut, type SandboxCore } from '../core.ts';
import type { FaultKind } from '../faults.ts';
import { defaultCertificate } from '../servers/default-certificate.ts';
import { pageAt, type Page, type SiteRecords } from './site-records.ts';

export interface SiteServers {
  httpPort: number;
  httpsPort: number;
  close: () => Promise<void>;
}

/** How many hosts keep their certificate; others get a new one at their next handshake. */
const MAX_CONTEXTS = 1_000;

export async function startSiteServers(
  core: SandboxCore,
  siteRecords: SiteRecords,
): Promise<SiteServers> {
  const answer = (scheme: string) => (request: IncomingMessage, response: ServerResponse) =>
    void answerRequest({ core, siteRecords, request, response, scheme });
  const { key, certificate: cert } = await defaultCertificate();
  const SNICallback = callbackify(createContexts(core, siteRecords));
  const plain = createServer(answer('http'));
  const secure = createSecureServer({ key, cert, SNICallback }, answer('https'));
  await Promise.all([listen(plain), listen(secure)]);
  return {
    httpPort: (plain.address() as AddressInfo).port,
    httpsPort: (secure.address() as AddressInfo).port,
    close: async () => void (await Promise.all([close(plain), close(secure)])),
  };
}

/** Certificates of the world's authority, created when a host is first requested. */
function createContexts(core: SandboxCore, siteRecords: SiteRecords) {
  const contexts = new Map<string, Promise<SecureContext>>();
  const make = async (host: string): Promise<SecureContext> => {
    const { privateKeyPem, certificatePem } = await core.ca.issueShared([host]);
    return createSecureContext({ key: privateKeyPem, cert: certificatePem });
  };
  return async (name: string): Promise<SecureContext | undefined> => {
    const host = name.toLowerCase();
    // An unknown name gets the certificate of a fresh machine, which nobody trusts.
    if (siteRecords.site(host) === undefined) return undefined;
    const context = contexts.get(host) ?? make(host);
    contexts.delete(host);
    contexts.set(host, context);
    if (contexts.size > MAX_CONTEXTS) contexts.delete(contexts.keys().next().value!);
    return context;
  };
}

interface Visit {
  core: SandboxCore;
  siteRecords: SiteRecords;
  request: IncomingMessage;
  response: ServerResponse;
  scheme: string;
}

async function answerRequest(visit: Visit): Promise<void> {
  const { core, siteRecords, request, response } = visit;
  response.on('error', () => response.destroy());
  request.resume();
  const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  const path = request.url ?? '/';
  const method = request.method ?? 'GET';
  const fault = core.faults.take('sites', [`${method} ${path}`, `${method} /${host}${path}`]);
  const log = (status: number | null, bytes: number): void =>
    core.requestLog.add({
      vendor: 'sites',
      method,
      path: `${visit.scheme}://${host}${path}`,
      headers: flat(request.headers),
      body: null,
      status,
      answer: `${bytes} bytes`,
      fault: fault?.kind,
    });
  const site = siteRecords.site(host);
  const page = faultPage(fault?.kind) ?? (site && (pageAt(site, path) ?? NOT_FOUND)) ?? NO_SITE;
  if (fault?.kind === 'slow') await waitOut(core, fault);
  if (page.delayMs !== undefined) await core.pause(page.delayMs);
  if (response.destroyed) return log(null, 0);
  if (fault?.kind === 'timeout_before_effect' || fault?.kind === 'timeout_after_effect') {
    // Never answered: the connection stays open until the visitor gives up.
    return log(null, 0);
  }
  if (fault?.kind === 'reset') {
    request.socket.resetAndDestroy();
    return log(null, 0);
  }
  const body = bytesOf(page);
  log(page.status ?? 200, body.length);
  send(response, page, body);
}

function send(response: ServerResponse, page: Page, body: Buffer): void {
  const contentType = page.contentType === undefined ? DEFAULT_TYPE : page.contentType;
  if (contentType !== null) response.setHeader('Content-Type', contentType);
  for (const [name, value] of Object.entries(page.headers ?? {})) response.setHeader(name, value);
  const isFramed = response.hasHeader('content-length') || response.hasHeader('transfer-encoding');
  if (!isFramed) response.setHeader('Content-Length', body.length);
  response.writeHead(page.status ?? 200);
  response.end(body);
}

const DEFAULT_TYPE = 'text/html; charset=utf-8';
const NOT_FOUND: Page = { status: 404, body: '<h1>404 Not Found</h1>' };
const NO_SITE: Page = { status: 404, body: '<h1>There is no such site here</h1>' };

const bytesOf = ({ body, bodyBase64 }: Page): Buffer =>
  bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');

/** The page of a site that refuses or has a fault. */
function faultPage(kind: FaultKind | undefined): Page | undefined {
  switch (kind) {
    case 'error_500':
      return { status: 500, body: '<h1>500 Internal Server Error</h1>' };
    case 'rate_limited':
      return { status: 429, body: '<h1>429</h1>', headers: { 'Retry-After': '1' } };
    case 'rejected':
      return { status: 403, body: '<h1>403 Forbidden</h1>' };
    case 'auth':
      return { status: 401, body: '<h1>401</h1>', headers: { 'WWW-Authenticate': 'Basic' } };
    default:
      return undefined;
  }
}

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function listen(server: Server): Promise<void> {
  // A visitor that disconnects, or does not trust a certificate, is no error of the site.
  server.on('clientError', (_error, socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
