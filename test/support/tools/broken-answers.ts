/** A server before another one whose answers break off: all headers, half of the body, and the connection is gone. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface BrokenAnswers {
  url: string;
  /** `METHOD /path?query` and `idempotency-key` of each request that the server behind has answered. */
  calls: { call: string; key: string | null }[];
  /** How many of the next answers break off. */
  broken: number;
  /** Which; default: all. */
  matches: RegExp;
  close(): void;
}

export async function startBrokenAnswers(origin: string): Promise<BrokenAnswers> {
  const server = createServer((request, response) => {
    answer(origin, started, { request, response }).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: BrokenAnswers = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    broken: 0,
    matches: /./,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return started;
}

async function answer(
  origin: string,
  link: BrokenAnswers,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers(request.headers as Record<string, string>);
  for (const ofConnection of ['host', 'connection', 'content-length']) headers.delete(ofConnection);
  const sent = await buffer(request);
  const body = sent.length === 0 ? {} : { body: new Uint8Array(sent) };
  const got = await fetch(`${origin}${url}`, { method, headers, ...body });
  const bytes = Buffer.from(await got.arrayBuffer());
  const call = `${method} ${url}`;
  link.calls.push({ call, key: headers.get('idempotency-key') });
  const type = got.headers.get('content-type') ?? 'text/plain';
  response.writeHead(got.status, { 'content-type': type, 'content-length': bytes.length });
  if (link.broken === 0 || !link.matches.test(call)) {
    response.end(bytes);
    return;
  }
  link.broken -= 1;
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
