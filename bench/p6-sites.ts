/**
 * The servers of P6, a process of their own: many sites behind one HTTP server and one SOCKS proxy.
 * Pages are made and compressed in advance, so that serving one costs little.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startSocksListener } from '../test/support/tools/socks-listener.ts';
import { pagesOf, type PageName } from './p6-pages.ts';

/** Sites share these pages under many names: more than either peer caches. */
const DIFFERENT_SITES = 240;

interface StoredPage {
  plain: Buffer;
  gzip: Buffer;
}

const stored = Array.from({ length: DIFFERENT_SITES }, (_, site) => {
  const pages = Object.entries(pagesOf(site)).map(([name, html]: [string, string]) => {
    const plain = Buffer.from(html);
    return [name, { plain, gzip: gzipSync(plain) }] as const;
  });
  return Object.fromEntries(pages) as Record<PageName, StoredPage>;
});

const names: Readonly<Record<string, PageName>> = {
  '/': 'home',
  '/kontakt': 'contact',
  '/impressum': 'impressum',
};

let latencyMs = 20;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  setTimeout(() => {
    const name = names[request.url ?? ''];
    if (!name) return response.writeHead(404).end();
    const { plain, gzip } = stored[siteNumber(request.headers.host ?? '') % DIFFERENT_SITES]![name];
    const isGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': isGzip ? gzip.length : plain.length,
        ...(isGzip && { 'content-encoding': 'gzip' }),
      })
      .end(isGzip ? gzip : plain);
  }, latencyMs);
});

/** `site-12.betrieb-12.de` and `127.1.0.12` are both site 12. */
function siteNumber(host: string): number {
  const address = /^127\.1\.(\d+)\.(\d+)/.exec(host);
  if (address) return Number(address[1]) * 250 + Number(address[2]) - 1;
  return Number(/(\d+)\.de/.exec(host)?.[1] ?? 0);
}

const socks = await startSocksListener(() => server);
// On all loopback addresses, so that the peer, which has no proxy, can have as many hosts.
server.listen(0, '0.0.0.0', 4_096, () => {
  process.send?.({ port: (server.address() as AddressInfo).port, proxy: socks.url });
});
process.on('message', (message: { latencyMs: number }) => {
  latencyMs = message.latencyMs;
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
