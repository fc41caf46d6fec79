/** A small HTTP server that answers JSON as a test demands, for behaviour that no stand-in has. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface JsonServer {
  url: string;
  /** `METHOD /path?query` of each call. */
  calls: string[];
  /** The answer to each call, until it is replaced. */
  answer: (call: string, request: IncomingMessage) => JsonAnswer;
  close(): void;
}

export async function startJsonServer(): Promise<JsonServer> {
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    started.calls.push(call);
    const { status, body, headers } = started.answer(call, request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: JsonServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: () => ({ status: 500, body: {} }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return started;
}
