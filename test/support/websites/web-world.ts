/** Websites for the crawler: names with addresses of 198.18.0.0/15, behind a proxy of this process. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import {
  openCertificateAuthority,
  type CertificateAuthority,
} from '../../../src/sandbox/certificate-authority.ts';
import type { WebsitesOptions } from '../../../src/providers/websites/options.ts';
import { startSocksListener, type SocksListener } from '../tools/socks-listener.ts';
import { trustAuthority } from '../run/trust.ts';

/** A page's HTML, or a listener with any behaviour; `/robots.txt` is 404 unless it is given. */
export type Pages = Record<string, string | RequestListener>;

export interface SeenRequest {
  host: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** `performance.now()` at its start and end; `endedAt` is 0 while it runs. */
  startedAt: number;
  endedAt: number;
}

export interface WebWorld {
  options: WebsitesOptions;
  /** Adds a site on ports 80 and 443 (and 8080) of an address of its own; answers the address. */
  site(host: string, pages: Pages | RequestListener, settings?: SiteSettings): string;
  /** The resolver's records; a missing name has no address. */
  records: Map<string, string[]>;
  socks: SocksListener;
  requests: SeenRequest[];
  close(): Promise<void>;
}

export interface SiteSettings {
  /** The names in its certificate; its own by default. */
  certificateFor?: string[];
  /** Refuses every other port. */
  ports?: number[];
  /** Ports that take connections and never say anything. */
  silentPorts?: number[];
}

const DEFAULT_PORTS = [80, 443, 8080];

export async function startWebWorld(): Promise<WebWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'outreach-web-'));
  const authority = await openCertificateAuthority(directory);
  trustAuthority(authority.caFile);
  const sites = new Map<string, { listener: RequestListener; settings: SiteSettings }>();
  const portsOf = new Map<string, { ports: number[]; silent: number[] }>();
  const silence = createNetServer() as unknown as Server;
  const records = new Map<string, string[]>();
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const host = String(request.headers.host).replace(/:\d+$/, '');
    const seen = { host, path: request.url ?? '', headers: request.headers };
    const noted: SeenRequest = { ...seen, startedAt: performance.now(), endedAt: 0 };
    requests.push(noted);
    response.on('close', () => (noted.endedAt = performance.now()));
    const site = sites.get(host);
    if (site) site.listener(request, response);
    else response.writeHead(421).end();
  };
  const http = createServer({ keepAliveTimeout: 60_000 }, listener);
  const https = tlsServer(listener, authority, (host) => sites.get(host)?.settings.certificateFor);
  const socks = await startSocksListener(({ host, port }) => {
    const known = portsOf.get(host);
    if (known?.silent.includes(port)) return silence;
    if (!known?.ports.includes(port)) return undefined;
    return port === 443 ? https : http;
  });
  return {
    options: {
      dns: { resolveA: (name) => Promise.resolve(records.get(name) ?? []) },
      outboundProxy: socks.url,
      contactUrl: 'https://outreach.example/bot',
      allowBenchmarkRange: true,
    },
    site(host, pages, settings = {}) {
      const address = `198.18.${Math.floor(sites.size / 250)}.${(sites.size % 250) + 1}`;
      sites.set(host, { listener: listenerOf(pages), settings });
      records.set(host, [address]);
      const { ports = DEFAULT_PORTS, silentPorts: silent = [] } = settings;
      portsOf.set(address, { ports, silent });
      return address;
    },
    records,
    socks,
    requests,
    close: async () => {
      await socks.close();
      http.closeAllConnections();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function listenerOf(pages: Pages | RequestListener): RequestListener {
  if (typeof pages === 'function') return pages;
  return (request, response) => {
    const page = pages[request.url ?? '/'];
    if (typeof page === 'function') return page(request, response);
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    response.writeHead(page === undefined ? 404 : 200, headers).end(page ?? 'not found');
  };
}

function tlsServer(
  listener: RequestListener,
  authority: CertificateAuthority,
  namesFor: (host: string) => string[] | undefined,
): Server {
  const contextFor = callbackify(async (host: string) => {
    const issued = await authority.issueShared(namesFor(host) ?? [host]);
    return createSecureContext({ cert: issued.certificatePem, key: issued.privateKeyPem });
  });
  return createTlsServer({ SNICallback: contextFor }, listener);
}
